package dbss_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"

	"harrier/dbss"
)

// TestSearchAgreesWithTwin holds both search orders to the dumb twin on random protocols.
func TestSearchAgreesWithTwin(t *testing.T) {
	seeds := taken(270)
	d := eachProtocol(t, seeds, func(tr *trial) {
		for _, order := range orders {
			problem := agreesToTheEnd(tr, order.Order)
			if problem == "" {
				problem = agreesOnTheFirstViolation(tr, order.Order)
			}
			if problem != "" {
				t.Errorf("seed %d, %s: %s", tr.seed, order.name, problem)
			}
		}
	})
	d.Check(t, int(seeds)/2)
	d.Wants(t, 500, "over 100 states")
	d.Wants(t, 50, "cycles", "duplicates in flight", "creation", "early messages", "guards", "guards that open", "failures", "violations",
		"violated invariants", "violated in initial state", "deadlocks", "messages left over", "no violation")
}

// agreesToTheEnd compares a search that keeps going.
func agreesToTheEnd(tr *trial, order dbss.Order) string {
	tr.protocol.Forget()
	got := search(context.Background(), tr.protocol, dbss.Options{Order: order, KeepGoing: true})
	if problem := got.disagreement(tr.want); problem != "" {
		return problem
	}
	if !got.Complete || got.Reason != "" {
		return fmt.Sprintf("the search is not complete: %q", got.Reason)
	}
	if order == dbss.BreadthFirst && got.Depth != tr.want.Depth {
		return fmt.Sprintf("depth %d, want %d", got.Depth, tr.want.Depth)
	}
	if got.Depth < tr.want.Depth {
		return fmt.Sprintf("depth %d, but a state is %d transitions away", got.Depth, tr.want.Depth)
	}
	if problem := asksOnce(tr.protocol, got, tr.want.LocalSteps); problem != "" {
		return problem
	}
	return counterexampleProblem(got, order, tr.want.Shortest)
}

// agreesWithAnyWorkers compares complete searches by several workers, which come to the same figures.
func agreesWithAnyWorkers(tr *trial, order dbss.Order, store dbss.Store, workers int) string {
	tr.protocol.Forget()
	got := search(context.Background(), tr.protocol, dbss.Options{Order: order, Store: store, Workers: workers, KeepGoing: true})
	if problem := got.disagreement(tr.want); problem != "" {
		return problem
	}
	if !got.Complete || got.Reason != "" {
		return fmt.Sprintf("the search is not complete: %q", got.Reason)
	}
	if problem := asksOnce(tr.protocol, got, tr.want.LocalSteps); problem != "" {
		return problem
	}
	if problem := counterexampleProblem(got, order, tr.want.Shortest); problem != "" {
		return problem
	}
	got = search(context.Background(), tr.protocol, dbss.Options{Order: order, Store: store, Workers: workers})
	if got.err != nil || (got.Violation != nil) == got.Complete || got.verdict() != tr.want.Verdict() {
		return fmt.Sprintf("to the first violation: %s, want %s; complete %v, error %v", got.verdict(), tr.want.Verdict(), got.Complete, got.err)
	}
	return counterexampleProblem(got, order, tr.want.Shortest)
}

// TestWorkersAgreeWithTwin holds searches by several workers, and compact stores, to the dumb twin.
func TestWorkersAgreeWithTwin(t *testing.T) {
	workersAgreeWithTwin(t, taken(80))
}

// TestForgettingChangesNothing does so with workers that forget what they remember all the time.
func TestForgettingChangesNothing(t *testing.T) {
	dbss.Forgetful(t)
	workersAgreeWithTwin(t, taken(60))
}

func workersAgreeWithTwin(t *testing.T, seeds uint64) {
	var compared atomic.Uint64
	eachProtocol(t, seeds, func(tr *trial) {
		for _, workers := range []int{1, 2, 3, 8} {
			for _, m := range []struct {
				name  string
				order dbss.Order
				store dbss.Store
			}{
				{"depth-first", dbss.DepthFirst, dbss.Exact},
				{"depth-first, compact", dbss.DepthFirst, dbss.Compact},
				{"breadth-first", dbss.BreadthFirst, dbss.Exact},
			} {
				if problem := agreesWithAnyWorkers(tr, m.order, m.store, workers); problem != "" {
					t.Errorf("seed %d, %s, %d workers: %s", tr.seed, m.name, workers, problem)
				}
				compared.Add(1)
			}
		}
	})
	t.Logf("%d searches compared", compared.Load())
	if compared.Load() < 6*seeds {
		t.Error("these protocols prove too little")
	}
}

// agreesOnTheFirstViolation compares a search that ends at the first violation.
func agreesOnTheFirstViolation(tr *trial, order dbss.Order) string {
	got := search(context.Background(), tr.protocol, dbss.Options{Order: order})
	switch {
	case got.err != nil:
		return got.err.Error()
	case got.Violation == nil:
		if !got.Complete {
			return "nothing is violated, yet the search is not complete"
		}
		return got.disagreement(tr.want)
	case got.verdict() != tr.want.Verdict():
		return fmt.Sprintf("%s, want %s", got.verdict(), tr.want.Verdict())
	case got.Complete || got.Violations != 1:
		return fmt.Sprintf("complete: %v, %d violations though the first one ends it", got.Complete, got.Violations)
	}
	return counterexampleProblem(got, order, tr.want.Shortest)
}

// asksOnce says whether each distinct local step was asked for exactly once.
func asksOnce(oracle counting, got searched, want uint64) string {
	different, most := oracle.Asked()
	if uint64(different) != want || got.actors.Stats().LocalSteps != want || most > 1 {
		return fmt.Sprintf("%d distinct local steps asked, at most %d times, Stats says %d; want %d, once",
			different, most, got.actors.Stats().LocalSteps, want)
	}
	return ""
}

// counterexampleProblem replays the counterexample. Breadth-first it is a shortest one.
func counterexampleProblem(got searched, order dbss.Order, shortest int) string {
	if got.Violation == nil {
		return ""
	}
	length := len(got.Violation.Path)
	if length < shortest || order == dbss.BreadthFirst && length > shortest || shortest == 0 && length > 0 {
		return fmt.Sprintf("the counterexample has %d transitions, the shortest %d", length, shortest)
	}
	if problem := got.replay(); problem != "" {
		return "replaying the counterexample: " + problem
	}
	return ""
}
