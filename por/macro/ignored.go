package macro

import (
	"context"
	"errors"
	"slices"
	"sync"

	"harrier/internal/ds/pairs"
	"harrier/internal/lts"
	"harrier/internal/model"
	"harrier/internal/model/space"
)

// A message is ignored in a local state if its actor may consume it, which changes nothing, and can do nothing else with it. A
// component state is canonical if its inbox has no message that is ignored in its local state, but for those that excluded handlers
// take: consuming an ignored message is an internal step that is confluent with all others (tau-confluence: Groote, van de Pol,
// "State space reduction using partial τ-confluence", MFCS 2000).
//
// That rests on successors: local states that come later have to ignore the message as well, which verify compares (verify.go).
// docs/soundness.md has the proof.

// ignored remembers which messages are ignored. Which component states are canonical depends on exceptions and on the program alone.
type ignored struct {
	canonical pairs.Map // (component state, 0) -> the canonical one in its place
	arrived   pairs.Map // (component state, 0) -> 1, for those that are not canonical and that an arrival led to

	mu       sync.Mutex // guards the fields below, but not while Java is asked
	answers  map[localMessage]answer
	reached  []*inside    // of macro states that were reached
	arrivals []lts.Vertex // the keys of arrived

	reportedReached, reportedArrivals int // how many of them News returned

	verification
}

type localMessage struct {
	local   model.LocalID
	message model.MessageID
}

// An answer has the steps by which a message is ignored, which differ in their handlers; empty if it is not ignored.
type answer []model.Facts

func (a answer) isIgnored() bool { return len(a) > 0 }

// handler is one that ignores the message.
func (a answer) handler() uint32 { return a[0].Handler }

func newIgnored() *ignored {
	return &ignored{answers: map[localMessage]answer{}, verification: newVerification()}
}

// mayLeaveOut reports whether messages may be left out of a component state: its component is one actor, whose steps with a message
// depend on its local state alone.
func (d *System) mayLeaveOut(component, state uint32) bool {
	return state != 0 && !d.Graph.IsGrouped(component) && d.actors.Nodes.TakesSingly(state)
}

// canonical returns the canonical component state in place of another one.
func (d *System) canonical(ctx context.Context, component, state uint32) (uint32, error) {
	if to, ok := d.knownCanonical(component, state); ok {
		return to, nil
	}
	to, out := state, map[model.MessageID]bool{}
	waiting, _ := space.Inbox(d.actors.Nodes, state)
	for m := range waiting.Counts {
		a, err := d.ignores(ctx, component, state, m)
		if err != nil {
			return 0, err
		}
		if d.leavesOut(a) {
			out[m] = true
		}
	}
	if len(out) > 0 {
		to = space.Retain(d.actors.Nodes, state, func(m model.MessageID) bool { return !out[m] })
	}
	d.ignored.canonical.Put(state, 0, to)
	return to, nil
}

// knownCanonical returns the canonical component state in place of another one, if canonical worked it out before or need not.
func (d *System) knownCanonical(component, state uint32) (to uint32, ok bool) {
	if !d.mayLeaveOut(component, state) {
		return state, true
	}
	return d.ignored.canonical.Get(state, 0)
}

// leavesOut reports whether a message is left out where that is the answer.
func (d *System) leavesOut(a answer) bool { return a.isIgnored() && !d.excluded[a.handler()] }

// canonicalAfter returns what a component becomes by a step, canonical.
func (d *System) canonicalAfter(ctx context.Context, component, state uint32, st *lts.Edge) (uint32, error) {
	next, err := d.Graph.After(component, state, st)
	if err != nil || st.Failure != 0 {
		return next, err
	}
	return d.canonical(ctx, component, next)
}

// ignores reports whether a message is ignored in the local state of a node. Another worker may find it out at the same time. A
// pair that no run reaches may break a rule.
func (d *System) ignores(ctx context.Context, component uint32, n model.NodeID, m model.MessageID) (answer, error) {
	if a, known := d.answer(n, m); known {
		return a, nil
	}
	var a answer
	question := d.question(component, n, m)
	err := d.Graph.Expand(ctx, question[:]...)
	switch {
	case err == nil:
		if a, err = d.compare(component, question[0].State, question[1].State, m); err != nil {
			return nil, err
		}
	case !model.IsOfStep(ctx, err):
		return nil, err
	}
	d.ignored.mu.Lock()
	defer d.ignored.mu.Unlock()
	d.ignored.answers[localMessage{d.actors.Nodes.Local(n), m}] = a
	return a, nil
}

// answer returns the answer that ignores found.
func (d *System) answer(n model.NodeID, m model.MessageID) (a answer, known bool) {
	d.ignored.mu.Lock()
	defer d.ignored.mu.Unlock()
	a, known = d.ignored.answers[localMessage{d.actors.Nodes.Local(n), m}]
	return a, known
}

// question is the local state of a node without messages and with one: whether that is ignored, their edges say.
func (d *System) question(component uint32, n model.NodeID, m model.MessageID) [2]lts.Vertex {
	return [2]lts.Vertex{
		{Component: component, State: d.actors.Nodes.WithInbox(n, nil)},
		{Component: component, State: d.actors.Nodes.WithInbox(n, []model.MessageID{m})},
	}
}

// appendUnanswered appends the questions that canonical will ask about a node.
func (d *System) appendUnanswered(questions []lts.Vertex, component uint32, n model.NodeID) []lts.Vertex {
	waiting, _ := space.Inbox(d.actors.Nodes, n)
	for m := range waiting.Counts {
		if _, known := d.answer(n, m); !known {
			of := d.question(component, n, m)
			questions = append(questions, of[:]...)
		}
	}
	return questions
}

// compare returns the steps that a message adds to a node, if all of them consume it and change nothing.
func (d *System) compare(component uint32, without, with model.NodeID, m model.MessageID) (a answer, err error) {
	for st := range d.Graph.Out(component, with) {
		if st.Fault == 0 && st.Next == without && len(st.Effects) == 0 && d.isInternal(component, &st) {
			a = append(a, st.Facts)
			continue
		}
		same := false
		for other := range d.Graph.Out(component, without) {
			next, err := d.actors.Nodes.Arrive(other.Next, space.Effect{Message: m})
			if err != nil {
				return nil, err
			}
			same = same || st.Facts == other.Facts && st.Update == other.Update && st.Failure == other.Failure &&
				(st.Next == next || st.Next == other.Next)
		}
		if !same {
			return nil, nil
		}
	}
	return a, nil
}

// record notes that a run comes to the component state of an inside.
func (g *ignored) record(in *inside) {
	if in.reached.Load() || in.reached.Swap(true) {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.reached = append(g.reached, in)
}

// discards are the steps from a component state to the canonical one in its place.
func (d *System) discards(ctx context.Context, component, state uint32) ([]model.Transition, error) {
	end, err := d.canonical(ctx, component, state)
	var path []model.Transition
	for err == nil && state != end {
		if err = d.Graph.Expand(ctx, lts.Vertex{Component: component, State: state}); err != nil {
			break
		}
		isDiscard := func(st lts.Edge) bool {
			if st.Fault != 0 || len(st.Effects) > 0 || !d.isInternal(component, &st) ||
				d.actors.Nodes.Local(st.Next) != d.actors.Nodes.Local(state) {
				return false
			}
			rest, _ := space.Inbox(d.actors.Nodes, st.Next)
			before, _ := space.Inbox(d.actors.Nodes, state)
			next, failed := d.canonical(ctx, component, st.Next)
			return failed == nil && next == end && rest.Len() < before.Len()
		}
		steps := slices.Collect(d.Graph.Out(component, state))
		k := slices.IndexFunc(steps, isDiscard)
		if k < 0 {
			return nil, errors.New("a message that was left out is not consumed")
		}
		path, state = append(path, steps[k].Transition), steps[k].Next
	}
	return path, err
}
