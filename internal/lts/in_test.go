package lts_test

import (
	"context"
	"errors"
	"maps"
	"slices"
	"testing"

	"harrier/internal/lts"
	"harrier/internal/model/space"
	"harrier/internal/testkit/must"
	"harrier/internal/testkit/toy"
)

var errTooMany = errors.New("too many edges")

// TestIn compares In of component states of random programs with what a walk finds that takes one edge after another.
func TestIn(t *testing.T) {
	members, endless := 0, 0
	for seed := range uint64(*programs) {
		p := toy.Messages.Random(seed)
		if initial := p.Program().Initial.Actors; seed%2 == 1 && len(initial) > 1 {
			p.Program().Components = [][]string{{initial[0].Name, initial[len(initial)-1].Name}}
		}
		actors := must.Get(space.NewActors(p, space.Decomposition{}))
		g := lts.New(actors)
		left := 10_000
		next := func(_ context.Context, v lts.Vertex, e *lts.Edge) (to uint32, isInternal bool, err error) {
			if left--; left < 0 {
				return 0, false, errTooMany
			}
			to, err = g.After(v.Component, v.State, e)
			return to, e.Label == 0, err
		}
		var of []lts.Vertex
		for component, state := range g.Fold(actors.Initial())[1:] {
			if state != 0 {
				of = append(of, lts.Vertex{Component: uint32(component), State: state})
			}
		}
		all, err := lts.In(t.Context(), g, of, next)
		if errors.As(err, new(lts.EndlessError)) || errors.Is(err, errTooMany) {
			endless++
			continue
		}
		must.Do(err)
		for i, v := range of {
			want := map[uint32]bool{}
			var walk func(state uint32)
			walk = func(state uint32) {
				if want[state] {
					return
				}
				want[state] = true
				for e := range g.Out(v.Component, state) {
					if e.Label == 0 {
						walk(must.Get(g.After(v.Component, state, &e)))
					}
				}
			}
			walk(v.State)
			members += len(want)
			got := slices.Sorted(slices.Values(all[i]))
			if all[i][0] != v.State || !slices.Equal(got, slices.Sorted(maps.Keys(want))) {
				t.Fatalf("seed %d: In of %v is %v, not %v", seed, v, all[i], want)
			}
		}
	}
	if t.Logf("%d members, %d endless", members, endless); members < 10**programs {
		t.Error("these programs prove too little")
	}
}
