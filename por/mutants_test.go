package por_test

import (
	"testing"

	"harrier/internal/testkit/mutants"
)

// TestMutantsAreKilled plants defects in the reductions, and expects the program that is named for each to show it.
func TestMutantsAreKilled(t *testing.T) {
	mutants.Kill(t, func(m mutants.Mutant) string { return "^TestCorpus$/^" + m.Killer + "$" })
}
