package por_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"harrier/internal/twin"
)

// distribution says what the programs were like that searches were compared on.
type distribution struct {
	mu      sync.Mutex
	sizes   []uint64
	met     map[string]int
	skipped map[string]int
	// How much was saved: programs with fewer states, and with less than half of them; states that are left of all.
	fewer, muchFewer int
	left, of         uint64
}

func (d *distribution) size() uint64 {
	d.mu.Lock()
	defer d.mu.Unlock()
	return uint64(len(d.sizes))
}

func (d *distribution) skip(why string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.skipped == nil {
		d.skipped = map[string]int{}
	}
	d.skipped[why]++
}

// add adds a program with its number of states, and the number that was left.
func (d *distribution) add(r twin.Result, states, left uint64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.met == nil {
		d.met = map[string]int{}
	}
	d.sizes = append(d.sizes, states)
	d.left, d.of = d.left+left, d.of+states
	if left < states {
		d.fewer++
	}
	if 2*left < states {
		d.muchFewer++
	}
	further := map[string]bool{
		"violations": r.Violations > 0, "failures": r.Failures > 0, "deadlocks": r.Deadlocks > 0, "no violation": r.Violations == 0, "cycles": r.Cycle,
		"creation": r.Creation, "duplicates in flight": r.Duplicates, "guards that open": r.GuardsOpening, "guards": r.Guard, "early messages": r.Early,
	}
	for _, met := range []map[string]bool{r.Met, further} {
		for name, is := range met {
			if is {
				d.met[name]++
			}
		}
	}
}

// wanted are what a fair part of the programs must have, in thousandths.
var wanted = map[string]int{
	"internal": 50, "restart": 20, "stop": 10, "lose": 20, "duplicate": 10, "split": 10, "heal": 10, "deliver": 50, "forge": 10, "stopped actors": 20,
	"queues": 20, "messages that are in the set": 10, "quorums": 20, "refusals": 50, "cycles": 100, "violations": 100, "failures": 20, "deadlocks": 20,
	"creation": 10, "duplicates in flight": 100, "guards that open": 20,
}

// check fails if hardly any programs have one of the features, or most of them are small.
func (d *distribution) check(t *testing.T) {
	if t.Failed() {
		return
	}
	n := len(d.sizes)
	slices.Sort(d.sizes)
	t.Logf("%d programs with %d to %d states, half of them over %d; skipped: %v", n, d.sizes[0], d.sizes[n-1], d.sizes[n/2], d.skipped)
	var lines []string
	for name, count := range d.met {
		lines = append(lines, fmt.Sprintf("%s %d", name, count))
	}
	slices.Sort(lines)
	t.Logf("programs with: %s", strings.Join(lines, ", "))
	t.Logf("%d of %d states are left; fewer in %d programs, less than half in %d", d.left, d.of, d.fewer, d.muchFewer)
	if 10*d.fewer < n {
		t.Error("hardly any of these programs is reduced")
	}
	if d.sizes[n/2] <= 100 {
		t.Error("most of these programs are small")
	}
	for name, least := range wanted {
		if 1000*d.met[name] < n*least {
			t.Errorf("only %d of %d programs have %s", d.met[name], n, name)
		}
	}
}
