package macro_test

import (
	"testing"

	"harrier/dbss"
	"harrier/internal/model/space"
	"harrier/internal/property"
	"harrier/internal/testkit/must"
	"harrier/internal/testkit/toy"
	"harrier/por/macro"
)

// TestABoundSeesWhoExists has ann create an actor of her component, where a bound ends the run: it reads no field, but which actors there are.
func TestABoundSeesWhoExists(t *testing.T) {
	handlers := []toy.Handler{
		{Kind: 0, Outcomes: [][]toy.Act{{{Do: "set", Field: 0, Value: 1}, {Do: "create", Value: 1}}}, Label: "creates"},
		{Kind: 1, Guard: []toy.Test{{Field: 0, Is: "==", Value: 1}}, Outcomes: [][]toy.Act{{{Do: "fail"}}}, Label: "fails"},
	}
	p := &toy.Protocol{
		Classes: []toy.Class{{Name: "Parent", Fields: 1, Handlers: handlers}, {Name: "Kid", Fields: 1}},
		Actors:  []toy.Actor{{Name: "ann", Fields: []int{0}}},
		Mail:    []toy.Mail{{To: "ann", Kind: 0}, {To: "ann", Kind: 1}},
		Bounds:  []toy.Property{{Facts: []toy.Fact{{Class: 1, Test: toy.Test{Field: 0, Is: ">=", Value: 0}}}}},
	}
	nothing := func(int, map[int]bool) func([]byte) ([]byte, error) {
		return func([]byte) ([]byte, error) { return nil, nil }
	}
	for _, groups := range [][][]string{nil, {{"ann", "ann/child0"}}} {
		p.Program().Components = groups
		actors := must.Get(space.NewActors(p, space.Decomposition{Visible: nothing}))
		r, err := macro.New(actors, property.NewChecker(p, actors)).Search(t.Context(), dbss.Options{KeepGoing: true}, &dbss.Progress{})
		if err != nil || r.Violations > 0 || r.Outside != 1 {
			t.Errorf("components %v: %d violations, %d states outside, %v; want none violated, and one outside", groups, r.Violations, r.Outside, err)
		}
	}
}
