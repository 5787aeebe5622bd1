package lts

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"harrier/internal/ds/slab"
	"harrier/internal/model"
	"harrier/internal/model/space"
)

// A Next returns what a component state becomes by an edge, if the edge is internal.
type Next = func(ctx context.Context, v Vertex, e *Edge) (to uint32, isInternal bool, err error)

// In returns, for each of some component states, what it can become by internal edges: itself first, each other one found from an
// earlier one. The edges of a level are asked for at once, for all of them. The error is an EndlessError if there is no end,
// and a *model.UsageError where arrivals may disable internal steps.
func In(ctx context.Context, g *Graph, of []Vertex, next Next) ([][]uint32, error) {
	if err := g.actors.Program().RefuseDisplacing("--reduction macro", "--reduction off"); err != nil {
		return nil, err // an internal step is put off past arrivals
	}
	known := g.actors.LocalSteps.Stats().LocalStates
	walks := make([]*walk, len(of))
	for i, v := range of {
		walks[i] = &walk{g, v.Component, []uint32{v.State}, map[uint32]bool{v.State: true}, []uint32{0}, 0}
	}
	for {
		var level []Vertex
		for _, w := range walks {
			for _, m := range w.members[w.done:] {
				level = append(level, Vertex{w.component, m})
			}
		}
		if len(level) == 0 {
			break
		}
		if err := g.Expand(ctx, level...); err != nil {
			return nil, err
		}
		for _, w := range walks {
			if err := w.advance(ctx, next, known); err != nil {
				return nil, err
			}
		}
	}
	all := make([][]uint32, len(of))
	for i, w := range walks {
		all[i] = slices.Clip(w.members)
	}
	return all, nil
}

// A walk finds In of a component state, breadth-first.
type walk struct {
	*Graph
	component uint32
	members   []uint32
	has       map[uint32]bool // members
	from      []uint32        // by member: the number of the member that it was found from
	done      int             // members whose edges were taken
}

// advance takes the internal edges of the members that were expanded.
func (w *walk) advance(ctx context.Context, next Next, known uint64) error {
	for end := len(w.members); w.done < end; w.done++ {
		if ctx.Err() != nil { // what a component can become by itself may be much, and need no questions
			return context.Cause(ctx)
		}
		from := w.members[w.done]
		for e := range w.Out(w.component, from) {
			to, isInternal, err := next(ctx, Vertex{w.component, from}, &e)
			if err != nil {
				return err
			}
			if !isInternal || w.has[to] {
				continue
			}
			w.has[to] = true
			w.members, w.from = append(w.members, to), append(w.from, uint32(w.done))
			isDoubled := len(w.members) > mostLocals && len(w.members)&(len(w.members)-1) == 0
			if len(e.Effects) > 0 && w.repeats() || isDoubled && w.mostChanges() > mostLocals+2*known {
				return EndlessError(w.component)
			}
		}
	}
	return nil
}

// mostLocals is how many local states a component may have in In of one of its states while it consumes none of the messages that
// it has there, if few are known, before it is taken to become new ones without end. A step of a library may take half a
// millisecond.
const mostLocals = 1 << 10

// EndlessError is the error of a search in which a component becomes new states without end by itself.
type EndlessError uint32

func (e EndlessError) Error() string {
	return fmt.Sprintf("component %d becomes new states without end", uint32(e))
}

// AddTo returns some endless components with that of the error. The map is a new one.
func (e EndlessError) AddTo(components map[uint32]bool) map[uint32]bool {
	all := map[uint32]bool{uint32(e): true}
	maps.Copy(all, components)
	return all
}

// mostChanges is the most local states that members of a walk have that have the same of the first member's messages left. These
// are few, so there are infinitely many such members where In is infinite.
func (w *walk) mostChanges() (most uint64) {
	type change struct {
		left  string
		local model.LocalID
	}
	first := slices.Collect(w.placed(w.component, w.members[0]))
	known, changes := map[change]bool{}, map[string]uint64{}
	for _, m := range w.members {
		var ids []uint32
		for n := range w.placed(w.component, m) {
			if i := slices.IndexFunc(first, func(f space.Placed) bool { return f.Position == n.Position }); i >= 0 {
				x, y := w.actors.Nodes.Parts(first[i].Node), w.actors.Nodes.Parts(n.Node)
				ids = append(append(ids, 0), common(slices.Concat(x.Waiting, x.Delivered), slices.Concat(y.Waiting, y.Delivered))...)
			}
		}
		left := slab.Key(ids...)
		for n := range w.placed(w.component, m) {
			if c := (change{left, w.actors.Nodes.Local(n.Node)}); !known[c] {
				known[c] = true
				changes[left]++
				most = max(most, changes[left])
			}
		}
	}
	return most
}

// repeats reports whether the last member of a walk has the local states of one that it was found from, and more messages: then
// the steps between them can be repeated for ever (Karp, Miller: Parallel program schemata, 1969), but perhaps where messages are
// in queues. Where infinitely many members have finitely many local states, there is such a one after a step that adds messages
// (Dickson's lemma; Higman's for queues).
func (w *walk) repeats() bool {
	last := uint32(len(w.members) - 1)
	for k := w.from[last]; ; k = w.from[k] {
		if w.HasMore(w.component, w.members[last], w.members[k]) {
			return true
		}
		if k == 0 {
			return false
		}
	}
}

// HasMore reports whether a component state has the local states and the messages of another one, and more messages, so that it
// is taken to get more again.
func (g *Graph) HasMore(component, state, than uint32) bool {
	more := slices.Collect(g.placed(component, state))
	less := slices.Collect(g.placed(component, than))
	if len(more) != len(less) {
		return false
	}
	grows := false
	for i, n := range less {
		if n.Position != more[i].Position || !g.mayHaveMore(more[i].Node, n.Node) {
			return false
		}
		x, y := g.actors.Nodes.Parts(n.Node), g.actors.Nodes.Parts(more[i].Node)
		switch {
		case !includes(y.Delivered, x.Delivered) || !includes(y.Waiting, x.Waiting):
			return false
		case len(y.Waiting) > len(x.Waiting):
			if !g.growsForEver(n.Position, len(x.Waiting), len(y.Waiting)) {
				return false
			}
			grows = true
		}
		grows = grows || len(y.Delivered) > len(x.Delivered)
	}
	return grows
}

// mayHaveMore reports whether a node has the local state of another one and no fewer messages.
func (g *Graph) mayHaveMore(n, than model.NodeID) bool {
	nodes := g.actors.Nodes
	waiting, delivered := space.Inbox(nodes, n)
	fewer, fewerDelivered := space.Inbox(nodes, than)
	return nodes.Local(n) == nodes.Local(than) && waiting.Len() >= fewer.Len() && delivered.Len() >= fewerDelivered.Len()
}

// growsForEver reports whether an inbox that became larger is taken to do so again: a set has an end, and a queue has to be more
// than twice as long.
func (g *Graph) growsForEver(position uint32, before, after int) bool {
	channel := g.actors.Program().Channel(g.actors.Values.PositionName(int(position)))
	return !channel.IsBounded() && (!channel.KeepsOrder() || after > 2*before+8)
}

// common are the elements of one multiset that are in another one, too.
func common(of, in []model.MessageID) (both []model.MessageID) {
	left := map[model.MessageID]int{}
	for _, m := range in {
		left[m]++
	}
	for _, m := range of {
		if left[m] > 0 {
			both = append(both, m)
			left[m]--
		}
	}
	return both
}

// includes reports whether a multiset has the elements of another one.
func includes(all, some []model.MessageID) bool { return len(common(some, all)) == len(some) }
