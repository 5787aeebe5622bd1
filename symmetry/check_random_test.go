package symmetry_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"harrier/dbss"
	"harrier/internal/toy"
	"harrier/model"
	"harrier/property"
	"harrier/symmetry"
)

// lopsided is a program in which messages to one actor are forgotten, and a property that looks at that actor.
type lopsided struct {
	*toy.Symmetric
	forgets string
	forgot  bool // some message to it or to those that it is like
	alike   []string
}

func (p *lopsided) Steps(ctx context.Context, questions []model.Question) ([]model.Answer, error) {
	answers, err := p.Symmetric.Steps(ctx, questions)
	for _, a := range answers {
		for i, o := range a.Outcomes {
			p.forgot = p.forgot || slices.ContainsFunc(o.Sends, func(m model.Message) bool { return slices.Contains(p.alike, m.Receiver) })
			a.Outcomes[i].Sends = slices.DeleteFunc(o.Sends, func(m model.Message) bool { return m.Receiver == p.forgets })
		}
	}
	return answers, err
}

// held searches the orbits of a program and checks its steps; it is nil for a search or a check that is not complete.
func held(t *testing.T, seed uint64, p model.Oracle, g *symmetry.Group, actors *model.Actors) (*symmetry.Checked, error) {
	t.Helper()
	checker := property.NewChecker(p, actors)
	checker.Exchange(symmetry.Labels(g.Generators))
	r, err := dbss.Search(context.Background(), actors, checker,
		dbss.Options{KeepGoing: true, MaxStates: 400, MaxDepth: 40, Canonical: g.Canonicalizer}, &dbss.Progress{})
	if err != nil {
		t.Fatalf("seed %d: the search: %v", seed, err)
	}
	if !r.Complete {
		return nil, nil
	}
	checked, err := symmetry.Check(context.Background(), actors, checker, g.Generators, 3000)
	if err == nil && checked.Complete() && (checked.Steps != checked.KnownSteps || checked.Evaluations != checked.KnownEvaluations) {
		t.Errorf("seed %d: %+v", seed, checked)
	}
	return &checked, err
}

// group is the group of a program, nil if it moves nobody.
func group(t *testing.T, p *toy.Symmetric, oracle model.Oracle) (*symmetry.Group, *model.Actors) {
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

// Programs that never tell which name is which pass. If one forgets what is sent to one of several alike actors, it does not.
func TestRandomProgramsAreChecked(t *testing.T) {
	passed, found := 0, 0
	for seed := range uint64(300) {
		p := toy.RandomSymmetric(seed)
		g, actors := group(t, p, p)
		if g == nil {
			continue
		}
		checked, err := held(t, seed, p, g, actors)
		if err != nil {
			t.Fatalf("seed %d, group of %s: %v", seed, g.Order, err)
		}
		if checked != nil && checked.Complete() {
			passed++
		}
		orbit := g.Orbits[0].Actors
		wrong := &lopsided{Symmetric: p, forgets: orbit[len(orbit)-1], alike: orbit}
		g, actors = group(t, p, wrong)
		checked, err = held(t, seed, wrong, g, actors)
		var rule *model.RuleError
		if checked == nil || checked.Reason != "" || !wrong.forgot {
			continue
		}
		if !errors.As(err, &rule) {
			t.Fatalf("seed %d, group of %s: what is sent to %s is forgotten, and the check says %+v, %v", seed, g.Order, wrong.forgets, checked, err)
		}
		found++
	}
	t.Logf("%d passed, %d were found", passed, found)
	if passed < 100 || found < 10 {
		t.Errorf("only %d programs passed, and %d were found to be lopsided", passed, found)
	}
}
