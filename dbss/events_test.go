package dbss_test

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"

	"harrier/dbss"
	"harrier/internal/toy"
	"harrier/internal/twin"
	"harrier/model"
)

// eventMethods are the ways to search that must agree on programs with faults, beside methods.
var eventMethods = []struct {
	name string
	dbss.Options
}{
	{"depth-first, compact", dbss.Options{KeepGoing: true, Store: dbss.Compact}},
	{"depth-first, compact, three workers", dbss.Options{KeepGoing: true, Store: dbss.Compact, Workers: 3}},
	{"breadth-first, three workers", dbss.Options{KeepGoing: true, Order: dbss.BreadthFirst, Workers: 3}},
}

// maxPending is how many messages may be in flight: where channels duplicate without bound, there may be no end of them.
const maxPending = 20

// TestEventsAgreeWithTwin holds searches of random protocols with internal events, stops, crashes, faulty channels
// and cuts to the dumb twin: all orders, pushes, stores, numbers of workers and hashings.
func TestEventsAgreeWithTwin(t *testing.T) {
	eventsAgreeWithTwin(t, taken(600))
}

// TestForgettingEventsChangesNothing does so with workers that forget what they remember all the time.
func TestForgettingEventsChangesNothing(t *testing.T) {
	dbss.Forgetful(t)
	eventsAgreeWithTwin(t, taken(80))
}

func eventsAgreeWithTwin(t *testing.T, seeds uint64) {
	var d twin.Sample
	inParallel(t, seeds, func(seed uint64) {
		p := toy.Eventful(seed)
		want := explorePlain(t, seed, p, 1500)
		if !d.Takes(want, tinyStates) {
			return
		}
		if problem := plainProblem(p, want); problem != "" {
			t.Errorf("seed %d: %s", seed, problem)
		}
	})
	d.Check(t, int(seeds)*2/5)
	d.Wants(t, 10, features...)
}

// plainProblem compares searches of all that a protocol has.
func plainProblem(p *toy.Protocol, want twin.Result) string {
	for i, m := range slices.Concat(methods, eventMethods) {
		p.Forget()
		m.MaxStates = want.States + 1 // so that a search that is wrong ends, too
		got := search(context.Background(), p, m.Options)
		if problem := got.disagreement(want); problem != "" {
			return m.name + ": " + problem
		}
		if problem := asksOnce(p, got, stepsOf(p, want)); problem != "" {
			return m.name + ": " + problem
		}
		if problem := counterexampleProblem(got, m.Order, want.Shortest); problem != "" {
			return m.name + ": " + problem
		}
		if want.Violations == 0 && i > 0 {
			continue // a search to the first violation does the same
		}
		m.KeepGoing = false
		got = search(context.Background(), p, m.Options)
		if got.err != nil || got.verdict() != want.Verdict() || (got.Violation != nil) == got.Complete {
			return fmt.Sprintf("%s, to the first violation: %s, want %s (%v)", m.name, got.verdict(), want.Verdict(), got.err)
		}
	}
	return ""
}

// stepsOf is how many distinct local steps a search of a protocol asks for. What is asked to find out which messages may be
// received together is up to the search, so that is not known.
func stepsOf(p *toy.Protocol, want twin.Result) uint64 {
	isQuorum := func(h model.Handler) bool { return h.Quorum }
	if p.Program().Passing == model.M && !slices.ContainsFunc(p.Program().Handlers, isQuorum) {
		return want.LocalSteps
	}
	different, _ := p.Asked()
	return uint64(different)
}

// TestSelectiveEventsAgreeWithTwin does so for the relevant parts of states, and for states with the messages
// processed last. The audit compares what actors do by themselves and after crashes, too.
func TestSelectiveEventsAgreeWithTwin(t *testing.T) {
	seeds := taken(240)
	atLeast := seeds / 3
	var d twin.Sample
	var fewer, audited atomic.Uint64
	inParallel(t, seeds, func(seed uint64) {
		p := toy.Eventful(seed)
		want, full := exploreDecomposed(t, seed, p, 1500, 4000)
		if !d.Takes(want, tinyStates) {
			return
		}
		if want.Quotient.States < want.States {
			fewer.Add(1)
		}
		if _, compared := agreeDecomposed(t, seed, p, want, full); compared > 0 {
			audited.Add(1)
		}
	})
	t.Logf("in %d fewer relevant parts than states; %d audits compared steps", fewer.Load(), audited.Load())
	d.Check(t, int(atLeast))
	if d.Wants(t, 10, features...); 4*fewer.Load() < atLeast || 4*audited.Load() < atLeast {
		t.Error("these protocols prove too little")
	}
}

// features are what a fair part of the protocols must have.
var features = []string{
	"receive", "internal", "restart", "stop", "lose", "duplicate", "split", "heal", "stopped actors",
	"messages to stopped actors", "messages that are in the set", "queues", "losses in the middle", "faults that spare messages", "refusals",
	"ends with faults",
}
