package liveness_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"harrier/internal/liveness"
	"harrier/internal/model"
	"harrier/internal/model/space"
	"harrier/internal/property"
	"harrier/internal/testkit/must"
	"harrier/internal/testkit/toy"
	"harrier/internal/testkit/twin"
)

// A judge reports, of a program, whether some of its runs violate a property.
type judge func(p *toy.Protocol) func(of model.Liveness) bool

// A reading says which runs of a program a formula is asked of.
type reading struct {
	name     string
	equal    []model.DeliveryModel // the models under which the same formulas are violated as under M
	quorums  bool                  // also in programs whose handlers take several messages
	violates judge
}

// readings are the runs that a formula may be asked of. The paper on the models has no fairness, and leaves open where a run may end.
var readings = []reading{
	{"all runs, which may end anywhere", []model.DeliveryModel{model.MMP, model.MP}, true, func(p *toy.Protocol) func(of model.Liveness) bool {
		p.Fairness = model.Fairness{Unfair: model.Scope{All: true}}
		p.Pass(p.Delivery) // which drops the program that was made with fairness
		return searched(p)
	}},
	{"maximal runs that are not stuck", []model.DeliveryModel{model.MMP, model.MP}, true, explored(twin.Unstuck)},
	{"maximal runs", []model.DeliveryModel{model.MMP}, true, explored(twin.Maximal)},
	{"fair runs", []model.DeliveryModel{model.MMP}, false, searched},
}

// searched asks the search for fair runs, by macro steps where these can be taken.
func searched(p *toy.Protocol) func(of model.Liveness) bool {
	actors := must.Get(space.NewActors(p, p.Decomposition(space.Selective)))
	return func(of model.Liveness) bool {
		o := liveness.Options{Macro: liveness.NeedsSingleSteps(p.Program(), of) == ""}
		s := must.Get(liveness.New(actors, property.NewChecker(p, actors), of, o))
		return must.Get(s.Advance(context.Background(), 1<<20)) != nil
	}
}

// explored asks the naive search.
func explored(runs twin.Runs) judge {
	return func(p *toy.Protocol) func(of model.Liveness) bool {
		g := twin.NewGraph(p, twin.Options{MaxStates: mostStates, Of: runs})
		if g.TooLarge || g.Err != nil {
			panic("a program under M or MP has more states than under M-MP")
		}
		return func(of model.Liveness) bool { return must.Get(g.Violates(of)) }
	}
}

// onlyUnderM are the kinds of programs that other models refuse.
var onlyUnderM = []string{"connections", "symmetric connections", "mailboxes"}

// agree holds the models to each other on all formulas that a program is asked for.
func (r reading) agree(t *testing.T, name string, program func(by model.DeliveryModel) *toy.Protocol) {
	t.Helper()
	p := program(model.M).Program()
	if !r.quorums && slices.ContainsFunc(p.Handlers, func(h model.Handler) bool { return h.Quorum }) {
		return
	}
	inM := r.violates(program(model.M))
	for _, by := range r.equal {
		in := r.violates(program(by))
		for _, of := range p.Liveness {
			if of.Kind != model.Always {
				continue
			}
			if want := inM(of); in(of) != want {
				t.Errorf("%s, %s, %s: violated is %v under M and %v under %v", name, r.name, of.Formula, want, !want, by)
			}
		}
	}
}

// TestModelsHaveTheSameRuns asks random programs for random formulas without next over local states: the models agree (Bokor, Serafini,
// Suri: On Efficient Models for Model Checking Message-Passing Distributed Protocols, Corollary 1), as far as each reading goes.
func TestModelsHaveTheSameRuns(t *testing.T) {
	for _, k := range kinds {
		if slices.Contains(onlyUnderM, k.name) {
			continue
		}
		t.Run(k.name, func(t *testing.T) {
			program := func(seed uint64, by model.DeliveryModel) *toy.Protocol {
				p := k.make(seed)
				p.Pass(model.MMP) // bounds duplicates, which only M can have without end
				p = ask(p, seed)
				p.Pass(by)
				return p
			}
			for seed := range sample(func(seed uint64) *toy.Protocol { return program(seed, model.MMP) }) {
				for _, r := range readings {
					r.agree(t, fmt.Sprint("seed ", seed), func(by model.DeliveryModel) *toy.Protocol { return program(seed, by) })
				}
			}
		})
	}
}

// TestModelsDiffer has, for each premise of TestModelsHaveTheSameRuns, a program without it.
func TestModelsDiffer(t *testing.T) {
	ann := func(mail []toy.Mail, handlers ...toy.Handler) func(by model.DeliveryModel) *toy.Protocol {
		return func(by model.DeliveryModel) *toy.Protocol {
			p := &toy.Protocol{Classes: []toy.Class{{Name: "C", Fields: 1, Handlers: handlers}}, Mail: mail, Delivery: by,
				Actors: []toy.Actor{{Name: "ann", Fields: []int{0}}, {Name: "bob", Fields: []int{0}}}}
			return asking(p, "<>p", toy.Fact{Actor: "ann", Test: toy.Test{Field: 0, Is: "!=", Value: 1}})
		}
	}
	finish := toy.Handler{Kind: 0, Outcomes: [][]toy.Act{{set(0, 1)}}, Label: "finish"}
	other := toy.Handler{Kind: 1, Outcomes: [][]toy.Act{{}}, Label: "other"}
	one := ann([]toy.Mail{{From: "bob", To: "ann"}}, finish)
	// Where both messages were delivered, ann must consume them at once under MP, and cannot.
	two := ann([]toy.Mail{{From: "bob", To: "ann"}, {From: "bob", To: "ann", Kind: 1}}, finish, other)
	// Under M bob's message may always be consumed together with that of ann to herself. Under M-MP it may not while that is not delivered.
	spin := toy.Handler{Kind: 0, Guard: []toy.Test{{Field: toy.OfMessage, Is: "==", Value: 0}}, Outcomes: [][]toy.Act{{send(0, "self")}}, Label: "spin"}
	both := toy.Handler{Kind: 0, Quorum: &toy.Quorum{Size: 2}, Outcomes: [][]toy.Act{{set(0, 1)}}, Label: "both"}
	quorum := ann([]toy.Mail{{From: "bob", To: "ann", Value: 1}, {From: "ann", To: "ann"}}, spin, both)
	eventually := func(violates judge) func(p *toy.Protocol) bool {
		return func(p *toy.Protocol) bool { return !violates(p)(p.Program().Liveness[0]) }
	}
	for _, c := range []struct {
		name    string
		program func(by model.DeliveryModel) *toy.Protocol
		holds   func(p *toy.Protocol) bool
		want    [3]bool // under M, MP and M-MP
	}{
		{"<>p in maximal runs", two, eventually(explored(twin.Maximal)), [3]bool{true, false, true}},
		{"<>p in maximal runs that are not stuck", two, eventually(explored(twin.Unstuck)), [3]bool{true, true, true}},
		{"<>p in fair runs", two, eventually(searched), [3]bool{true, false, true}},
		{"<>p in fair runs of quorums", quorum, eventually(searched), [3]bool{true, true, false}},
		{"<>p in maximal runs of quorums", quorum, eventually(explored(twin.Maximal)), [3]bool{false, false, false}},
		{"X p in maximal runs", one, func(p *toy.Protocol) bool { return twin.NewGraph(p, twin.Options{}).Next(0) }, [3]bool{true, false, false}},
	} {
		for by, want := range c.want {
			if by := model.DeliveryModel(by); c.holds(c.program(by)) != want {
				t.Errorf("%s: under %v it holds is %v", c.name, by, !want)
			}
		}
	}
}

// TestDisplacingChannelsNeedSingleSteps: an arrival disables steps where it displaces messages.
func TestDisplacingChannelsNeedSingleSteps(t *testing.T) {
	p := &model.Program{}
	for _, of := range []model.Liveness{{Kind: model.Always}, {Kind: model.Sometimes}} {
		if why := liveness.NeedsSingleSteps(p, of); why != "" {
			t.Errorf("%+v: %s", of, why)
		}
	}
	p.Channels = toy.Displacing
	for _, of := range []model.Liveness{{Kind: model.Always}, {Kind: model.Sometimes}} {
		if liveness.NeedsSingleSteps(p, of) == "" {
			t.Errorf("%+v: macro steps are taken where messages are displaced", of)
		}
	}
}
