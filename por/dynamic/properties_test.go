package dynamic_test

import (
	"context"
	"testing"

	"harrier/dbss"
	"harrier/internal/toy"
	"harrier/model"
	"harrier/por/dynamic"
	"harrier/property"
)

// An invariant over two actors is false between the steps of both.
func TestInvariantsSeeAllThatTheyRead(t *testing.T) {
	s := toy.Read(`
		start: ann 0, bob 0
		mail: ann>ann x, bob>bob x
		ann 0 x -> 1, send ann x
		ann 1 x -> 2
		bob 0 x -> 1, send bob x
		bob 1 x -> 2
		never: ann 1, bob 1`)
	r, actors, err := search(context.Background(), s, dbss.Options{})
	if err != nil || r.Complete || r.Violation == nil || r.Violation.Kind != property.InvariantViolation || len(r.Violation.Path) != 2 {
		t.Fatalf("%+v, %v", r, err)
	}
	state := actors.Initial()
	for _, step := range r.Violation.Path {
		if state, _, err = actors.Apply(state, step, nil); err != nil {
			t.Fatal(err)
		}
	}
	if v, err := property.NewChecker(s, actors).Invariants(context.Background(), state); v == nil || err != nil {
		t.Errorf("the path does not lead to the violation: %v, %v", v, err)
	}
}

// That an actor is created, or stops, can be seen, though its creator stays as it is.
func TestInvariantsSeeWhoExists(t *testing.T) {
	exists := func(states map[string]string, name string) bool { _, ok := states[name]; return ok }
	for _, then := range []toy.Then{{Become: "idle", Create: map[string]string{"cid": "new"}}, {Become: "idle", Stop: true}} {
		for _, isAfter := range []bool{false, true} {
			s := &toy.Script{
				Start: map[string]string{"ann": "idle", "bob": "0"}, Mail: []string{"ann>ann x", "bob>bob x"},
				Rules: map[string][]toy.Then{"ann idle x": {then}, "bob 0 x": {{Become: "1", Send: []string{"bob x"}}}, "bob 1 x": {{Become: "2"}}},
			}
			s.Invariants = []toy.Condition{func(states map[string]string) bool {
				hasHappened := exists(states, "cid") || !exists(states, "ann")
				return isAfter && (!hasHappened || states["bob"] != "1") || !isAfter && (hasHappened || states["bob"] != "2")
			}}
			actors, err := model.NewActors(s, model.Decomposition{})
			if err != nil {
				t.Fatal(err)
			}
			r, err := dynamic.Search(context.Background(), actors, property.NewChecker(s, actors), dbss.Options{}, &dbss.Progress{})
			if err != nil || r.Violations == 0 {
				t.Errorf("%+v, after the first step of bob %v: %+v, %v", then, isAfter, r, err)
			}
		}
	}
}

// recorded is a script that keeps the histories at its ends.
type recorded struct {
	*toy.Script
	histories map[string]bool
}

func (r recorded) Evaluate(_ context.Context, evaluations []model.Evaluation) ([]model.Judgement, error) {
	r.histories[string(evaluations[0].History)] = true
	return []model.Judgement{{Holds: true, Reads: []int{model.ReadHistory}}}, nil
}

// The order of operations is part of the history, though the actors have nothing to do with each other.
func TestAllHistoriesAreMet(t *testing.T) {
	oracle := recorded{toy.Read(`
		start: ann idle, bob idle
		mail: ann>ann x, bob>bob x
		ann idle x -> x, record ann
		bob idle x -> x, record bob
		final: ann x`), map[string]bool{}}
	actors, err := model.NewActors(oracle, model.Decomposition{})
	if err != nil {
		t.Fatal(err)
	}
	_, err = dynamic.Search(context.Background(), actors, property.NewChecker(oracle, actors), dbss.Options{}, &dbss.Progress{})
	if err != nil || len(oracle.histories) != 2 {
		t.Errorf("%v, %v", oracle.histories, err)
	}
}
