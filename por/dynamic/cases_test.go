package dynamic_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"harrier/dbss"
	"harrier/internal/toy"
	"harrier/model"
	"harrier/por/dynamic"
	"harrier/property"
)

func search(ctx context.Context, s *toy.Script, o dbss.Options) (*dbss.Result, *model.Actors, error) {
	actors, err := model.NewActors(s, model.Decomposition{})
	if err != nil {
		return nil, nil, err
	}
	r, err := dynamic.Search(ctx, actors, property.NewChecker(s, actors), o, &dbss.Progress{})
	return r, actors, err
}

func found(t *testing.T, s *toy.Script, o dbss.Options) *dbss.Result {
	t.Helper()
	o.KeepGoing = true
	r, _, err := search(context.Background(), s, o)
	if err != nil || !r.Complete {
		t.Fatalf("%+v, %v", r, err)
	}
	return r
}

// never is a condition that an actor is not in a state.
func never(name, state string) toy.Condition {
	return func(states map[string]string) bool { return states[name] != state }
}

// renamed is a script with the names of ann and bob exchanged, so that whoever comes first comes last.
func renamed(s *toy.Script) *toy.Script {
	swap := strings.NewReplacer("ann", "bob", "bob", "ann")
	r := &toy.Script{Start: map[string]string{}, Rules: map[string][]toy.Then{}, Quorums: s.Quorums, Faults: s.Faults}
	for name, state := range s.Start {
		r.Start[swap.Replace(name)] = state
	}
	for _, m := range s.Mail {
		r.Mail = append(r.Mail, swap.Replace(m))
	}
	for rule, outcomes := range s.Rules {
		for _, o := range outcomes {
			var sends []string
			for _, m := range o.Send {
				sends = append(sends, swap.Replace(m))
			}
			o.Send = sends
			r.Rules[swap.Replace(rule)] = append(r.Rules[swap.Replace(rule)], o)
		}
	}
	return r
}

// Each of these programs has ends that one order of two steps leads to, and the other order does not.
func TestBothOrdersAreFollowed(t *testing.T) {
	cases := map[string]struct {
		script *toy.Script
		ends   int // of runs that differ in more than the order of steps that commute
	}{
		"a message comes before or after another one is taken": {&toy.Script{
			Start: map[string]string{"ann": "idle", "bob": "idle"}, Mail: []string{"ann>ann x", "bob>bob go"},
			Rules: map[string][]toy.Then{
				"bob idle go": {{Become: "gone", Send: []string{"ann y"}}},
				"ann idle x":  {{Become: "x"}}, "ann idle y": {{Become: "y"}}, "ann x y": {{Become: "xy"}}, "ann y x": {{Become: "yx"}},
			},
		}, 2},
		"what was taken closes the guard for it": {&toy.Script{
			Start: map[string]string{"ann": "idle", "bob": "idle"}, Mail: []string{"ann>ann x", "bob>bob go"},
			Rules: map[string][]toy.Then{
				"bob idle go": {{Become: "gone", Send: []string{"ann y"}}},
				"ann idle x":  {{Become: "x"}}, "ann idle y": {{Become: "y"}},
			},
		}, 2},
		"it is sent at the end of a chain": {&toy.Script{
			Start: map[string]string{"ann": "idle", "bob": "idle", "cid": "idle", "dot": "idle"}, Mail: []string{"ann>ann x", "bob>bob go"},
			Rules: map[string][]toy.Then{
				"bob idle go": {{Become: "gone", Send: []string{"cid on"}}}, "cid idle on": {{Become: "gone", Send: []string{"dot on"}}},
				"dot idle on": {{Become: "gone", Send: []string{"ann y"}}},
				"ann idle x":  {{Become: "x"}}, "ann idle y": {{Become: "y"}},
			},
		}, 2},
		"two messages are taken together, or one before the other comes": {&toy.Script{
			Start: map[string]string{"ann": "idle", "bob": "idle"}, Mail: []string{"ann>ann x", "bob>bob go"},
			Rules: map[string][]toy.Then{
				"bob idle go": {{Become: "gone", Send: []string{"ann y"}}},
				"ann idle x":  {{Become: "x"}}, "ann idle x+y": {{Become: "both"}},
			},
			Quorums: map[string][]model.Quorum{"x": {{Handler: "together"}}, "y": {{Handler: "together"}}},
		}, 2},
		"what an actor does by itself": {&toy.Script{
			Start: map[string]string{"ann": "idle", "bob": "idle"}, Mail: []string{"bob>bob go"},
			Rules: map[string][]toy.Then{
				"bob idle go":     {{Become: "gone", Send: []string{"ann y"}}},
				"ann idle itself": {{Become: "fired"}}, "ann idle y": {{Become: "y"}},
			},
		}, 2},
		"three messages of three senders": {&toy.Script{
			Start: map[string]string{"ann": "", "bob": "idle", "cid": "idle", "dot": "idle"}, Mail: []string{"bob>bob go", "cid>cid go", "dot>dot go"},
			Rules: map[string][]toy.Then{
				"bob idle go": {{Become: "gone", Send: []string{"ann 1"}}}, "cid idle go": {{Become: "gone", Send: []string{"ann 2"}}},
				"dot idle go": {{Become: "gone", Send: []string{"ann 3"}}},
				"ann  1":      {{Become: "1"}}, "ann  2": {{Become: "2"}}, "ann  3": {{Become: "3"}},
				"ann 1 2": {{Become: "12"}}, "ann 1 3": {{Become: "13"}}, "ann 2 1": {{Become: "21"}}, "ann 2 3": {{Become: "23"}},
				"ann 3 1": {{Become: "31"}}, "ann 3 2": {{Become: "32"}}, "ann 12 3": {{Become: "123"}}, "ann 13 2": {{Become: "132"}},
				"ann 21 3": {{Become: "213"}}, "ann 23 1": {{Become: "231"}}, "ann 31 2": {{Become: "312"}}, "ann 32 1": {{Become: "321"}},
			},
		}, 6},
	}
	for name, c := range cases {
		for _, s := range []*toy.Script{c.script, renamed(c.script)} {
			for _, fifo := range []bool{false, true} {
				s.FIFO.All = fifo && !strings.Contains(name, "together")
				if r := found(t, s, dbss.Options{}); r.Terminal != uint64(c.ends) {
					t.Errorf("%s: %d ends, not %d", name, r.Terminal, c.ends)
				}
			}
		}
	}
}

// Steps of different actors that have nothing to do with each other are followed in one order.
func TestIndependentStepsHaveOneOrder(t *testing.T) {
	s := &toy.Script{Start: map[string]string{}, Rules: map[string][]toy.Then{}}
	for _, name := range []string{"ann", "bob", "cid", "dot", "eve"} {
		s.Start[name] = "idle"
		s.Mail = append(s.Mail, name+">"+name+" go")
		s.Rules[name+" idle go"] = []toy.Then{{Become: "gone"}}
	}
	if r := found(t, s, dbss.Options{}); r.States != 6 || r.Transitions != 5 || r.Terminal != 1 || r.Reduced != 4 || r.Depth != 5 {
		t.Errorf("%+v", r.Counts)
	}
	s.Invariants = []toy.Condition{func(map[string]string) bool { return true }}
	if r := found(t, s, dbss.Options{}); r.Terminal != 120 {
		t.Errorf("an invariant reads all of them, so their order counts: %+v", r.Counts)
	}
}

// Where a step could come before another one, nobody is followed but who leads to it: by messages, and by creating who sends them.
// Eve has nothing to do with it.
func TestOnlyThoseWhoLeadToARaceAreFollowed(t *testing.T) {
	s := &toy.Script{
		Start: map[string]string{"ann": "idle", "bob": "idle", "eve": "0", "zed": "idle"}, Mail: []string{"zed>zed x", "bob>bob go", "eve>eve on"},
		Rules: map[string][]toy.Then{
			"zed idle x": {{Become: "x"}}, "zed idle y": {{Become: "y"}},
			"eve 0 on":       {{Become: "1", Send: []string{"eve on"}}, {Become: "2", Send: []string{"eve on"}}},
			"bob idle go":    {{Become: "gone", Send: []string{"ann go"}}},
			"ann idle go":    {{Become: "gone", Create: map[string]string{"cid": "new"}}},
			"cid new itself": {{Become: "old", Send: []string{"zed y"}}},
		},
	}
	if r := found(t, s, dbss.Options{}); r.Terminal != 4 || r.Transitions != 18 {
		t.Errorf("%+v", r.Counts)
	}
}

// Who is followed first may fail. Others still may.
func TestAllFailuresAreFound(t *testing.T) {
	s := &toy.Script{
		Start: map[string]string{"ann": "idle", "bob": "idle"}, Mail: []string{"ann>ann x", "bob>bob x", "bob>bob y"},
		Rules: map[string][]toy.Then{"ann idle x": {{Fail: "ann"}}, "bob idle x": {{Become: "on"}}, "bob on y": {{Fail: "bob"}}},
	}
	for _, s := range []*toy.Script{s, renamed(s)} {
		if r := found(t, s, dbss.Options{}); len(r.HandlerRuns) < 3 || r.HandlerRuns[1] == 0 || r.HandlerRuns[2] == 0 {
			t.Errorf("%+v", r.Counts)
		}
	}
}

// A state in which only a fault may happen is an end, whatever the fault leads to.
func TestEndsAreMetBeforeFaults(t *testing.T) {
	s := &toy.Script{
		Start: map[string]string{"ann": "idle", "bob": "idle"}, Mail: []string{"ann>ann x", "bob>bob closed"},
		Rules:  map[string][]toy.Then{"ann idle x": {{Become: "x"}}},
		Faults: []model.Fault{{Kind: model.Lose, Scope: model.Scope{Names: []string{"ann", "bob"}}, Budget: model.Unbounded}},
	}
	for _, s := range []*toy.Script{s, renamed(s)} {
		if r := found(t, s, dbss.Options{}); r.Leftover == 0 || r.Terminal == r.Leftover {
			t.Errorf("bob's message may be lost or not: %+v", r.Counts)
		}
	}
}

// One budget is for all.
func TestFaultsThatShareABudgetDependOnEachOther(t *testing.T) {
	s := &toy.Script{
		Start: map[string]string{"ann": "idle", "bob": "idle"}, Mail: []string{"ann>ann x", "bob>bob x"},
		Rules: map[string][]toy.Then{
			"ann idle x": {{Become: "x"}}, "bob idle x": {{Become: "x"}},
			"ann idle restart": {{Become: "new"}}, "bob idle restart": {{Become: "new"}}, "ann x restart": {{Become: "again"}}, "bob x restart": {{Become: "again"}},
		},
		Faults: []model.Fault{{Kind: model.Restart, Scope: model.Scope{All: true}, Budget: 1}},
	}
	for _, name := range []string{"ann", "bob"} {
		for _, state := range []string{"new", "again"} {
			s.Final = never(name, state)
			if r := found(t, s, dbss.Options{}); r.Violations == 0 {
				t.Errorf("%s is never %s", name, state)
			}
		}
	}
}

// While the network is split a message may be lost, and once it has healed it may not.
func TestWhatHealingPreventsIsFollowed(t *testing.T) {
	s := &toy.Script{
		Start: map[string]string{"ann": "idle", "bob": "idle"}, Mail: []string{"bob>ann nobody takes it"},
		Faults: []model.Fault{{Kind: model.Split, Scope: model.Scope{Names: []string{"bob"}}, Budget: 1}},
	}
	if r := found(t, s, dbss.Options{}); r.Leftover == 0 || r.Leftover == r.Terminal {
		t.Errorf("the message may be lost or not: %+v", r.Counts)
	}
}

// endless is an actor that goes on for ever.
func endless() *toy.Script {
	return &toy.Script{
		Start: map[string]string{"ann": "idle"}, Mail: []string{"ann>ann x"},
		Rules: map[string][]toy.Then{"ann idle x": {{Become: "idle", Send: []string{"ann x"}}}},
	}
}

func TestBoundsEndASearch(t *testing.T) {
	r, _, err := search(context.Background(), endless(), dbss.Options{MaxStates: 5})
	if err != nil || r.Complete || r.States != 5 || r.Reason != "the search ended after 5 states (--max-states)" {
		t.Errorf("%+v, %v", r, err)
	}
	ctx, cancel := context.WithTimeoutCause(context.Background(), 10*time.Millisecond, errors.New("time is up"))
	defer cancel()
	r, _, err = search(ctx, endless(), dbss.Options{})
	if err != nil || r.Complete || r.Reason != "time is up" {
		t.Errorf("%+v, %v", r, err)
	}
	var usage *model.UsageError
	if _, _, err = search(context.Background(), endless(), dbss.Options{MaxDepth: 5}); !errors.As(err, &usage) {
		t.Errorf("a bound on the depth: %v", err)
	}
}

// The first violation ends a search, unless it is to keep going; then the shortest is told.
func TestViolationsAreCounted(t *testing.T) {
	s := &toy.Script{
		Start: map[string]string{"ann": "idle"}, Mail: []string{"ann>ann x", "ann>ann y"},
		Rules: map[string][]toy.Then{"ann idle x": {{Become: "x"}}, "ann x y": {{Fail: "late"}}, "ann idle y": {{Fail: "at once"}}},
	}
	r, _, err := search(context.Background(), s, dbss.Options{})
	if err != nil || r.Complete || r.Violations != 1 || fmt.Sprint(r.Violation.Failure.Text) != "late" || len(r.Violation.Path) != 2 {
		t.Errorf("%+v, %v", r, err)
	}
	if r := found(t, s, dbss.Options{}); r.Violations != 2 || r.Violation.Failure.Text != "at once" || len(r.Violation.Path) != 1 {
		t.Errorf("%+v", r)
	}
	s.Rules = map[string][]toy.Then{"ann idle x": {{Become: "x"}}}
	s.Final = never("ann", "x")
	if r := found(t, s, dbss.Options{}); r.Violations != 1 || r.Violation.Kind != property.Deadlock || r.Leftover != 1 {
		t.Errorf("%+v", r)
	}
	if r := found(t, s, dbss.Options{NoDeadlock: true}); r.Violations != 0 {
		t.Errorf("%+v", r)
	}
}
