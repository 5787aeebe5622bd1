package dbss_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync/atomic"
	"testing"

	"harrier/dbss"
	"harrier/internal/toy"
	"harrier/internal/twin"
	"harrier/model"
)

// passings are the models of message passing.
var passings = []model.Passing{model.M, model.MP, model.MMP}

// quorumFeatures are what a fair part of the protocols with quorums must have, beside features.
var quorumFeatures = []string{
	"quorums", "quorums of equal messages", "forge", "losses inside", "copies", "quorums in queues",
	"quorums from sets", "messages to adversaries",
}

// draw makes a protocol, with quorums but in one of four cases.
func draw(seed uint64) *toy.Protocol {
	if seed%4 == 3 {
		return toy.Eventful(seed)
	}
	return toy.Quorums(seed)
}

// drawPassing makes one under one of the models of message passing. Where queues duplicate without bound that is M.
func drawPassing(seed uint64) *toy.Protocol {
	p := draw(seed)
	if hasQueues := p.Program().FIFO.All || len(p.Program().FIFO.Names) > 0; !hasQueues || !isEndless(p.Program()) {
		p.Pass(passings[seed%3])
	}
	return p
}

// TestModelsReachTheSameLocalStates explores random protocols with the dumb twin under each of the models: they reach
// the same local states and histories, fail alike, and violate invariants alike. M and M-MP end alike, too.
func TestModelsReachTheSameLocalStates(t *testing.T) {
	seeds := taken(400)
	var d twin.Sample
	var endings atomic.Uint64
	inParallel(t, seeds, func(seed uint64) {
		p := draw(seed)
		got := map[model.Passing]twin.Result{}
		for _, by := range passings {
			p.Pass(by)
			most := 1500
			if by == model.M { // which has fewer states
				most = 300
			}
			probe := search(context.Background(), p, probing(most))
			got[by] = explore(t, seed, probe, p, twin.Options{MaxStates: most, MaxPending: maxPending, KeepVectors: true})
			if got[by].Err != nil || got[by].TooLarge || got[by].States < tinyStates {
				d.Skip("too large or tiny")
				return
			}
		}
		d.Add(got[model.M], got[model.M].States)
		for _, by := range []model.Passing{model.MP, model.MMP} {
			if problem := inequivalence(got[model.M], got[by]); problem != "" {
				t.Errorf("seed %d, %s: %s", seed, by, problem)
			}
		}
		if isEndless(p.Program()) {
			return
		}
		endings.Add(1)
		if problem := endProblem(got[model.M], got[model.MMP]); problem != "" {
			t.Errorf("seed %d: %s", seed, problem)
		}
	})
	t.Logf("of %d the ends were compared", endings.Load())
	d.Check(t, int(seeds/4))
	d.Wants(t, 10, slices.Concat(features, quorumFeatures, []string{"copies inside"})...)
}

// isEndless says whether messages of a program stay in flight for ever, so that there are no ends to compare.
func isEndless(p *model.Program) bool {
	return slices.ContainsFunc(p.Faults, func(f model.Fault) bool {
		return f.Kind == model.Duplicate && f.Budget == model.Unbounded
	})
}

// inequivalence says how two models differ where they must not.
func inequivalence(a, b twin.Result) string {
	switch {
	case !maps.Equal(a.Vectors, b.Vectors):
		return fmt.Sprintf("%d and %d local states, not the same", len(a.Vectors), len(b.Vectors))
	case (a.Failures > 0) != (b.Failures > 0):
		return "in one a handler fails"
	case (a.Violations-a.Deadlocks > 0) != (b.Violations-b.Deadlocks > 0):
		return "in one an invariant is violated"
	}
	return ""
}

// endProblem says how two models end differently.
func endProblem(a, b twin.Result) string {
	switch {
	case !maps.Equal(a.Ends, b.Ends):
		return fmt.Sprintf("%d and %d local states at ends, not the same", len(a.Ends), len(b.Ends))
	case (a.Deadlocks > 0) != (b.Deadlocks > 0):
		return "in one there are deadlocks"
	}
	return ""
}

// TestQuorumsAgreeWithTwin holds searches of random protocols with quorum handlers and adversaries to the dumb twin, under
// each model of message passing.
func TestQuorumsAgreeWithTwin(t *testing.T) {
	quorumsAgreeWithTwin(t, taken(320), append([]string{"deliver"}, quorumFeatures...)...)
}

// TestForgettingQuorumsChangesNothing does so with workers that forget what they remember all the time.
func TestForgettingQuorumsChangesNothing(t *testing.T) {
	dbss.Forgetful(t)
	quorumsAgreeWithTwin(t, taken(60))
}

func quorumsAgreeWithTwin(t *testing.T, seeds uint64, further ...string) {
	var d twin.Sample
	inParallel(t, seeds, func(seed uint64) {
		p := drawPassing(seed)
		want := explorePlain(t, seed, p, 1000)
		if !d.Takes(want, tinyStates) {
			return
		}
		if problem := plainProblem(p, want); problem != "" {
			t.Errorf("seed %d, %s: %s", seed, p.Program().Passing, problem)
		}
	})
	d.Check(t, int(seeds)/4)
	d.Wants(t, 10, slices.Concat(features, further)...)
}

// TestSelectiveQuorumsAgreeWithTwin does so for the relevant parts of states, and for states with the messages
// processed last.
func TestSelectiveQuorumsAgreeWithTwin(t *testing.T) {
	seeds := taken(100)
	atLeast := seeds / 6
	var d twin.Sample
	var fewer atomic.Uint64
	inParallel(t, seeds, func(seed uint64) {
		p := drawPassing(seed)
		want, full := exploreDecomposed(t, seed, p, 600, 1500)
		if !d.Takes(want, tinyStates) {
			return
		}
		if want.Quotient.States < want.States {
			fewer.Add(1)
		}
		if problem := selectiveProblem(p, want); problem != "" {
			t.Errorf("seed %d, %s: selective hashing, %s", seed, p.Program().Passing, problem)
		}
		if problem := fullProblem(p, full); problem != "" {
			t.Errorf("seed %d, %s: full hashing, %s", seed, p.Program().Passing, problem)
		}
	})
	t.Logf("in %d fewer relevant parts than states", fewer.Load())
	d.Check(t, int(atLeast))
	if d.Wants(t, 10, features...); 4*fewer.Load() < atLeast {
		t.Error("these protocols prove too little")
	}
}
