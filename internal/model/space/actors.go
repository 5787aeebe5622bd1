// Package space makes a global transition system (model.System) of the local steps that an oracle (model.Oracle) answers. Local states,
// messages and nodes are interned, and each local step is asked once, so that a transition is integer work.
//
//	Values        names, local states, messages: one id for all with the same hashed part (Decomposition)
//	messageLists  lists of the messages that wait for an actor, in an order of its channel's
//	observations  which local states no property distinguishes
//	Nodes         local states with their messages, before and after an arrival
//	Globals       what a state holds beside its actors: history, budgets and cuts
//	LocalSteps    the answers of the oracle, in these ids; asked for in batches, with variations that must make no difference
//	Moves         the events that a node may have: receptions, deliveries, faults
//	Actors        the steps of nodes, made of moves and answers, and taken in states: the System
//
// Each is a table of its own that reads some of those above it. One lock, that of Values, guards them all. Reductions and audits read the
// exported ones; symmetry maps what they hold by a Permutation, and processes exchange it as SharedActors.
package space

import (
	"context"
	"slices"

	"harrier/internal/ds/pairs"
	"harrier/internal/ds/slab"
	"harrier/internal/model"
)

// Actors is the System of a program of actors: a message may be consumed at any time after it was sent, within what the
// delivery model, its channel and the faults of the program allow.
//
// The position of an actor in a State is the id of its name. The steps of a node are found when it is first met, in one
// batch of questions, and read from memory from then on.
//
// Several goroutines may use an Actors at once. Reading takes no lock, since the value of an id is immutable. New values
// are interned under one lock, which is released while Java is asked.
type Actors struct {
	// The tables that it is made of, which all that makes a system smaller reads.
	Values     *Values
	Nodes      *Nodes
	Globals    *Globals
	LocalSteps *LocalSteps
	Moves      *Moves

	messageLists *messageLists
	observations *observations
	initial      model.State

	steps    slab.List[step]
	facts    slab.List[stepFacts] // each once, first those of no step
	factsIDs map[stepFacts]uint32
	affected pairs.Map // (list of effects, global update) -> id of both

	clockEvent uint32 // that the oracle is asked for to know what a clock that goes on does
	round      uint32 // the global update of a round
	roundFacts model.Facts
	afterRound pairs.Map // (node, ticks) -> node after a round
}

// A step is one outcome of one event of a node. There are many of them and few facts, so it has the place of these.
type step struct {
	next  model.NodeID // of the actor that takes it
	facts uint32
}

// stepFacts are the facts of a step that do not depend on where it leads.
type stepFacts struct {
	handler uint32
	update  uint32 // the global update
	effects span
	effect  uint32 // identifies update and effects
	failure uint32 // in Values.failures, 0 if the handler does not fail
	event   uint32
	outcome uint32
	urgent  bool // it comes before the next round
}

// NewActors interns the initial state of the oracle's program. The decomposition says in which parts
// its states differ.
func NewActors(oracle model.Oracle, d Decomposition) (*Actors, error) {
	values := newValues(oracle.Program(), d)
	lists, observations := newMessageLists(values), newObservations(values)
	nodes, globals := newNodes(values, lists, observations), newGlobals(values, oracle)
	localSteps := newLocalSteps(oracle, values, nodes, globals)
	a := &Actors{
		Values: values, Nodes: nodes, Globals: globals, LocalSteps: localSteps,
		Moves:        &Moves{values: values, messageLists: lists, nodes: nodes, localSteps: localSteps},
		messageLists: lists, observations: observations, factsIDs: map[stepFacts]uint32{},
	}
	a.newStep(0, stepFacts{}) // those of a step that a node does not have
	if a.IsWhole() {
		a.clockEvent, a.round = localSteps.event(event{kind: model.Tick}), globals.update(globalUpdate{round: true})
		a.roundFacts = model.Facts{Effect: a.effect(localSteps.list(nil), a.round), Guarded: true}
	}
	if err := a.start(); err != nil {
		return nil, err
	}
	a.LocalSteps.publish()
	return a, nil
}

// Program is the program that the system was made from.
func (a *Actors) Program() *model.Program { return a.Values.program }

// Initial implements System.
func (a *Actors) Initial() model.State { return slices.Clone(a.initial) }

// Enabled implements System. Actors that came to be known last come first: scenarios create servers
// before the clients that drive them, and following the clients' next moves first turns out to meet
// violations sooner in depth-first search.
func (a *Actors) Enabled(ctx context.Context, s model.State, into []model.Transition) ([]model.Transition, error) {
	for _, n := range s[1:] {
		if n != 0 && !a.Nodes.list.At(n).expanded() {
			if err := a.expand(ctx, NodesOf(s)); err != nil {
				return into, err
			}
			break
		}
	}
	for slot := len(s) - 2; slot >= 0; slot-- {
		if n := s[slot+1]; n != 0 {
			for k := range a.Nodes.list.At(n).span().count {
				into = append(into, model.Transition{Slot: uint32(slot), Step: k})
			}
		}
	}
	if a.LocalSteps.hasRecords.Load() {
		updates := make([]uint32, len(into))
		for i, t := range into {
			_, st := a.step(s[t.Slot+1], t.Step)
			updates[i] = st.update
		}
		if err := a.Globals.Prepare(ctx, s[0], updates); err != nil {
			return into, err
		}
	}
	if a.IsWhole() {
		return a.rounds(s, into)
	}
	return into, nil
}

// Apply implements System.
func (a *Actors) Apply(s model.State, t model.Transition, undo []model.Change) (model.State, []model.Change, error) {
	if t.Slot == model.Rounds {
		return a.tick(s, t, undo)
	}
	position := t.Slot + 1
	to, step := a.step(s[position], t.Step)
	next := s[0]
	if step.update != 0 {
		var err error
		if next, err = a.Globals.After(s[0], step.update); err != nil {
			return s, undo, err
		}
	}
	if step.failure != 0 {
		return s, undo, *a.Values.failures.At(step.failure)
	}
	s, undo = s.Put(position, to, undo)
	if step.update != 0 {
		s, undo = s.Put(0, next, undo)
	}
	return a.affect(s, a.LocalSteps.effects.Range(step.effects.first, step.effects.count), undo)
}

// Facts implements System.
func (a *Actors) Facts(s model.State, t model.Transition) model.Facts {
	if t.Slot == model.Rounds {
		return a.roundFacts
	}
	_, st := a.step(s[t.Slot+1], t.Step)
	return a.factsOf(st)
}

func (a *Actors) factsOf(st *stepFacts) model.Facts {
	_, guarded, _ := a.Globals.UpdateParts(st.update)
	f := model.Facts{Handler: st.handler, Effect: st.effect, Guarded: guarded}
	if e := a.LocalSteps.events.At(st.event); a.Values.program.IsFault(e.kind) {
		f.Fault = uint16(e.fault) + 1
	}
	return f
}

// Pending implements System.
func (a *Actors) Pending(s model.State) int {
	n := 0
	for _, id := range s[1:] {
		of := a.Nodes.list.At(id)
		n += a.messageLists.len(of.waiting) + a.messageLists.len(of.delivered)
	}
	return n
}

// affect delivers messages and creates actors in place.
func (a *Actors) affect(s model.State, effects []Effect, undo []model.Change) (model.State, []model.Change, error) {
	for i := range effects {
		e := &effects[i]
		n, err := a.Nodes.Arrive(s.At(e.Position), *e)
		if err != nil {
			return s, undo, err
		}
		s, undo = s.Put(e.Position, n, undo)
	}
	return s, undo, nil
}
