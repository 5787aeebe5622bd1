package twin

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// A Sample says what the random programs were like that something was held to the twin on. Several goroutines may use it at once.
type Sample struct {
	mu      sync.Mutex
	sizes   []uint64
	met     map[string]int
	skipped map[string]int
}

// Takes notes a program with what the twin found, and reports whether it is of use: neither wrong nor too large, with so many
// states.
func (p *Sample) Takes(r Result, least uint64) bool {
	switch {
	case r.Err != nil:
		p.Skip("errors")
	case r.TooLarge:
		p.Skip("too large")
	case r.States < least:
		p.Skip("tiny")
	default:
		p.Add(r, r.States)
		return true
	}
	return false
}

// Skip notes a program that is of no use.
func (p *Sample) Skip(why string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.skipped == nil {
		p.skipped = map[string]int{}
	}
	p.skipped[why]++
}

// Add notes a program with what the twin found, and the number of its states.
func (p *Sample) Add(r Result, states uint64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.met == nil {
		p.met = map[string]int{}
	}
	p.sizes = append(p.sizes, states)
	further := map[string]bool{
		"over 100 states": states > 100, "cycles": r.Cycle, "duplicates in flight": r.Duplicates, "creation": r.Creation, "early messages": r.Early,
		"guards": r.Guard, "guards that open": r.GuardsOpening, "failures": r.Failures > 0, "violations": r.Violations > 0, "deadlocks": r.Deadlocks > 0,
		"violated invariants": r.Violations > r.Failures+r.Deadlocks, "violated in initial state": r.Shortest == 0,
		"outside": r.Outside > 0, "no violation": r.Violations == 0, "messages left over": r.Leftover > 0,
	}
	for _, met := range []map[string]bool{r.Met, further} {
		for name, met := range met {
			if met {
				p.met[name]++
			}
		}
	}
}

// Size is how many programs were of use.
func (p *Sample) Size() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.sizes)
}

// Check logs what the programs were like, and fails if there are fewer than expected.
func (p *Sample) Check(t *testing.T, atLeast int) {
	t.Helper()
	n := len(p.sizes)
	if t.Failed() || n == 0 && atLeast == 0 {
		return
	}
	if n < atLeast {
		t.Fatalf("%d programs, want %d; skipped: %v", n, atLeast, p.skipped)
	}
	slices.Sort(p.sizes)
	var lines []string
	for name, count := range p.met {
		lines = append(lines, fmt.Sprintf("%s %d", name, count))
	}
	slices.Sort(lines)
	t.Logf("%d programs with %d to %d states, half of them over %d; skipped: %v", n, p.sizes[0], p.sizes[n-1], p.sizes[n/2], p.skipped)
	t.Logf("programs with: %s", strings.Join(lines, ", "))
}

// Wants fails unless so many of a thousand programs have each of some features. A few programs need not have all.
func (p *Sample) Wants(t *testing.T, thousandths int, features ...string) {
	t.Helper()
	for _, f := range features {
		if n := len(p.sizes); !t.Failed() && n >= 100 && 1000*p.met[f] < n*thousandths {
			t.Errorf("only %d of %d programs have %s", p.met[f], n, f)
		}
	}
}

// InParallel calls test with one seed after another, several at a time, until it returns false or the test fails.
func InParallel(t *testing.T, first uint64, test func(seed uint64) bool) {
	var next atomic.Uint64
	next.Store(first)
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for !t.Failed() && test(next.Add(1)-1) {
			}
		})
	}
	workers.Wait()
}
