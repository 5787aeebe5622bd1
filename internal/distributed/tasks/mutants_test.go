package tasks_test

import (
	"testing"

	"harrier/internal/testkit/mutants"
)

// TestMutantsAreKilled plants defects, and expects the test that is named for each to show it.
func TestMutantsAreKilled(t *testing.T) {
	mutants.Kill(t, func(m mutants.Mutant) string { return "^" + m.Killer + "$" })
}
