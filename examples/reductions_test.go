package examples

import (
	"context"
	"maps"
	"testing"

	"harrier/internal/reach"
	"harrier/model"
	"harrier/por/static"
	"harrier/symmetry"
)

// judged finds all states of a program, or what static reduction leaves of them.
func judged(t *testing.T, p *program, hashing string, isReduced, isSymmetric bool) *reach.Judged {
	t.Helper()
	o := single("dfs")
	if isSymmetric {
		o.Symmetry = "on"
	}
	c := prepared(t, p, hashing, o)
	actors, w := c.Actors(), reach.Walk{System: c.Actors(), Key: reach.Exact, Most: longStates}
	if isSymmetric {
		w.Key = reach.Orbits(c.Group.Canonicalizer())
	}
	if isReduced {
		s, err := static.New(actors, static.Options{})
		if err != nil {
			t.Fatal(err)
		}
		w.Reduction = s.Reduction()
	}
	found, err := w.Judge(context.Background(), actors, c.Checker)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// fewStates is how many states a program may have in M to be compared in the other models as well, in which it has many more, and
// unless -all says so, in more than one way.
const fewStates = 1500

// TestReductionsPreserveEndsAndViolations compares what static reduction leaves of all examples with what there is, with all hashings,
// with and without symmetry, in all models. With full hashing, terminal states that differ in what was processed last need not all be met.
func TestReductionsPreserveEndsAndViolations(t *testing.T) {
	for _, c := range smallOnes() {
		t.Run(c.program+" "+c.parameters, func(t *testing.T) {
			states := 0
			for _, delivery := range []model.DeliveryModel{model.M, model.MP, model.MMP} {
				if states > fewStates {
					continue
				}
				p := loadIn(t, delivery, c.program, c.parameters)
				for _, hashing := range []string{"selective", "full"} {
					if hashing == "full" && (delivery != model.M || states > fewStates && !*all) {
						continue
					}
					for _, isSymmetric := range []bool{false, true} {
						if isSymmetric && !isSymmetricProgram(t, p) {
							continue
						}
						whole, got := judged(t, p, hashing, false, isSymmetric), judged(t, p, hashing, true, isSymmetric)
						states = max(states, len(whole.States))
						if !maps.Equal(got.Broken, whole.Broken) || hashing == "selective" && len(got.Terminal) != len(whole.Terminal) || len(got.States) > len(whole.States) {
							t.Errorf("%v %s, symmetric: %v: %d of %d states and %d of %d terminal states are left; broken are %v, not %v", delivery, hashing, isSymmetric,
								len(got.States), len(whole.States), len(got.Terminal), len(whole.Terminal), got.Broken, whole.Broken)
						}
						t.Logf("%v %s, symmetric: %v: %d of %d states", delivery, hashing, isSymmetric, len(got.States), len(whole.States))
					}
				}
			}
		})
	}
}

// isSymmetricProgram reports whether a program has symmetric actors, and distinguishes them by nothing but what the search sees.
func isSymmetricProgram(t *testing.T, p *program) bool {
	t.Helper()
	return !groupOf(t, p).IsTrivial() && p.Program().Scenario != "microraft.MicroRaft"
}

// groupOf is the group of a program's permutations.
func groupOf(t *testing.T, p *program) *symmetry.Group {
	t.Helper()
	o := single("dfs")
	o.Symmetry = "auto"
	return prepared(t, p, "selective", o).Group
}
