package demeter_test

import (
	"testing"

	"harrier/internal/testkit/mutants"
)

// TestMutantsAreKilled plants defects, and expects the random programs that are named for each to show it.
func TestMutantsAreKilled(t *testing.T) {
	mutants.Kill(t, func(m mutants.Mutant) string { return "^" + m.Killer + "$" })
}
