// Package dir is dynamic interface reduction (Guo, Wu, Zhou, Hu, Yang, Zhang: Practical Software Model Checking via
// Dynamic Interface Reduction, SOSP 2011) in a stateful form: what an actor does by itself is put off until it shows
// something outside, and taken together with that as one transition.
//
//	model.Actors -> In of a node (inside.go) -> System of macro steps -> search
//	property.Checker -> Checker: properties on the combinations that a macro state stands for (checker.go)
//	Open: a path of macro steps as one of single steps (open.go)
//
// A step is internal if nothing outside of its actor can notice or refuse it. In(x) is what a node x can become by
// internal steps. A macro step from x is a step of some member of In(x) that is not internal, its label being the
// effect that it has outside. A macro step is left out if its target is in In of the target of another one with the
// same label.
//
// A macro state s stands for the product of In over its nodes. The states that a program can reach are exactly those
// that reachable macro states stand for: an internal step touches its own actor only, and is possible, with the same
// result, after messages have arrived, so in every run it can be put off until just before the next step of its actor
// that is not internal, or to the end; and what is left out can do nothing that what it is left out for cannot. The
// other direction is plain. So verdicts are those of the plain search, with no proviso for cycles or visibility.
package dir

import (
	"context"
	"sync"
	"sync/atomic"

	"harrier/model"
)

// Actors is what the package needs of model.Actors: the steps of single nodes.
type Actors interface {
	model.System
	// Expand makes the steps of nodes known, those that are not yet in one batch of questions.
	Expand(ctx context.Context, nodes []model.Placed) error
	// Steps appends the steps of a node that is expanded.
	Steps(n model.Placed, into []model.NodeStep) []model.NodeStep
	// Prepare makes known what is global after steps of nodes in a state with the given id at position 0.
	Prepare(ctx context.Context, global uint32, steps []model.PlacedStep) error
	// Refuses reports whether what is global refuses a step.
	Refuses(global uint32, step model.PlacedStep) bool
	// LocalOf is the local state of a node, 0 if there is none.
	LocalOf(n model.NodeID) model.LocalID
}

// System is the system of macro steps. Its states are those of the actors, a transition's Step is the number of a macro
// step of the node in its slot. Several goroutines may use it at once.
type System struct {
	Actors
	insides  sync.Map // NodeID -> *inside
	choices  sync.Map // local states -> number of the choice among them
	numbered atomic.Uint32
}

// New makes the system of macro steps of some actors.
func New(actors Actors) *System { return &System{Actors: actors} }

// Enabled implements model.System. Slots come in the order of model.Actors.
func (d *System) Enabled(ctx context.Context, s model.State, into []model.Transition) ([]model.Transition, error) {
	insides, err := d.all(ctx, s)
	if err != nil {
		return into, err
	}
	var records []model.PlacedStep
	for slot := len(s) - 2; slot >= 0; slot-- {
		in := insides[slot+1]
		if in == nil {
			continue
		}
		steps, err := d.macroSteps(ctx, in)
		if err != nil {
			return into, err
		}
		for k, m := range steps {
			into = append(into, model.Transition{Slot: uint32(slot), Step: uint32(k)})
			if m.records {
				records = append(records, model.PlacedStep{Placed: in.member(m.from), Step: m.step})
			}
		}
	}
	if len(records) > 0 {
		return into, d.Prepare(ctx, s[0], records)
	}
	return into, nil
}

// Apply implements model.System.
func (d *System) Apply(s model.State, t model.Transition, undo []model.Change) (model.State, []model.Change, error) {
	position := t.Slot + 1
	before := s[position]
	in := d.known(before)
	m := in.steps[t.Step]
	s[position] = in.members[m.from].node
	n := len(undo)
	next, undo, err := d.Actors.Apply(s, model.Transition{Slot: t.Slot, Step: m.step}, undo)
	if err != nil {
		s[position] = before
		return s, undo[:n], err
	}
	for i := n; i < len(undo); i++ {
		if undo[i].Position == position {
			undo[i].Old = before
			break
		}
	}
	return next, undo, nil
}

// Facts implements model.System.
func (d *System) Facts(s model.State, t model.Transition) model.Facts {
	return d.known(s[t.Slot+1]).steps[t.Step].facts
}

// known is what is inside of a node of a state that was enabled.
func (d *System) known(n model.NodeID) *inside {
	in, _ := d.insides.Load(n)
	return in.(*inside)
}
