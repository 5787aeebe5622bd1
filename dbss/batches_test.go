package dbss_test

import (
	"context"
	"reflect"
	"testing"

	"harrier/dbss"
	"harrier/internal/testkit/toy"
)

// TestBatchesChangeNoCounts ends breadth-first searches at a violation or the bound on states, with batches of one state each and with larger ones: they count the same.
func TestBatchesChangeNoCounts(t *testing.T) {
	counts := func(size int) (all []figures) {
		dbss.InBatches(t, size)
		for seed := range taken(200) {
			p := toy.Events.Random(seed)
			for _, most := range []uint64{7, 60, 300} {
				s := search(context.Background(), p, dbss.Options{Order: dbss.BreadthFirst, MaxStates: most})
				if s.err != nil {
					t.Fatalf("protocol %d: %v", seed, s.err)
				}
				if s.Violation != nil || s.Reason != "" {
					all = append(all, s.figures())
				}
			}
			p.Forget()
		}
		return all
	}
	one, many := counts(1), counts(1000)
	if uint64(len(one)) < taken(200)/10 {
		t.Errorf("only %d searches that ended early", len(one))
	}
	if !reflect.DeepEqual(one, many) {
		t.Errorf("batches of one state count %v, larger ones %v", one, many)
	}
}
