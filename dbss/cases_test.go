package dbss_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"harrier/dbss"
	"harrier/internal/toy"
	"harrier/internal/twin"
)

type (
	states = map[string]string
	rules  = map[string][]toy.Then
	mail   = []string
	sends  = []string
)

// A handCase is a program small enough to count its states by hand.
type handCase struct {
	name                                                string
	program                                             *toy.Script
	states, transitions, terminal, leftover, violations uint64
	shortest                                            int // counterexample
}

var cases = []handCase{
	{
		name: "two equal messages are in flight and are received one after the other",
		program: &toy.Script{
			Start: states{"ann": "0"},
			Mail:  mail{"bob>ann tick", "bob>ann tick"},
			Rules: rules{
				"ann 0 tick": {{Become: "1"}},
				"ann 1 tick": {{Become: "2"}},
			},
		},
		states: 3, transitions: 2, terminal: 1,
	},
	{
		name: "a message equal to the one consumed is sent again",
		program: &toy.Script{
			Start: states{"ann": "idle", "bob": "idle"},
			Mail:  mail{"ann>ann tick"},
			Rules: rules{"ann idle tick": {{Become: "idle", Send: sends{"ann tick"}}}},
		},
		states: 1, transitions: 1,
	},
	{
		name: "a message to oneself is received later, like any other",
		program: &toy.Script{
			Start: states{"ann": "idle"},
			Mail:  mail{"bob>ann go", "bob>ann other"},
			Rules: rules{
				"ann idle go":      {{Become: "went", Send: sends{"ann self"}}},
				"ann went self":    {{Become: "done"}},
				"ann went other":   {{Become: "between"}},
				"ann between self": {{Become: "overtaken"}},
			},
		},
		states: 5, transitions: 4, terminal: 2, leftover: 1,
	},
	{
		name: "a guard opens later and the message is still there",
		program: &toy.Script{
			Start: states{"ann": "closed"},
			Mail:  mail{"bob>ann data", "bob>ann open"},
			Rules: rules{
				"ann closed open": {{Become: "open"}},
				"ann open data":   {{Become: "served"}},
			},
		},
		states: 3, transitions: 2, terminal: 1,
	},
	{
		// ann creates kid, bob writes to kid: in either order it is the same state.
		name: "a child is created by two interleavings",
		program: &toy.Script{
			Start: states{"ann": "idle", "bob": "idle"},
			Mail:  mail{">ann make", ">bob go"},
			Rules: rules{
				"ann idle make":     {{Become: "parent", Create: states{"ann/kid": "new"}}},
				"bob idle go":       {{Become: "wrote", Send: sends{"ann/kid hello"}}},
				"ann/kid new hello": {{Become: "greeted"}},
			},
		},
		states: 5, transitions: 5, terminal: 1,
	},
	{
		// What the child is depends on which message came first.
		name: "a child begins differently by different interleavings",
		program: &toy.Script{
			Start: states{"ann": "idle"},
			Mail:  mail{">ann make", ">ann teach"},
			Rules: rules{
				"ann idle make":   {{Become: "done", Create: states{"ann/kid": "plain"}}},
				"ann idle teach":  {{Become: "taught"}},
				"ann taught make": {{Become: "done", Create: states{"ann/kid": "clever"}}},
				"ann done teach":  {{Become: "done"}},
			},
		},
		states: 5, transitions: 4, terminal: 2,
	},
	{
		name: "the names of actors that never exist keep their messages",
		program: &toy.Script{
			Start: states{"ann": "idle"},
			Mail:  mail{">nobody hello", ">ann unknown"},
		},
		states: 1, transitions: 0, terminal: 1, leftover: 1,
	},
	{
		name: "an outcome for each choice",
		program: &toy.Script{
			Start: states{"ann": "idle"},
			Mail:  mail{">ann toss"},
			Rules: rules{"ann idle toss": {{Become: "heads"}, {Become: "tails"}, {Become: "heads"}}},
		},
		states: 3, transitions: 3, terminal: 2,
	},
	{
		// A failing transition leads nowhere; a state in which all fail is not terminal.
		name: "a handler fails on one of two ways",
		program: &toy.Script{
			Start: states{"ann": "idle"},
			Mail:  mail{">ann a", ">ann b"},
			Rules: rules{
				"ann idle a": {{Become: "weak"}},
				"ann idle b": {{Become: "strong"}},
				"ann weak b": {{Fail: "too weak for b"}},
			},
		},
		states: 3, transitions: 3, terminal: 1, leftover: 1, violations: 1, shortest: 2,
	},
	{
		name: "the initial state violates an invariant",
		program: &toy.Script{
			Start:      states{"ann": "bad"},
			Mail:       mail{">ann mend"},
			Rules:      rules{"ann bad mend": {{Become: "good"}}},
			Invariants: []toy.Condition{func(s states) bool { return s["ann"] != "bad" }},
		},
		states: 2, transitions: 1, terminal: 1, violations: 1,
	},
	{
		// Counted once though two invariants are violated, and once more because it is no proper end.
		name: "a state violates two invariants and is a deadlock",
		program: &toy.Script{
			Start: states{"ann": "idle"},
			Mail:  mail{">ann go"},
			Rules: rules{"ann idle go": {{Become: "bad"}}},
			Invariants: []toy.Condition{
				func(s states) bool { return s["ann"] != "bad" },
				func(s states) bool { return s["ann"] == "idle" },
			},
			Final: func(s states) bool { return s["ann"] == "good" },
		},
		states: 2, transitions: 1, terminal: 1, violations: 2, shortest: 1,
	},
	{
		name: "an invariant about an actor that does not exist yet",
		program: &toy.Script{
			Start:      states{"ann": "idle"},
			Mail:       mail{">ann make"},
			Rules:      rules{"ann idle make": {{Become: "idle", Create: states{"kid": "new"}}}},
			Invariants: []toy.Condition{func(s states) bool { return s["kid"] == "" }},
		},
		states: 2, transitions: 1, terminal: 1, violations: 1, shortest: 1,
	},
}

func TestSearchCountsWhatCanBeCountedByHand(t *testing.T) {
	for _, c := range slices.Concat(cases, eventCases) {
		for _, order := range orders {
			t.Run(c.name+"/"+order.name, func(t *testing.T) {
				c.program.Forget()
				got := search(context.Background(), c.program, dbss.Options{Order: order.Order, KeepGoing: true, MaxStates: c.states + 1})
				if got.err != nil {
					t.Fatal(got.err)
				}
				if got.States != c.states || got.Transitions != c.transitions || got.Terminal != c.terminal ||
					got.Leftover != c.leftover || got.Violations != c.violations {
					t.Errorf("%+v", *got.Result)
				}
				if problem := counterexampleProblem(got, order.Order, c.shortest); problem != "" {
					t.Error(problem)
				}
				if problem := got.disagreement(twin.Explore(c.program, twin.Options{})); problem != "" {
					t.Error(problem)
				}
			})
		}
	}
}

func TestSearchEndsAtTheFirstViolation(t *testing.T) {
	for _, c := range slices.Concat(cases, eventCases) {
		for _, order := range orders {
			got := search(context.Background(), c.program, dbss.Options{Order: order.Order})
			if got.err != nil || got.Violations != min(c.violations, 1) || got.Complete != (c.violations == 0) {
				t.Errorf("%s, %s: %d violations, complete %v, error %v", c.name, order.name,
					got.Violations, got.Complete, got.err)
			}
		}
	}
}

func TestNoDeadlockLeavesTheLastStatesUnchecked(t *testing.T) {
	stuck := &toy.Script{Start: states{"ann": "stuck"}, Final: func(states) bool { return false }}
	for _, order := range orders {
		for _, unchecked := range []bool{false, true} {
			got := search(context.Background(), stuck, dbss.Options{Order: order.Order, NoDeadlock: unchecked})
			if got.err != nil || got.Complete != unchecked || (got.Violation == nil) != unchecked || got.Terminal != 1 {
				t.Errorf("%s, unchecked %v: %+v, error %v", order.name, unchecked, got.Result, got.err)
			}
		}
	}
}

func TestAnActorCreatedTwiceIsAnError(t *testing.T) {
	twins := &toy.Script{
		Start: states{"ann": "0"},
		Mail:  mail{">ann make", ">ann make"},
		Rules: rules{
			"ann 0 make": {{Become: "1", Create: states{"kid": "new"}}},
			"ann 1 make": {{Become: "2", Create: states{"kid": "new"}}},
		},
	}
	for _, order := range orders {
		got := search(context.Background(), twins, dbss.Options{Order: order.Order})
		if got.err == nil || !strings.Contains(got.err.Error(), "kid is created twice") || got.Complete || got.States != 2 {
			t.Errorf("%s: %d states, error %v", order.name, got.States, got.err)
		}
	}
	if r := twin.Explore(twins, twin.Options{}); r.Err == nil {
		t.Error("the twin does not notice")
	}
}
