package liveness_test

import (
	"context"
	"testing"

	"harrier/internal/liveness"
	"harrier/internal/model"
	"harrier/internal/model/space"
	"harrier/internal/property"
	"harrier/internal/testkit/must"
	"harrier/internal/testkit/toy"
	"harrier/symmetry"
)

// flooded is a program in which bob sends ann a message again and again, without waiting for answers.
func flooded(fields int, ann ...toy.Handler) *toy.Protocol {
	flood := toy.Handler{Kind: 2, Outcomes: [][]toy.Act{{send(2, "self"), send(0, "peer")}}, Label: "flood"}
	p := &toy.Protocol{
		Classes: []toy.Class{{Name: "Ann", Fields: fields, Handlers: ann}, {Name: "Bob", Fields: 1, Handlers: []toy.Handler{flood}}},
		Actors:  []toy.Actor{{Name: "ann", Fields: make([]int, fields)}, {Name: "bob", Class: 1, Fields: []int{0}, Peer: "ann"}},
		Mail:    []toy.Mail{{From: "bob", To: "bob", Kind: 2}},
	}
	return asking(p, "<>!p", toy.Fact{Actor: "ann", Test: toy.Test{Field: 0, Is: "==", Value: 1}})
}

// advance explores some states of a program by macro steps, and confirms and executes the lasso that is found.
func advance(t *testing.T, p *toy.Protocol, states int) (s *liveness.Search, found bool) {
	t.Helper()
	actors := must.Get(space.NewActors(p, p.Decomposition(space.Selective)))
	group := must.Get(symmetry.Find(actors))
	if group.IsTrivial() {
		group = nil
	}
	s = must.Get(liveness.New(actors, property.NewChecker(p, actors), p.Program().Liveness[0], liveness.Options{Macro: true, Group: group}))
	l, err := s.Advance(context.Background(), states)
	if err == nil && l != nil {
		err = s.Confirm(context.Background(), l)
	}
	if err == nil && l != nil {
		err = executed(p, actors, 0, l)
	}
	if err != nil {
		t.Error(err)
	}
	return s, l != nil
}

// TestIgnoredMessagesAreLeftOut has messages without end that change nothing. They are consumed in the lasso.
func TestIgnoredMessagesAreLeftOut(t *testing.T) {
	p := flooded(1, toy.Handler{Kind: 0, Outcomes: [][]toy.Act{{}}, Label: "ignore"})
	if s, found := advance(t, p, 200); !found || !s.IsComplete() || s.States() != 1 {
		t.Errorf("%d states, found %v", s.States(), found)
	}
}

// TestMessagesThatMatterLater has a message that ann ignores until another one came.
func TestMessagesThatMatterLater(t *testing.T) {
	p := &toy.Protocol{
		Classes: []toy.Class{{Name: "Ann", Fields: 2, Handlers: []toy.Handler{
			{Kind: 0, Guard: is(1, 0), Outcomes: [][]toy.Act{{}}, Label: "ignore"},
			{Kind: 0, Guard: is(1, 1), Outcomes: [][]toy.Act{{set(0, 1)}}, Label: "done"},
			{Kind: 1, Outcomes: [][]toy.Act{{set(1, 1)}}, Label: "begin"},
		}}, {Name: "Bob", Fields: 1, Handlers: []toy.Handler{
			{Kind: 2, Outcomes: [][]toy.Act{{send(0, "peer"), send(1, "peer")}}, Label: "go"},
		}}},
		Actors: []toy.Actor{{Name: "ann", Fields: []int{0, 0}}, {Name: "bob", Class: 1, Fields: []int{0}, Peer: "ann"}},
		Mail:   []toy.Mail{{From: "bob", To: "bob", Kind: 2}},
	}
	agree(t, asking(p, "[]p", toy.Fact{Actor: "ann", Test: toy.Test{Field: 0, Is: "==", Value: 1}}), true)
}

// TestMessagesThatMatterToImages has a bee mark one of two ants, which drops something to the other one, and start one of them later. A search with
// symmetry starts one ant only, and that may be the other one than the ant that ignored what was dropped.
func TestMessagesThatMatterToImages(t *testing.T) {
	ant := toy.Class{Name: "Ant", Fields: 2, Handlers: []toy.Handler{
		{Kind: 1, Outcomes: [][]toy.Act{{send(5, "peer"), send(3, "bee")}}, Label: "mark"},
		{Kind: 4, Outcomes: [][]toy.Act{{set(0, 1)}}, Label: "start"},
		{Kind: 5, Guard: is(0, 0), Outcomes: [][]toy.Act{{}}, Label: "ignore"},
		{Kind: 5, Guard: is(0, 1), Outcomes: [][]toy.Act{{set(1, 1)}}, Label: "drop"},
	}}
	bee := toy.Class{Name: "Bee", Fields: 1, Handlers: []toy.Handler{
		{Kind: 0, Guard: is(0, 0), Chooses: "ant", Outcomes: [][]toy.Act{{set(0, 1), send(1, "chosen")}}, Label: "mark"},
		{Kind: 3, Outcomes: [][]toy.Act{{set(0, 2)}}, Label: "marked"},
		{Kind: 0, Guard: is(0, 2), Chooses: "ant", Outcomes: [][]toy.Act{{set(0, 3), send(4, "chosen")}}, Label: "start"},
	}}
	p := &toy.Protocol{
		Classes: []toy.Class{ant, bee},
		Actors: []toy.Actor{
			{Name: "ant1", Fields: []int{0, 0}, Peer: "ant2"}, {Name: "ant2", Fields: []int{0, 0}, Peer: "ant1"}, {Name: "bee", Class: 1, Fields: []int{0}},
		},
		Mail:  []toy.Mail{{From: "bee", To: "bee"}, {From: "bee", To: "bee"}},
		Roles: []model.Role{{Name: "ant", Actors: []string{"ant1", "ant2"}}, {Name: "bee", Actors: []string{"bee"}}},
	}
	agree(t, asking(p, "[]p", toy.Fact{Class: 0, Test: toy.Test{Field: 1, Is: "==", Value: 1}}), true)
}

// TestMessagesThatSetTimersAnew has messages without end that change nothing but the time at which a timer fires.
func TestMessagesThatSetTimersAnew(t *testing.T) {
	p := flooded(1,
		toy.Handler{Kind: 0, Guard: is(0, 0), Outcomes: [][]toy.Act{{do("arm")}}, Label: "beat"},
		toy.Handler{Kind: 0, Guard: is(0, 1), Outcomes: [][]toy.Act{{}}, Label: "late"},
		toy.Handler{Kind: toy.Itself, Timer: true, Outcomes: [][]toy.Act{{set(0, 1)}}, Label: "suspect"})
	p.Actors[0].Armed = true
	if _, found := advance(t, p, 200); !found {
		t.Error("the timer fires, though each message sets it anew")
	}
}

// TestNobodyIgnoresMessagesWhileDown has ann be flooded, who tells bob something again and again unless she goes down and stays so. While she
// is down, messages wait for her; nor does bob read his. So no loop leads back to where it begins.
func TestNobodyIgnoresMessagesWhileDown(t *testing.T) {
	for _, formula := range []string{"<>!p", "false"} {
		tell := send(1, "bob")
		p := flooded(1,
			toy.Handler{Kind: 0, Outcomes: [][]toy.Act{{}}, Label: "ignore"},
			toy.Handler{Kind: toy.Itself, Outcomes: [][]toy.Act{{tell}}, Label: "tell"})
		p.Classes[0].Restart = []toy.Act{tell}
		p.Classes[1].Handlers = append(p.Classes[1].Handlers, toy.Handler{Kind: 1, Guard: is(0, 1), Outcomes: [][]toy.Act{{}}, Label: "told"})
		p.Faults = []toy.Fault{{Kind: model.Crash, Scope: model.Scope{Names: []string{"ann"}}, Budget: model.Unbounded}}
		if p.Liveness[0].Formula = formula; formula == "false" {
			p.Liveness[0].Atoms = nil
		}
		if _, found := advance(t, p, 200); found {
			t.Errorf("%s: a loop is found", formula)
		}
	}
}
