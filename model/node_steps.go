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

// NodeStep is a step of a node, seen by itself.
type NodeStep struct {
	Transition
	Next NodeID // after it, without what the actor sent itself; the same node if it fails
	Facts
	Mark    uint32 // identifies what it does to what is global, and asks of it; 0 for nothing
	Failure uint32 // identifies how it fails, 0 if it does not
	Effects []Effect
}

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
			st := a.step(n.Node, k)
			out := NodeStep{Transition: Transition{n.Position - 1, k}, Next: n.Node, Facts: a.facts(st), Mark: st.mark, Failure: st.failure}
			if st.failure == 0 {
				out.Next = st.next
				out.Effects = a.effects.Range(st.effects.first, st.effects.count)
			}
			if !yield(out) {
				return
			}
		}
	}
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

// MarkParts reports whether steps with a mark add to the history, whether faults' budgets and cuts have a say in them, and whether states
// remember that they were taken last.
func (a *Actors) MarkParts(mark uint32) (records, isRefusable, isLast bool) {
	m := a.globals.marks.At(mark)
	return m.records != 0, m.toll != 0, m.last != 0
}

// Refuses reports whether what is global refuses a step with a mark.
func (a *Actors) Refuses(global, mark uint32) bool {
	_, ok := a.pay(a.globals.items.At(global).budgets, a.globals.marks.At(mark).toll)
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
	return l != 0 && a.program.Passing == M && a.Hashing != Full && !a.Collects(l) &&
		a.program.channel(*a.names.At(a.locals.At(l).position)) == unordered
}
