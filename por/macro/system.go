// Package macro is dynamic interface reduction (Guo, Wu, Zhou, Hu, Yang, Zhang: Practical Software Model Checking via
// Dynamic Interface Reduction, SOSP 2011) in a stateful form: what a component does by itself is put off until it shows
// something outside, and taken together with that as one transition.
//
//	lts.Graph -> In of its states (inside.go) -> System of macro steps -> search
//	property.Checker -> checker: properties on the combinations that a macro state stands for (checker.go)
//	rounds: time goes on for all components at once (rounds.go)
//	Open: a path of macro steps as one of single steps (open.go)
//
// A component is a set of actors, by default one. A single step is internal if nothing outside of its component can notice or
// disable it. In(x) is the set of states that a component state x can become by internal steps. A macro step from x is a step of some member of
// In(x) that is not internal; its label is its effects outside. A macro step is left out if its target is in In of the target
// of another one with the same label.
//
// A macro state stands for the product of In over its components. The states that a program can reach are exactly those that
// reachable macro states stand for, so verdicts are those of a search of single steps (docs/soundness.md has the proof).
package macro

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"harrier/dbss"
	"harrier/internal/ds/pairs"
	"harrier/internal/ds/slab"
	"harrier/internal/lts"
	"harrier/internal/model"
	"harrier/internal/model/space"
	"harrier/internal/property"
)

// System is the system of macro steps. Its states have component states in place of nodes; a transition's Slot is that of a
// component, and Step the number of a macro step there. Several goroutines may use it at once.
type System struct {
	Graph *lts.Graph // of its components
	// Start is a state of the actors to begin in; nil for the initial one.
	Start model.State

	exceptions
	actors       *space.Actors
	bounds       []int              // properties of the program
	permutations []*lts.Permutation // generators; empty if no actors are permuted

	insides    *slab.Pointers[inside] // by component state
	assembling sync.Mutex             // held while insides get numbers and are put
	assembled  uint32                 // the last number
	seenNodes  pairs.Map              // (presence, observation) -> number
	seenStates pairs.Map              // (number of the nodes before, that of a node) -> number
	ignored    *leftOut
	checker    *property.Checker
	// Explore searches in place of dbss.Search, if it is not nil.
	Explore Explore

	learns bool // other processes tell which macro states were reached
}

// Explore is dbss.Search, or a replacement.
type Explore func(context.Context, model.System, dbss.Checker, dbss.Options, *dbss.Progress) (*dbss.Result, error)

// New makes the system of macro steps of some actors, of which a checker knows the properties.
func New(actors *space.Actors, checker *property.Checker) *System {
	d := &System{Graph: lts.New(actors), actors: actors, bounds: actors.Program().Bounds(), checker: checker}
	d.begin(exceptions{})
	return d
}

// exceptions are what macro steps neither put off nor leave out. A search that turns out to have left out too much begins anew with
// more of them. The maps are not changed once a system has them.
type exceptions struct {
	endless  map[uint32]bool // components that become new states without end by themselves: their steps are taken one by one
	excluded map[uint32]bool // handlers whose messages stay in inboxes
}

// begin forgets all computed facts, as other steps are put off and other messages left out.
func (d *System) begin(c exceptions) {
	d.exceptions, d.insides = c, &slab.Pointers[inside]{}
	d.ignored = d.ignoring()
	d.checker.NewOrigins()
}

// Permute has the system be searched with states told apart up to the permutations that some generate. Requirements on
// component states hold for their images, too: the search comes to one state of each orbit only.
func (d *System) Permute(generators []*space.Permutation) {
	for _, p := range generators {
		d.permutations = append(d.permutations, lts.NewPermutation(d.Graph, p))
	}
	d.ignored = d.ignoring()
}

// Initial implements model.System.
func (d *System) Initial() model.State {
	if d.Start != nil {
		return d.Graph.Fold(slices.Clone(d.Start))
	}
	return d.Graph.Fold(d.actors.Initial())
}

// Pending implements model.System.
func (d *System) Pending(s model.State) int { return d.actors.Pending(d.Graph.Unfold(s)) }

// Enabled implements model.System. Slots come in the order of space.Actors.
func (d *System) Enabled(ctx context.Context, s model.State, into []model.Transition) ([]model.Transition, error) {
	var room room
	insides, err := d.all(ctx, s, room[:0])
	if err != nil {
		return into, err
	}
	before := len(into)
	var updates []uint32
	for slot := len(insides) - 1; slot >= 0; slot-- {
		in := insides[slot]
		if in == nil {
			continue
		}
		steps, err := d.macroSteps(ctx, in)
		if err != nil {
			return into, err
		}
		for k := range steps {
			into = append(into, model.Transition{Slot: uint32(slot), Step: uint32(k)})
			if update := d.Graph.Label(steps[k].facts.Effect).Update; update != 0 {
				updates = append(updates, update)
			}
		}
	}
	if len(updates) > 0 {
		if err := d.actors.Globals.Prepare(ctx, s[0], updates); err != nil {
			return into, err
		}
	}
	if err := d.prepareArrivals(ctx, s, into[before:]); err != nil || !d.IsWhole() {
		return into, err
	}
	return d.rounds(ctx, s, insides, into)
}

// Apply implements model.System.
func (d *System) Apply(s model.State, t model.Transition, undo []model.Change) (model.State, []model.Change, error) {
	if t.Slot == model.Rounds {
		return d.tick(s, t, undo)
	}
	m := d.step(s, t)
	e := d.Graph.Label(m.facts.Effect)
	global := s[0]
	if e.Update != 0 {
		var err error
		if global, err = d.actors.Globals.After(s[0], e.Update); err != nil {
			return s, undo, err
		}
	}
	if taken := &d.insides.Get(s[t.Slot+1]).takenSteps()[t.Step]; atomic.LoadUint32(taken) == 0 {
		atomic.StoreUint32(taken, 1)
	}
	if e.Failure != 0 {
		return s, undo, d.actors.Values.Failure(e.Failure)
	}
	s, undo = s.Put(t.Slot+1, m.target, undo)
	if e.Update != 0 {
		s, undo = s.Put(0, global, undo)
	}
	return d.arriveAll(s, e.Outside, undo, d.arrival)
}

// Facts implements model.System.
func (d *System) Facts(s model.State, t model.Transition) model.Facts {
	if t.Slot == model.Rounds {
		return space.TimeOf(d.actors).Facts()
	}
	return d.step(s, t).facts
}

// step is the macro step that a transition of a state is.
func (d *System) step(s model.State, t model.Transition) *macroStep {
	return &d.insides.Get(s[t.Slot+1]).steps.known.Load().steps[t.Step]
}
