package sequences

import (
	"testing"

	"harrier/internal/testkit/mutants"
)

// TestMutantsAreKilled plants defects in the table, and expects the tests that are named for each to show it.
func TestMutantsAreKilled(t *testing.T) {
	mutants.Kill(t, func(m mutants.Mutant) string { return "^" + m.Killer + "$" })
}
