package macro_test

import (
	"testing"

	"harrier/dbss"
	"harrier/internal/model/network"
	"harrier/internal/model/space"
	"harrier/internal/property"
	"harrier/internal/testkit/must"
	"harrier/internal/testkit/toy"
	"harrier/por/macro"
)

// TestManyRoundsTakeFewerInternalSteps has three actors with six messages each, which do different things before a round and after it: it may
// begin in 2^18 combinations of what they become, so the steps of one are taken one by one.
func TestManyRoundsTakeFewerInternalSteps(t *testing.T) {
	class := toy.Class{Name: "Actor", Fields: 6}
	p := &toy.Protocol{Clocks: network.Clocks{Tick: 1, Rounds: 1, Delay: -1}}
	for kind := range class.Fields {
		class.Handlers = append(class.Handlers, toy.Handler{Kind: kind, Label: "handles", Outcomes: [][]toy.Act{{
			{Do: "set", Field: kind, Value: 1}, {Do: "set", Field: kind, Value: 2, When: []toy.Test{{Field: toy.OfClock, Is: ">=", Value: 1}}},
		}}})
	}
	p.Classes = []toy.Class{class}
	for _, name := range []string{"ann", "ben", "eve"} {
		p.Actors = append(p.Actors, toy.Actor{Name: name, Fields: make([]int, class.Fields)})
		for kind := range class.Fields {
			p.Mail = append(p.Mail, toy.Mail{To: name, Kind: kind})
		}
	}
	actors := must.Get(space.NewActors(p, space.Decomposition{}))
	system := macro.New(actors, property.NewChecker(p, actors))
	r, err := system.Search(t.Context(), dbss.Options{MaxStates: 10}, &dbss.Progress{})
	if err != nil || r.Complete || len(system.Endless()) != 1 {
		t.Errorf("complete %v, steps of %v are taken one by one, %v; want those of one actor", r != nil && r.Complete, system.Endless(), err)
	}
}
