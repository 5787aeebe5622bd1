package liveness_test

import (
	"testing"

	"harrier/internal/testkit/mutants"
)

// TestMutantsAreKilled plants defects in what a search for fair runs rests on, and expects the tests that are named to see them.
func TestMutantsAreKilled(t *testing.T) {
	mutants.Kill(t, func(m mutants.Mutant) string { return m.Killer })
}
