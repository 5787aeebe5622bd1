package model

import (
	"context"
	"iter"
	"slices"
)

// Placed is a node with its position in states.
type Placed struct {
	Position uint32
	Node     NodeID
}

// NodeStep is a step of a node: all that a reduction or an audit needs to know of a transition.
type NodeStep struct {
	Transition
	EventID
	Facts
	Kind     EventKind
	Messages []MessageID // those that the event is about; not to be changed
	Next     NodeID      // after it, without what the actor sent itself; the same node if it fails
	Local    LocalID     // of the actor after it; 0 if it fails or stops
	Stops    bool
	Update   uint32 // identifies its global update; 0 for none
	Records  bool   // it adds to the history
	Failure  uint32 // identifies how it fails, 0 if it does not
	Effects  []Effect
}

// Creates reports whether the step creates actors.
func (st *NodeStep) Creates() bool { return len(st.Effects) > 0 && st.Effects[0].Message == 0 }

// Fails reports whether the handler fails.
func (st NodeStep) Fails() bool { return st.Failure != 0 }

// Expand makes the steps of nodes known, those that are not yet in one batch of questions.
func (a *Actors) Expand(ctx context.Context, nodes []Placed) error {
	for _, n := range nodes {
		if !a.nodes.At(n.Node).expanded() {
			return a.expand(ctx, nodes)
		}
	}
	return nil
}

// Steps yields the steps of a node that is expanded.
func (a *Actors) Steps(n Placed) iter.Seq[NodeStep] {
	return func(yield func(NodeStep) bool) {
		for k := range a.nodes.At(n.Node).span().count {
			if !yield(a.nodeStep(n, k)) {
				return
			}
		}
	}
}

// StepOf is the step of a transition that is enabled in s.
func (a *Actors) StepOf(s State, t Transition) NodeStep {
	return a.nodeStep(Placed{t.Slot + 1, s[t.Slot+1]}, t.Step)
}

func (a *Actors) nodeStep(n Placed, k uint32) NodeStep {
	st := a.step(n.Node, k)
	e := a.events.At(st.event)
	out := NodeStep{
		Transition: Transition{n.Position - 1, k}, EventID: EventID{st.event, st.outcome}, Facts: a.facts(st),
		Kind: e.kind, Messages: e.messages, Next: n.Node,
		Update: st.update, Records: a.globals.updates.At(st.update).records != 0, Failure: st.failure,
	}
	if st.failure == 0 {
		next := a.nodes.At(st.next)
		out.Next, out.Local, out.Stops = st.next, next.local, next.stopped
		out.Effects = a.effects.Range(st.effects.first, st.effects.count)
	}
	return out
}

// MayBeVisible reports whether some invariant may tell apart the states before and after a step from a local state.
func (a *Actors) MayBeVisible(before LocalID, st *NodeStep) bool {
	switch {
	case st.Fails() || !a.program.HasInvariants():
		return false
	case st.Records, st.Stops && before != 0, st.Creates():
		return true
	}
	return a.IsVisible(before, st.Local)
}

// Presence identifies the name and class of the actor of a node, 0 if there is none.
func (a *Actors) Presence(n NodeID) uint32 { return a.locals.At(a.nodes.At(n).local).presence }

// Arrive is what the node at an effect's position becomes by it.
func (a *Actors) Arrive(n NodeID, e Effect) (NodeID, error) {
	if e.Message != 0 {
		return a.deliver(n, e.Message), nil
	}
	return a.create(n, e.Local)
}

// Failure is how a step fails.
func (a *Actors) Failure(id uint32) *StepFailure { return *a.failures.At(id) }

// UpdateParts reports whether a global update adds to the history, whether budgets or cuts guard it, and whether states remember
// that it came last.
func (a *Actors) UpdateParts(update uint32) (records, isGuarded, isLast bool) {
	m := a.globals.updates.At(update)
	return m.records != 0, m.guard != 0, m.last != 0
}

// Disables reports whether what is global disables steps with an update.
func (a *Actors) Disables(global, update uint32) bool {
	_, ok := a.consume(a.globals.interned.At(global).budgets, a.globals.updates.At(update).guard)
	return !ok
}

// Positions is how many positions of states have names so far. They count from 1.
func (a *Actors) Positions() int { return a.names.Len() }

// ReceiverOf is the position of the actor that a message is to.
func (a *Actors) ReceiverOf(m MessageID) uint32 { return a.messages.At(m).position }

// Waiting are the messages in flight to a node's actor.
func (a *Actors) Waiting(n NodeID) []MessageID { return *a.inboxes.At(a.nodes.At(n).waiting) }

// Holding is a node with the local state of another one to whose actor only some of the messages are in flight.
func (a *Actors) Holding(n NodeID, messages []MessageID) NodeID {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.node(a.nodes.At(n).local, mailbox{waiting: a.inbox(slices.Clone(messages))})
}

// TakesSingly reports whether what the actor of a node may do with a message in flight depends on nothing but its local state.
func (a *Actors) TakesSingly(n NodeID) bool {
	l := a.nodes.At(n).local
	return l != 0 && a.program.Delivery == M && a.Hashing != Full && !a.Collects(l) &&
		a.program.channel(*a.names.At(a.locals.At(l).position)) == unordered
}
