package static

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"harrier/dbss"
	"harrier/internal/toy"
	"harrier/model"
	"harrier/property"
)

// A found is what a search found.
type found struct {
	states, ends, reduced uint64
	violated              bool
}

func (f found) lost(of found) bool { return f.ends != of.ends || f.violated != of.violated }

// search searches a program, reduced if there is a reduction.
func search(t *testing.T, p *toy.Fielded, prepare func(s *Static)) found {
	t.Helper()
	actors, err := model.NewActors(p, p.Decomposition(model.Selective))
	if err != nil {
		t.Fatal(err)
	}
	o := dbss.Options{KeepGoing: true}
	if prepare != nil {
		s := relationsOf(t, p, actors)
		prepare(s)
		s.need()
		o.Reduction = func() model.Reduction { return s.Reduction() }
	}
	r, err := dbss.Search(context.Background(), actors, property.NewChecker(p, actors), o, &dbss.Progress{})
	if err != nil {
		t.Fatal(err)
	}
	return found{r.States, r.Terminal, r.Reduced, r.Violation != nil}
}

func relationsOf(t *testing.T, p *toy.Fielded, actors *model.Actors) *Static {
	t.Helper()
	s, err := New(actors, Options{OnlyTimers: true})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// on is a handler of a kind of messages, labelled by its number.
func on(kind int, acts ...toy.FieldedAct) toy.FieldedHandler {
	return toy.FieldedHandler{Kind: kind, Outcomes: [][]toy.FieldedAct{acts}}
}

func guarded(h toy.FieldedHandler, tests ...toy.FieldedTest) toy.FieldedHandler {
	h.Guard = tests
	return h
}

func put(field, value int) toy.FieldedAct {
	return toy.FieldedAct{Do: "set", Field: field, Value: value}
}

func setIf(field, value, tested int) toy.FieldedAct {
	a := put(field, value)
	a.When = []toy.FieldedTest{{Field: tested, Is: "==", Value: 1}}
	return a
}

func sending(kind int, to string) toy.FieldedAct {
	return toy.FieldedAct{Do: "send", Kind: kind, To: to, From: -1, Hops: "none"}
}

// mail is a message, as in {"bob", "ann", 0}.
type mail struct {
	from, to string
	kind     int
}

// program has actors ann, bob and cid, of whom bob and cid tell ann what they send to their peer. Ann is of the first class, the others
// are of the second. They have three fields each.
func program(ann, others []toy.FieldedHandler, mails ...mail) *toy.Fielded {
	p := &toy.Fielded{Classes: []toy.FieldedClass{{Name: "Ann", Fields: 3, Handlers: ann}, {Name: "Other", Fields: 3, Handlers: others}}}
	for c := range p.Classes {
		p.Classes[c].Handlers = slices.Clone(p.Classes[c].Handlers)
		for i := range p.Classes[c].Handlers {
			p.Classes[c].Handlers[i].Label = fmt.Sprintf("%s.h%d", p.Classes[c].Name, i)
		}
	}
	for i, name := range []string{"ann", "bob", "cid"} {
		a := toy.FieldedActor{Name: name, Class: min(i, 1), Fields: make([]int, 3), Peer: "ann"}
		if i == 0 {
			a.Peer = "bob"
		}
		p.Actors = append(p.Actors, a)
	}
	for i, m := range mails {
		p.Mail = append(p.Mail, toy.FieldedMail{From: m.from, To: m.to, Kind: m.kind, Value: i % 3})
	}
	return p
}

func never(actor string, field, value int) []toy.FieldedProperty {
	return []toy.FieldedProperty{{Facts: []toy.FieldedFact{{Actor: actor, FieldedTest: toy.FieldedTest{Field: field, Is: "==", Value: value}}}}}
}

// What may be forgotten.
func noDependence(s *Static) {
	for i := range s.depends {
		clear(s.depends[i])
	}
}

func noEnablers(s *Static) {
	for i := range s.enablers {
		clear(s.enablers[i])
	}
}

func noOpeners(s *Static) {
	for i := range s.openers {
		clear(s.openers[i])
	}
}

func nothingRenewable(s *Static) { clear(s.renewable) }

// needs are programs that show that something is needed.
var needs = []struct {
	name    string
	program func() *toy.Fielded
	forget  func(s *Static)
}{
	{"what one handler writes and another one reads", func() *toy.Fielded {
		p := program([]toy.FieldedHandler{on(0, put(0, 1)), on(1, setIf(1, 1, 0))}, nil, mail{"bob", "ann", 1}, mail{"bob", "ann", 0})
		p.Invariants = never("ann", 1, 1)
		return p
	}, noDependence},
	{"what both write", func() *toy.Fielded {
		return program([]toy.FieldedHandler{on(0, put(0, 1)), on(1, put(0, 2))}, nil, mail{"bob", "ann", 1}, mail{"bob", "ann", 0})
	}, noDependence},
	{"a guard that closes", func() *toy.Fielded {
		closing := guarded(on(1, put(1, 1)), toy.FieldedTest{Field: 0, Is: "==", Value: 0})
		return program([]toy.FieldedHandler{on(0, put(0, 1)), closing}, nil, mail{"bob", "ann", 0}, mail{"bob", "ann", 1})
	}, noDependence},
	{"a guard that opens", func() *toy.Fielded {
		opening := guarded(on(1, put(1, 1)), toy.FieldedTest{Field: 0, Is: "==", Value: 1})
		return program([]toy.FieldedHandler{on(0, put(0, 1)), opening, on(2, put(1, 2))}, nil, mail{"bob", "ann", 2}, mail{"bob", "ann", 1}, mail{"bob", "ann", 0})
	}, noOpeners},
	{"a message that somebody is about to send", func() *toy.Fielded {
		return program([]toy.FieldedHandler{on(1, put(1, 1)), on(2, put(1, 2))}, []toy.FieldedHandler{on(0, sending(1, "peer"))},
			mail{"cid", "ann", 2}, mail{"ann", "bob", 0})
	}, noEnablers},
	{"two handlers for one message", func() *toy.Fielded {
		return program([]toy.FieldedHandler{on(0, put(0, 1)), on(0, put(1, 1))}, nil, mail{"bob", "ann", 0}, mail{"bob", "ann", 0})
	}, noDependence},
	{"the order of what is sent to a queue", func() *toy.Fielded {
		p := program([]toy.FieldedHandler{on(0, sending(2, "peer")), on(1, sending(3, "peer"))}, []toy.FieldedHandler{on(2, put(0, 1)), on(3, put(0, 2))},
			mail{"cid", "ann", 0}, mail{"cid", "ann", 1})
		p.FIFO = model.Scope{Names: []string{"bob"}}
		return p
	}, noDependence},
	{"what is behind the head of a queue", func() *toy.Fielded {
		p := program([]toy.FieldedHandler{on(0, put(1, 1)), on(1, put(0, 1)), on(2, put(0, 2))}, nil, mail{"cid", "ann", 2}, mail{"bob", "ann", 0}, mail{"bob", "ann", 1})
		p.FIFO = model.Scope{Names: []string{"ann"}}
		return p
	}, noOpeners},
	{"a timer that is ended", func() *toy.Fielded {
		timer := on(toy.Itself, put(0, 1))
		timer.Timer = true
		p := program([]toy.FieldedHandler{on(0, toy.FieldedAct{Do: "disarm"}), timer}, nil, mail{"bob", "ann", 0}, mail{"bob", "ann", 0})
		p.Actors[0].Armed = true
		return p
	}, noDependence},
	{"another quorum of the messages", func() *toy.Fielded {
		both := on(0, toy.FieldedAct{Do: "take", Field: 0})
		both.Quorum = &toy.FieldedQuorum{Size: 2}
		return program([]toy.FieldedHandler{both}, []toy.FieldedHandler{on(1, sending(0, "peer"))},
			mail{"bob", "ann", 0}, mail{"cid", "ann", 0}, mail{"ann", "bob", 1}, mail{"ann", "cid", 1})
	}, noEnablers},
	{"the order of operations", func() *toy.Fielded {
		recording := func(n int) toy.FieldedAct { return toy.FieldedAct{Do: "record", Value: n} }
		return program([]toy.FieldedHandler{on(0, put(0, 1)), on(1, setIf(1, 1, 0), recording(1))}, []toy.FieldedHandler{on(2, recording(2))},
			mail{"cid", "ann", 0}, mail{"cid", "ann", 1}, mail{"ann", "bob", 2})
	}, func(s *Static) {
		for i := range s.classes {
			for j := range s.classes {
				if s.classes[i].actor != s.classes[j].actor {
					s.depends[i][j>>6] &^= 1 << (j & 63)
				}
			}
		}
	}},
	{"messages that go round for ever", func() *toy.Fielded {
		round := toy.FieldedAct{Do: "send", Kind: 1, To: "peer", From: -1, Hops: "same"}
		p := program([]toy.FieldedHandler{on(1, round)}, []toy.FieldedHandler{on(1, round), on(0, put(0, 1))}, mail{"bob", "ann", 1}, mail{"ann", "cid", 0})
		p.Invariants = never("cid", 0, 1)
		return p
	}, nothingRenewable},
	{"messages that go round while the actors count to three, again and again", func() *toy.Fielded {
		counts := toy.FieldedAct{Do: "add", Field: 1, Value: 1}
		round := toy.FieldedAct{Do: "send", Kind: 1, To: "peer", From: -1, Hops: "same"}
		p := program([]toy.FieldedHandler{on(1, counts, round)}, []toy.FieldedHandler{on(1, counts, round), on(0, put(0, 1))},
			mail{"bob", "ann", 1}, mail{"ann", "cid", 0})
		p.Invariants = never("cid", 0, 1)
		return p
	}, nothingRenewable},
	{"what an invariant sees", func() *toy.Fielded {
		p := program([]toy.FieldedHandler{on(0, put(0, 1)), guarded(on(1, put(0, 2)), toy.FieldedTest{Field: 0, Is: "==", Value: 1})},
			[]toy.FieldedHandler{on(0, put(0, 1)), guarded(on(1, put(0, 2)), toy.FieldedTest{Field: 0, Is: "==", Value: 1})},
			mail{"cid", "ann", 0}, mail{"cid", "ann", 1}, mail{"cid", "bob", 0}, mail{"cid", "bob", 1})
		p.Invariants = never("ann", 0, 1)
		p.Invariants[0].Facts = append(p.Invariants[0].Facts, never("bob", 0, 1)[0].Facts...)
		return p
	}, func(s *Static) { s.actors.Visible = func([]byte) ([]byte, error) { return nil, nil } }},
	{"a delivery to an actor that stops", func() *toy.Fielded {
		p := program([]toy.FieldedHandler{on(0, toy.FieldedAct{Do: "stop"}, sending(0, "peer")), on(1)}, []toy.FieldedHandler{on(0)},
			mail{"bob", "ann", 1}, mail{"bob", "ann", 0})
		p.Passing = model.MMP
		return p
	}, nil},
	{"what is taken from a set, and sent again", func() *toy.Fielded {
		p := program([]toy.FieldedHandler{on(1, toy.FieldedAct{Do: "add", Field: 0, Value: 1})}, []toy.FieldedHandler{on(0, sending(1, "peer"))},
			mail{"bob", "ann", 1}, mail{"ann", "bob", 0})
		p.Mail[0].Value = 0
		p.Faults = []toy.FieldedFault{{Kind: model.Lose, Scope: model.Scope{Names: []string{"ann"}}, Budget: 1},
			{Kind: model.Duplicate, Scope: model.Scope{Names: []string{"ann"}}, Budget: model.Unbounded}}
		return p
	}, nil},
	{"an actor that is created", func() *toy.Fielded {
		p := program([]toy.FieldedHandler{on(0, toy.FieldedAct{Do: "create", Value: 1}, sending(0, "child")), on(1, put(0, 1)), on(2, put(0, 2))},
			[]toy.FieldedHandler{on(0, sending(1, "peer"))}, mail{"bob", "ann", 2}, mail{"bob", "ann", 0})
		return p
	}, noEnablers},
}

// TestNothingIsLost holds reduced searches to full ones on programs that each need something, and sees that they do.
func TestNothingIsLost(t *testing.T) {
	for _, n := range needs {
		t.Run(n.name, func(t *testing.T) {
			full := search(t, n.program(), nil)
			if got := search(t, n.program(), func(*Static) {}); got.lost(full) {
				t.Errorf("reduced %+v, full %+v", got, full)
			}
			if n.forget == nil {
				return
			}
			if got := search(t, n.program(), n.forget); !got.lost(full) {
				t.Errorf("nothing is lost when it is forgotten: %+v, full %+v", got, full)
			}
		})
	}
}
