package macro_test

import (
	"context"
	"slices"
	"testing"

	"harrier/internal/testkit/toy"
	"harrier/internal/testkit/twin"
	"harrier/symmetry"
)

// permuted are some positions, and those of actors that may come in the place of actors there.
func (s subject) permuted(seen []uint32) (all []uint32) {
	label := symmetry.Labels(s.symmetries.Generators)
	for position := range uint32(s.actors.Positions() + 1) {
		if slices.ContainsFunc(seen, func(p uint32) bool {
			return p == position || p > 0 && position > 0 && label(s.actors.PositionName(int(p))) == label(s.actors.PositionName(int(position)))
		}) {
			all = append(all, position)
		}
	}
	return all
}

// TestSymmetricScriptsAgreeWithTwin holds persistent labels to the dumb twin on these, whatever invariants read.
func TestSymmetricScriptsAgreeWithTwin(t *testing.T) {
	for _, c := range toy.ReadCases(t, "testdata/symmetric.txt") {
		t.Run(c.Name, func(t *testing.T) {
			p := toy.Read(c.Text)
			o := newNamed(p)
			want := twin.Explore(o, twin.Options{MaxStates: mostStates, MaxPending: mostPending})
			if want.TooLarge || want.Err != nil {
				t.Fatalf("%v, too large: %v", want.Err, want.TooLarge)
			}
			for position := range uint32(len(p.Start) + 1) {
				s := subject{Oracle: o}
				s.group(t, nil, true)
				if macro, reduced, problem := s.persistentProblem(context.Background(), want, []uint32{position}); problem != "" {
					t.Errorf("invariants read %d: %s", position, problem)
				} else {
					t.Logf("%d states, %d macro states, %d with persistent labels", want.States, macro, reduced)
				}
			}
		})
	}
}
