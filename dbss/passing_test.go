package dbss_test

import (
	"maps"
	"sync/atomic"
	"testing"

	"harrier/internal/toy"
	"harrier/internal/twin"
	"harrier/model"
)

// passings are the models of message passing.
var passings = []model.Passing{model.M, model.MP, model.MMP}

// TestModelsReachTheSameLocalStates explores random protocols with the dumb twin under each of the models: they reach
// the same local states and histories, fail alike, and violate invariants alike. M and M-MP end alike, too.
func TestModelsReachTheSameLocalStates(t *testing.T) {
	seeds := uint64(3000)
	if testing.Short() {
		seeds = 300
	}
	var d distribution
	var endings atomic.Uint64
	inParallel(t, seeds, func(seed uint64) {
		p := toy.Quorums(seed)
		var got [3]twin.Result
		for i, by := range passings {
			p.Pass(by)
			got[i] = twin.Explore(p, twin.Options{MaxStates: 1500, MaxPending: maxPending, KeepVectors: true})
			if got[i].Err != nil || got[i].TooLarge || got[i].States < tinyStates {
				d.skip(got[i])
				return
			}
		}
		d.add(got[0])
		for i, by := range passings[1:] {
			if problem := inequivalence(got[0], got[i+1]); problem != "" {
				t.Errorf("seed %d, %s: %s", seed, by, problem)
			}
		}
		if isEndless(p.Program()) {
			return
		}
		endings.Add(1)
		if !maps.Equal(got[0].Ends, got[2].Ends) || (got[0].Deadlocks > 0) != (got[2].Deadlocks > 0) {
			t.Errorf("seed %d: the ends differ: %d in M, %d in M-MP; %d and %d deadlocks", seed, len(got[0].Ends), len(got[2].Ends), got[0].Deadlocks, got[2].Deadlocks)
		}
	})
	t.Logf("of %d the ends were compared", endings.Load())
	d.check(t, int(seeds/3))
}

// isEndless says whether messages of a program stay in flight for ever, so that there are no ends to compare.
func isEndless(p *model.Program) bool {
	for _, f := range p.Faults {
		if f.Kind == model.Duplicate && f.Budget == model.Unbounded {
			return true
		}
	}
	return false
}

// inequivalence says how two models differ where they must not.
func inequivalence(a, b twin.Result) string {
	switch {
	case !maps.Equal(a.Vectors, b.Vectors):
		return "the local states differ"
	case (a.Failures > 0) != (b.Failures > 0):
		return "in one a handler fails"
	case (a.Violations > a.Deadlocks) != (b.Violations > b.Deadlocks):
		return "in one an invariant is violated"
	}
	return ""
}
