package macro_test

import (
	"context"
	"testing"

	"harrier/internal/testkit/toy"
)

// TestSymmetricScriptsAgreeWithTwin holds macro steps to the dumb twin on programs whose actors are permuted, written by hand.
func TestSymmetricScriptsAgreeWithTwin(t *testing.T) {
	for _, c := range toy.ReadCases(t, "testdata/symmetric.txt") {
		t.Run(c.Name, func(t *testing.T) {
			s := subject{Oracle: newNamed(toy.Read(c.Text))}
			s.group(t, nil, true)
			if _, problem := s.problem(context.Background(), s.explored(t)); problem != "" {
				t.Error(problem)
			}
		})
	}
}
