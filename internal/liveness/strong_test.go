package liveness_test

import (
	"testing"

	"harrier/internal/model"
	"harrier/internal/testkit/toy"
)

// players is a program of two pairs that play for ever. The first player of one of them has mail, which it accepts in every other round, if
// gated, and which changes a field of it. In either case it plays on as it is told.
func players(gated bool, playsOn ...toy.Act) *toy.Protocol {
	ball := func(acts []toy.Act, guard ...toy.Test) toy.Handler {
		return toy.Handler{Kind: 0, Guard: guard, Outcomes: [][]toy.Act{acts}, Label: "ball"}
	}
	isNew, isOdd, isEven := is(0, 0)[0], is(1, 0)[0], is(1, 1)[0]
	first := toy.Class{Name: "First", Fields: 2, Handlers: []toy.Handler{
		ball([]toy.Act{set(1, 1), send(0, "sender")}, isNew, isOdd),
		ball([]toy.Act{set(1, 0), send(0, "sender")}, isNew, isEven),
		ball(playsOn, is(0, 1)[0]),
		{Kind: 1, Outcomes: [][]toy.Act{{set(0, 1)}}, Label: "mail"},
	}}
	if gated {
		first.Handlers[3].Guard = []toy.Test{isEven}
	}
	second := toy.Class{Name: "Second", Fields: 1, Handlers: []toy.Handler{ball([]toy.Act{send(0, "sender")})}}
	p := &toy.Protocol{Classes: []toy.Class{first, second}, Fairness: model.Fairness{Strong: model.Scope{All: true}}}
	for i, name := range []string{"ann", "bob", "cid", "dot"} {
		p.Actors = append(p.Actors, toy.Actor{Name: name, Class: i % 2, Fields: []int{0, 0}[:2-i%2]})
	}
	p.Mail = []toy.Mail{{From: "bob", To: "ann"}, {From: "dot", To: "cid"}, {From: "bob", To: "cid", Kind: 1}}
	return p
}

// TestStrongFairnessOfPlayers has mail that is to be received, as it can be again and again.
func TestStrongFairnessOfPlayers(t *testing.T) {
	mail := toy.Fact{Actor: "cid", Test: toy.Test{Field: 0, Is: "==", Value: 1}}
	never := toy.Fact{Actor: "bob", Test: toy.Test{Field: 0, Is: "==", Value: 1}}
	lossy := func(p *toy.Protocol) *toy.Protocol {
		p.Faults = []toy.Fault{{Kind: model.Lose, Scope: model.Scope{Names: []string{"cid"}}, Budget: model.Unbounded, Senders: []string{"bob"}}}
		return p
	}
	weak := players(true, send(0, "sender"))
	weak.Fairness = model.Fairness{}
	for _, c := range []struct {
		name     string
		p        *toy.Protocol
		violated bool
	}{
		{"mail that is accepted again and again is received", asking(players(true, send(0, "sender")), "<>!p", mail), false},
		{"it need not be if fairness is weak", asking(weak, "<>!p", mail), true},
		{"a player falls silent once it has its mail", asking(players(true), "<>!p", never), true},
		{"mail is lost, and the player plays on", asking(lossy(players(false, send(0, "sender"))), "<>!p", mail), true},
	} {
		t.Run(c.name, func(t *testing.T) { agree(t, c.p, c.violated) })
	}
}

// TestMessagesThatAreLostAgainAndAgain has a ball go round that bob answers with mail to ann, which may be lost each time only if fairness is weak.
func TestMessagesThatAreLostAgainAndAgain(t *testing.T) {
	for _, strong := range []bool{false, true} {
		handlers := func(acts ...toy.Act) []toy.Handler {
			return []toy.Handler{{Kind: 0, Outcomes: [][]toy.Act{acts}, Label: "ball"}, {Kind: 1, Outcomes: [][]toy.Act{{set(0, 1)}}, Label: "mail"}}
		}
		all := model.Scope{All: true}
		p := &toy.Protocol{
			Classes: []toy.Class{
				{Name: "Ann", Fields: 1, Handlers: handlers(send(0, "bob"))},
				{Name: "Bob", Fields: 1, Handlers: handlers(send(1, "ann"), send(0, "cid"))},
				{Name: "Cid", Fields: 1, Handlers: handlers(send(0, "ann"))},
			},
			Actors: []toy.Actor{{Name: "ann", Fields: []int{0}}, {Name: "bob", Class: 1, Fields: []int{0}}, {Name: "cid", Class: 2, Fields: []int{0}}},
			Mail:   []toy.Mail{{From: "cid", To: "ann"}},
			Faults: []toy.Fault{
				{Kind: model.Lose, Scope: model.Scope{Names: []string{"ann"}}, Budget: model.Unbounded, Senders: []string{"bob"}},
				{Kind: model.Duplicate, Scope: all, Budget: model.Unbounded},
			},
			Fairness: model.Fairness{Strong: model.Scope{All: strong}},
		}
		agree(t, asking(p, "<>!p", toy.Fact{Actor: "ann", Test: toy.Test{Field: 0, Is: "==", Value: 1}}), !strong)
	}
}

// TestSetsOfActorsThatNeedNotBeSentMore has an actor that may be sent a message again and again, over a channel that is a set, and is quiet only if it is
// not.
func TestSetsOfActorsThatNeedNotBeSentMore(t *testing.T) {
	p := &toy.Protocol{
		Classes: []toy.Class{{Name: "C", Fields: 2, Handlers: []toy.Handler{
			{Kind: 0, Guard: is(0, 0), Outcomes: [][]toy.Act{{set(0, 1)}}, Label: "first"},
			{Kind: 0, Guard: is(0, 1), Outcomes: [][]toy.Act{{set(1, 1)}}, Label: "second"},
			{Kind: 2, Outcomes: [][]toy.Act{{send(2, "self"), send(0, "peer")}, {send(2, "self")}}, Label: "spin"},
		}}},
		Actors: []toy.Actor{{Name: "ann", Fields: []int{0, 0}}, {Name: "bob", Fields: []int{0, 0}, Peer: "ann"}},
		Mail:   []toy.Mail{{From: "bob", To: "bob", Kind: 2}, {From: "bob", To: "ann"}},
		Faults: []toy.Fault{{Kind: model.Duplicate, Scope: model.Scope{All: true}, Budget: model.Unbounded}},
	}
	agree(t, asking(p, "<>!p", toy.Fact{Actor: "ann", Test: toy.Test{Field: 1, Is: "==", Value: 1}}), true)
}

// TestImagesTakeStepsOneByOne has two gates that may be permuted. If the steps of one are taken one by one, so are those of the other.
func TestImagesTakeStepsOneByOne(t *testing.T) {
	p := gate(1)
	p.Actors = []toy.Actor{{Name: "gate1", Fields: []int{0, 0}}, {Name: "gate2", Fields: []int{0, 0}}}
	p.Mail = []toy.Mail{{From: "gate1", To: "gate1"}, {From: "gate2", To: "gate2"}}
	p.Roles = []model.Role{{Name: "gate", Actors: []string{"gate1", "gate2"}}}
	p.Fairness.Strong = model.Scope{All: true}
	p.Predicates[0].Facts[0].Actor, p.Predicates[0].Facts[0].Class = "", 0
	s, found := advance(t, p, 200)
	if n := s.TakeOneByOne(0); found || n != 2 {
		t.Errorf("%d components, found %v", n, found)
	}
}
