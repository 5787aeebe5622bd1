package confirm

import (
	"context"
	"errors"
	"testing"

	"harrier/bridge"
	"harrier/dbss"
	"harrier/internal/model"
	"harrier/internal/model/space"
	"harrier/internal/property"
	"harrier/internal/report"
	"harrier/internal/search"
	"harrier/internal/testkit/must"
	"harrier/internal/testkit/toy"
)

// program is a toy that is loaded.
type program struct {
	model.Oracle
	facts model.Program
}

func loaded(s *toy.Script) *program {
	p := &program{s, *s.Program()}
	p.facts.Shown = toy.Shown
	return p
}

func (p *program) Program() *model.Program { return &p.facts }

func (p *program) Anew() model.Oracle { return p }

func (*program) Notes(context.Context) (bridge.Notes, error) { return bridge.Notes{}, nil }

func (*program) Classes(context.Context) (classes, libraries, resources map[string][]byte, err error) {
	return nil, nil, nil, nil
}

// post is a program of two clerks who each pass a letter on, of which the one that reaches bob is not to.
func post() *toy.Script {
	return &toy.Script{
		Start: map[string]string{"ann": "0", "bob": "0", "eve": "0"},
		Mail:  []string{"eve>ann letter", "ann>eve letter"},
		Rules: map[string][]toy.Then{
			"ann 0 letter": {{Become: "1", Send: []string{"bob letter"}}},
			"eve 0 letter": {{Become: "1"}},
			"bob 0 letter": {{Become: "1"}},
		},
		Invariants: []toy.Condition{func(at map[string]string) bool { return at["bob"] != "1" }},
	}
}

// find searches a program depth first, so that the run that it finds has steps that the violation does not need.
func find(t *testing.T, p *program) (Grounds, *dbss.Counterexample) {
	actors := must.Get(space.NewActors(p, space.Decomposition{Hashing: space.Full}))
	problem := search.NewProblem(actors, dbss.Options{Order: dbss.DepthFirst})
	r := must.Get(dbss.Search(t.Context(), actors, problem.Checker, problem.Steps, &dbss.Progress{}))
	if r.Violation == nil {
		t.Fatal("no violation")
	}
	return Grounds{actors, problem.Checker}, r.Violation
}

func TestACounterexampleHasOnlyTheStepsThatItNeeds(t *testing.T) {
	p := loaded(post())
	on, found := find(t, p)
	trace := must.Get(Counterexample(t.Context(), t.Context(), p, bridge.Source{}, on, found))
	if len(trace.Steps) != 2 || trace.FoundSteps < len(trace.Steps) {
		t.Errorf("%d steps of %d, want 2", len(trace.Steps), trace.FoundSteps)
	}
}

// TestARunThatDoesNotHappen has the program do something else when it is executed again.
func TestARunThatDoesNotHappen(t *testing.T) {
	on, found := find(t, loaded(post()))
	other := post()
	other.Rules["bob 0 letter"] = []toy.Then{{Become: "2"}}
	_, err := Run(t.Context(), loaded(other), bridge.Source{}, on.Actors, found.Violation, found.Path)
	var departure *report.Departure
	if !errors.As(err, &departure) {
		t.Errorf("%v, want a departure", err)
	}
	if cause := Cause(t.Context(), err, on.Actors, bridge.Source{}); !errors.Is(cause, err) {
		t.Errorf("%v, though no part is auxiliary and no answer kept", cause)
	}
	if _, err := Run(t.Context(), loaded(post()), bridge.Source{}, on.Actors, property.Violation{Kind: property.None}, found.Path); err != nil {
		t.Errorf("the run without its violation: %v", err)
	}
}
