package liveness_test

import (
	"testing"

	"harrier/internal/model"
	"harrier/internal/testkit/toy"
)

// TestRunsToTheSameStateDiffer has events that come to the same state as others and make another run.
func TestRunsToTheSameStateDiffer(t *testing.T) {
	seen := toy.Fact{Actor: "ann", Test: toy.Test{Field: 0, Is: "==", Value: 1}}
	ann := func(does ...toy.Act) *toy.Protocol {
		return &toy.Protocol{
			Classes: []toy.Class{{Name: "C", Fields: 2, Durable: 2, Handlers: []toy.Handler{{Outcomes: [][]toy.Act{does}, Label: "h"}}}},
			Actors:  []toy.Actor{{Name: "ann", Fields: []int{0, 0}}, {Name: "bob", Fields: []int{0, 0}}},
			Mail:    []toy.Mail{{From: "bob", To: "ann"}},
		}
	}
	with := func(p *toy.Protocol, by model.DeliveryModel, fault toy.Fault) *toy.Protocol {
		fault.Scope.Names = []string{"ann"}
		p.Delivery, p.Faults = by, []toy.Fault{fault}
		return p
	}
	itself := func(does ...toy.Act) *toy.Protocol {
		p := ann()
		p.Mail = nil
		p.Classes[0].Handlers = []toy.Handler{{Kind: toy.Itself, Timer: true, Outcomes: [][]toy.Act{does}, Label: "h"}}
		p.Actors[0].Armed = true
		return p
	}
	crash := toy.Fault{Kind: model.Restart, Budget: 1, Within: true}
	stop := toy.Fault{Kind: model.Stop, Budget: 1, Within: true}
	turns := toy.Act{Do: "add", Value: 1}
	repeats := toy.Fault{Kind: model.Duplicate, Budget: model.Unbounded}
	rests := "<>[]p || <>[]!p"
	for _, c := range []struct {
		name, formula string
		p             *toy.Protocol
		violated      bool
	}{
		{"a crash between steps comes before the message or after it was seen", "<>!p",
			with(ann(set(0, 1)), model.M, toy.Fault{Kind: model.Restart, Budget: 1}), false},
		{"a crash before anything was done", "<>!p", with(ann(set(0, 1)), model.M, crash), true},
		{"a crash where delivery is an event", "<>!p", with(ann(set(0, 1)), model.MMP, crash), true},
		{"a crash after the message was sent on", "<>!p", with(ann(send(1, "bob"), set(0, 1)), model.M, crash), true},
		{"a crash within a timer", "<>!p", with(itself(set(0, 1)), model.M, crash), true},
		{"a crash for good", "<>!p", with(ann(set(0, 1), send(1, "bob")), model.M, stop), true},
		{"a crash after a durable field was written", "[]q || <>!p",
			with(ann(set(1, 1), set(0, 1)), model.M, crash), true},
		{"a message that is received again and again", rests, with(ann(turns), model.M, repeats), true},
		{"a message that is delivered again and again", rests, with(ann(turns), model.MMP, repeats), true},
		{"a message that is received twice", rests, with(ann(turns), model.M, toy.Fault{Kind: model.Duplicate, Budget: 1}), false},
		{"a queue whose head is received again and again", rests, func() *toy.Protocol {
			p := with(ann(turns), model.M, repeats)
			p.FIFO.Names = []string{"ann"}
			return p
		}(), true},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := asking(c.p, c.formula, seen)
			written := toy.Fact{Actor: "ann", Test: toy.Test{Field: 1, Is: "==", Value: 1}}
			p.Predicates = append(p.Predicates, toy.Property{Facts: []toy.Fact{written}})
			p.Liveness[0].Atoms = append(p.Liveness[0].Atoms, model.Atom{Name: "q", Property: 1})
			agree(t, p, c.violated)
		})
	}
}
