package demeter_test

import (
	"context"
	"fmt"
	"testing"

	"harrier/dbss"
	"harrier/internal/model/space"
	"harrier/internal/property"
	"harrier/por/demeter"
)

// TestCountsAreTheSame searches each program several times, and expects the same counts of handlers and faults each time.
func TestCountsAreTheSame(t *testing.T) {
	for _, k := range kinds {
		for seed := range uint64(*programs) {
			first := ""
			for i := range 4 {
				n := note(k.make(seed+*seed0), seed).grouped(seed)
				actors, err := space.NewActors(n, n.decomposition())
				if err != nil {
					break // refused
				}
				d, err := demeter.New(actors, property.NewChecker(n, actors))
				if err != nil {
					break
				}
				r, err := d.Search(context.Background(), dbss.Options{MaxStates: 100}, &dbss.Progress{})
				if err != nil {
					break
				}
				counts := fmt.Sprintln(r.HandlerRuns, r.FaultsTaken)
				if i > 0 && counts != first {
					t.Errorf("%s, seed %d: the counts are %safter %s", k.name, seed, counts, first)
					break
				}
				first = counts
			}
		}
	}
}
