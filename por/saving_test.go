package por_test

import (
	"sync"
	"testing"

	"harrier/internal/testkit/twin"
)

// A saving counts the compared programs by kind, and the saved states.
type saving struct {
	twin.Sample
	sync.Mutex
	fewer, muchFewer int    // programs with fewer states, and with less than half of them
	left, of         uint64 // states that are left of all
}

// add adds a program with its number of states, and the number that was left.
func (d *saving) add(r twin.Result, states, left uint64) {
	d.Add(r, states)
	d.Lock()
	defer d.Unlock()
	d.left, d.of = d.left+left, d.of+states
	if left < states {
		d.fewer++
	}
	if 2*left < states {
		d.muchFewer++
	}
}

// check fails if hardly any programs are reduced, or have one of the features, or most of them are small.
func (d *saving) check(t *testing.T) {
	d.Check(t, 1)
	t.Logf("%d of %d states are left; fewer in %d programs, less than half in %d", d.left, d.of, d.fewer, d.muchFewer)
	if 10*d.fewer < d.Size() {
		t.Error("hardly any of these programs is reduced")
	}
	d.Wants(t, 10, "stop", "duplicate", "split", "heal", "byzantine", "messages that are in the set", "creation", "deadlocks")
	d.Wants(t, 20, "restart", "lose", "stopped actors", "queues", "quorums", "failures", "guards that open")
	d.Wants(t, 50, "internal", "deliver", "disabled events")
	d.Wants(t, 100, "cycles", "violations", "duplicates in flight")
	d.Wants(t, 500, "over 100 states")
}
