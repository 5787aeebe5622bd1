package ignored

import (
	"context"
	"iter"

	"harrier/internal/lts"
	"harrier/internal/model"
	"harrier/internal/model/space"
)

// maxImages bounds required where actors are permuted, as an orbit may be as large as the group. Handlers that would need more are
// excluded.
const maxImages = 100_000

// successors compare the messages left out with the graph of local states that runs come to. If a local state that comes later does not
// ignore a message that was left out, the handler that ignored the message first is contrary.
type successors struct {
	next     map[model.LocalID]map[model.LocalID]lts.Vertex // local states that come next, each in a component state
	required map[model.LocalID]map[model.MessageID]uint32   // messages that have to be ignored, each with the handler that ignored it first
	pairs    int                                            // in required
	leftOut  map[Pair]bool                                  // messages that were left out of component states that runs come to
	contrary map[uint32]bool
}

func newSuccessors() successors {
	return successors{
		next: map[model.LocalID]map[model.LocalID]lts.Vertex{}, required: map[model.LocalID]map[model.MessageID]uint32{},
		leftOut: map[Pair]bool{}, contrary: map[uint32]bool{},
	}
}

// Contrary are handlers to exclude: each ignored a message that was left out and that a later local state does not ignore.
func (s *successors) Contrary() map[uint32]bool { return s.contrary }

// Required are the messages that have to be ignored in a local state, of any age: here they have none.
func (s *successors) Required(l model.LocalID) map[model.MessageID]uint32 { return s.required[l] }

// LeftOut yields the answers for the messages that were left out of component states that runs come to.
func (i *Messages) LeftOut() iter.Seq[Answer] {
	return func(yield func(Answer) bool) {
		for at := range i.leftOut {
			if !yield(i.answers[at]) {
				return
			}
		}
	}
}

// Later yields the answers for the messages that were left out in this local state or before it, of all local states.
func (i *Messages) Later() iter.Seq[Answer] {
	return func(yield func(Answer) bool) {
		for local, messages := range i.required {
			for m := range messages {
				if !yield(i.answers[Pair{local, m}]) {
					return
				}
			}
		}
	}
}

// LeaveOut requires that messages left out of a component state that a run comes to are ignored from there on.
func (i *Messages) LeaveOut(ctx context.Context, at lts.Vertex) error {
	canonical, err := i.Canonical(ctx, at.Component, at.State)
	if err != nil || canonical == at.State {
		return err
	}
	waiting, _ := space.Inbox(i.actors.Nodes, at.State)
	for m := range waiting.Counts {
		m = i.actors.Values.Fresh(m)
		a, err := i.ignores(ctx, at.Component, at.State, m)
		if err == nil && i.leavesOut(a) {
			i.leftOut[Pair{i.actors.Nodes.Local(at.State), m}] = true
			err = i.require(ctx, at, m, a.handler())
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Succeed adds a step between component states to the graph of local states.
func (i *Messages) Succeed(ctx context.Context, component uint32, from, to model.NodeID) error {
	if !i.mayLeaveOut(component, from) {
		return nil
	}
	local, next := i.actors.Nodes.Local(from), i.actors.Nodes.Local(to)
	if _, known := i.next[local][next]; known || local == next || next == 0 {
		return nil
	}
	if i.next[local] == nil {
		i.next[local] = map[model.LocalID]lts.Vertex{}
	}
	i.next[local][next] = lts.Vertex{Component: component, State: to}
	for m, handler := range i.required[local] {
		if err := i.requireIgnored(ctx, lts.Vertex{Component: component, State: to}, m, handler); err != nil {
			return err
		}
	}
	return nil
}

// requireIgnored compares a local state with a message that a handler ignored before. Perhaps no run comes there with the message. While
// the actor is down nothing can be done with it, so it only has to be ignored afterwards.
func (i *Messages) requireIgnored(ctx context.Context, at lts.Vertex, m model.MessageID, handler uint32) error {
	if i.required[i.actors.Nodes.Local(at.State)][m] != 0 {
		return nil
	}
	a, err := i.ignores(ctx, at.Component, at.State, m)
	if err != nil {
		return model.Doubted(err)
	}
	down := i.actors.Values.Actor(i.actors.Nodes.Local(at.State)).Down
	if !a.isIgnored() && !down {
		i.contrary[handler] = true
		return nil
	}
	return i.require(ctx, at, m, handler)
}

// require has a message that is ignored in a local state be ignored in all that come later, and in the same way in the local states
// that these become by permutations: a search with symmetry comes to one state of each orbit only.
func (i *Messages) require(ctx context.Context, at lts.Vertex, m model.MessageID, handler uint32) error {
	local := i.actors.Nodes.Local(at.State)
	if i.required[local][m] != 0 {
		return nil
	}
	if i.required[local] == nil {
		i.required[local] = map[model.MessageID]uint32{}
	}
	i.required[local][m] = handler
	if i.pairs++; len(i.permutations) > 0 && i.pairs > maxImages {
		i.contrary[handler] = true
		return nil
	}
	for _, next := range i.next[local] {
		if err := i.requireIgnored(ctx, next, m, handler); err != nil {
			return err
		}
	}
	for _, p := range i.permutations {
		image, err := p.Image(at.Component, i.actors.Nodes.WithInbox(at.State, nil))
		if err != nil {
			return err
		}
		message, err := p.Message(m)
		if err != nil {
			return err
		}
		if err := i.require(ctx, lts.Vertex{Component: p.Component(at.Component), State: image}, message, handler); err != nil {
			return err
		}
	}
	return nil
}
