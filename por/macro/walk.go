package macro

import (
	"context"
	"fmt"
	"slices"

	"harrier/internal/ds/slab"
	"harrier/internal/lts"
	"harrier/internal/model"
)

// A walk finds In of a component state, breadth-first.
type walk struct {
	*inside
	numbers map[uint32]uint32 // of members
	from    []uint32          // by member: the one that it was found from
	done    int               // members whose steps were followed
}

// grow finds the members of insides, and asks for the steps of each level of all of them at once.
func (d *System) grow(ctx context.Context, insides []*inside) error {
	known := d.actors.LocalSteps.Stats().LocalStates
	walks := make([]*walk, len(insides))
	for i, in := range insides {
		walks[i] = &walk{in, map[uint32]uint32{in.members[0]: 0}, []uint32{0}, 0}
	}
	for {
		var level []lts.Vertex
		for _, w := range walks {
			for _, m := range w.members[w.done:] {
				level = append(level, lts.Vertex{Component: w.component, State: m})
			}
		}
		if len(level) == 0 {
			break
		}
		if ctx.Err() != nil { // what a component can become by itself may be much, and need no questions
			return context.Cause(ctx)
		}
		if err := d.Graph.Expand(ctx, level...); err != nil {
			return err
		}
		for _, w := range walks {
			if err := d.follow(ctx, w, known); err != nil {
				return err
			}
		}
	}
	for _, in := range insides {
		in.members = slices.Clip(in.members)
		d.finish(in)
	}
	return nil
}

// follow takes the internal steps of the members of a walk whose steps were asked for.
func (d *System) follow(ctx context.Context, w *walk, known uint64) error {
	for end := len(w.members); w.done < end; w.done++ {
		from := w.members[w.done]
		for st := range d.Graph.Out(w.component, from) {
			if !d.isInternal(w.component, &st) {
				continue
			}
			next, err := d.canonicalAfter(ctx, w.component, from, &st)
			if err != nil {
				return err
			}
			if _, isMember := w.numbers[next]; isMember {
				continue
			}
			w.numbers[next] = uint32(len(w.members))
			w.members, w.from = append(w.members, next), append(w.from, uint32(w.done))
			isDoubled := len(w.members) > mostLocals && len(w.members)&(len(w.members)-1) == 0
			mayAdd := len(st.Effects) > 0 || st.Fault != 0 // messages
			if mayAdd && d.repeats(w) || isDoubled && d.mostChanges(w) > mostLocals+2*known {
				return endlessError(w.component)
			}
		}
	}
	return nil
}

// mostLocals is how many local states a component may have in In of one of its states while it consumes none of the messages that it
// has there, if few are known, before it is taken to become new ones without end. A step of a library may take half a millisecond.
const mostLocals = 1 << 10

// endlessError is the error of a search in which a component becomes new states without end by itself.
type endlessError uint32

func (e endlessError) Error() string {
	return fmt.Sprintf("component %d becomes new states without end", uint32(e))
}

// mostChanges is the most local states that members of a walk have that have the same of the first member's messages left. These are
// few, so there are infinitely many such members where In is infinite.
func (d *System) mostChanges(w *walk) (most uint64) {
	type change struct {
		left  string
		local model.LocalID
	}
	first := slices.Collect(d.Graph.Placed(w.component, w.members[0]))
	known, changes := map[change]bool{}, map[string]uint64{}
	for _, m := range w.members {
		var ids []uint32
		for n := range d.Graph.Placed(w.component, m) {
			if i := slices.IndexFunc(first, func(f model.Placed) bool { return f.Position == n.Position }); i >= 0 {
				x, y := d.actors.Nodes.Parts(first[i].Node), d.actors.Nodes.Parts(n.Node)
				ids = append(append(ids, 0), common(slices.Concat(x.Waiting, x.Delivered), slices.Concat(y.Waiting, y.Delivered))...)
			}
		}
		left := slab.Key(ids...)
		for n := range d.Graph.Placed(w.component, m) {
			if c := (change{left, d.actors.Nodes.Local(n.Node)}); !known[c] {
				known[c] = true
				changes[left]++
				most = max(most, changes[left])
			}
		}
	}
	return most
}

// repeats reports whether the last member of a walk has the local states of one that it was found from, and more messages: then the
// steps between them can be repeated for ever (Karp, Miller: Parallel program schemata, 1969), but perhaps where messages are in
// queues. Where infinitely many members have finitely many local states, there is such a one after a step that adds messages (Dickson's
// lemma; Higman's for queues).
func (d *System) repeats(w *walk) bool {
	last := uint32(len(w.members) - 1)
	for k := w.from[last]; ; k = w.from[k] {
		if d.hasMore(w.component, w.members[last], w.members[k]) {
			return true
		}
		if k == 0 {
			return false
		}
	}
}

// hasMore reports whether a component state has the local states and the messages of another one, and more messages, so that it is
// taken to get more again.
func (d *System) hasMore(component, state, than uint32) bool {
	more := slices.Collect(d.Graph.Placed(component, state))
	less := slices.Collect(d.Graph.Placed(component, than))
	if len(more) != len(less) {
		return false
	}
	grows := false
	for i, n := range less {
		x, y := d.actors.Nodes.Parts(n.Node), d.actors.Nodes.Parts(more[i].Node)
		switch {
		case n.Position != more[i].Position || x.Local != y.Local || !includes(y.Delivered, x.Delivered) || !includes(y.Waiting, x.Waiting):
			return false
		case len(y.Waiting) > len(x.Waiting):
			if !d.growsForEver(n.Position, len(x.Waiting), len(y.Waiting)) {
				return false
			}
			grows = true
		}
		grows = grows || len(y.Delivered) > len(x.Delivered)
	}
	return grows
}

// growsForEver reports whether an inbox that became larger is taken to do so again: a set has an end, and a queue has to be more than
// twice as long.
func (d *System) growsForEver(position uint32, before, after int) bool {
	program, name := d.actors.Program(), d.actors.Values.PositionName(int(position))
	return !program.Repeats(name) && (!program.InOrder(name) || after > 2*before+8)
}

// common are the elements of one multiset that are in another one, too.
func common(of, in []model.MessageID) (both []model.MessageID) {
	rest := slices.Clone(in)
	for _, m := range of {
		if i := slices.Index(rest, m); i >= 0 {
			both, rest = append(both, m), slices.Delete(rest, i, i+1)
		}
	}
	return both
}

// includes reports whether a multiset has the elements of another one.
func includes(all, some []model.MessageID) bool { return len(common(some, all)) == len(some) }
