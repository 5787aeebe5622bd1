// Package ignored finds messages that an actor ignores from some local state on, and leaves them out of component states.
//
//	Messages.Canonical   a component state without the messages that its local state ignores
//	Messages.Succeed     a step between local states, after which what was left out has to be ignored as well (successors.go)
//	Messages.Contrary    the handlers that ignored a message which a later local state does not ignore: exclude them, and begin anew
//	Messages.Discards    the steps that consume what a canonical component state leaves out
//
// A message is ignored in a local state if its actor may consume it, which changes nothing, and can do nothing else with it. A
// component state is canonical if its inbox has no message that is ignored in its local state; messages that excluded handlers take
// stay. Consuming an ignored message is an internal step that is confluent with all others (tau-confluence: Groote, van de Pol,
// "State space reduction using partial τ-confluence", MFCS 2000). docs/soundness.md has the proof.
package ignored

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

// Messages remembers which messages are ignored. Which component states are canonical depends on what is excluded and on the program
// alone. Several goroutines may use it at once, but for Succeed, LeaveOut and what these note.
type Messages struct {
	graph        *lts.Graph
	actors       *space.Actors
	permutations []*lts.Permutation                       // generators; empty if no actors are permuted
	excluded     map[uint32]bool                          // handlers whose messages stay in inboxes
	isUnseen     func(component uint32, e *lts.Edge) bool // reports whether a step that changes nothing makes no difference
	canonical    pairs.Map                                // (component state, 0) -> the canonical one in its place

	mu      sync.Mutex // guards answers, but not while Java is asked
	answers map[Pair]Answer

	successors
}

// A Pair is a message in a local state. Messages have no age here, which their receivers do not know.
type Pair struct {
	Local   model.LocalID
	Message model.MessageID
}

// An Answer has the steps by which a message is ignored, which differ in their handlers; empty if it is not ignored.
type Answer []model.Facts

func (a Answer) isIgnored() bool { return len(a) > 0 }

// handler returns the first handler that ignores the message.
func (a Answer) handler() uint32 { return a[0].Handler }

// New returns what is ignored in a graph, of which nothing is known. A message is ignored only by steps that isUnseen reports.
func New(g *lts.Graph, actors *space.Actors, permutations []*lts.Permutation, excluded map[uint32]bool, isUnseen func(component uint32, e *lts.Edge) bool) *Messages {
	return &Messages{
		graph: g, actors: actors, permutations: permutations, excluded: excluded, isUnseen: isUnseen,
		answers: map[Pair]Answer{}, successors: newSuccessors(),
	}
}

// mayLeaveOut reports whether messages may be left out of a component state: its component is one actor, whose steps with a message
// depend on its local state alone.
func (i *Messages) mayLeaveOut(component, state uint32) bool {
	return state != 0 && !i.graph.IsGrouped(component) && i.actors.Nodes.TakesSingly(state)
}

// Canonical returns the canonical component state in place of another one.
func (i *Messages) Canonical(ctx context.Context, component, state uint32) (uint32, error) {
	if to, ok := i.Known(component, state); ok {
		return to, nil
	}
	to, out := state, map[model.MessageID]bool{}
	waiting, _ := space.Inbox(i.actors.Nodes, state)
	for m := range waiting.Counts {
		a, err := i.ignores(ctx, component, state, m)
		if err != nil {
			return 0, err
		}
		if i.leavesOut(a) {
			out[m] = true
		}
	}
	if len(out) > 0 {
		to = space.Retain(i.actors.Nodes, state, func(m model.MessageID) bool { return !out[m] })
	}
	i.canonical.Put(state, 0, to)
	return to, nil
}

// Known returns the canonical component state in place of another one, if Canonical worked it out before or need not.
func (i *Messages) Known(component, state uint32) (to uint32, ok bool) {
	if !i.mayLeaveOut(component, state) {
		return state, true
	}
	return i.canonical.Get(state, 0)
}

// leavesOut reports whether a message is left out where that is the answer.
func (i *Messages) leavesOut(a Answer) bool { return a.isIgnored() && !i.excluded[a.handler()] }

// ignores reports whether a message is ignored in the local state of a node. Another goroutine may find it out at the same time. A
// pair that no run reaches may break a rule.
func (i *Messages) ignores(ctx context.Context, component uint32, n model.NodeID, m model.MessageID) (Answer, error) {
	m = i.actors.Values.Fresh(m)
	if a, known := i.answer(n, m); known {
		return a, nil
	}
	var a Answer
	question := i.question(component, n, m)
	err := i.graph.Expand(ctx, question[:]...)
	switch {
	case err == nil:
		if a, err = i.compare(component, question[0].State, question[1].State, m); err != nil {
			return nil, err
		}
	case !model.IsOfStep(ctx, err):
		return nil, err
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	i.answers[Pair{i.actors.Nodes.Local(n), m}] = a
	return a, nil
}

// answer returns the answer that ignores found.
func (i *Messages) answer(n model.NodeID, m model.MessageID) (a Answer, known bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	a, known = i.answers[Pair{i.actors.Nodes.Local(n), i.actors.Values.Fresh(m)}]
	return a, known
}

// question returns the component states whose edges say whether a message is ignored: the local state of a node without messages, and with
// this one alone.
func (i *Messages) question(component uint32, n model.NodeID, m model.MessageID) [2]lts.Vertex {
	m = i.actors.Values.Fresh(m)
	return [2]lts.Vertex{
		{Component: component, State: i.actors.Nodes.WithInbox(n, nil)},
		{Component: component, State: i.actors.Nodes.WithInbox(n, []model.MessageID{m})},
	}
}

// AppendQuestions appends the component states whose edges Canonical will ask for, of a node.
func (i *Messages) AppendQuestions(questions []lts.Vertex, component uint32, n model.NodeID) []lts.Vertex {
	waiting, _ := space.Inbox(i.actors.Nodes, n)
	for m := range waiting.Counts {
		if _, known := i.answer(n, m); !known {
			of := i.question(component, n, m)
			questions = append(questions, of[:]...)
		}
	}
	return questions
}

// compare returns the steps that a message adds to a node, if all of them consume it and change nothing.
func (i *Messages) compare(component uint32, without, with model.NodeID, m model.MessageID) (a Answer, err error) {
	for st := range i.graph.Out(component, with) {
		if st.Fault == 0 && st.Next == without && len(st.Effects) == 0 && i.isUnseen(component, &st) {
			a = append(a, st.Facts)
			continue
		}
		same := false
		for other := range i.graph.Out(component, without) {
			next, err := i.actors.Nodes.Arrive(other.Next, space.Effect{Message: m})
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

// Discards are the steps from a component state to the canonical one in its place.
func (i *Messages) Discards(ctx context.Context, component, state uint32) ([]lts.Edge, error) {
	end, err := i.Canonical(ctx, component, state)
	var path []lts.Edge
	for err == nil && state != end {
		if err = i.graph.Expand(ctx, lts.Vertex{Component: component, State: state}); err != nil {
			break
		}
		isDiscard := func(st lts.Edge) bool {
			if st.Fault != 0 || len(st.Effects) > 0 || !i.isUnseen(component, &st) ||
				i.actors.Nodes.Local(st.Next) != i.actors.Nodes.Local(state) {
				return false
			}
			rest, _ := space.Inbox(i.actors.Nodes, st.Next)
			before, _ := space.Inbox(i.actors.Nodes, state)
			next, failed := i.Canonical(ctx, component, st.Next)
			return failed == nil && next == end && rest.Len() < before.Len()
		}
		steps := slices.Collect(i.graph.Out(component, state))
		k := slices.IndexFunc(steps, isDiscard)
		if k < 0 {
			return nil, errors.New("a message that was left out is not consumed")
		}
		path, state = append(path, steps[k]), steps[k].Next
	}
	return path, err
}
