package dbss_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"testing"

	"harrier/dbss"
	"harrier/internal/model"
	"harrier/internal/testkit/toy"
	"harrier/internal/testkit/twin"
)

// TestPropertiesOfTheNetworkAgreeWithTwin holds searches of random programs to the dumb twin whose properties read what is in flight
// and who has stopped, under each model: messages are lost and copied wherever they are in a queue.
func TestPropertiesOfTheNetworkAgreeWithTwin(t *testing.T) {
	seeds := taken(45)
	var d twin.Sample
	inParallel(t, seeds, func(seed uint64) {
		p := draw(seed).Watch(seed).Under(deliveryModels[seed/4%3])
		want := explorePlain(t, seed, p, 700)
		if !d.Takes(want, leastStates(seed)) {
			return
		}
		if problem := plainProblem(p, want); problem != "" {
			t.Errorf("seed %d, %s: %s", seed, p.Delivery, problem)
		}
	})
	d.Check(t, int(seeds)/5)
	d.Wants(t, 20, "losses inside", "copies", "copies inside", "violations", "no violation")
}

// TestWhatIsLeftOutComesToTheSame explores random programs with the dumb twin, with each choice that searches leave out and without: the
// local states, the histories, the terminal states and what is violated are the same.
func TestWhatIsLeftOutComesToTheSame(t *testing.T) {
	seeds := taken(80)
	var d twin.Sample
	inParallel(t, seeds, func(seed uint64) {
		p := draw(seed).Under(deliveryModels[seed/4%3])
		if seed%4 == 1 {
			p = toy.Connecting(toy.Events.Random)(seed)
		}
		o := twin.Options{MaxStates: 800, MaxPending: maxPending, KeepVectors: true, EveryChoice: true}
		probe := search(t.Context(), p, probing(o.MaxStates))
		all := explore(t, seed, probe, p, o)
		if !d.Takes(all, leastStates(seed)) {
			return
		}
		o.EveryChoice = false
		if problem := fewerChoices(all, twin.Explore(p, o)); problem != "" {
			t.Errorf("seed %d, %s: %s", seed, p.Delivery, problem)
		}
	})
	d.Check(t, int(seeds)/5)
	d.Wants(t, 10, "losses inside", "copies inside", "restart-within", "messages lost at once")
}

// fewerChoices says how an exploration with fewer choices differs where it must not.
func fewerChoices(all, fewer twin.Result) string {
	switch {
	case fewer.Err != nil:
		return fewer.Err.Error()
	case !maps.Equal(all.Vectors, fewer.Vectors):
		return fmt.Sprintf("%d and %d local states, not the same", len(all.Vectors), len(fewer.Vectors))
	case !maps.Equal(all.Terminals, fewer.Terminals):
		return fmt.Sprintf("%d and %d terminal states, not the same", len(all.Terminals), len(fewer.Terminals))
	case !maps.Equal(all.Broken, fewer.Broken):
		return fmt.Sprintf("violated are %v and %v", slices.Sorted(maps.Keys(all.Broken)), slices.Sorted(maps.Keys(fewer.Broken)))
	}
	return ""
}

// TestInFlightHasSenders has messages of which nothing but a property reads who sent them.
func TestInFlightHasSenders(t *testing.T) {
	counter := toy.Class{Name: "Counter", Fields: 1, Handlers: []toy.Handler{{Outcomes: [][]toy.Act{{{Do: "add", Value: 1}}}, Label: "count"}}}
	from := func(name string) toy.Fact { return toy.Fact{Sent: &toy.Mail{From: name, To: "counter"}} }
	for _, names := range [][]string{{"ann", "bob"}, {"bob", "ann"}} {
		gone := from(names[0])
		gone.Fewer = true
		p := &toy.Protocol{
			Classes:    []toy.Class{counter},
			Actors:     []toy.Actor{{Name: "ann", Fields: []int{0}}, {Name: "bob", Fields: []int{0}}, {Name: "counter", Fields: []int{0}}},
			Mail:       []toy.Mail{{From: "ann", To: "counter"}, {From: "bob", To: "counter"}},
			Invariants: []toy.Property{{Facts: []toy.Fact{gone, from(names[1])}}},
		}
		if found := searchDecomposed(t.Context(), p, p.Relevance(), dbss.Options{}); found.err != nil || found.Violation == nil {
			t.Errorf("the message of %s is received before that of %s: no violation, %v", names[0], names[1], found.err)
		}
	}
}

// TestLastStatesAreSeen has an actor that may crash for good within a handler, which a property sees it in the middle of.
func TestLastStatesAreSeen(t *testing.T) {
	note := toy.Act{Do: "send", To: "bob", From: -1, Hops: "none", Kind: 1}
	set := toy.Act{Do: "set", Value: 1}
	noted := toy.Handler{Kind: 1, Outcomes: [][]toy.Act{{{Do: "set", Field: 1, Value: 1}}}, Label: "note"}
	for _, c := range []struct {
		name     string
		does     []toy.Act
		violated bool
	}{{"it sends first", []toy.Act{note, set}, true}, {"it sends last", []toy.Act{set, note}, false}} {
		p := &toy.Protocol{
			Classes: []toy.Class{{Name: "C", Fields: 2, Handlers: []toy.Handler{{Outcomes: [][]toy.Act{c.does}, Label: "h"}, noted}}},
			Actors:  []toy.Actor{{Name: "ann", Fields: []int{0, 0}}, {Name: "bob", Fields: []int{0, 0}}},
			Mail:    []toy.Mail{{To: "ann"}},
			Faults:  []toy.Fault{{Kind: model.Stop, Scope: model.Scope{Names: []string{"ann"}}, Budget: 1, Within: true}},
			Invariants: []toy.Property{{Facts: []toy.Fact{
				{Stopped: true, Test: toy.Test{Field: 0, Is: "==", Value: 0}}, {Actor: "bob", Test: toy.Test{Field: 1, Is: "==", Value: 1}},
			}}},
		}
		if problem := plainProblem(p, twin.Explore(p, twin.Options{})); problem != "" {
			t.Errorf("%s: %s", c.name, problem)
		}
		if found := search(t.Context(), p, dbss.Options{}); (found.Violation != nil) != c.violated {
			t.Errorf("%s: %s", c.name, found.verdict())
		}
	}
}

// TestLastStatesDoNotAct has an actor that may act by itself crash for good: within the handler or before it, it stops in one state.
func TestLastStatesDoNotAct(t *testing.T) {
	idle := toy.Handler{Kind: toy.Itself, Outcomes: [][]toy.Act{{}}, Label: "idle"}
	p := &toy.Protocol{
		Classes:    []toy.Class{{Name: "C", Fields: 1, Handlers: []toy.Handler{idle}}},
		Actors:     []toy.Actor{{Name: "ann", Fields: []int{0}}},
		Faults:     []toy.Fault{{Kind: model.Stop, Scope: model.Scope{All: true}, Budget: -1, Within: true}},
		Invariants: []toy.Property{{Facts: []toy.Fact{{Stopped: true, Test: toy.Test{Field: 0, Is: "==", Value: 1}}}}},
	}
	if problem := plainProblem(p, twin.Explore(p, twin.Options{})); problem != "" {
		t.Error(problem)
	}
	if found := search(t.Context(), p, dbss.Options{}); found.States != 2 {
		t.Errorf("%d states, and the actor is there or has stopped", found.States)
	}
}

// TestWhoIsDownDoesNotAct has an actor that may act by itself once its field is set go down before a round, or after it.
func TestWhoIsDownDoesNotAct(t *testing.T) {
	h := toy.Handler{Kind: toy.Itself, Guard: []toy.Test{{Field: 0, Is: "==", Value: 2}}, Outcomes: [][]toy.Act{{}}, Label: "h"}
	p := &toy.Protocol{
		Classes: []toy.Class{{Name: "C", Fields: 1, Handlers: []toy.Handler{h}}},
		Actors:  []toy.Actor{{Name: "ann", Fields: []int{0}}},
		Clocks:  model.Clocks{Tick: 1, Rounds: 1, Delay: -1},
		Faults:  []toy.Fault{{Kind: model.Crash, Scope: model.Scope{All: true}, Budget: -1}},
	}
	if problem := plainProblem(p, twin.Explore(p, twin.Options{})); problem != "" {
		t.Error(problem)
	}
}

// wholly is a script in which actors crash at the ends of handlers.
type wholly struct{ *toy.Script }

// Steps implements model.Oracle.
func (w wholly) Steps(ctx context.Context, questions []model.Question) ([]model.Answer, error) {
	answers, err := w.Script.Steps(ctx, questions)
	for _, a := range answers {
		for _, o := range a.Outcomes {
			if o.Point != nil {
				o.Point.Whole = true
			}
		}
	}
	return answers, err
}

// TestAStepThatFailsStays has a crash at the end of a handler violate a property of steps that the handler and then a crash do not.
func TestAStepThatFailsStays(t *testing.T) {
	s := wholly{toy.Read(`
		start: ann 0
		mail: bob>ann tick
		ann 0 tick -> 1
		ann 1 restart -> 0
		ann 0 restart -> 0
		ann 0 within tick -> fail it lost what it had
		fault: 1 restart-within ann`)}
	if found := search(t.Context(), s, dbss.Options{}); found.err != nil || found.Violation == nil {
		t.Errorf("no violation, %v", found.err)
	}
}

// TestABoundSeesWhatIsBetweenAHandlerAndACrash has a handler leave the bound. A crash within it does not, so it is no handler and then a crash.
func TestABoundSeesWhatIsBetweenAHandlerAndACrash(t *testing.T) {
	p := &toy.Protocol{
		Classes: []toy.Class{{Name: "Node", Fields: 1, Handlers: []toy.Handler{{Label: "leaves", Outcomes: [][]toy.Act{{{Do: "set", Value: 1}}}}}}},
		Actors:  []toy.Actor{{Name: "ann", Fields: []int{0}}},
		Mail:    []toy.Mail{{To: "ann"}},
		Faults:  []toy.Fault{{Kind: model.Crash, Scope: model.Scope{All: true}, Budget: 1, Within: true}},
		Bounds:  []toy.Property{{Facts: []toy.Fact{{Actor: "ann", Test: toy.Test{Is: ">=", Value: 1}}}}},
	}
	// Two of seven states are outside: after the handler, before any crash and after one. Ann is down, with the message or without it, and up again.
	want := twin.Explore(p, twin.Options{})
	if problem := plainProblem(p, want); want.Err != nil || want.States != 7 || want.Outside != 2 || problem != "" {
		t.Errorf("%d states, %d outside, %v; searches: %s", want.States, want.Outside, want.Err, problem)
	}
}
