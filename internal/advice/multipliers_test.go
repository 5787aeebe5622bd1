package advice

import (
	"context"
	"testing"

	"harrier/internal/model/space"
	"harrier/internal/testkit/must"
	"harrier/internal/testkit/toy"
)

// TestMultipliersOfACounter has one actor that counts by itself beside one that is in two states: without the counter two states are left.
func TestMultipliersOfACounter(t *testing.T) {
	s := &toy.Script{Start: map[string]string{"counter": "0", "switch": "off"}, Rules: map[string][]toy.Then{
		"switch off itself": {{Become: "on"}},
	}}
	for _, n := range []string{"0 1", "1 2", "2 3", "3 4"} {
		s.Rules["counter "+n[:1]+" itself"] = []toy.Then{{Become: n[2:]}}
	}
	over, end := context.WithCancel(t.Context())
	end()
	actors := must.Get(space.NewActors(s, space.Decomposition{}))
	if _, err := newMultiplying(actors).Invariants(over, actors.Initial()); err == nil {
		t.Error("it goes on when its time is over")
	}
	multipliers := func(had uint64) []Multiplier {
		return Multipliers(t.Context(), must.Get(space.NewActors(s, space.Decomposition{})), had)
	}
	found := multipliers(100)
	if len(found) != 2 || found[0].What != "counter" || found[0].Values != 5 || found[0].Times != 5 || found[1].What != "switch" || found[1].Times != 2 {
		t.Errorf("%+v", found)
	}
	if found := multipliers(3); len(found) == 0 || found[0].Values > 3 {
		t.Errorf("of three states: %+v", found)
	}
}

// TestMultipliersOfMessages has an actor that sends letters without end, in one state: without them the first state, in which there are none, and
// one other are left, however many of them an inbox has.
func TestMultipliersOfMessages(t *testing.T) {
	s := &toy.Script{Start: map[string]string{"ann": "0", "bob": "0"}, Rules: map[string][]toy.Then{
		"ann 0 itself": {{Become: "0", Send: []string{"bob a"}}, {Become: "0", Send: []string{"bob b"}}},
	}}
	found := Multipliers(t.Context(), must.Get(space.NewActors(s, space.Decomposition{})), 20)
	if len(found) != 2 || found[0].What != "bob" || found[0].Times != 20 || found[1].What != "other messages" || found[1].Values != 2 || found[1].Times != 10 {
		t.Errorf("%+v", found)
	}
}
