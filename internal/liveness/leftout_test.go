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
	turns := toy.Act{Do: "add", Value: 1}
	repeats := toy.Fault{Kind: model.Duplicate, Budget: model.Unbounded}
	rests := "<>[]p || <>[]!p"
	for _, c := range []struct {
		name, formula string
		p             *toy.Protocol
		violated      bool
	}{
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
