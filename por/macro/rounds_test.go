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

// TestASearchThatGoesOnKnowsWhereTimeWentOn has a search in another process learn what one found: it compares later local states with the messages
// that were left out there, in rounds, too.
func TestASearchThatGoesOnKnowsWhereTimeWentOn(t *testing.T) {
	total := 0
	for seed := range uint64(12) {
		p := toy.Timed(toy.Events.Random)(seed)
		found := func() *macro.System {
			actors := must.Get(space.NewActors(p, p.Decomposition(space.Selective)))
			return macro.New(actors, property.NewChecker(p, actors))
		}
		first, next := found(), found()
		if _, err := first.Search(t.Context(), dbss.Options{MaxStates: 200, KeepGoing: true, Order: dbss.BreadthFirst}, &dbss.Progress{}); err != nil {
			continue // it fails
		}
		if err := next.Learn(t.Context(), must.Get(first.News())); err != nil {
			t.Fatal(err)
		}
		if first.Noted() != next.Noted() {
			t.Errorf("seed %d: noted are %v, and by a search that goes on %v", seed, first.Noted(), next.Noted())
		}
		total += next.Noted()[1]
	}
	if total == 0 {
		t.Error("time never goes on")
	}
}
