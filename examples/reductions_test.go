package examples

import (
	"context"
	"maps"
	"testing"

	"harrier/internal/model"
	"harrier/internal/testkit/must"
	"harrier/internal/testkit/reach"
	"harrier/por/static"
	"harrier/symmetry"
)

// small are all examples, with parameters that leave few states.
var small = []example{
	{"pingpong", "-"},
	{"paxos", "proposers=1"},
	{"paxos-faulty", "acceptors=2"},
	{"paxos", "proposers=1,crashes=1"},
	{"paxos-quorum", "acceptors=2,numbers=1"},
	{"two-phase-commit", "-"},
	{"two-phase-commit", "missing=1"},
	{"byzantine-generals", "-"},
	{"byzantine-generals", "traitor=commander"},
	{"byzantine-generals", "generals=3"},
	{"paxos-faulty2", "proposers=1"},
	{"paxos-forgetful", "proposers=1"},
	{"register", "reads=1,objects=2"},
	{"register-wrong", "reads=1,objects=2"},
	{"zab", "leaders=1"},
	{"zab-faulty", "leaders=1"},
	{"zab-faulty2", "leaders=1,followers=2"},
	{"retry", "-"},
	{"backup", "-"},
	{"backup", "fifo=false"},
	{"abp", "values=2,losses=1,duplicates=1"},
	{"abp-faulty", "values=2"},
	{"randtree", "nodes=2"},
	{"randtree-faulty", "nodes=2"},
	{"kv", "crashes=0"},
}

// smallOnes are these, and with -all one of which each step takes Java long.
func smallOnes() []example {
	if *all {
		return append(small, example{"microraft", "nodes=2,fifo=false"})
	}
	return small
}

// judged finds all states of a program, or what static reduction leaves of them.
func judged(t *testing.T, p *program, hashing string, reduced, symmetric bool) *reach.Judged {
	t.Helper()
	o := single("dfs")
	if symmetric {
		o.Symmetry = "on"
	}
	c := prepared(t, p, hashing, o)
	actors, w := c.Actors(), reach.Walk{System: c.Actors(), Key: reach.Exact, Most: 100_000}
	if symmetric {
		w.Key = reach.Orbits(c.Group.Canonicalizer())
	}
	if reduced {
		s := must.Get(static.New(actors, static.Options{}))
		w.Reduction = s.Reduction()
	}
	return must.Get(w.Judge(context.Background(), actors, c.Checker))
}

// fewStates is how many states a program may have in M to be compared in the other models as well, in which it has many more, and
// unless -all says so, in more than one way.
const fewStates = 1500

// TestReductionsPreserveEndsAndViolations compares what static reduction leaves of all examples with what there is, with all hashings,
// with and without symmetry, in all models. With full hashing, terminal states that differ in the messages processed last need not all be met.
func TestReductionsPreserveEndsAndViolations(t *testing.T) {
	for _, c := range smallOnes() {
		t.Run(c.program+" "+c.parameters, func(t *testing.T) {
			states := 0
			for _, delivery := range []model.DeliveryModel{model.M, model.MP, model.MMP} {
				if states > fewStates {
					continue
				}
				p := loadIn(t, delivery, c.program, c.parameters)
				for _, hashing := range []string{"fields", "full"} {
					if hashing == "full" && (delivery != model.M || states > fewStates && !*all) {
						continue
					}
					for _, symmetric := range []bool{false, true} {
						if symmetric && !isSymmetricProgram(t, p) {
							continue
						}
						whole, got := judged(t, p, hashing, false, symmetric), judged(t, p, hashing, true, symmetric)
						states = max(states, len(whole.States))
						if !maps.Equal(got.Broken, whole.Broken) || hashing == "fields" && len(got.Terminal) != len(whole.Terminal) || len(got.States) > len(whole.States) {
							t.Errorf("%v %s, symmetric: %v: %d of %d states and %d of %d terminal states are left; broken are %v, not %v", delivery, hashing, symmetric,
								len(got.States), len(whole.States), len(got.Terminal), len(whole.Terminal), got.Broken, whole.Broken)
						}
						t.Logf("%v %s, symmetric: %v: %d of %d states", delivery, hashing, symmetric, len(got.States), len(whole.States))
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

// TestTwoPhaseCommitHasAsManyStatesAsCounted compares with counting by hand. A manager is in one of 5 stages until there is
// a decision: asked to prepare, working or aborted; its vote of no or yes on the way; counted as prepared. After an abort
// there is one more: it knows. Of n managers, one at least does then. After a commit each knows or does not.
func TestTwoPhaseCommitHasAsManyStatesAsCounted(t *testing.T) {
	for _, c := range []struct {
		managers       string
		states, orbits uint64
	}{
		{"3", 216 - 1 + 8, 56 - 1 + 4},     // 6^n - 1 + 2^n, and (n+5 over 5) - 1 + n + 1
		{"4", 1_296 - 1 + 16, 126 - 1 + 5}, //
		{"5", 7_776 - 1 + 32, 252 - 1 + 6}, //
	} {
		p := load(t, "two-phase-commit", "managers="+c.managers)
		o := single("dfs")
		if e := explore(t, p, "selective", o).Result; e.States != c.states {
			t.Errorf("%s managers: %d states, not %d", c.managers, e.States, c.states)
		}
		o.Symmetry = "on"
		if e := explore(t, p, "selective", o).Result; e.States != c.orbits {
			t.Errorf("%s managers: %d orbits, not %d", c.managers, e.States, c.orbits)
		}
	}
}
