package symmetry_test

import (
	"context"
	"errors"
	"maps"
	"slices"
	"testing"

	"harrier/dbss"
	"harrier/internal/toy"
	"harrier/model"
	"harrier/property"
	"harrier/symmetry"
)

// lopsided is a program in which one actor does not accept what it would, or only from another one. Refused is whether it ever does not.
func lopsided(p *toy.Protocol, actor, from string, refused *bool) *changed {
	return &changed{Protocol: p, step: func(_ string, q model.Question, a *model.Answer) {
		if slices.ContainsFunc(q.Event.Messages, func(m model.Message) bool { return m.Receiver == actor && (from == "" || m.Sender == from) }) {
			*refused = *refused || len(a.Outcomes) > 0
			a.Outcomes = nil
		}
	}}
}

// held searches the orbits of a program and checks its steps; it is nil for a search that is not complete.
func held(t *testing.T, seed uint64, p model.Oracle, g *symmetry.Group, actors *model.Actors) (*symmetry.Checked, error) {
	t.Helper()
	checker := property.NewChecker(p, actors)
	checker.Permute(symmetry.Labels(g.Generators))
	if !searched(t, seed, actors, checker, g.Canonicalizer) {
		return nil, nil
	}
	checked, err := symmetry.Check(context.Background(), actors, checker, g.Generators, 20_000)
	if err == nil && checked.Complete && (checked.Steps != checked.KnownSteps || checked.Evaluations != checked.KnownEvaluations) {
		t.Errorf("seed %d: %+v", seed, checked)
	}
	return &checked, err
}

// searched searches a program, and reports whether it did so to the end.
func searched(t *testing.T, seed uint64, actors *model.Actors, checker *property.Checker, canonical func() dbss.Canonical) bool {
	t.Helper()
	r, err := dbss.Search(context.Background(), actors, checker,
		dbss.Options{KeepGoing: true, MaxStates: 400, MaxDepth: 40, Canonical: canonical}, &dbss.Progress{})
	if err != nil {
		t.Fatalf("seed %d: the search: %v", seed, err)
	}
	return r.Complete
}

// group is the group of a program, nil if it moves nobody.
func group(t *testing.T, p *toy.Protocol, oracle model.Oracle) (*symmetry.Group, *model.Actors) {
	t.Helper()
	actors, err := model.NewActors(oracle, model.Decomposition{Relevant: p.Relevant})
	if err != nil {
		t.Fatal(err)
	}
	g, err := symmetry.Find(actors)
	if err != nil {
		t.Fatal(err)
	}
	if g.IsTrivial() {
		return nil, nil
	}
	return g, actors
}

// leavesAlone looks for a group that moves none of the actors that a permutation moves.
func leavesAlone(t *testing.T, actors *model.Actors, moved symmetry.Permutation) {
	t.Helper()
	g, err := symmetry.Find(actors, slices.Collect(maps.Keys(moved))...)
	if err != nil {
		t.Fatal(err)
	}
	for name := range moved {
		if slices.ContainsFunc(g.Generators, func(p symmetry.Permutation) bool { return p.Of(name) != name }) {
			t.Errorf("%s is to be told apart, and is moved by one of %v", name, g.Generators)
		}
	}
}

// Programs that never tell which name is which pass. If one of several symmetric actors refuses what it is sent, perhaps by a
// certain one of them only, the check fails, unless it says that it is of a sample. Whether it ever refuses something, a search
// without symmetry finds out.
func TestRandomProgramsAreChecked(t *testing.T) {
	passed, found, sampled := 0, 0, 0
	for seed := range uint64(300) {
		p := toy.Symmetric.Random(seed)
		g, actors := group(t, p, p)
		if g == nil {
			continue
		}
		checked, err := held(t, seed, p, g, actors)
		if err != nil {
			t.Fatalf("seed %d, group of %s: %v", seed, g.Order, err)
		}
		if checked != nil && checked.Complete {
			passed++
		}
		orbit := g.Orbits[0].Actors
		for _, from := range []string{"", orbit[0]} {
			refused, actor := false, orbit[len(orbit)-1]
			wrong := lopsided(p, actor, from, &refused)
			_, actors = group(t, p, wrong)
			searched(t, seed, actors, property.NewChecker(wrong, actors), nil)
			if !refused {
				continue
			}
			g, actors = group(t, p, wrong)
			checked, err = held(t, seed, wrong, g, actors)
			var difference *symmetry.Difference
			switch {
			case checked == nil: // the search of orbits was not complete
			case errors.As(err, &difference):
				found++
				leavesAlone(t, actors, difference.Moved)
			case checked.Complete:
				t.Fatalf("seed %d, group of %s: %s refuses what it is sent, and the check says %+v, %v", seed, g.Order, actor, checked, err)
			default:
				sampled++
			}
		}
	}
	t.Logf("%d passed; of those that are lopsided %d were found, %d were sampled", passed, found, sampled)
	if passed < 100 || found < 50 {
		t.Errorf("only %d programs passed, and %d were found to be lopsided", passed, found)
	}
}
