package examples

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"testing"

	"harrier/bridge"
	"harrier/internal/check"
	"harrier/internal/model"
	"harrier/internal/report"
	"harrier/internal/testkit/must"
	"harrier/serializer"
)

// An instruction is what a thread does next in a classic program, as interleaved has it.
type instruction struct {
	do   string // "enter", "exit", "wait", "notify" or "notifyAll" a monitor, "yield", "share" a volatile field, or "sleep"; or "": only act
	on   int    // the monitor
	act  func(v *[4]int)
	jump func(v [4]int) int // by how many instructions the thread goes on; nil for 1
}

// interleaved is a state of a program of threads with monitors, and a thread's part of it: a naive interpreter, which knows nothing of frames.
type interleaved struct {
	vars    [4]int
	owner   [3]int // the thread that has a monitor, from 1; 0 for nobody
	threads [4]part
}

// A part is where a thread is, and what it waits for there.
type part struct {
	at    int
	waits string
	done  bool
}

// machine interprets a program. With preempts threads also take turns before they enter monitors and use volatile fields, and wake without
// a cause.
type machine struct {
	code     [][]instruction
	preempts bool
}

// explored are the states that a machine comes to, how often it goes from one to another, and in how many ways it comes to a deadlock.
type explored struct{ states, transitions, deadlocks int }

func (m *machine) explore() explored {
	start := interleaved{}
	for t := range m.code {
		start.threads[t].waits = "start"
	}
	var found explored
	known := map[interleaved]bool{start: true}
	for open := []interleaved{start}; len(open) > 0; {
		s := open[len(open)-1]
		open = open[:len(open)-1]
		for t := range m.code {
			if !m.canGo(s, t) {
				continue
			}
			for _, next := range m.run(s, t) {
				found.transitions++
				switch {
				case m.isStuck(next):
					found.deadlocks++
				case !known[next]:
					known[next] = true
					open = append(open, next)
				}
			}
		}
	}
	found.states = len(known)
	return found
}

func (m *machine) canGo(s interleaved, t int) bool {
	switch p := s.threads[t]; p.waits {
	case "start", "yield", "share", "sleep":
		return true
	case "monitor", "woken":
		return s.owner[m.code[t][p.at].on] == 0
	}
	return false
}

// run has a thread go on to where it waits or ends, in every way.
func (m *machine) run(s interleaved, t int) []interleaved {
	p := &s.threads[t]
	for {
		if p.at == len(m.code[t]) {
			*p = part{done: true}
			return []interleaved{s}
		}
		i, over := m.code[t][p.at], p.waits
		p.waits = ""
		isShared := i.do == "enter" || i.do == "share"
		switch {
		case m.preempts && isShared && over != "share" && over != "monitor":
			p.waits = "share"
			return []interleaved{s}
		case (i.do == "yield" || i.do == "sleep") && over != i.do:
			p.waits = i.do
			return []interleaved{s}
		case i.do == "enter" && s.owner[i.on] != 0:
			p.waits = "monitor"
			return []interleaved{s}
		case i.do == "wait" && over != "woken":
			s.owner[i.on] = 0
			p.waits = "notification"
			ways := []interleaved{s}
			if m.preempts {
				p.waits = "woken"
				ways = append(ways, s)
			}
			return ways
		}
		switch i.do {
		case "enter", "wait":
			s.owner[i.on] = t + 1
		case "exit":
			s.owner[i.on] = 0
		}
		if i.act != nil {
			i.act(&s.vars)
		}
		if p.at++; i.jump != nil {
			p.at += i.jump(s.vars) - 1
		}
		if woken := m.waiting(s, i); i.do == "notifyAll" {
			for _, w := range woken {
				s.threads[w].waits = "woken"
			}
		} else if i.do == "notify" && len(woken) > 0 {
			var ways []interleaved
			for _, w := range woken {
				way := s
				way.threads[w].waits = "woken"
				ways = append(ways, m.run(way, t)...)
			}
			return ways
		}
	}
}

// waiting are the threads that an instruction may notify.
func (m *machine) waiting(s interleaved, i instruction) (found []int) {
	for w, p := range s.threads {
		if p.waits == "notification" && m.code[w][p.at].on == i.on {
			found = append(found, w)
		}
	}
	return found
}

// isStuck reports whether threads wait for monitors of each other.
func (m *machine) isStuck(s interleaved) bool {
	for t := range m.code {
		seen := map[int]bool{}
		for at := t; s.threads[at].waits == "monitor" && !seen[at]; {
			seen[at] = true
			if at = s.owner[m.code[at][s.threads[at].at].on] - 1; at == t {
				return true
			} else if at < 0 {
				break
			}
		}
	}
	return false
}

// The programs, as testdata/threads has them in Java.

func buffer(all bool) [][]instruction {
	wake := map[bool]string{false: "notify", true: "notifyAll"}[all]
	side := func(blocked, by int) []instruction {
		return []instruction{
			{do: "enter"},
			{jump: func(v [4]int) int {
				if v[0] == blocked {
					return 1
				}
				return 3
			}},
			{do: "wait"},
			{jump: func([4]int) int { return -2 }},
			{act: func(v *[4]int) { v[0] += by }},
			{do: wake},
			{do: "exit"},
			{act: func(v *[4]int) { v[1]++ }},
		}
	}
	return [][]instruction{side(1, 1), side(1, 1), side(0, -1), side(0, -1)}
}

func philosophers(ordered bool) [][]instruction {
	var all [][]instruction
	for i := range 3 {
		a, b := i, (i+1)%3
		if ordered {
			a, b = min(a, b), max(a, b)
		}
		all = append(all, []instruction{{do: "enter", on: a}, {do: "yield"}, {do: "enter", on: b}, {act: func(v *[4]int) { v[0]++ }}, {do: "exit", on: b}, {do: "exit", on: a}})
	}
	return all
}

// cache has in its variables the value, how often it was made, and what threads got, one after the other.
func cache(again bool) [][]instruction {
	isThere := func(by int) func(v [4]int) int {
		return func(v [4]int) int {
			if v[0] != 0 {
				return by
			}
			return 1
		}
	}
	var looksAgain instruction
	if again {
		looksAgain = instruction{do: "share", jump: isThere(3)}
	}
	one := []instruction{
		{do: "share", jump: isThere(7)},
		{do: "yield"},
		{do: "enter"},
		looksAgain,
		{do: "sleep", act: func(v *[4]int) { v[1]++ }},
		{do: "share", act: func(v *[4]int) { v[0] = v[1] }},
		{do: "exit"},
		{act: func(v *[4]int) { v[2] = v[2]*4 + v[0] }},
	}
	return [][]instruction{one, one, one}
}

// TestClassicProgramsHaveAsManyStatesAsCounted holds programs that textbooks have to a naive interpreter of them.
func TestClassicProgramsHaveAsManyStatesAsCounted(t *testing.T) {
	for _, c := range []struct {
		name   string
		values map[string]string
		code   [][]instruction
	}{
		{"Buffer", map[string]string{"all": "true"}, buffer(true)},
		{"Buffer", map[string]string{"all": "false"}, buffer(false)},
		{"Philosophers", map[string]string{"ordered": "true"}, philosophers(true)},
		{"Philosophers", map[string]string{"ordered": "false"}, philosophers(false)},
		{"Cache", map[string]string{"again": "true"}, cache(true)},
		{"Cache", map[string]string{"again": "false"}, cache(false)},
	} {
		for _, where := range []string{bridge.Blocking, bridge.Locks} {
			t.Run(fmt.Sprint(c.name, slices.Collect(maps.Values(c.values)), where), func(t *testing.T) {
				want := (&machine{c.code, where == bridge.Locks}).explore()
				from := bridge.Source{Path: "testdata/threads/" + c.name + ".java", Parameters: c.values, Recheck: "all", Threads: where}
				p := loadFrom(t, from)
				o := single("bfs")
				o.KeepGoing = true
				c := prepared(t, p, "selective", o)
				do(t, c, check.Search)
				if states, transitions := int(c.Result.States), int(c.Result.Transitions); states != want.states || transitions != want.transitions {
					t.Errorf("%d states and %d transitions; the interpreter comes to %+v", states, transitions, want)
				}
			})
		}
	}
}

// TestFieldsThatThreadsUse leaves out what threads store in fields and nobody reads, but not what their frames keep.
func TestFieldsThatThreadsUse(t *testing.T) {
	p := loadFrom(t, bridge.Source{Path: "testdata/threads/Fields.java", Recheck: "all"})
	var auxiliary []string
	for _, f := range p.Program().Fields {
		if f.Verdict.Auxiliary() {
			auxiliary = append(auxiliary, f.Name)
		}
	}
	if want := []string{"note", "seen", "queued", "last", "notes"}; !slices.Equal(auxiliary, want) {
		t.Errorf("auxiliary are %v, want %v", auxiliary, want)
	}
	for hashing, want := range map[string]uint64{"selective": 478, "fields": 478, "last": 910} {
		o := single("bfs")
		o.Symmetry = "off"
		if c := explore(t, p, hashing, o); c.Result.States != want || c.Summary.Verdict != report.Verified {
			t.Errorf("%s: %d states, %v, want %d", hashing, c.Result.States, c.Summary.Verdict, want)
		}
	}
}

// TestNamesInVariablesOfThreadsArePermuted has a thread that waits with the name of a client in a variable.
func TestNamesInVariablesOfThreadsArePermuted(t *testing.T) {
	p := loadFrom(t, bridge.Source{Path: "testdata/threads/Clients.java", Recheck: "all"})
	ask := func(local []byte, e model.Event) []byte {
		return must.Get(p.Steps(t.Context(), []model.Question{{Local: local, Event: e}}))[0].Outcomes[0].Local
	}
	var waiting [][]byte // the server once it has taken who asked
	for _, m := range p.Program().Initial.Messages {
		server := p.Program().Initial.Actors[slices.IndexFunc(p.Program().Initial.Actors, func(a model.Actor) bool { return a.Name == m.Receiver })]
		waiting = append(waiting, ask(ask(server.Local, model.Event{Messages: []model.Message{m}}), model.Event{Kind: model.Internal}))
	}
	swap := serializer.NewRenaming(func(name string) string {
		return map[string]string{"client1": "client2", "client2": "client1", "client3": "client3", "server": "server"}[name]
	})
	if renamed := must.Get(swap.Rename(waiting[0])); bytes.Equal(waiting[0], waiting[1]) || !bytes.Equal(renamed, waiting[1]) {
		t.Errorf("%s, renamed, is\n%s, not\n%s", waiting[0], renamed, waiting[1])
	}
	for symmetry, want := range map[string]uint64{"off": 145, "on": 34} {
		o := single("bfs")
		o.Symmetry = symmetry
		if got := explore(t, p, "selective", o).Result.States; got != want {
			t.Errorf("symmetry %s: %d states, want %d", symmetry, got, want)
		}
	}
}
