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
	walks := make([]*walk, len(of))
	for i, v := range of {
		walks[i] = newWalk(g, v.Component)
		walks[i].add(v.State, 0)
	}
	if err := advanceAll(ctx, g, walks, next); err != nil {
		return nil, err
	}
	all := make([][]uint32, len(of))
	for i, w := range walks {
		all[i] = slices.Clip(w.members)
	}
	return all, nil
}

// A Region is some states of a component with their internal edges.
type Region struct {
	Component uint32
	States    []uint32
	Next      [][]uint32 // by place in States: the component states that internal edges lead to, each once
}

// Unknown returns what some component states can become by internal edges, without the states that are known, by component. All that a
// known state can become is known. Errors are as those of In.
func Unknown(ctx context.Context, g *Graph, of []Vertex, next Next, isKnown func(state uint32) bool) ([]Region, error) {
	var walks []*walk
	for _, v := range of {
		if isKnown(v.State) {
			continue
		}
		i := slices.IndexFunc(walks, func(w *walk) bool { return w.component == v.Component })
		if i < 0 {
			i = len(walks)
			walks = append(walks, newWalk(g, v.Component))
			walks[i].isKnown = isKnown
		}
		if w := walks[i]; !w.has[v.State] {
			w.add(v.State, uint32(len(w.members)))
		}
	}
	if err := advanceAll(ctx, g, walks, next); err != nil {
		return nil, err
	}
	regions := make([]Region, len(walks))
	for i, w := range walks {
		regions[i] = Region{w.component, w.members, w.next}
	}
	return regions, nil
}

// advanceAll has walks find all their members.
func advanceAll(ctx context.Context, g *Graph, walks []*walk, next Next) error {
	if err := g.actors.Program().RefuseDisplacing("--reduction macro", "--reduction off"); err != nil {
		return err // an internal step is put off past arrivals
	}
	known := g.actors.LocalSteps.Stats().LocalStates
	for {
		var level []Vertex
		for _, w := range walks {
			for _, m := range w.members[w.done:] {
				level = append(level, Vertex{w.component, m})
			}
		}
		if len(level) == 0 {
			return nil
		}
		if err := g.Expand(ctx, level...); err != nil {
			return err
		}
		for _, w := range walks {
			if err := w.advance(ctx, next, known); err != nil {
				return err
			}
		}
	}
}

// A walk finds what states of a component can become, breadth-first.
type walk struct {
	*Graph
	component uint32
	isKnown   func(state uint32) bool // reports where the walk ends; nil if nowhere, and then next is left out
	members   []uint32
	has       map[uint32]bool // members
	from      []uint32        // by member: the number of the member that it was found from, its own if the walk began there
	next      [][]uint32      // by member
	done      int             // members whose edges were taken
}

func newWalk(g *Graph, component uint32) *walk {
	return &walk{Graph: g, component: component, has: map[uint32]bool{}}
}

func (w *walk) add(state, from uint32) {
	w.has[state] = true
	w.members, w.from = append(w.members, state), append(w.from, from)
}

// advance takes the internal edges of the members that were expanded.
func (w *walk) advance(ctx context.Context, next Next, known uint64) error {
	for end := len(w.members); w.done < end; w.done++ {
		if ctx.Err() != nil { // what a component can become by itself may be much, and need no questions
			return context.Cause(ctx)
		}
		from := w.members[w.done]
		var all []uint32
		for e := range w.Out(w.component, from) {
			to, isInternal, err := next(ctx, Vertex{w.component, from}, &e)
			if err != nil {
				return err
			}
			if !isInternal {
				continue
			}
			if w.isKnown != nil && to != from && !slices.Contains(all, to) {
				all = append(all, to)
			}
			if w.has[to] || w.isKnown != nil && w.isKnown(to) {
				continue
			}
			w.add(to, uint32(w.done))
			isDoubled := len(w.members) > mostLocals && len(w.members)&(len(w.members)-1) == 0
			if len(e.Effects) > 0 && w.repeats() || isDoubled && w.mostChanges() > mostLocals+2*known {
				return EndlessError(w.component)
			}
		}
		if w.isKnown != nil {
			w.next = append(w.next, all)
		}
	}
	return nil
}

// mostLocals is how many local states a component may have in In of one of its states while it consumes none of the messages that
// it has there, if few are known, before it is taken to become new ones without end. A step of a library may take half a
// millisecond.
const mostLocals = 1 << 10

// EndlessError is the error of a search in which a component becomes new states without end by itself, or so many that they are as good as that.
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

// mostChanges is the most local states that members of a walk have that were found from the same first member, and have the same of its
// messages left. These are few, so there are infinitely many such members where what a member can become is infinite.
func (w *walk) mostChanges() (most uint64) {
	type change struct {
		left  string
		local model.LocalID
	}
	first := make([]uint32, len(w.members)) // by member: the number of the first one, from which it was found
	placed := map[uint32][]space.Placed{}   // nodes of the first members
	known, changes := map[change]bool{}, map[string]uint64{}
	for i, m := range w.members {
		if first[i] = uint32(i); w.from[i] != uint32(i) {
			first[i] = first[w.from[i]]
		} else {
			placed[first[i]] = slices.Collect(w.placed(w.component, m))
		}
		before := placed[first[i]]
		ids := []uint32{first[i]}
		for n := range w.placed(w.component, m) {
			if i := slices.IndexFunc(before, func(f space.Placed) bool { return f.Position == n.Position }); i >= 0 {
				x, y := w.actors.Nodes.Parts(before[i].Node), w.actors.Nodes.Parts(n.Node)
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
		if k == w.from[k] {
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
