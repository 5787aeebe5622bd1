package dbss_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"harrier/dbss"
)

// TestSearchAgreesWithTwin holds both search orders to the dumb twin on random protocols.
func TestSearchAgreesWithTwin(t *testing.T) {
	seeds := taken(270)
	trials := eachProtocol(t, seeds, func(tr *trial) {
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
	if !t.Failed() {
		checkDistribution(t, trials, int(seeds)/2)
	}
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

// checkDistribution logs what the protocols were like and fails if they prove too little.
func checkDistribution(t *testing.T, trials []*trial, atLeast int) {
	var sizes []uint64
	tooLarge, tiny, over100 := 0, 0, 0
	features := map[string]int{}
	for _, tr := range trials {
		switch {
		case tr.want.TooLarge:
			tooLarge++
			continue
		case !tr.useful():
			tiny++
			continue
		}
		sizes = append(sizes, tr.want.States)
		if tr.want.States > 100 {
			over100++
		}
		countFeatures(tr, features)
	}
	n := len(sizes)
	slices.Sort(sizes)
	t.Logf("%d protocols; skipped: %d too large, %d tiny", n, tooLarge, tiny)
	t.Logf("states: least %d, quartiles %d, %d, %d, most %d; over 100 states: %d",
		sizes[0], sizes[n/4], sizes[n/2], sizes[3*n/4], sizes[n-1], over100)
	var lines []string
	for feature, count := range features {
		lines = append(lines, fmt.Sprintf("%s %d", feature, count))
		if 20*count < n {
			t.Errorf("only %d of %d protocols have %s", count, n, feature)
		}
	}
	slices.Sort(lines)
	t.Logf("protocols with: %s", strings.Join(lines, ", "))
	if n < atLeast || 2*over100 < n {
		t.Errorf("%d protocols, %d of them with over 100 states; want %d and a half of them", n, over100, atLeast)
	}
}

func countFeatures(tr *trial, features map[string]int) {
	w := tr.want
	for feature, met := range map[string]bool{
		"cycles":                    w.Cycle,
		"duplicates in flight":      w.Duplicates,
		"creation":                  w.Creation,
		"messages before creation":  w.Early,
		"guards":                    w.Guard,
		"guards that open":          w.GuardsOpening,
		"failures":                  w.Failures > 0,
		"violations":                w.Violations > 0,
		"violated invariants":       w.Violations > w.Failures+w.Deadlocks,
		"violated in initial state": w.Shortest == 0,
		"deadlocks":                 w.Deadlocks > 0,
		"messages left over":        w.Leftover > 0,
		"no violation":              w.Violations == 0,
	} {
		n := features[feature] // what no protocol has must be listed too
		if met {
			n++
		}
		features[feature] = n
	}
}
