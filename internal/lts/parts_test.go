package lts_test

import (
	"iter"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"harrier/internal/lts"
)

// TestParts compares the parts of random graphs with which vertices reach each other.
func TestParts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 8).Draw(t, "vertices")
		next := make([][]int, n)
		reaches := make([][]bool, n)
		for v := range n {
			next[v] = rapid.SliceOfN(rapid.IntRange(0, n-1), 0, 3).Draw(t, "next")
			reaches[v] = make([]bool, n)
			reaches[v][v] = true
			for _, to := range next[v] {
				reaches[v][to] = true
			}
		}
		for k := range n {
			for i := range n {
				for j := range n {
					reaches[i][j] = reaches[i][j] || reaches[i][k] && reaches[k][j]
				}
			}
		}
		parts, of := lts.Parts(n, func(v int) iter.Seq[int] { return slices.Values(next[v]) })
		for i := range n {
			if !slices.Contains(parts[of[i]], i) {
				t.Fatalf("%d is not in its part: %v", i, parts)
			}
			for j := range n {
				if (of[i] == of[j]) != (reaches[i][j] && reaches[j][i]) || reaches[i][j] && of[j] > of[i] {
					t.Fatalf("%v has parts %v", next, parts)
				}
			}
		}
	})
}
