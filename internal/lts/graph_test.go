package lts_test

import (
	"context"
	"errors"
	"flag"
	"slices"
	"testing"

	"harrier/internal/lts"
	"harrier/internal/model"
	"harrier/internal/model/space"
	"harrier/internal/testkit/must"
	"harrier/internal/testkit/reach"
	"harrier/internal/testkit/toy"
	"harrier/symmetry"
)

var programs = flag.Int("programs", 40, "how many random programs of each kind are compared")

// TestEdgesAreTransitions holds edges, and the arrival of what they send, to the transitions of random programs, some of whose
// actors are one component; and images of component states to those of their nodes.
func TestEdgesAreTransitions(t *testing.T) {
	for _, kind := range []toy.Mix{toy.Messages, toy.Events, toy.Symmetric} {
		taken, internal, images := 0, 0, 0
		for seed := range uint64(*programs) {
			p := kind.Random(seed)
			program := p.Program()
			if initial := program.Initial.Actors; seed%2 == 1 && len(initial) > 1 {
				program.Components = [][]string{{initial[0].Name, initial[len(initial)-1].Name}}
			}
			actors := must.Get(space.NewActors(p, space.Decomposition{}))
			g := lts.New(actors)
			var permutations []*lts.Permutation
			if group, err := symmetry.Find(actors); err == nil {
				for _, by := range group.Permutations() {
					permutations = append(permutations, lts.NewPermutation(g, by))
				}
			}
			for _, s := range states(t, actors) {
				for _, by := range permutations {
					images++
					checkImage(t, g, by, s)
				}
				for _, tr := range must.Get(actors.Enabled(t.Context(), s, nil)) {
					want, _, err := actors.Apply(slices.Clone(s), tr, nil)
					if err != nil {
						continue
					}
					taken++
					got, isInternal := take(t, g, s, tr)
					if !slices.Equal(got.Trimmed()[1:], want.Trimmed()[1:]) {
						t.Fatalf("seed %d: %v by %v is %v, not %v", seed, s, tr, got, want)
					}
					if isInternal {
						internal++
						if want[0] != s[0] {
							t.Fatalf("seed %d: %v by %v is internal", seed, s, tr)
						}
					}
				}
			}
		}
		if t.Logf("%d transitions, %d internal, %d images", taken, internal, images); internal == 0 || internal == taken {
			t.Error("these programs prove too little")
		}
	}
}

// states are some states of a program.
func states(t *testing.T, actors *space.Actors) (all []model.State) {
	follows := func(s model.State, _ model.Transition, _ []model.Change) bool {
		if len(all) == 0 || !slices.Equal(all[len(all)-1], s) {
			all = append(all, s)
		}
		return len(all) < 100
	}
	_, err := reach.Walk{System: actors, Key: reach.Exact, Most: 1000, Follows: follows}.States(t.Context())
	if err != nil && !errors.Is(err, reach.ErrTooMany) {
		t.Log(err) // a program may break a rule
	}
	return all
}

// take takes a transition by an edge, and has what it sends arrive.
func take(t *testing.T, g *lts.Graph, s model.State, tr model.Transition) (next model.State, isInternal bool) {
	vector, c := slices.Clone(g.Fold(s)), g.Spot(tr.Slot+1).Component
	state := vector[c+1]
	must.Do(g.Expand(context.Background(), lts.Vertex{Component: c, State: state}))
	for e := range g.Out(c, state) {
		if e.Transition != tr {
			continue
		}
		vector[c+1] = must.Get(g.After(c, state, &e))
		for _, f := range g.Label(e.Label).Outside {
			to := g.Spot(f.Position)
			for int(to.Component)+1 >= len(vector) {
				vector = append(vector, 0)
			}
			vector[to.Component+1] = must.Get(g.Arrive(vector[to.Component+1], to, f))
		}
		return g.Unfold(vector), e.Label == 0
	}
	t.Fatalf("%v has no edge %v", s, tr)
	return nil, false
}

// checkImage compares the images of component states of a state with those of its nodes.
func checkImage(t *testing.T, g *lts.Graph, by *lts.Permutation, s model.State) {
	want := model.State{s[0]}
	for position, n := range s[1:] {
		if n != 0 {
			want, _ = want.Put(by.Position(uint32(position+1)), must.Get(by.Node(uint32(position+1), n)), nil)
		}
	}
	got := model.State{s[0]}
	for c, state := range g.Fold(s)[1:] {
		if state != 0 {
			got, _ = got.Put(by.Component(uint32(c))+1, must.Get(by.Image(uint32(c), state)), nil)
		}
	}
	if want = g.Fold(want); !slices.Equal(got.Trimmed(), want.Trimmed()) {
		t.Fatalf("the image of %v is %v, not %v", s, got, want)
	}
}
