package liveness_test

import (
	"context"
	"flag"
	"fmt"
	"iter"
	"slices"
	"testing"

	"harrier/internal/liveness"
	"harrier/internal/model"
	"harrier/internal/model/space"
	"harrier/internal/property"
	"harrier/internal/report"
	"harrier/internal/testkit/must"
	"harrier/internal/testkit/toy"
	"harrier/internal/testkit/twin"
	"harrier/symmetry"
)

var (
	programs = flag.Int("programs", 2, "how many random programs of each kind are compared")
	seed0    = flag.Uint64("seed", 0, "the first of them")
)

const mostStates, mostPending = 700, 12

// A kind is one of random programs.
type kind struct {
	name      string
	make      func(seed uint64) *toy.Protocol
	symmetric bool
	watches   bool // predicates read messages in flight and who has stopped, which single steps decide
	lossy     bool // fairness is strong, weak or none, and messages are lost or duplicated without bound
}

var kinds = []kind{
	{"messages", toy.Messages.Random, false, false, false},
	{"auxiliary", toy.Auxiliary.Random, false, false, false},
	{"events", toy.Events.Random, false, false, false},
	{"watching", toy.Watching(toy.Events.Random), false, false, false},
	{"connections", toy.Connecting(toy.Events.Random), false, false, false},
	{"quorums", func(seed uint64) *toy.Protocol { return toy.Quorums.Random(seed).Under(model.DeliveryModel(seed % 3)) }, false, false, false},
	{"fields", toy.Footprints.Random, false, false, false},
	{"conversations", toy.Conversations, false, false, false},
	{"symmetric", toy.Symmetric.Random, true, false, false},
	{"symmetric watching", toy.Watching(toy.Symmetric.Random), true, false, false},
	{"symmetric connections", toy.Connecting(toy.Symmetric.Random), true, false, false},
	{"friends", toy.Friends, true, false, false},
	{"timers", toy.Timers.Random, false, false, false},
	{"symmetric timers", toy.SymmetricTimers.Random, true, false, false},
	{"network", func(seed uint64) *toy.Protocol {
		return toy.Events.Random(seed).Under(model.DeliveryModel(2 * (seed % 2)))
	}, false, true, false},
	{"mailboxes", toy.Mailboxes(toy.Messages.Random), false, false, false},
	{"children", fairToChildren(toy.Events.Random), false, false, false},
	{"choices", choosing(toy.Conversations), false, false, false},
	{"choices of events", choosing(toy.Events.Random), false, false, false},
	{"lossy choices", choosing(toy.Messages.Random), false, false, true},
	{"lossy", toy.Messages.Random, false, false, true},
	{"lossy events", toy.Events.Random, false, false, true},
	{"lossy and symmetric", toy.Symmetric.Random, true, false, true},
	{"lossy friends", toy.Friends, true, false, true},
}

// lossy has all messages of a program be lost or, where that can be checked, duplicated without bound, and all actors be fair in the same way.
func lossy(p *toy.Protocol, seed uint64) {
	all := model.Scope{All: true}
	p.Fairness.Strong, p.Fairness.Unfair = model.Scope{All: seed%4 < 2}, model.Scope{All: seed%4 == 3}
	isOfSeveral := func(h model.Handler) bool { return h.Quorum }
	within := slices.ContainsFunc(p.Faults, func(f toy.Fault) bool { return f.Within })
	for i, kind := range []model.EventKind{model.Lose, model.Duplicate} {
		if seed/4%3 != uint64(i) && (kind == model.Lose || p.Delivery == model.M && !within && !slices.ContainsFunc(p.Program().Handlers, isOfSeveral)) {
			p.Faults = append(p.Faults, toy.Fault{Kind: kind, Scope: all, Budget: model.Unbounded})
		}
	}
	p.Pass(p.Delivery) // which drops the program that was made without
}

// fairToChildren makes programs of others in which messages to the actors that some create are strongly fair.
func fairToChildren(draw func(seed uint64) *toy.Protocol) func(seed uint64) *toy.Protocol {
	return func(seed uint64) *toy.Protocol {
		p := draw(seed)
		for _, a := range p.Actors[:len(p.Actors)-1] {
			p.Fairness.Strong.Names = append(p.Fairness.Strong.Names, a.Name+"/")
		}
		p.Pass(p.Delivery)
		return p
	}
}

// choosing makes programs of others in which the choices of all actors, or of one, are fair by their values.
func choosing(draw func(seed uint64) *toy.Protocol) func(seed uint64) *toy.Protocol {
	return func(seed uint64) *toy.Protocol {
		p := draw(seed)
		if p.Fairness.ByChoice.All = seed%3 > 0; seed%3 == 0 {
			p.Fairness.ByChoice.Names = []string{p.Actors[0].Name}
		}
		p.Pass(p.Delivery) // which drops the program that was made without
		return p
	}
}

// ask adds properties of runs to a program.
func ask(p *toy.Protocol, seed uint64) *toy.Protocol {
	return p.Ask(seed)
}

// sample has the seeds of as many programs with few states as are compared, three of four with loops, and their graphs.
func sample(program func(seed uint64) *toy.Protocol) iter.Seq2[uint64, *twin.Graph] {
	return func(yield func(seed uint64, g *twin.Graph) bool) {
		compared, looping := 0, 0
		for seed := *seed0; compared < *programs; seed++ {
			g := twin.NewGraph(program(seed), twin.Options{MaxStates: mostStates, MaxPending: mostPending})
			if g.TooLarge || g.Err != nil || !g.Loops && 4*looping <= 3*compared {
				continue
			}
			compared++
			if g.Loops {
				looping++
			}
			if !yield(seed, g) {
				return
			}
		}
	}
}

// readable is a program whose states people can read, histories too.
type readable struct{ *toy.Protocol }

func (p readable) Program() *model.Program {
	out := *p.Protocol.Program()
	out.Shown = toy.Shown
	return &out
}

// executed executes a lasso as it is executed before it is printed.
func executed(p *toy.Protocol, actors *space.Actors, number int, l *liveness.Lasso) error {
	found := property.Violation{Kind: property.Liveness, Property: number, Loop: len(l.Loop)}
	actions, err := actors.Actions(slices.Concat(l.Stem, l.Loop))
	if err == nil {
		_, err = report.Record(context.Background(), readable{p}, actors.Values.Decomposition, found, actions)
	}
	return err
}

// TestLivenessAgreesWithTwin holds the search for fair runs to a naive one, on random programs and formulas. Each lasso that is found is
// confirmed, and executed.
func TestLivenessAgreesWithTwin(t *testing.T) {
	for _, k := range kinds {
		t.Run(k.name, func(t *testing.T) {
			ctx := context.Background()
			violated, states := 0, [2]int{}
			program := func(seed uint64) *toy.Protocol {
				p := ask(k.make(seed), seed)
				if k.watches {
					p.Watch(seed)
				}
				if k.lossy {
					lossy(p, seed)
				}
				return p
			}
			for seed, g := range sample(program) {
				p := program(seed)
				actors := must.Get(space.NewActors(p, p.Decomposition(space.Selective)))
				var group *symmetry.Group
				if k.symmetric {
					group = must.Get(symmetry.Find(actors))
				}
				checker := property.NewChecker(p, actors)
				for number, of := range p.Program().Liveness {
					want := must.Get(g.Violates(of))
					if want {
						violated++
					}
					for i, o := range []liveness.Options{{}, {Macro: true}, {Group: group}, {Group: group, Macro: true}} {
						if i >= 2 && (group == nil || group.IsTrivial()) || o.Macro && (k.watches || liveness.NeedsSingleSteps(p.Program(), of) != "") {
							continue
						}
						name := fmt.Sprintf("seed %d, %s, macro %v, symmetry %v", seed, of.Formula, o.Macro, o.Group != nil)
						s := must.Get(liveness.New(actors, checker, of, o))
						found, err := s.Advance(ctx, 1<<20)
						if err != nil {
							t.Fatalf("%s: %v", name, err)
						}
						if (found != nil) != (want != (of.Kind == model.Sometimes)) {
							t.Fatalf("%s: violated is %v, the twin says %v", name, found != nil, want)
						}
						if found != nil && of.Kind == model.Always {
							if err := s.Confirm(ctx, found); err != nil {
								t.Fatalf("%s: %v: %d and %d steps", name, err, len(found.Stem), len(found.Loop))
							}
							if err := executed(p, actors, number, found); err != nil {
								t.Fatalf("%s: executed again: %v", name, err)
							}
						}
						states[i%2] += s.States()
					}
				}
			}
			t.Logf("%d formulas violated; %d states, %d macro states", violated, states[0], states[1])
		})
	}
}
