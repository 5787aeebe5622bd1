package dbss_test

import (
	"context"
	"errors"
	"testing"

	"harrier/dbss"
	"harrier/internal/model"
	"harrier/internal/model/space"
	"harrier/internal/testkit/toy"
	"harrier/internal/testkit/twin"
)

// voting is a program in which two voters send one counter equal messages, and the counter sends itself another one. It counts
// them in f0. In state 0 of f1 it takes nothing but messages of kind 1.
func voting(change func(p *toy.Protocol)) *toy.Protocol {
	vote := func(from string) toy.Mail { return toy.Mail{From: from, To: "counter"} }
	p := &toy.Protocol{
		Classes: []toy.Class{{Name: "Counter", Fields: 2, Handlers: []toy.Handler{
			{Kind: 0, Label: "Counter.vote", Outcomes: [][]toy.Act{{{Do: "add", Field: 0, Value: 1}}}},
			{Kind: 1, Label: "Counter.ask", Outcomes: [][]toy.Act{{{Do: "send", To: "sender", From: -1, Kind: 2, Hops: "none"}}}},
			{Kind: 2, Label: "Counter.answer", Outcomes: [][]toy.Act{{}}},
		}}},
		Actors: []toy.Actor{
			{Name: "ann", Fields: []int{0, 0}}, {Name: "bob", Fields: []int{0, 0}}, {Name: "counter", Fields: []int{0, 0}},
		},
		Mail:       []toy.Mail{vote("ann"), vote("bob"), vote("counter")},
		Invariants: []toy.Property{{Facts: []toy.Fact{{Actor: "counter", Test: toy.Test{Field: 1, Is: "==", Value: 2}}}}},
	}
	change(p)
	return p
}

// TestSenders has, one by one, what makes it matter who sent a message, and programs in which it does not. The search must
// find as many states as the twin, which searches with senders and counts states without those of which nothing depends.
func TestSenders(t *testing.T) {
	counter := model.Scope{Names: []string{"counter"}}
	mail := func(p *toy.Protocol, kind int) {
		for i := range p.Mail {
			p.Mail[i].Kind = kind
		}
	}
	for _, c := range []struct {
		name   string
		fewer  bool // there are fewer states than with all senders
		change func(p *toy.Protocol)
	}{
		{"none", true, func(*toy.Protocol) {}},
		{"reply", false, func(p *toy.Protocol) { mail(p, 1) }},
		{"guard", false, func(p *toy.Protocol) { p.Classes[0].Handlers[0].Guard = []toy.Test{{Field: toy.OfPeer, Is: "=="}} }},
		{"queue", false, func(p *toy.Protocol) {
			p.FIFO = counter
			p.Mail = append(p.Mail, toy.Mail{From: "ann", To: "counter", Kind: 2}, toy.Mail{From: "bob", To: "counter", Kind: 2})
		}},
		{"pair", false, func(p *toy.Protocol) {
			p.Faults = []toy.Fault{{Kind: model.Lose, Scope: counter, Budget: 2, Senders: []string{"ann"}}}
		}},
		{"other pair", true, func(p *toy.Protocol) {
			p.Faults = []toy.Fault{{Kind: model.Lose, Scope: model.Scope{Names: []string{"bob"}}, Budget: 2, Senders: []string{"ann"}}}
		}},
		{"self", true, func(p *toy.Protocol) {
			p.Faults = []toy.Fault{{Kind: model.Lose, Scope: counter, Budget: 3, SparesSelf: true}}
		}},
		{"loss", true, func(p *toy.Protocol) { p.Faults = []toy.Fault{{Kind: model.Lose, Scope: counter, Budget: 1}} }},
		{"copies", true, func(p *toy.Protocol) { p.Faults = []toy.Fault{{Kind: model.Duplicate, Scope: counter, Budget: 1}} }},
		{"set", true, func(p *toy.Protocol) {
			p.Faults = []toy.Fault{{Kind: model.Duplicate, Scope: counter, Budget: model.Unbounded}}
		}},
		{"set that must be emptied", false, func(p *toy.Protocol) {
			p.Faults = []toy.Fault{{Kind: model.Duplicate, Scope: counter, Budget: model.Unbounded}}
			p.Final = &toy.Property{Facts: []toy.Fact{{Actor: "counter", Test: toy.Test{Field: 0, Is: "==", Value: 2}}}}
		}},
		{"partition", false, func(p *toy.Protocol) {
			p.Faults = []toy.Fault{{Kind: model.Split, Scope: model.Scope{Names: []string{"ann"}}, Budget: 1}}
		}},
		{"quorum", false, func(p *toy.Protocol) {
			p.Classes[0].Handlers = append(p.Classes[0].Handlers, toy.Handler{Kind: 0, Label: "Counter.quorum",
				Quorum: &toy.Quorum{Size: 2, Told: true}, Outcomes: [][]toy.Act{{{Do: "set", Field: 1, Value: 1}}}})
		}},
		{"created", false, func(p *toy.Protocol) {
			p.Classes[0].Handlers[2].Outcomes = [][]toy.Act{{{Do: "create"}}}
			mail(p, 0)
			for i := range p.Mail {
				p.Mail[i].To = "ann/child0"
			}
			p.Mail = append(p.Mail, toy.Mail{From: "bob", To: "ann", Kind: 2})
		}},
		{"adversaries", true, func(p *toy.Protocol) {
			p.Mail = nil
			for _, name := range []string{"eve", "fay"} {
				p.Faults = append(p.Faults, toy.Fault{Kind: model.Byzantine, Scope: model.Scope{Names: []string{name}}, Budget: 1,
					Domain: []toy.Mail{{From: name, To: "counter"}, {From: name, To: "counter", Kind: 2}}})
			}
		}},
	} {
		for _, by := range deliveryModels {
			t.Run(c.name+" "+by.String(), func(t *testing.T) {
				p := voting(c.change)
				p.Pass(by)
				want := twin.Explore(p, twin.Options{UsesSender: p.UsesSender})
				if want.Err != nil {
					t.Fatal(want.Err)
				}
				if fewer := want.Quotient.States < want.States; fewer != c.fewer && by == model.M && c.name != "set" {
					t.Errorf("%d states, %d with all senders", want.Quotient.States, want.States)
				}
				for _, m := range methods[:allHashings] {
					m.KeepGoing = true
					got := searchDecomposed(context.Background(), p, space.Decomposition{Sender: p.Sender}, m.Options)
					if problem := got.selectiveProblem(want, m.Order); problem != "" {
						t.Errorf("%s: %s", m.name, problem)
					}
				}
				got := searchDecomposed(context.Background(), p, space.Decomposition{Sender: p.Sender, Hashing: space.Fields}, dbss.Options{KeepGoing: true})
				if c.name != "set" && got.States != want.States {
					t.Errorf("with all senders %d states, the twin has %d", got.States, want.States)
				}
			})
		}
	}
}

// TestSendersUnderSymmetry permutes voters of whom nothing is left once they have voted but that they did.
func TestSendersUnderSymmetry(t *testing.T) {
	p := voting(func(p *toy.Protocol) {
		p.Classes = append(p.Classes, toy.Class{Name: "Voter", Fields: 1, Handlers: []toy.Handler{{Kind: 3, Label: "Voter.go", Outcomes: [][]toy.Act{{
			{Do: "set", Field: 0, Value: 1}, {Do: "send", To: "peer", From: -1, Hops: "none"},
		}}}}})
		for i := range 2 {
			p.Actors[i].Class, p.Actors[i].Fields, p.Actors[i].Peer = 1, []int{0}, "counter"
		}
		p.Mail = []toy.Mail{{To: "ann", Kind: 3}, {To: "bob", Kind: 3}}
		p.Roles = []model.Role{{Name: "voter", Actors: []string{"ann", "bob"}}, {Name: "counter", Actors: []string{"counter"}}}
	})
	for _, d := range []space.Decomposition{{}, {Sender: p.Sender}} {
		o := twin.Options{}
		if d.Sender != nil {
			o.UsesSender = p.UsesSender
		}
		got, g := searchOrbits(p, d, dbss.Options{KeepGoing: true})
		o.Permutations = byHand(p, g)
		if want := twin.Explore(p, o); got.err != nil || g.Order.Int64() != 2 || got.States != want.States || want.Err != nil {
			t.Errorf("%d states, %v, group of %s; the twin has %d orbits", got.States, got.err, g.Order, want.States)
		}
	}
}

// TestSecondExecutionsVarySenders has senders left out that matter: second executions begin with other senders.
func TestSecondExecutionsVarySenders(t *testing.T) {
	for kind, wrong := range []bool{false, true, false} {
		p := voting(func(p *toy.Protocol) {
			for i := range p.Mail {
				p.Mail[i].Kind = kind
			}
		})
		d := space.Decomposition{Sender: func(model.Message) string { return "" }, Visible: p.Visible}
		got := searchDecomposed(context.Background(), toy.Twice{Oracle: p}, d, dbss.Options{KeepGoing: true})
		var found *space.VariationError
		if errors.As(got.err, &found) != wrong || !wrong && got.err != nil {
			t.Errorf("messages of kind %d: %v", kind, got.err)
		}
		if wrong && (found.Question.Event.Messages[0].Sender == found.Other.Event.Messages[0].Sender || string(found.Question.Local) != string(found.Other.Local)) {
			t.Errorf("found was %+v", found)
		}
	}
}

// refusing is an oracle in which steps of messages from some senders break a rule.
type refusing struct {
	model.Oracle
	refuses func(sender string) bool
}

func (r refusing) Steps(ctx context.Context, questions []model.Question) ([]model.Answer, error) {
	for _, q := range questions {
		if len(q.Event.Messages) > 0 && r.refuses(q.Event.Messages[0].Sender) {
			return nil, &model.RuleError{Text: "refused"}
		}
	}
	return r.Oracle.Steps(ctx, questions)
}

// TestARuleThatAVariationBreaks has the sender found to matter where a rule is broken on a variation only; on a run, the program is refused.
func TestARuleThatAVariationBreaks(t *testing.T) {
	for _, isRefused := range []bool{false, true} {
		p := voting(func(p *toy.Protocol) {
			p.Mail, p.Actors = p.Mail[:1], append([]toy.Actor{{Name: "eve", Fields: []int{0, 0}}}, p.Actors[2])
		})
		d := space.Decomposition{Sender: p.Sender, Visible: p.Visible}
		got := searchDecomposed(context.Background(), toy.Twice{Oracle: refusing{p, func(sender string) bool { return sender != "ann" || isRefused }}}, d, dbss.Options{})
		var rule *model.RuleError
		var found *space.VariationError
		if errors.As(got.err, &rule) != isRefused || errors.As(got.err, &found) == isRefused {
			t.Errorf("refused on a run %v: %v", isRefused, got.err)
		}
	}
}
