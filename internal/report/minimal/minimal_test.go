package minimal_test

import (
	"context"
	"slices"
	"testing"

	"harrier/dbss"
	"harrier/internal/model"
	"harrier/internal/model/space"
	"harrier/internal/property"
	"harrier/internal/report/minimal"
	"harrier/internal/testkit/must"
	"harrier/internal/testkit/replayed"
	"harrier/internal/testkit/toy"
)

// TestMinimalRunsEndInTheViolation makes counterexamples of random programs shorter and executes them again, step by step.
func TestMinimalRunsEndInTheViolation(t *testing.T) {
	ctx := context.Background()
	kinds, before, after, shortest := map[property.Kind]int{}, 0, 0, 0
	for seed := range uint64(400) {
		p := toy.Events.Random(seed)
		actors := must.Get(space.NewActors(p, space.Decomposition{}))
		checker := property.NewChecker(p, actors)
		search := func(order dbss.Order) *dbss.Counterexample {
			r, err := dbss.Search(ctx, actors, checker, dbss.Options{Order: order, MaxStates: 1000}, &dbss.Progress{})
			if err != nil {
				return nil
			}
			return r.Violation
		}
		v, least := search(dbss.DepthFirst), search(dbss.BreadthFirst)
		if v == nil || least == nil {
			continue
		}
		run, err := minimal.Path(ctx, actors, checker, v.Violation, actors.Initial(), slices.Clone(v.Path))
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if problem := replayed.Problem(p, actors, &dbss.Counterexample{Violation: v.Violation, Path: run}); problem != "" {
			t.Fatalf("seed %d: %s", seed, problem)
		}
		over, end := context.WithCancel(ctx)
		end()
		if as, err := minimal.Path(over, actors, checker, v.Violation, actors.Initial(), slices.Clone(v.Path)); err != nil || len(as) != len(v.Path) {
			t.Fatalf("seed %d: without time, %d events are %d (%v)", seed, len(v.Path), len(as), err)
		}
		if again, err := minimal.Path(ctx, actors, checker, v.Violation, actors.Initial(), slices.Clone(run)); err != nil || len(again) < len(run) {
			t.Fatalf("seed %d: %d of %d events can still be left out (%v)", seed, len(run)-len(again), len(run), err)
		}
		if len(run) > len(v.Path) || len(run) < len(least.Path) {
			t.Fatalf("seed %d: made %d events of %d, the least are %d", seed, len(run), len(v.Path), len(least.Path))
		}
		kinds[v.Kind]++
		before, after, shortest = before+len(v.Path), after+len(run), shortest+len(least.Path)
	}
	t.Logf("%v: %d events made %d, shortest ones have %d", kinds, before, after, shortest)
	if len(kinds) != 3 || after*2 > before {
		t.Error("these programs prove too little")
	}
}

// TestADuplicateThatIsLostIsLeftOut has a run in which a message is received, stays in flight as a duplicate, and is lost. Without either
// of these alone, the message is received never or twice.
func TestADuplicateThatIsLostIsLeftOut(t *testing.T) {
	ctx := context.Background()
	all := model.Scope{All: true}
	p := &toy.Protocol{
		Classes: []toy.Class{{Name: "C", Fields: 1, Handlers: []toy.Handler{{Outcomes: [][]toy.Act{{{Do: "add", Value: 1}}}, Label: "h"}}}},
		Actors:  []toy.Actor{{Name: "ann", Fields: []int{0}}}, Mail: []toy.Mail{{To: "ann"}},
		Faults: []toy.Fault{{Kind: model.Duplicate, Scope: all, Budget: 1}, {Kind: model.Lose, Scope: all, Budget: 1}},
		Final:  &toy.Property{Facts: []toy.Fact{{Actor: "ann", Test: toy.Test{Is: "==", Value: 1}}}},
	}
	actors := must.Get(space.NewActors(p, space.Decomposition{}))
	var path []model.Transition
	s := slices.Clone(actors.Initial())
	for _, kind := range []model.EventKind{model.Duplicate, model.Lose} {
		enabled := must.Get(actors.Enabled(ctx, s, nil))
		i := slices.IndexFunc(enabled, func(x model.Transition) bool { return actors.StepOf(s, x).Kind == kind })
		path = append(path, enabled[i])
		var err error
		s, _, err = actors.Apply(s, enabled[i], nil)
		must.Do(err)
	}
	v := property.Violation{Kind: property.FinalViolation}
	run := must.Get(minimal.Path(ctx, actors, property.NewChecker(p, actors), v, actors.Initial(), path))
	if len(run) != 1 || actors.StepOf(actors.Initial(), run[0]).Kind != model.Receive {
		t.Errorf("the run has %d events, want that the message is received", len(run))
	}
}

// TestMinimalRunsStayWithinTheBound has an event that a run needs only to stay within the bound.
func TestMinimalRunsStayWithinTheBound(t *testing.T) {
	ctx := context.Background()
	fact := func(field int) toy.Property {
		return toy.Property{Facts: []toy.Fact{{Actor: "ann", Test: toy.Test{Field: field, Is: "==", Value: 2}}}}
	}
	up := toy.Handler{Outcomes: [][]toy.Act{{{Do: "add", Value: 1}, {Do: "add", Field: 1, Value: 1}}}, Label: "up"}
	down := toy.Handler{Kind: 1, Outcomes: [][]toy.Act{{{Do: "add", Field: 1, Value: -1}}}, Label: "down"}
	p := &toy.Protocol{
		Classes: []toy.Class{{Name: "C", Fields: 2, Handlers: []toy.Handler{up, down}}},
		Actors:  []toy.Actor{{Name: "ann", Fields: []int{0, 0}}}, Mail: []toy.Mail{{To: "ann"}, {To: "ann"}, {To: "ann", Kind: 1}},
		Invariants: []toy.Property{fact(0)}, Bounds: []toy.Property{fact(1)},
	}
	actors := must.Get(space.NewActors(p, space.Decomposition{}))
	checker := property.NewChecker(p, actors)
	v := must.Get(dbss.Search(ctx, actors, checker, dbss.Options{}, &dbss.Progress{})).Violation
	if run := must.Get(minimal.Path(ctx, actors, checker, v.Violation, actors.Initial(), slices.Clone(v.Path))); len(run) != 3 {
		t.Errorf("the run has %d events, the shortest within the bound has 3", len(run))
	}
}
