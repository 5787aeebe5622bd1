package explore

import (
	"context"
	"math/rand/v2"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"harrier/dbss"
	"harrier/internal/model"
	"harrier/internal/model/space"
	"harrier/internal/property"
	"harrier/internal/report"
	"harrier/internal/testkit/toy"
)

// program is a random program that has all of its states as structured bytes, which the histories of these programs are not.
type program struct {
	*toy.Protocol
	isStuck *atomic.Bool // the next steps do not return before they are cancelled
}

func random(seed uint64) program { return program{toy.Events.Random(seed), &atomic.Bool{}} }

func (p program) Steps(ctx context.Context, questions []model.Question) ([]model.Answer, error) {
	if p.isStuck.Load() {
		<-ctx.Done()
		p.isStuck.Store(false)
		return nil, context.Cause(ctx)
	}
	return p.Protocol.Steps(ctx, questions)
}

func (p program) Program() *model.Program {
	out := *p.Protocol.Program()
	out.Shown = toy.Shown
	return &out
}

// begin explores a program, and returns the trace that is saved.
func begin(t *testing.T, p program) (*Session, *report.Trace) {
	t.Helper()
	saved := &report.Trace{}
	s, err := NewSession(t.Context(), p, Options{MaxStates: 2000, Decomposition: p.Decomposition(space.Selective), Save: func(_ context.Context, trace *report.Trace) (string, error) {
		*saved = *trace
		return "saved", nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	return s, saved
}

func do(t *testing.T, s *Session, q Request) Answer {
	t.Helper()
	var a Answer
	if s.Do(t.Context(), &q, &a); a.Error != "" {
		t.Fatalf("%+v: %s", q, a.Error)
	}
	return a
}

// from is a system that begins in a state, without macro steps and reductions.
type from struct {
	*space.Actors
	state model.State
}

func (f from) Initial() model.State { return append(model.State{}, f.state...) }

// TestSessionsTakeWhatRunsTake walks at random through random programs, with steps back, and compares the session's account of each run
// with a run that is executed again: the effects of each step, and its target. A search from some state
// on finds a violation where a search of single steps does.
func TestSessionsTakeWhatRunsTake(t *testing.T) {
	kinds, same, found := map[property.Kind]int{}, 0, 0
	for seed := range uint64(50) {
		dice := rand.New(rand.NewPCG(seed, 0))
		p := random(seed)
		s, saved := begin(t, p)
		for range 12 {
			at := dice.IntN(len(s.nodes))
			v := do(t, s, Request{Do: "look", Node: at}).View
			for range 8 {
				if len(v.Events) == 0 {
					break
				}
				event := dice.IntN(len(v.Events))
				next := do(t, s, Request{Do: "take", Node: v.Node, Event: event}).View
				want := v.Events[event].Detail
				if got := *next.Step; !reflect.DeepEqual(got, want) {
					t.Fatalf("seed %d: announced %+v, and did %+v", seed, want, got)
				}
				v = next
			}
			do(t, s, Request{Do: "save", Node: v.Node})
			run := do(t, s, Request{Do: "run", Node: v.Node}).Run
			for i := range saved.Steps {
				if again := report.Escaped(saved.Steps[i]); !reflect.DeepEqual(again, run.Steps[i]) {
					t.Fatalf("seed %d, step %d: shown %+v\nexecuted %+v", seed, i+1, run.Steps[i], again)
				}
			}
			kinds[saved.Violation.Kind]++
			if s.row(v.Node).Same != v.Node {
				same++
			}
		}
		found += compareSearch(t, seed, p, s)
	}
	t.Logf("%v, %d states met again, %d violations found", kinds, same, found)
	if len(kinds) != 5 || same < 100 || found < 5 {
		t.Error("these walks prove too little")
	}
}

// compareSearch searches from the last node, and returns 1 if a violation is found there.
func compareSearch(t *testing.T, seed uint64, p program, s *Session) int {
	t.Helper()
	at := len(s.nodes) - 1
	for ; at > 0 && len(s.nodes[at].violated) > 0; at = s.nodes[at].parent {
	}
	if len(s.nodes[at].violated) > 0 {
		return 0
	}
	r, err := dbss.Search(context.Background(), from{s.actors, s.nodes[at].state}, property.NewChecker(p, s.actors),
		dbss.Options{Order: dbss.BreadthFirst, MaxStates: 1500}, &dbss.Progress{})
	if err != nil || r.Violation == nil && !r.Complete {
		return 0
	}
	v := do(t, s, Request{Do: "search", Node: at}).View
	if (len(v.Violated) > 0) != (r.Violation != nil) {
		t.Fatalf("seed %d: the search from node %d ends in %q, one of single steps finds %+v", seed, at, v.Violated, r.Violation)
	}
	if r.Violation == nil {
		return 0
	}
	do(t, s, Request{Do: "save", Node: v.Node})
	return 1
}

// TestSessionsFollowTraces begins with a run that another session kept.
func TestSessionsFollowTraces(t *testing.T) {
	for seed := range uint64(40) {
		p := random(seed)
		s, saved := begin(t, p)
		v := do(t, s, Request{Do: "search", Node: 0}).View
		do(t, s, Request{Do: "save", Node: v.Node})
		claimed, actions, err := saved.Claim(p.Program())
		if err != nil {
			t.Fatal(err)
		}
		again, _ := begin(t, p)
		if err := again.Follow(t.Context(), claimed, actions); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		last := do(t, again, Request{Do: "look", Node: -1})
		if len(last.Rows) != len(saved.Steps)+1 || !reflect.DeepEqual(last.View.Violated, v.Violated) {
			t.Fatalf("seed %d: followed to %+v, not to %+v", seed, last.View, v)
		}
		if len(actions) > 0 {
			actions[0].Actor = "nobody"
			if err := again.Follow(t.Context(), claimed, actions); err == nil {
				t.Error("a step of nobody was taken")
			}
		}
	}
}

// spinning is a program whose only actor sends itself a message for ever.
func spinning(formulas ...string) program {
	spin := toy.Handler{Outcomes: [][]toy.Act{{{Do: "send", To: "self", From: -1, Hops: "none"}}}, Label: "spin"}
	p := &toy.Protocol{Classes: []toy.Class{{Name: "C", Fields: 1, Handlers: []toy.Handler{spin}}},
		Actors: []toy.Actor{{Name: "ann", Fields: []int{0}}}, Mail: []toy.Mail{{From: "ann", To: "ann"}},
		Predicates: []toy.Property{{Facts: []toy.Fact{{Actor: "ann", Test: toy.Test{Field: 0, Is: "==", Value: 0}}}}}}
	for _, f := range formulas {
		p.Liveness = append(p.Liveness, model.Liveness{Name: f, Formula: f, Atoms: []model.Atom{{Name: "p"}}})
	}
	return program{p, &atomic.Bool{}}
}

// TestLassosKeepTheirLoop opens runs that go on for ever by their last step, and one to a state that leads to no other. The property
// that is violated is noted where the run ends, and kept with it.
func TestLassosKeepTheirLoop(t *testing.T) {
	p := spinning("<>p", "[]!p", "p")
	p.Liveness[2].Kind = model.Possible
	s, saved := begin(t, p)
	do(t, s, Request{Do: "take"})
	do(t, s, Request{Do: "take", Node: 1})
	do(t, s, Request{Do: "save", Node: 2})
	_, actions, err := saved.Claim(p.Program())
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range []struct {
		kind     property.Kind
		claimed  int // length of the loop
		violated string
		loop     int
	}{
		{property.Liveness, 1, "violated: <>p: the last step is repeated for ever", 1},
		{property.Liveness, 1, "", 0},
		{property.Impossible, 0, "violated: p: from here no run without faults leads to it", 0},
	} {
		s, saved = begin(t, p)
		if err := s.Follow(t.Context(), property.Violation{Kind: c.kind, Property: i, Loop: c.claimed}, actions); err != nil {
			t.Fatal(err)
		}
		do(t, s, Request{Do: "save", Node: 2})
		run, view := do(t, s, Request{Do: "run", Node: 2}).Run, do(t, s, Request{Do: "look", Node: 2}).View
		if got := strings.Join(view.Violated, ", "); got != c.violated || run.Loop != c.loop || saved.Loop != c.loop || saved.Violation.Kind != c.kind && got != "" {
			t.Errorf("%q is violated, the loop has %d steps, and %d where it was saved with %+v", got, run.Loop, saved.Loop, saved.Violation)
		}
		if run := do(t, s, Request{Do: "run", Node: 1}).Run; run.Loop != 0 {
			t.Error("the run has a loop before it ends")
		}
		if text := do(t, s, Request{Do: "search", Node: 2}).Text; !strings.HasPrefix(text, "No violation can be reached") || !strings.HasSuffix(text, "left to harrier check.") {
			t.Errorf("the search said %q", text)
		}
	}
}

func TestWrongRequestsAreRefused(t *testing.T) {
	s, _ := begin(t, random(1))
	for _, q := range []Request{{Do: "look", Node: -2}, {Do: "look", Node: 99}, {Do: "take", Event: 99}, {Do: "take", Event: -1}, {Do: "fly"}, {Do: "run", Node: 99}} {
		var a Answer
		if s.Do(t.Context(), &q, &a); a.Error == "" || a.View != nil {
			t.Errorf("%+v: %+v", q, a)
		}
	}
}

// TestSearchesAreStopped stops one whose steps do not return.
func TestSearchesAreStopped(t *testing.T) {
	p := random(29)
	s, _ := begin(t, p)
	p.isStuck.Store(true)
	go func() {
		for s.searching.Load() == nil {
			time.Sleep(time.Millisecond)
		}
		time.Sleep(100 * time.Millisecond) // or it ends before it begins
		s.Do(t.Context(), &Request{Do: "stop"}, &Answer{})
	}()
	if a := do(t, s, Request{Do: "search", Node: 0}); !strings.Contains(a.Text, "it was stopped") {
		t.Errorf("it said %q", a.Text)
	}
}
