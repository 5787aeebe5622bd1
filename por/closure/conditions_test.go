package closure_test

import (
	"context"
	"slices"
	"testing"

	"harrier/dbss"
	"harrier/internal/toy"
	"harrier/model"
	"harrier/por/closure"
)

type (
	states = map[string]string
	rules  = map[string][]toy.Then
	mail   = []string
	sends  = []string
)

// Each program loses an end or a violation if a condition is dropped.
var conditions = []struct {
	name    string
	program *toy.Script
	states  uint64 // with reduction
}{
	{
		name: "independent actors are interleaved once",
		program: &toy.Script{
			Start: states{"ann": "0", "bob": "0", "cid": "0"},
			Mail:  mail{">ann go", ">bob go", ">cid go"},
			Rules: rules{"ann 0 go": {{Become: "1"}}, "bob 0 go": {{Become: "1"}}, "cid 0 go": {{Become: "1"}}},
		},
		states: 4,
	},
	{
		name: "the order of two messages to one actor matters",
		program: &toy.Script{
			Start: states{"ann": "0"},
			Mail:  mail{">ann a", ">ann b"},
			Rules: rules{"ann 0 a": {{Become: "a"}}, "ann 0 b": {{Become: "b"}}, "ann a b": {{Become: "ab"}}, "ann b a": {{Become: "ba"}}},
		},
		states: 5,
	},
	{
		name: "a message that somebody else may yet send does not commute",
		program: &toy.Script{
			Start: states{"ann": "0", "bob": "0"},
			Mail:  mail{">ann a", ">bob go"},
			Rules: rules{
				"bob 0 go": {{Become: "1", Send: sends{"ann b"}}},
				"ann 0 a":  {{Become: "a"}}, "ann 0 b": {{Become: "b"}}, "ann a b": {{Become: "ab"}}, "ann b a": {{Become: "ba"}},
			},
		},
		states: 6,
	},
	{
		name: "an invariant sees the state before a step that would be taken first",
		program: &toy.Script{
			Start:      states{"ann": "0", "bob": "0"},
			Mail:       mail{">ann go", ">bob go"},
			Rules:      rules{"ann 0 go": {{Become: "1"}}, "bob 0 go": {{Become: "1"}}},
			Invariants: []toy.Condition{func(s states) bool { return s["ann"] != "0" || s["bob"] != "1" }},
		},
		states: 4,
	},
	{
		name: "a cycle of one actor does not put the others off for ever",
		program: &toy.Script{
			Start:      states{"ann": "0", "bob": "0"},
			Mail:       mail{">ann tick", ">bob go"},
			Rules:      rules{"ann 0 tick": {{Become: "0", Send: sends{"ann again"}}}, "ann 0 again": {{Become: "0", Send: sends{"ann again"}}}, "bob 0 go": {{Fail: "bob"}}},
			Invariants: nil,
		},
		states: 2,
	},
	{
		name: "a handler that may fail is not put behind another one",
		program: &toy.Script{
			Start: states{"ann": "0"},
			Mail:  mail{">ann a", ">ann b"},
			Rules: rules{"ann 0 a": {{Become: "1"}}, "ann 0 b": {{Fail: "b"}}, "ann 1 b": {{Become: "1"}}},
		},
		states: 3,
	},
	{
		name: "two quorums want the same message",
		program: &toy.Script{
			Start: states{"ann": "0"},
			Mail:  mail{"x>ann p", "y>ann q", "z>ann r"},
			Rules: rules{"ann 0 p+q": {{Become: "pq"}}, "ann 0 q+r": {{Become: "qr"}}, "ann pq q+r": {{Become: "both"}}, "ann qr p+q": {{Become: "both"}}},
			Quorums: map[string][]model.Quorum{
				"p": {{Handler: "together", Size: 2}}, "q": {{Handler: "together", Size: 2}}, "r": {{Handler: "together", Size: 2}},
			},
		},
		states: 3,
	},
	{
		name: "a message that may be lost",
		program: &toy.Script{
			Start:  states{"ann": "0", "bob": "0"},
			Mail:   mail{">ann a", ">bob b"},
			Rules:  rules{"ann 0 a": {{Become: "1"}}, "bob 0 b": {{Become: "1"}}},
			Faults: []model.Fault{{Kind: model.Lose, Scope: model.Scope{Names: []string{"ann"}}, Budget: 1, Label: "loss"}},
		},
		states: 4,
	},
}

func TestReductionsKeepWhatOrdersMakeOfIt(t *testing.T) {
	for _, c := range conditions {
		for _, order := range []dbss.Order{dbss.DepthFirst, dbss.BreadthFirst} {
			options := dbss.Options{Order: order, KeepGoing: true}
			all := explore(c.program, model.Decomposition{}, options, false)
			got := explore(c.program, model.Decomposition{}, options, true)
			if problem := difference(all, got, true); problem != "" {
				t.Errorf("%s: %s", c.name, problem)
			} else if got.States != c.states {
				t.Errorf("%s: %d states of %d, want %d", c.name, got.States, all.States, c.states)
			}
		}
	}
}

func TestFactsTellWhatDoesNotCommute(t *testing.T) {
	actors, err := model.NewActors(conditions[1].program, model.Decomposition{})
	if err != nil {
		t.Fatal(err)
	}
	c, err := closure.New(actors)
	if err != nil {
		t.Fatal(err)
	}
	got, err := c.Facts(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	want := closure.ActorFacts{Name: "ann", LocalStates: 5, Messages: 2, Events: 2}
	if len(got.Actors) != 1 || got.Actors[0] != want {
		t.Errorf("actors %+v, want %+v", got.Actors, want)
	}
	clashes := slices.ContainsFunc(got.Pairs, func(p closure.PairFacts) bool {
		return p.Late != "" && p.Clash > 0 && p.Why == "the order makes a difference"
	})
	if !clashes {
		t.Errorf("pairs %+v", got.Pairs)
	}
}
