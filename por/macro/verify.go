package macro

import (
	"context"
	"errors"
	"sync"

	"harrier/dbss"
	"harrier/internal/lts"
	"harrier/internal/model"
	"harrier/internal/model/space"
)

// A verification compares, between transitions, the messages left out with the graph of local states that the search has seen. If a
// local state that comes later does not ignore a message that was left out, the search begins again, and the handler that ignored
// the message first is excluded.
type verification struct {
	verifying  sync.Mutex // guards the fields below
	contrary   map[uint32]bool
	verified   int                                            // how many of reached were compared
	arrivedAt  int                                            // how many of arrivals were compared
	successors map[model.LocalID]map[model.LocalID]lts.Vertex // local states that come next, each in a component state
	required   map[model.LocalID]map[model.MessageID]uint32   // messages that have to be ignored, each with the handler that ignored it first
	pairs      int                                            // in required
	late       map[uint32]bool                                // handlers that count as run although perhaps none did
	leftOut    map[localMessage]bool                          // messages that were left out of component states that runs come to
}

func newVerification() verification {
	return verification{
		contrary:   map[uint32]bool{},
		successors: map[model.LocalID]map[model.LocalID]lts.Vertex{}, required: map[model.LocalID]map[model.MessageID]uint32{},
		leftOut: map[localMessage]bool{}, late: map[uint32]bool{},
	}
}

// maxImages bounds required where actors are permuted, as an orbit may be as large as the group. Handlers that would need more are
// excluded.
const maxImages = 100_000

// errNotIgnored is the error of a search that left out a message that makes a difference later on.
var errNotIgnored = errors.New("a message that was left out is not ignored later on")

// verify compares the local states found since its last call with the messages left out before. The error is errNotIgnored if
// a message left out is not ignored. It may be called while workers search.
func (d *System) verify(ctx context.Context) error {
	g := d.ignored
	g.verifying.Lock()
	defer g.verifying.Unlock()
	g.mu.Lock()
	reached, arrivals := g.reached[g.verified:], g.arrivals[g.arrivedAt:]
	g.verified, g.arrivedAt = len(g.reached), len(g.arrivals)
	g.mu.Unlock()
	for _, a := range arrivals {
		if err := d.requireLeftOut(ctx, a); err != nil {
			return err
		}
	}
	for _, in := range reached {
		if err := d.verifyInside(ctx, in); err != nil {
			return err
		}
	}
	if len(g.contrary) > 0 {
		return errNotIgnored
	}
	return nil
}

// verifyInside verifies the steps of the members of In of a component state that a run comes to.
func (d *System) verifyInside(ctx context.Context, in *inside) error {
	for part := range in.walk(func(part *inside) bool { return part.verified }) {
		for _, m := range part.states {
			if err := d.verifyState(ctx, lts.Vertex{Component: in.component, State: m}); err != nil {
				return err
			}
		}
		part.verified = true
	}
	return nil
}

// verifyState verifies the steps of a component state that a run comes to.
func (d *System) verifyState(ctx context.Context, v lts.Vertex) error {
	for st := range d.Graph.Out(v.Component, v.State) {
		if st.Failure != 0 {
			continue
		}
		if err := d.addSuccessor(ctx, v.Component, v.State, st.Next); err != nil {
			return err
		}
		next, err := d.Graph.After(v.Component, v.State, &st)
		if err == nil {
			err = ahead(st.Facts, d.requireLeftOut(ctx, lts.Vertex{Component: v.Component, State: next}))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// requireLeftOut requires that messages left out of a component state that a run comes to are ignored from there on.
func (d *System) requireLeftOut(ctx context.Context, at lts.Vertex) error {
	canonical, err := d.canonical(ctx, at.Component, at.State)
	if err != nil || canonical == at.State {
		return err
	}
	waiting, _ := space.Inbox(d.actors.Nodes, at.State)
	for m := range waiting.Counts {
		a, err := d.ignores(ctx, at.Component, at.State, m)
		if err == nil && d.leavesOut(a) {
			d.ignored.leftOut[localMessage{d.actors.Nodes.Local(at.State), m}] = true
			err = d.require(ctx, at, m, a.handler())
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// addSuccessor adds an edge to the graph of local states.
func (d *System) addSuccessor(ctx context.Context, component uint32, from, to model.NodeID) error {
	if !d.mayLeaveOut(component, from) {
		return nil
	}
	g, local, next := d.ignored, d.actors.Nodes.Local(from), d.actors.Nodes.Local(to)
	if _, known := g.successors[local][next]; known || local == next || next == 0 {
		return nil
	}
	if g.successors[local] == nil {
		g.successors[local] = map[model.LocalID]lts.Vertex{}
	}
	g.successors[local][next] = lts.Vertex{Component: component, State: to}
	for m, handler := range g.required[local] {
		if err := d.requireIgnored(ctx, lts.Vertex{Component: component, State: to}, m, handler); err != nil {
			return err
		}
	}
	return nil
}

// requireIgnored compares a local state with a message that a handler ignored before. Perhaps no run comes there with the message. While
// the actor is down nothing can be done with it, so it only has to be ignored afterwards.
func (d *System) requireIgnored(ctx context.Context, at lts.Vertex, m model.MessageID, handler uint32) error {
	if d.ignored.required[d.actors.Nodes.Local(at.State)][m] != 0 {
		return nil
	}
	a, err := d.ignores(ctx, at.Component, at.State, m)
	if err != nil {
		return model.Doubted(err)
	}
	down := d.actors.Values.Actor(d.actors.Nodes.Local(at.State)).Down
	if !a.isIgnored() && !down {
		d.ignored.contrary[handler] = true
		return nil
	}
	return d.require(ctx, at, m, handler)
}

// require has a message that is ignored in a local state be ignored in all that come later, and in the same way in the local states
// that these become by permutations: a search with symmetry comes to one state of each orbit only.
func (d *System) require(ctx context.Context, at lts.Vertex, m model.MessageID, handler uint32) error {
	g, local := d.ignored, d.actors.Nodes.Local(at.State)
	if g.required[local][m] != 0 {
		return nil
	}
	if g.required[local] == nil {
		g.required[local] = map[model.MessageID]uint32{}
	}
	g.required[local][m] = handler
	if g.pairs++; len(d.permutations) > 0 && g.pairs > maxImages {
		g.contrary[handler] = true
		return nil
	}
	for _, next := range g.successors[local] {
		if err := d.requireIgnored(ctx, next, m, handler); err != nil {
			return err
		}
	}
	for _, p := range d.permutations {
		image, err := p.Image(at.Component, d.actors.Nodes.WithInbox(at.State, nil))
		if err != nil {
			return err
		}
		message, err := p.Message(m)
		if err != nil {
			return err
		}
		if err := d.require(ctx, lts.Vertex{Component: p.Component(at.Component), State: image}, message, handler); err != nil {
			return err
		}
	}
	return nil
}

// count counts the steps that consume messages left out. A handler that would consume it only in local states that come later
// counts as run once, although perhaps no run consumes it as late as that.
func (g *ignored) count(c *dbss.Counts) {
	for at := range g.leftOut {
		for _, by := range g.answers[at] {
			c.Internal++
			c.Count(by)
		}
	}
	for local, messages := range g.required {
		for m := range messages {
			for _, by := range g.answers[localMessage{local, m}] {
				if !c.Has(by) {
					g.late[by.Handler] = true
					c.Count(by)
				}
			}
		}
	}
}
