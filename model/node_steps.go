package model

import "context"

// Placed is a node with its position in states.
type Placed struct {
	Position uint32
	Node     NodeID
}

// PlacedStep is one of the steps of a node.
type PlacedStep struct {
	Placed
	Step uint32
}

// NodeStep is a step of a node, seen by itself.
type NodeStep struct {
	Next NodeID // after it, with what the actor sent itself; the same node if it fails
	Facts
	Failure uint32 // identifies how it fails, 0 if it does not
	Records bool   // it adds to the history
	// Internal reports that nothing outside of the actor can notice or refuse it: it sends to the actor itself only,
	// creates none, and neither changes nor asks anything of what is global. The actor goes on to exist.
	Internal bool
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

// Steps appends the steps of a node that is expanded. A step has the number that it has in a Transition.
func (a *Actors) Steps(n Placed, into []NodeStep) []NodeStep {
	for k := range a.nodes.At(n.Node).span().count {
		into = append(into, a.nodeStep(n, a.step(n.Node, k)))
	}
	return into
}

func (a *Actors) nodeStep(n Placed, st *step) NodeStep {
	out := NodeStep{Next: n.Node, Facts: a.facts(st), Failure: st.failure, Internal: st.mark == 0}
	if st.failure != 0 {
		out.Internal = false
		return out
	}
	out.Next = st.next
	for _, e := range a.effects.Range(st.effects.first, st.effects.count) {
		if e.position == n.Position && e.message != 0 {
			out.Next = a.deliver(out.Next, e.message)
		} else {
			out.Internal = false
		}
	}
	out.Internal = out.Internal && !a.nodes.At(out.Next).stopped
	out.Records = a.globals.marks.at(st.mark).records != 0
	return out
}

// Prepare makes known what the history becomes by steps of nodes in a state with the given id at position 0, as Enabled does
// for the steps of the state's own nodes.
func (a *Actors) Prepare(ctx context.Context, global uint32, steps []PlacedStep) error {
	marks := make([]uint32, len(steps))
	for i, st := range steps {
		marks[i] = a.step(st.Node, st.Step).mark
	}
	return a.prepare(ctx, global, marks)
}

// Refuses reports whether what is global refuses a step of a node.
func (a *Actors) Refuses(global uint32, st PlacedStep) bool {
	m := a.step(st.Node, st.Step).mark
	if m == 0 {
		return false
	}
	_, ok := a.pay(a.globals.items.at(global).budgets, a.globals.marks.at(m).toll)
	return !ok
}
