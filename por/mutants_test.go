package por_test

import (
	"flag"
	"testing"

	"harrier/internal/mutants"
)

var allMutants = flag.Bool("mutants", false, "plant all defects, not only the few that are planted in each run of the tests")

// TestMutantsAreKilled plants defects in the reductions, and expects the program that is named for each to show it.
func TestMutantsAreKilled(t *testing.T) {
	mutants.Kill(t, *allMutants, func(m mutants.Mutant) string { return "^TestCorpus$/^" + m.Killer + "$" })
	for _, m := range mutants.Read(t) {
		if _, problem := m.Apply(); problem != "" {
			t.Errorf("%s: %s", m.Name, problem)
		}
	}
}
