package liveness_test

import (
	"testing"

	"harrier/internal/model"
	"harrier/internal/testkit/toy"
)

// TestChoicesAreFairByTheirValues has ann toss a coin until it lands, which it need not do if only messages are received.
func TestChoicesAreFairByTheirValues(t *testing.T) {
	landed := toy.Fact{Actor: "ann", Test: toy.Test{Field: 0, Is: "==", Value: 1}}
	toss := toy.Class{Name: "Toss", Fields: 1, Handlers: []toy.Handler{{Kind: 0, Outcomes: [][]toy.Act{{set(0, 1)}, {send(0, "self")}}, Label: "toss"}}}
	for _, c := range []struct {
		name     string
		fair     model.Scope
		violated bool
	}{
		{"no choice is fair", model.Scope{}, true},
		{"all are", model.Scope{All: true}, false},
		{"ann's are", model.Scope{Names: []string{"ann"}}, false},
		{"bob's are", model.Scope{Names: []string{"bob"}}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := &toy.Protocol{
				Classes: []toy.Class{toss}, Fairness: model.Fairness{ByChoice: c.fair},
				Actors: []toy.Actor{{Name: "ann", Fields: []int{0}}, {Name: "bob", Fields: []int{0}}},
				Mail:   []toy.Mail{{From: "ann", To: "ann"}, {From: "bob", To: "bob"}},
			}
			agree(t, asking(p, "<>!p", landed), c.violated)
		})
	}
}
