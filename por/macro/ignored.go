package macro

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"

	"harrier/dbss"
	"harrier/internal/ds/pairs"
	"harrier/internal/lts"
	"harrier/internal/model"
)

// A message is ignored in a local state if its actor may consume it, which changes nothing, and can do nothing else with it. A
// component state is canonical if its inbox has no message that is ignored in its local state, but for those that excluded handlers
// take: consuming what is ignored is an internal step that is confluent with all others (tau-confluence: Groote, van de Pol,
// "State space reduction using partial τ-confluence", MFCS 2000).
//
// That rests on successors: local states that come later have to ignore the message as well. verify compares them, between
// transitions, on the graph of local states that the search has seen. If one does not, the search begins again, and the handler that
// ignored the message first is excluded. docs/soundness.md has the proof.

// errNotIgnored is the error of a search that left out a message that makes a difference later on.
var errNotIgnored = errors.New("a message that was left out is not ignored later on")

// ignored remembers which messages are ignored. Which component states are canonical depends on excluded and on the program alone.
type ignored struct {
	excluded map[uint32]bool // handlers whose messages stay in inboxes

	canonical pairs.Map // (component state, 0) -> the canonical one in its place
	arrived   pairs.Map // (component state, 0) -> 1, for those that are not canonical and that an arrival led to

	mu       sync.Mutex // guards what follows, but not while Java is asked
	answers  map[localMessage]answer
	reached  []*inside    // of macro states that were reached
	arrivals []lts.Vertex // those of arrived

	verifying  sync.Mutex // guards what follows
	contrary   map[uint32]bool
	verified   int                                            // how many of reached were compared
	successors map[model.LocalID]map[model.LocalID]lts.Vertex // local states that come next, each in a component state
	required   map[model.LocalID]map[model.MessageID]uint32   // messages that have to be ignored, each with the handler that ignored it first
	pairs      int                                            // in required
	late       map[uint32]bool                                // handlers that count as run although perhaps none did
	leftOut    map[localMessage]bool                          // messages that were left out of component states that runs come to
}

// maxImages bounds required where actors are permuted, as an orbit may be as large as the group. Handlers that would need more are
// excluded.
const maxImages = 100_000

type localMessage struct {
	local   model.LocalID
	message model.MessageID
}

// An answer has the steps by which a message is ignored, which differ in their handlers; none if it is not.
type answer []model.Facts

func (a answer) isIgnored() bool { return len(a) > 0 }

// handler is one that ignores the message.
func (a answer) handler() uint32 { return a[0].Handler }

func newIgnored(excluded map[uint32]bool) *ignored {
	return &ignored{
		excluded: excluded, contrary: map[uint32]bool{}, answers: map[localMessage]answer{},
		successors: map[model.LocalID]map[model.LocalID]lts.Vertex{}, required: map[model.LocalID]map[model.MessageID]uint32{},
		leftOut: map[localMessage]bool{}, late: map[uint32]bool{},
	}
}

// mayLeaveOut reports whether messages may be left out of a component state: what its actor, which is the component, may do with one
// depends on the local state alone.
func (d *System) mayLeaveOut(component, state uint32) bool {
	return state != 0 && !d.Graph.IsGrouped(component) && d.actors.Nodes.TakesSingly(state)
}

// canonical returns the canonical component state in place of another one.
func (d *System) canonical(ctx context.Context, component, state uint32) (uint32, error) {
	if !d.mayLeaveOut(component, state) {
		return state, nil
	}
	if to, ok := d.ignored.canonical.Get(state, 0); ok {
		return to, nil
	}
	var rest []model.MessageID
	waiting := d.actors.Nodes.Parts(state).Waiting
	for _, m := range waiting {
		a, err := d.ignores(ctx, component, state, m)
		if err != nil {
			return 0, err
		}
		if !d.leavesOut(a) {
			rest = append(rest, m)
		}
	}
	to := state
	if len(rest) < len(waiting) {
		to = d.actors.Nodes.WithInbox(state, rest)
	}
	d.ignored.canonical.Put(state, 0, to)
	return to, nil
}

// leavesOut reports whether a message is left out where that is the answer.
func (d *System) leavesOut(a answer) bool { return a.isIgnored() && !d.ignored.excluded[a.handler()] }

// canonicalAfter returns what a component becomes by a step, canonical.
func (d *System) canonicalAfter(ctx context.Context, component, state uint32, st *lts.Edge) (uint32, error) {
	next, err := d.Graph.After(component, state, st)
	if err != nil || st.Failure != 0 {
		return next, err
	}
	return d.canonical(ctx, component, next)
}

// canonicalArrival returns what the component state at a spot becomes by an effect of another component, canonical.
func (d *System) canonicalArrival(state uint32, to lts.Spot, e model.Effect) (uint32, error) {
	next, err := d.Graph.Arrive(state, to, e)
	if err != nil {
		return 0, err
	}
	canonical, err := d.canonical(d.ctx, to.Component, next)
	if _, known := d.ignored.arrived.Get(next, 0); canonical != next && !known && err == nil {
		d.ignored.arrived.Put(next, 0, 1)
		d.ignored.mu.Lock()
		d.ignored.arrivals = append(d.ignored.arrivals, lts.Vertex{Component: to.Component, State: next})
		d.ignored.mu.Unlock()
	}
	return canonical, err
}

// ignores reports whether a message is ignored in the local state of a node. Another worker may find it out at the same time. A
// pair that no run reaches may break a rule.
func (d *System) ignores(ctx context.Context, component uint32, n model.NodeID, m model.MessageID) (answer, error) {
	g, key := d.ignored, localMessage{d.actors.Nodes.Local(n), m}
	g.mu.Lock()
	a, known := g.answers[key]
	g.mu.Unlock()
	if known {
		return a, nil
	}
	without, with := d.actors.Nodes.WithInbox(n, nil), d.actors.Nodes.WithInbox(n, []model.MessageID{m})
	err := d.Graph.Expand(ctx, lts.Vertex{Component: component, State: without}, lts.Vertex{Component: component, State: with})
	switch {
	case err == nil:
		if a, err = d.compare(component, without, with, m); err != nil {
			return nil, err
		}
	case !model.IsOfStep(err):
		return nil, err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.answers[key] = a
	return a, nil
}

// compare returns the steps that a message adds to those of a node, if all of them consume it and change nothing.
func (d *System) compare(component uint32, without, with model.NodeID, m model.MessageID) (a answer, err error) {
	for st := range d.Graph.Out(component, with) {
		if st.Fault == 0 && st.Next == without && len(st.Effects) == 0 && d.isInternal(component, &st) {
			a = append(a, st.Facts)
			continue
		}
		same := false
		for other := range d.Graph.Out(component, without) {
			next, err := d.actors.Nodes.Arrive(other.Next, model.Effect{Message: m})
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

// verify compares what the search has seen since it was called last with what was left out before. The error is errNotIgnored if
// something makes a difference. It may be called while workers search.
func (d *System) verify(ctx context.Context) error {
	g := d.ignored
	g.verifying.Lock()
	defer g.verifying.Unlock()
	g.mu.Lock()
	reached, arrivals := g.reached[g.verified:], g.arrivals
	g.verified, g.arrivals = len(g.reached), nil
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

// verifyInside does so for the steps of the members of In of a component state that a run comes to.
func (d *System) verifyInside(ctx context.Context, in *inside) error {
	for _, m := range in.members {
		for st := range d.Graph.Out(in.component, m) {
			if st.Failure != 0 {
				continue
			}
			if err := d.addSuccessor(ctx, in.component, m, st.Next); err != nil {
				return err
			}
			next, err := d.Graph.After(in.component, m, &st)
			if err == nil {
				err = d.requireLeftOut(ahead(ctx, st.Facts), lts.Vertex{Component: in.component, State: next})
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// requireLeftOut has what is left out of a component state that a run comes to be ignored from there on.
func (d *System) requireLeftOut(ctx context.Context, at lts.Vertex) error {
	canonical, err := d.canonical(ctx, at.Component, at.State)
	if err != nil || canonical == at.State {
		return err
	}
	for _, m := range d.actors.Nodes.Parts(at.State).Waiting {
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

// requireIgnored compares a local state with a message that a handler ignored before. Perhaps no run comes there with the message.
func (d *System) requireIgnored(ctx context.Context, at lts.Vertex, m model.MessageID, handler uint32) error {
	if d.ignored.required[d.actors.Nodes.Local(at.State)][m] != 0 {
		return nil
	}
	a, err := d.ignores(model.Speculate(ctx), at.Component, at.State, m)
	if err != nil {
		return err
	}
	if !a.isIgnored() {
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

// count counts the steps that consume what was left out. A handler that would consume it only in local states that come later
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

// next is what a search that begins again excludes.
func (g *ignored) next() map[uint32]bool {
	next := maps.Clone(g.excluded)
	maps.Copy(next, g.contrary)
	return next
}

// discards are the steps from a component state to the canonical one in its place.
func (d *System) discards(component, state uint32) ([]model.Transition, error) {
	end, err := d.canonical(d.ctx, component, state)
	var path []model.Transition
	for err == nil && state != end {
		if err = d.Graph.Expand(d.ctx, lts.Vertex{Component: component, State: state}); err != nil {
			break
		}
		isDiscard := func(st lts.Edge) bool {
			if st.Fault != 0 || len(st.Effects) > 0 || !d.isInternal(component, &st) ||
				d.actors.Nodes.Local(st.Next) != d.actors.Nodes.Local(state) {
				return false
			}
			rest := len(d.actors.Nodes.Parts(st.Next).Waiting)
			next, failed := d.canonical(d.ctx, component, st.Next)
			return failed == nil && next == end && rest < len(d.actors.Nodes.Parts(state).Waiting)
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
