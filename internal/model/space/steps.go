package space

import (
	"context"
	"iter"

	"harrier/internal/model"
)

// Placed is a node with its position in states.
type Placed struct {
	Position uint32
	Node     model.NodeID
}

// NodesOf returns the nodes of a state with their positions.
func NodesOf(s model.State) []Placed {
	var nodes []Placed
	for position, n := range s {
		if position > 0 && n != 0 {
			nodes = append(nodes, Placed{uint32(position), n})
		}
	}
	return nodes
}

// EventID identifies what a transition is, whatever the local state in which its actor takes it: the event, with the messages
// that it consumes, and which of the outcomes.
type EventID struct{ Event, Outcome uint32 }

// NodeStep is a step of a node: all that a reduction or an audit needs to know of a transition.
type NodeStep struct {
	model.Transition
	EventID
	model.Facts
	Kind     model.EventKind
	Messages []model.MessageID // those that the event is about; not to be changed
	Before   model.LocalID     // of the actor; 0 if it does not exist
	Next     model.NodeID      // after it, without what the actor sent itself; the same node if it fails
	Local    model.LocalID     // of the actor after it; 0 if it fails or stops
	Stops    bool
	Update   uint32 // identifies its global update; 0 for none
	Records  bool   // it adds to the history
	Of       int    // the index in Program.Faults of the fault that it belongs to, also of Heal
	Failure  uint32 // identifies how it fails, 0 if it does not
	Effects  []Effect
	Urgent   bool // it comes before the next round
}

// creates reports whether the step creates actors.
func (st *NodeStep) creates() bool { return len(st.Effects) > 0 && st.Effects[0].Message == 0 }

// Timer is the timer, in structured bytes, that fires in a step of some actors; empty if no timer does.
func (st *NodeStep) Timer(a *Actors) []byte {
	if st.Kind != model.Internal {
		return nil
	}
	return a.optionalOf(st).fired
}

// Choices are the values that the step chooses, as far as fairness tells them apart.
func (st *NodeStep) Choices(a *Actors) []int {
	if a.Values.program.Fairness.ByChoice.IsEmpty() || st.Handler == 0 {
		return nil
	}
	return a.optionalOf(st).choices
}

// Fails reports whether the handler fails.
func (st NodeStep) Fails() bool { return st.Failure != 0 }

// step returns where a step of a node that is expanded leads, and its facts.
func (a *Actors) step(n model.NodeID, k uint32) (next model.NodeID, st *stepFacts) {
	of := a.steps.At(a.Nodes.list.At(n).span().first + k)
	return of.next, a.facts.At(of.facts)
}

// Expand makes the steps of nodes known, those that are not yet in one batch of questions.
func (a *Actors) Expand(ctx context.Context, nodes []Placed) error {
	for _, n := range nodes {
		if !a.Nodes.list.At(n.Node).expanded() {
			return a.expand(ctx, nodes)
		}
	}
	return nil
}

// Steps yields the steps of a node that is expanded.
func (a *Actors) Steps(n Placed) iter.Seq[NodeStep] {
	return func(yield func(NodeStep) bool) {
		for k := range a.Nodes.list.At(n.Node).span().count {
			if !yield(a.nodeStep(n, k)) {
				return
			}
		}
	}
}

// StepOf is the step of a transition that is enabled in s.
func (a *Actors) StepOf(s model.State, t model.Transition) NodeStep {
	if t.Slot == model.Rounds {
		return NodeStep{Transition: t, EventID: EventID{a.clockEvent, t.Step}, Facts: a.Facts(s, t), Kind: model.Tick, Update: a.round}
	}
	return a.nodeStep(Placed{t.Slot + 1, s[t.Slot+1]}, t.Step)
}

func (a *Actors) nodeStep(n Placed, k uint32) NodeStep {
	to, st := a.step(n.Node, k)
	e := a.LocalSteps.events.At(st.event)
	out := NodeStep{
		Transition: model.Transition{Slot: n.Position - 1, Step: k}, EventID: EventID{st.event, st.outcome}, Facts: a.factsOf(st),
		Kind: e.kind, Messages: e.messages, Before: a.Nodes.list.At(n.Node).local, Next: n.Node,
		Update: st.update, Records: a.Globals.updates.At(st.update).records != 0, Failure: st.failure,
		Of: e.fault, Urgent: st.urgent,
	}
	if st.failure == 0 {
		next := a.Nodes.list.At(to)
		out.Next, out.Local, out.Stops = to, next.local, next.stopped
		out.Effects = a.LocalSteps.effects.Range(st.effects.first, st.effects.count)
	}
	return out
}

// MayBeVisible reports whether some invariant of some actors may tell apart the states before and after the step.
func (st *NodeStep) MayBeVisible(a *Actors) bool {
	switch {
	case st.Fails() || !a.Values.program.AsksEachState():
		return false
	case st.Records, st.ChangesActors():
		return true
	}
	return a.observations.isVisible(st.Before, st.Local)
}

// ChangesActors reports whether other actors exist after the step than before.
func (st *NodeStep) ChangesActors() bool { return st.Stops && st.Before != 0 || st.creates() }
