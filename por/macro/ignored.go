package macro

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"sync"

	"harrier/dbss"
	"harrier/internal/ds/pairs"
	"harrier/internal/model"
)

// A message is ignored in a local state if its actor may consume it, which changes nothing, and can do nothing else with it. What
// is ignored in all local states that come after it is dropped where that begins: consuming it is an internal step that is
// confluent with all others (tau-confluence: Groote, van de Pol, "State space reduction using partial τ-confluence", MFCS 2000).
//
// Which local states come after is known at the end of a search only, so the local states that do are held to it. If one does not
// ignore the message, the search begins again, and nothing is dropped any more that its handler takes (kept). docs/soundness.md
// has the proof.

// errNotIgnored says that a message was dropped that makes a difference later on.
var errNotIgnored = errors.New("a message that was dropped is not ignored")

// ignored remembers which messages are ignored.
type ignored struct {
	kept map[uint32]bool // handlers that take something that makes a difference later on
	keep map[uint32]bool // those of the next search: more of them if this one is to begin again

	settled pairs.Map // (node, 0) -> node without what is ignored from now on
	ran     pairs.Map // likewise, of nodes of runs

	mu      sync.Mutex // guards what follows, but not while Java is asked
	answers map[localMessage]answer
	after   map[model.LocalID]map[model.LocalID]model.NodeID // local states that come next, each with a node
	dropped map[model.LocalID]map[uint32]uint32              // messages dropped there or before, each with the handler that ignores it where it was
	met     map[localMessage]bool                            // those of these that were met together
}

// maxImages bounds what is known of messages in local states where actors are permuted: an orbit may be as large as the group. What
// a handler takes is kept where there would be more.
const maxImages = 100_000

type localMessage struct {
	local   model.LocalID
	message uint32
}

// An answer has the steps by which a message is ignored, which differ in their handlers; none if it is not.
type answer []model.Facts

func (a answer) isIgnored() bool { return len(a) > 0 }

// handler is one that ignores the message.
func (a answer) handler() uint32 { return a[0].Handler }

func newIgnored(kept map[uint32]bool) *ignored {
	return &ignored{kept: kept, keep: maps.Clone(kept), answers: map[localMessage]answer{},
		after: map[model.LocalID]map[model.LocalID]model.NodeID{}, dropped: map[model.LocalID]map[uint32]uint32{},
		met: map[localMessage]bool{}}
}

// settle is a component state without the messages that are ignored from now on, where it is that of one actor.
func (d *System) settle(ctx context.Context, component, state uint32) (uint32, error) {
	if state == 0 || state&isVector != 0 || d.isGrouped(component) || !d.actors.Nodes.TakesSingly(state) {
		return state, nil
	}
	if to, ok := d.ignored.settled.Get(state, 0); ok {
		return to, nil
	}
	d.ignored.mu.Lock()
	defer d.ignored.mu.Unlock()
	var rest []uint32
	for _, m := range d.actors.Nodes.Parts(state).Waiting {
		a, err := d.ignores(ctx, component, state, m)
		if err != nil {
			return 0, err
		}
		if !d.drops(a) {
			rest = append(rest, m)
		}
	}
	to := state
	if len(rest) < len(d.actors.Nodes.Parts(state).Waiting) {
		to = d.actors.Nodes.WithInbox(state, rest)
	}
	d.ignored.settled.Put(state, 0, to)
	return to, nil
}

// meet settles a component state of a run, and holds the local states that come after its own to what is dropped.
func (d *System) meet(ctx context.Context, component, state uint32) (uint32, error) {
	to, err := d.settle(ctx, component, state)
	if err != nil || to == state {
		return to, err
	}
	if _, ok := d.ignored.ran.Get(state, 0); ok {
		return to, nil
	}
	d.ignored.mu.Lock()
	defer d.ignored.mu.Unlock()
	for _, m := range d.actors.Nodes.Parts(state).Waiting {
		a, err := d.ignores(ctx, component, state, m)
		if d.drops(a) {
			d.ignored.met[localMessage{d.actors.Nodes.Local(state), m}] = true
			err = d.drop(ctx, component, state, m, a.handler())
		}
		if err != nil {
			return 0, err
		}
	}
	d.ignored.ran.Put(state, 0, to)
	return to, nil
}

// hold checks, for each step from a member of In of a component state of a run, that what was dropped before it makes no difference
// after it.
func (d *System) hold(ctx context.Context, in *inside) (failed error) {
	if in.held.Load() {
		return nil
	}
	for _, m := range in.members {
		for st := range d.steps(in.component, m.state) {
			if st.Failure != 0 {
				continue
			}
			followed := d.follow(ctx, in.component, m.state, st.Next)
			next, err := d.components.after(in.component, m.state, &st)
			if err == nil {
				_, err = d.meet(ahead(ctx, st.Facts), in.component, next)
			}
			failed = cmp.Or(failed, followed, err)
		}
	}
	in.held.Store(failed == nil)
	return failed
}

// count counts the steps that consume what was dropped where it was met. Of a handler that would consume it only in later local
// states it is not known whether it runs: count returns those that ignored such messages, which are to be kept to know.
func (g *ignored) count(c *dbss.Counts) (unsure []uint32) {
	for at := range g.met {
		for _, by := range g.answers[at] {
			c.Internal++
			c.Count(by)
		}
	}
	unknown := map[uint32]bool{} // messages
	for local, messages := range g.dropped {
		for m := range messages {
			unknown[m] = unknown[m] || slices.ContainsFunc(g.answers[localMessage{local, m}], func(by model.Facts) bool {
				return !c.Has(by)
			})
		}
	}
	for at := range g.met {
		if unknown[at.message] {
			unsure = append(unsure, g.answers[at].handler())
		}
	}
	return unsure
}

// afterSettled is what a component becomes by a step, settled.
func (d *System) afterSettled(ctx context.Context, component, state uint32, st *model.NodeStep) (uint32, error) {
	next, err := d.components.after(component, state, st)
	if err != nil || st.Failure != 0 {
		return next, err
	}
	return d.settle(ctx, component, next)
}

// drops reports whether a message is dropped where that is the answer.
func (d *System) drops(a answer) bool { return a.isIgnored() && !d.ignored.kept[a.handler()] }

// ignores reports whether a message is ignored in the local state of a node. Another worker may find it out at the same time. A
// pair that no run reaches may break a rule.
func (d *System) ignores(ctx context.Context, component uint32, n model.NodeID, m uint32) (answer, error) {
	key := localMessage{d.actors.Nodes.Local(n), m}
	if a, ok := d.ignored.answers[key]; ok {
		return a, nil
	}
	without, with := d.actors.Nodes.WithInbox(n, nil), d.actors.Nodes.WithInbox(n, []uint32{m})
	d.ignored.mu.Unlock() // others may find out the same meanwhile
	err := d.actors.Expand(ctx, slices.AppendSeq(slices.Collect(d.placed(component, without)), d.placed(component, with)))
	d.ignored.mu.Lock()
	if a, ok := d.ignored.answers[key]; ok {
		return a, nil
	}
	if err != nil && !model.IsOfStep(err) {
		return nil, err
	}
	var a answer
	if err == nil {
		if a, err = d.compare(component, without, with, m); err != nil {
			return a, err
		}
	}
	d.ignored.answers[key] = a
	return a, nil
}

// compare finds out whether what a message adds to the steps of a node are ways to consume it that change nothing.
func (d *System) compare(component uint32, without, with model.NodeID, m uint32) (a answer, err error) {
	for st := range d.steps(component, with) {
		if st.Fault == 0 && st.Next == without && len(st.Effects) == 0 && d.isInternal(component, &st) {
			a = append(a, st.Facts)
			continue
		}
		same := false
		for other := range d.steps(component, without) {
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

// drop notes that a message, which a handler ignores where it was dropped, is so in the local state of a node as well, and
// holds the local states after it to that: perhaps no run comes there with the message.
func (d *System) drop(ctx context.Context, component uint32, n model.NodeID, m, handler uint32) error {
	if d.ignored.dropped[d.actors.Nodes.Local(n)][m] != 0 {
		return nil
	}
	a, err := d.ignores(ctx, component, n, m)
	if err != nil {
		return err
	}
	if !a.isIgnored() {
		d.ignored.keep[handler] = true
		return errNotIgnored
	}
	return d.noteDrop(ctx, component, n, m, handler, a)
}

// noteDrop does so for the local states that the one of the node becomes by permutations, too. A run from there goes by
// images of what comes after local states that are met.
func (d *System) noteDrop(ctx context.Context, component uint32, n model.NodeID, m, handler uint32, a answer) (failed error) {
	local := d.actors.Nodes.Local(n)
	if d.ignored.dropped[local][m] != 0 {
		return nil
	}
	if d.ignored.dropped[local] == nil {
		d.ignored.dropped[local] = map[uint32]uint32{}
	}
	d.ignored.dropped[local][m] = handler
	for _, next := range d.ignored.after[local] {
		failed = cmp.Or(failed, d.drop(model.Speculate(ctx), component, next, m, handler))
	}
	if len(d.permutations) > 0 && len(d.ignored.answers) > maxImages {
		d.ignored.keep[handler] = true
		return errNotIgnored
	}
	for _, p := range d.permutations {
		to, err := p.state(component, d.actors.Nodes.WithInbox(n, nil))
		if err != nil {
			return err
		}
		message, err := p.Message(m)
		if err != nil {
			return err
		}
		d.ignored.answers[localMessage{d.actors.Nodes.Local(to), message}] = a
		failed = cmp.Or(failed, d.noteDrop(ctx, p.component(component), to, message, handler, a))
	}
	return failed
}

// follow notes that the local state of a node comes after that of another one.
func (d *System) follow(ctx context.Context, component uint32, from, to model.NodeID) (failed error) {
	if d.isGrouped(component) || !d.actors.Nodes.TakesSingly(from) {
		return nil
	}
	local, next := d.actors.Nodes.Local(from), d.actors.Nodes.Local(to)
	if local == next || next == 0 {
		return nil
	}
	d.ignored.mu.Lock()
	defer d.ignored.mu.Unlock()
	if _, ok := d.ignored.after[local][next]; ok {
		return nil
	}
	if d.ignored.after[local] == nil {
		d.ignored.after[local] = map[model.LocalID]model.NodeID{}
	}
	d.ignored.after[local][next] = to
	for m, handler := range d.ignored.dropped[local] {
		failed = cmp.Or(failed, d.drop(model.Speculate(ctx), component, to, m, handler))
	}
	return failed
}

// discards are the steps from a component state to what it is settled to.
func (d *System) discards(component, state uint32) ([]model.Transition, error) {
	end, err := d.settle(d.ctx, component, state)
	var path []model.Transition
	for err == nil && state != end {
		if err = d.actors.Expand(d.ctx, slices.Collect(d.placed(component, state))); err != nil {
			break
		}
		isDiscard := func(st model.NodeStep) bool {
			if st.Fault != 0 || len(st.Effects) > 0 || !d.isInternal(component, &st) ||
				d.actors.Nodes.Local(st.Next) != d.actors.Nodes.Local(state) {
				return false
			}
			rest := len(d.actors.Nodes.Parts(st.Next).Waiting)
			next, failed := d.settle(d.ctx, component, st.Next)
			return failed == nil && next == end && rest < len(d.actors.Nodes.Parts(state).Waiting)
		}
		steps := slices.Collect(d.steps(component, state))
		k := slices.IndexFunc(steps, isDiscard)
		if k < 0 {
			return nil, errors.New("a message that was dropped is not consumed")
		}
		path, state = append(path, steps[k].Transition), steps[k].Next
	}
	return path, err
}
