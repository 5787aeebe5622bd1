// Package demeter is dynamic interface reduction as Guo, Wu, Zhou, Hu, Yang and Zhang publish it (Practical Software Model Checking
// via Dynamic Interface Reduction, SOSP 2011, sections 3 and 4): components are explored one by one, each against the interface
// traces that were found for it, and global behaviour is composed of these traces. Package macro has the form without traces, which
// is for use; this one is for comparing.
//
//	lts.Graph, dynamic.Explorer -> local explorer: local traces with a local skeleton, branching transitions (local.go)
//	skeletons                      interface events and local skeletons, by signature (skeleton.go)
//	System                         global skeletons as a system that dbss.Search explores: the global explorer (system.go)
//	checker                        properties on consistent snapshots; counts of traces (checker.go)
//	open                           a path of the global explorer as one of single steps: substitution (open.go)
//
// The paper's terms here:
//
//   - Interface event (interface transition): a step of a component with a label, one that takes a message from outside, or one that
//     changes the observations of invariants (section 6.2). All other steps are internal. The global (history, budgets, cuts) is
//     an interface object of all components.
//   - Skeleton: a local one is the set of interface events of a component, each identified by itself and the component's
//     interface events before it, so that the set is a partial order in canonical form (section 4.2), with the messages that others sent to
//     the component. Its signature is the number under which it is interned, exact where the paper hashes. A global skeleton is
//     the vector of local ones, with the global.
//   - Local trace: a run of a component alone, up to the order of commuting steps, which messages and actors give
//     (package dynamic). Messages from outside are there from the beginning, and taken where the skeleton has it.
//   - Branching transition: an interface event that may come next after a local trace with the skeleton. The local explorer goes on
//     without its effects, as the other actors may be on their way to the skeleton's end.
//   - Composition by substitution: a global skeleton of which the local one of a component is that of a branching becomes the global
//     skeleton with the event, whatever the traces behind the other local skeletons. The fixpoint is the end of a search over
//     these compositions. Each prefix of a global skeleton is a state of it, so properties are asked of all consistent snapshots.
//   - Order: as local explorers work through new local skeletons, the search first goes on, breadth-first, from global skeletons that have
//     one. Then it composes all, depth-first, which follows a new global skeleton to its end first, as the paper's completion does.
//     Local steps are remembered, so prefixes need not be saved.
//
// Verdicts are those of a search of single steps (docs/soundness.md). Where a component has infinitely many local traces, or global
// skeletons have no end, there is no verdict.
package demeter

import (
	"cmp"
	"context"
	"strings"

	"harrier/internal/lts"
	"harrier/internal/model"
	"harrier/internal/model/space"
	"harrier/internal/property"
)

// System is the system of global skeletons. Its states have local skeletons in place of nodes; a transition's Slot is that of a
// component, and Step the number of a branching there. One goroutine may use it at a time.
type System struct {
	Graph *lts.Graph // of its components

	actors    *space.Actors
	checker   *property.Checker
	skeletons *skeletons
	ran       map[ran]bool // steps of local traces
	global    counts
	maxStates uint64 // of a local explorer; 0 for no bound
}

// ran is a step of a local trace.
type ran struct {
	space.EventID
	slot       uint32
	facts      model.Facts
	isInternal bool
}

// New makes the system of global skeletons of some actors, of which a checker knows the properties. The error is a model.UsageError
// for a program with a channel that is a set: its messages do not tell which sends they came from; and with one that displaces messages.
func New(actors *space.Actors, checker *property.Checker) (*System, error) {
	p := actors.Program()
	if err := cmp.Or(
		p.RefuseRounds("--reduction demeter", "--reduction off"), p.RefuseMailboxes("--reduction demeter", "--reduction macro"),
		p.RefuseBounds("--reduction demeter", "--reduction macro"), p.RefuseConnections("--reduction demeter", "--reduction macro"),
		p.RefuseWatching("--reduction demeter", "--reduction macro"), p.RefuseDisplacing("--reduction demeter", "--reduction off"),
	); err != nil {
		return nil, err
	}
	for _, f := range p.Faults {
		if f.Repeats() {
			return nil, &model.UsageError{Text: "--reduction demeter counts the messages of a trace, and duplicating() without a bound makes any number of one: give it a bound, or take --reduction macro"}
		}
	}
	g := lts.New(actors)
	return &System{
		Graph: g, actors: actors, checker: checker, skeletons: newSkeletons(g, actors), ran: map[ran]bool{},
	}, nil
}

// Initial implements model.System.
func (d *System) Initial() model.State {
	s := d.Graph.Fold(d.actors.Initial())
	for component, state := range s[1:] {
		if state != 0 {
			s[component+1] = d.skeletons.number(uint32(component), nil, nil)
		}
	}
	return s
}

// Pending implements model.System. It is that of a terminal state, if the skeleton is complete.
func (d *System) Pending(s model.State) int {
	return d.actors.Pending(d.one(s, func(k *skeleton) uint32 {
		if ends := d.ended(k, s[0]); len(ends) > 0 {
			return ends[0].trace.state
		}
		return k.local.shown.state
	}))
}

// shown is a state of the actors that a global skeleton stands for, the components of which were explored.
func (d *System) shown(s model.State) model.State {
	return d.one(s, func(k *skeleton) uint32 { return k.local.shown.state })
}

// one is the state of the actors that has of each component the state that is chosen of its local skeleton.
func (d *System) one(s model.State, choose func(*skeleton) uint32) model.State {
	states := model.State{s[0]}
	for _, number := range s[1:] {
		state := uint32(0)
		if number != 0 {
			state = choose(d.at(number))
		}
		states = append(states, state)
	}
	return d.Graph.Unfold(states)
}

// at is the local skeleton with a number.
func (d *System) at(number uint32) *skeleton { return *d.skeletons.all.At(number) }

// Enabled implements model.System.
func (d *System) Enabled(ctx context.Context, s model.State, into []model.Transition) ([]model.Transition, error) {
	var updates []uint32
	for slot := len(s) - 2; slot >= 0; slot-- {
		if s[slot+1] == 0 {
			continue
		}
		l, err := d.explore(ctx, d.at(s[slot+1]))
		if err != nil {
			return into, err
		}
		for k, b := range l.branchings {
			into = append(into, model.Transition{Slot: uint32(slot), Step: uint32(k)})
			if update := d.Graph.Label(b.label).Update; update != 0 {
				updates = append(updates, update)
			}
		}
	}
	if len(updates) > 0 {
		return into, d.actors.Globals.Prepare(ctx, s[0], updates)
	}
	return into, nil
}

// Apply implements model.System.
func (d *System) Apply(s model.State, t model.Transition, undo []model.Change) (model.State, []model.Change, error) {
	b := d.branching(s, t)
	label := d.Graph.Label(b.label)
	global := s[0]
	if label.Update != 0 {
		var err error
		if global, err = d.actors.Globals.After(s[0], label.Update); err != nil {
			return s, undo, err
		}
	}
	if label.Failure != 0 {
		return s, undo, d.actors.Values.Failure(label.Failure)
	}
	s, undo = s.Put(t.Slot+1, d.skeletons.with(s[t.Slot+1], b.event), undo)
	s, undo = s.Put(0, global, undo)
	for _, e := range label.Outside {
		to := d.Graph.Spot(e.Position).Component
		s, undo = s.Put(to+1, d.skeletons.arrive(s.At(to+1), to, e), undo)
	}
	return s, undo, nil
}

// Facts implements model.System.
func (d *System) Facts(s model.State, t model.Transition) model.Facts { return d.branching(s, t).facts }

func (d *System) branching(s model.State, t model.Transition) *branching {
	return &d.at(s[t.Slot+1]).local.branchings[t.Step]
}

// componentName has the names of a component's actors.
func (d *System) componentName(component uint32) string {
	var names []string
	for _, position := range d.Graph.Positions()[component] {
		names = append(names, d.actors.Values.PositionName(int(position)))
	}
	return strings.Join(names, "+")
}
