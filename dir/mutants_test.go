package dir_test

import (
	"flag"
	"testing"

	"harrier/internal/mutants"
)

var allMutants = flag.Bool("mutants", false, "plant all defects, not only the few that are planted in each run of the tests")

// TestMutantsAreKilled plants defects in the construction, and expects the random programs that are named for each to show it.
func TestMutantsAreKilled(t *testing.T) {
	mutants.Kill(t, *allMutants, func(m mutants.Mutant) string { return "^" + m.Killer + "$" })
	for _, m := range mutants.Read(t) {
		if _, problem := m.Apply(); problem != "" {
			t.Errorf("%s: %s", m.Name, problem)
		}
	}
}
