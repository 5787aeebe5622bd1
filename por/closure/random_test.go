package closure_test

import (
	"context"
	"fmt"
	"testing"

	"harrier/dbss"
	"harrier/internal/toy"
	"harrier/model"
	"harrier/por/closure"
	"harrier/property"
)

// explored is what a search found.
type explored struct {
	*dbss.Result
	actors *model.Actors
	err    error
}

// explore searches a program, reduced or not.
func explore(oracle model.Oracle, d model.Decomposition, o dbss.Options, reduced bool) explored {
	actors, err := model.NewActors(oracle, d)
	if err != nil {
		return explored{err: err}
	}
	if reduced {
		c, err := closure.New(actors)
		if err != nil {
			return explored{err: err}
		}
		o.Reduction = c.Reduction
	}
	r, err := dbss.Search(context.Background(), actors, property.NewChecker(oracle, actors), o, &dbss.Progress{})
	return explored{r, actors, err}
}

// difference says what a reduction loses. It is "" for nothing.
func difference(all, reduced explored, keepsEnds bool) string {
	switch {
	case reduced.err != nil:
		return fmt.Sprintf("the reduced search: %v", reduced.err)
	case (all.Violations > 0) != (reduced.Violations > 0):
		return fmt.Sprintf("%d violations of %d", reduced.Violations, all.Violations)
	case keepsEnds && all.Terminal != reduced.Terminal:
		return fmt.Sprintf("%d ends of %d", reduced.Terminal, all.Terminal)
	case reduced.States > all.States:
		return fmt.Sprintf("%d states instead of %d", reduced.States, all.States)
	}
	return ""
}

func TestRandomProgramsKeepVerdictsAndEnds(t *testing.T) {
	makers := map[string]func(uint64) *toy.Protocol{"random": toy.Random, "eventful": toy.Eventful, "quorums": toy.Quorums}
	for name, maker := range makers {
		var states, kept, useful uint64
		for seed := range uint64(60) {
			for _, passing := range []model.Passing{model.M, model.MMP, model.MP} {
				protocol := maker(seed)
				protocol.Pass(passing)
				options := dbss.Options{KeepGoing: true, MaxStates: 3000, Order: dbss.Order(seed % 2), Workers: 1 + int(seed%4/3)*2}
				all := explore(protocol, model.Decomposition{}, options, false)
				if all.err != nil || !all.Complete {
					continue
				}
				options.MaxStates = 0
				got := explore(protocol, model.Decomposition{}, options, true)
				if problem := difference(all, got, true); problem != "" {
					t.Errorf("%s, seed %d, %v: %s", name, seed, passing, problem)
				}
				if got.err == nil {
					states, kept = states+all.States, kept+got.States
					if got.Reduced > 0 {
						useful++
					}
				}
			}
		}
		t.Logf("%s: %d states of %d, %d programs reduced", name, kept, states, useful)
	}
}
