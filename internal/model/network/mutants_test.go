package network_test

import (
	"testing"

	"harrier/internal/testkit/mutants"
)

// TestMutantsAreKilled plants defects in what channels, faults and cuts do, and expects the test that is named for each to show it.
func TestMutantsAreKilled(t *testing.T) {
	mutants.Kill(t, func(m mutants.Mutant) string { return "^" + m.Killer + "$" })
}
