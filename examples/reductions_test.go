package examples

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"testing"

	"harrier/dbss"
	"harrier/model"
	"harrier/por/static"
	"harrier/property"
	"harrier/symmetry"
)

// outlook is what a search met that a reduction must preserve.
type outlook struct {
	violations map[string]bool // properties that are false somewhere, and whether a handler fails
	ends       [2]uint64       // and how many of them have messages left
	states     uint64
	reduced    uint64
}

// judging is a program of which it is noted which properties are false.
type judging struct {
	model.Oracle
	violations map[string]bool
}

func (j judging) Evaluate(ctx context.Context, asked []model.Evaluation) ([]model.Judgement, error) {
	answers, err := j.Oracle.Evaluate(ctx, asked)
	for i, a := range answers {
		if !a.Holds {
			j.violations[j.Program().Properties[asked[i].Property].Name] = true
		}
	}
	return answers, err
}

// look searches a program to the end, with static reduction or without.
func look(t *testing.T, p *program, hashing string, isReduced, isSymmetric bool, order dbss.Order) outlook {
	t.Helper()
	program := judging{p, map[string]bool{}}
	actors, err := model.NewActors(program, hashings[hashing](p))
	if err != nil {
		t.Fatal(err)
	}
	o := dbss.Options{KeepGoing: true, Order: order}
	checker := property.NewChecker(program, actors)
	if isSymmetric {
		exchange(t, actors, checker, &o)
	}
	if isReduced {
		s, err := static.New(actors, static.Options{})
		if err != nil {
			t.Fatal(err)
		}
		o.Reduction = func() model.Reduction { return s.Reduction() }
	}
	result, err := dbss.Search(context.Background(), actors, checker, o, &dbss.Progress{})
	if err != nil || !result.Complete {
		t.Fatalf("complete: %v, %v", result.Complete, err)
	}
	if v := result.Violation; v != nil && v.Kind == property.HandlerFailure {
		program.violations["a handler fails"] = true
	}
	return outlook{program.violations, [2]uint64{result.Terminal, result.Leftover}, result.States, result.Reduced}
}

// fewStates is how many states a program may have in M to be compared in the other models as well, in which it has many more, and
// unless -all says so, in more than one way.
const fewStates = 1500

// TestReductionsPreserveEndsAndViolations holds static reduction of all examples to searches without it, with all hashings
// and orders, with and without symmetry, in all models.
func TestReductionsPreserveEndsAndViolations(t *testing.T) {
	for _, c := range smallOnes() {
		t.Run(c.program+" "+c.parameters, func(t *testing.T) {
			states := uint64(0)
			for _, passing := range []model.Passing{model.M, model.MP, model.MMP} {
				if states > fewStates {
					continue
				}
				p := loadIn(t, passing, c.program, c.parameters)
				for _, how := range []struct{ hashing, order string }{{"selective", "dfs"}, {"selective", "bfs"}, {"full", "dfs"}} {
					if how.hashing+how.order != "selectivedfs" && (passing != model.M || states > fewStates && !*all) {
						continue
					}
					for _, isSymmetric := range []bool{false, true} {
						if isSymmetric && !hasAlike(t, p) {
							continue
						}
						whole := look(t, p, how.hashing, false, isSymmetric, orders[how.order])
						states = max(states, whole.states)
						name := fmt.Sprintf("%v %s %s, symmetric: %v", passing, how.hashing, how.order, isSymmetric)
						compareOutlooks(t, name, whole, look(t, p, how.hashing, true, isSymmetric, orders[how.order]), how.hashing)
					}
				}
			}
		})
	}
}

// compareOutlooks compares with an unreduced search. With full hashing, ends that differ in what was processed last need not all be met.
func compareOutlooks(t *testing.T, name string, whole, got outlook, hashing string) {
	t.Helper()
	if !maps.Equal(got.violations, whole.violations) {
		t.Errorf("%s: violated are %v, not %v", name, slices.Sorted(maps.Keys(got.violations)), slices.Sorted(maps.Keys(whole.violations)))
	}
	if hashing == "selective" && got.ends != whole.ends {
		t.Errorf("%s: %v ends and those with messages left, not %v", name, got.ends, whole.ends)
	}
	if got.states > whole.states {
		t.Errorf("%s: %d states, %d without", name, got.states, whole.states)
	}
	t.Logf("%s: %d of %d states, %d of them reduced", name, got.states, whole.states, got.reduced)
}

// hasAlike says whether a program has actors that can be exchanged, and tells them apart by nothing but what the search sees.
func hasAlike(t *testing.T, p *program) bool {
	t.Helper()
	actors, err := model.NewActors(p, p.Decomposition(model.Selective))
	if err != nil {
		t.Fatal(err)
	}
	group, err := symmetry.Find(actors)
	if err != nil {
		t.Fatal(err)
	}
	return !group.IsTrivial() && p.Program().Scenario != "microraft.MicroRaft"
}
