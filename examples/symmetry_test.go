package examples

import (
	"cmp"
	"maps"
	"strings"
	"testing"

	"harrier/internal/twin"
	"harrier/model"
	"harrier/serializer"
)

// TestOrbitsAgreeWithTwin holds searches of examples with symmetry to the dumb twin, which tries all permutations of some roles on each
// state: they come to as many states, and to the transitions of one state of each orbit.
func TestOrbitsAgreeWithTwin(t *testing.T) {
	for _, c := range []struct {
		program, parameters string
		roles               []string // names of actors that are symmetric
		delivery            model.DeliveryModel
	}{
		{"two-phase-commit", "-", []string{"manager1 manager2 manager3"}, model.M},
		{"two-phase-commit", "-", []string{"manager1 manager2 manager3"}, model.MMP},
		{"two-phase-commit", "missing=1", []string{"manager1 manager2 manager3"}, model.MP},
		{"two-phase-commit", "managers=4", []string{"manager1 manager2 manager3 manager4"}, model.M},
		{"paxos-quorum", "numbers=1", []string{"leader1 leader2", "acceptor1 acceptor2 acceptor3"}, model.M},
		{"paxos-quorum", "acceptors=2,alwaysAccept=true", []string{"leader1 leader2", "acceptor1 acceptor2"}, model.M},
		{"paxos-quorum", "acceptors=2,numbers=1,learners=2", []string{"leader1 leader2", "acceptor1 acceptor2", "learner1 learner2"}, model.MMP},
		{"byzantine-generals", "-", []string{"lieutenant1 lieutenant2"}, model.MMP},
		{"byzantine-generals", "traitor=commander", []string{"lieutenant1 lieutenant2 lieutenant3"}, model.M},
		{"paxos", "acceptors=2", []string{"acceptor1 acceptor2"}, model.M},
		{"pingpong", "players=3,rounds=2", []string{"player1 player2 player3"}, model.M},
	} {
		t.Run(strings.Join([]string{c.program, c.parameters, c.delivery.String()}, " "), func(t *testing.T) {
			p := loadIn(t, c.delivery, c.program, c.parameters)
			all := permutations(c.roles)
			want := twin.Explore(p, twin.Options{Permutations: all})
			if want.Err != nil {
				t.Fatal(want.Err)
			}
			for _, search := range []string{"dfs", "bfs"} {
				o := single(search)
				o.KeepGoing, o.Symmetry = true, "on"
				c := explore(t, p, "fields", o)
				if c.Group.Order.Int64() != int64(len(all)) {
					t.Errorf("a group of %v, not of all %d permutations", c.Group.Order, len(all))
				}
				if e := c.Result; e.States != want.States || e.Transitions != want.Transitions {
					t.Errorf("%d states and %d transitions; the twin has %d with %d", e.States, e.Transitions, want.States, want.Transitions)
				}
			}
			t.Logf("%d orbits, %d permutations", want.States, len(all))
		})
	}
}

// permutations are all permutations within roles. A role is the names of its actors.
func permutations(roles []string) []twin.Permutation {
	all := []map[string]string{{}}
	for _, role := range roles {
		for i, name := range strings.Fields(role) {
			var more []map[string]string // name and each of those before it change places
			for _, moves := range all {
				for _, other := range strings.Fields(role)[:i+1] {
					swapped := maps.Clone(moves)
					swapped[name], swapped[other] = cmp.Or(moves[other], other), name
					more = append(more, swapped)
				}
			}
			all = more
		}
	}
	var made []twin.Permutation
	for _, moves := range all {
		name := func(of string) string { return cmp.Or(moves[of], of) }
		renaming, known := serializer.NewRenaming(name), map[string][]byte{}
		made = append(made, twin.Permutation{Name: name, Bytes: func(b []byte) (renamed []byte, err error) {
			renamed, ok := known[string(b)]
			if !ok && len(b) > 0 {
				renamed, err = renaming.Rename(b)
				known[string(b)] = renamed
			}
			return renamed, err
		}})
	}
	return made
}

// TestTwoPhaseCommitHasAsManyStatesAsCounted compares with counting by hand. A manager is in one of 5 stages until there is
// a decision: asked to prepare, working or aborted; its vote of no or yes on the way; counted as prepared. After an abort
// there is one more: it knows. Of n managers, one at least does then. After a commit each knows or does not.
func TestTwoPhaseCommitHasAsManyStatesAsCounted(t *testing.T) {
	for _, c := range []struct {
		managers       string
		states, orbits uint64
	}{
		{"3", 216 - 1 + 8, 56 - 1 + 4},        // 6^n - 1 + 2^n, and (n+5 over 5) - 1 + n + 1
		{"5", 7_776 - 1 + 32, 252 - 1 + 6},    //
		{"7", 279_936 - 1 + 128, 792 - 1 + 8}, //
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
