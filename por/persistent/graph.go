package persistent

import (
	"context"
	"slices"

	"harrier/internal/ds/pairs"
	"harrier/internal/model"
)

// graph is what the search saw of the components, and what that becomes by permutations.
type graph struct {
	nodes    []*vertex
	numbers  pairs.Map // (component state, 0) -> its node
	arrivals pairs.Map // (component state, label of another one) -> what it became
	creates  bool      // some step creates an actor of another component
	grown    bool      // since it was looked at last
	cycles   []uint32  // by node: which cycles of labels it lies on

	permuted int       // how many nodes have images
	fresh    []arrival // those that have none

	edges   [][]edge  // by node: those of labels first, as images have theirs at the same places
	open    []target  // edges of labels to component states that were not met yet
	arrived []arrival // those to component states that were not met yet
}

// A vertex is a component state that was met, or the image of one.
type vertex struct {
	component, id uint32
	arrivals      []uint32 // what it became by the messages of labels of others

	future uint32   // set of what may be sent from here on
	images []uint32 // the nodes that it becomes by permutations
	of     uint32   // the node that it is the image of
	by     int      // by this permutation; -1 if it was met
}

// An arrival is the component state that a node became by the messages of a label of another component.
type arrival struct{ at, to uint32 }

// An edge is a step or an arrival of a node.
type edge struct {
	to      uint32 // node
	met     bool   // the target has a vertex: where a run ends, none is asked for
	label   bool   // else it is an arrival
	sends   uint32 // set of messages
	records bool
}

// A target is where an edge of a label leads, by the node and the edge's place there: to a component state. For an image that is
// not known; it is the image of where the edge of the node leads that it is the image of.
type target struct{ from, place, to uint32 }

// meet makes a component state of a state that was met a node.
func (l *Labels) meet(ctx context.Context, s model.State, x uint32) error {
	if _, ok := l.graph.numbers.Get(x, 0); ok && l.states.Get(x) != nil {
		return nil
	}
	component := uint32(slices.Index(s[1:], x))
	if _, err := l.state(ctx, component, x); err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, ok := l.graph.numbers.Get(x, 0); !ok {
		l.graph.grown = true
		l.graph.add(&vertex{component: component, id: x, by: -1})
	}
	return nil
}

func (g *graph) add(n *vertex) uint32 {
	g.nodes = append(g.nodes, n)
	number := uint32(len(g.nodes) - 1)
	g.numbers.Put(n.id, 0, number)
	return number
}

// note notes what a label that is followed in a state sends to the components of the state.
func (l *Labels) note(ctx context.Context, s model.State, by label) {
	for _, a := range by.Sends {
		if x := s.At(a.Component + 1); x != 0 {
			if _, ok := l.graph.arrivals.Get(x, by.id); !ok {
				l.noteArrival(ctx, x, by, a.Component)
			}
		}
	}
	if by.Creates {
		l.mu.Lock()
		l.graph.grown = l.graph.grown || !l.graph.creates
		l.graph.creates = true
		l.mu.Unlock()
	}
}

// noteArrival notes what a component state becomes by all messages of a label to it. A label that does more than to send may be
// disabled by what is global.
func (l *Labels) noteArrival(ctx context.Context, x uint32, by label, component uint32) {
	to := x
	if !by.Alone {
		ctx = model.Speculate(ctx)
	}
	for _, a := range by.Sends {
		if a.Component != component {
			continue
		}
		var err error
		if to, err = l.of.Arrive(ctx, to, a.Message); err != nil {
			return // whoever takes the step says so
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	number, _ := l.graph.numbers.Get(x, 0)
	l.graph.arrivals.Put(x, by.id, to)
	l.graph.grown = l.graph.arrive(number, to) || l.graph.grown
}

// arrive notes what a node became, and reports whether that was not known.
func (g *graph) arrive(at, to uint32) bool {
	n := g.nodes[at]
	if slices.Contains(n.arrivals, to) {
		return false
	}
	n.arrivals = append(n.arrivals, to)
	g.fresh = append(g.fresh, arrival{at, to})
	g.arrived = append(g.arrived, arrival{at, to})
	return true
}

// Revise takes up what the search saw since it was called last, and reports whether labels that were persistent before are
// perhaps no longer. No worker may use l meanwhile.
func (l *Labels) Revise() bool {
	if l.unknown { // and stays so: all is followed
		return false
	}
	visible := l.of.Visible()
	same := visible.HistoryWithMore == l.visible.HistoryWithMore && slices.Equal(visible.Components, l.visible.Components)
	if same && !l.graph.grown {
		return false
	}
	l.visible, l.graph.grown = visible, false
	err := l.connect()
	l.unknown = l.graph.creates || err != nil
	if l.unknown || !same {
		l.persistent.Clear()
		l.relied = nil
	}
	if !l.unknown {
		l.graph.cycles, _ = l.graph.connected(func(e edge) bool { return e.label })
		l.foresee()
	}
	return true
}

// connect adds the edges of nodes and arrivals that are new, and takes those that were open to nodes that are new.
func (l *Labels) connect() error {
	if err := l.permute(); err != nil {
		return err
	}
	g := &l.graph
	for at := len(g.edges); at < len(g.nodes); at++ {
		if err := l.connectNode(uint32(at), g.nodes[at]); err != nil {
			return err
		}
	}
	g.open = slices.DeleteFunc(g.open, g.close)
	g.arrived = slices.DeleteFunc(g.arrived, func(a arrival) bool {
		to, ok := g.numbers.Get(a.to, 0)
		if ok {
			g.edges[a.at] = append(g.edges[a.at], edge{to: to, met: true})
		}
		return ok
	})
	return nil
}

// connectNode adds the edges of labels of a node, which are open.
func (l *Labels) connectNode(at uint32, n *vertex) error {
	g := &l.graph
	var edges []edge
	if n.by >= 0 {
		for _, e := range g.edges[n.of] {
			sends, err := l.permuteSet(n.by, e.sends)
			if err != nil {
				return err
			}
			edges = append(edges, edge{label: true, sends: sends, records: e.records})
			g.open = append(g.open, target{at, uint32(len(edges) - 1), 0})
		}
	} else {
		for _, t := range l.states.Get(n.id).labels {
			for _, to := range t.targets {
				edges = append(edges, edge{label: true, sends: t.sends, records: t.Records})
				g.open = append(g.open, target{at, uint32(len(edges) - 1), to})
			}
		}
	}
	g.edges = append(g.edges, edges)
	return nil
}

// close takes an edge to its target, and reports whether that is a node.
func (g *graph) close(t target) bool {
	e, n := &g.edges[t.from][t.place], g.nodes[t.from]
	if n.by < 0 {
		e.to, e.met = g.numbers.Get(t.to, 0)
	} else if of := g.edges[n.of][t.place]; of.met {
		e.to, e.met = g.nodes[of.to].images[n.by], true
	}
	return e.met
}

// isRecurrent reports whether a step from a component state to one of some targets lies on a cycle of labels.
func (g *graph) isRecurrent(x uint32, targets []uint32) bool {
	from, ok := g.numbers.Get(x, 0)
	if !ok || int(from) >= len(g.cycles) {
		return false
	}
	return slices.ContainsFunc(targets, func(t uint32) bool {
		to, ok := g.numbers.Get(t, 0)
		return ok && int(to) < len(g.cycles) && g.cycles[to] == g.cycles[from]
	})
}

// foresee works out what may be sent from each node on. What is sent on a cycle of a component is sent without bound.
func (l *Labels) foresee() {
	of, members := l.graph.connected(func(edge) bool { return true })
	futures := make([]uint32, len(members))
	adds := make([]bool, len(members))
	for c, nodes := range members {
		for _, from := range nodes {
			for _, e := range l.graph.edges[from] {
				sends := e.sends
				adds[c] = adds[c] || e.records
				switch {
				case !e.met:
				case of[e.to] == uint32(c):
					sends = l.sets.withoutBound(sends)
				default:
					adds[c] = adds[c] || adds[of[e.to]]
					sends = l.sets.plus(sends, futures[of[e.to]])
				}
				futures[c] = l.sets.max(futures[c], sends)
			}
		}
		for _, from := range nodes {
			l.takeFuture(l.graph.nodes[from], futures[c], adds[c])
		}
	}
}

// takeFuture notes what may be sent from a node on, and whether that may add to the history. Both only grow.
func (l *Labels) takeFuture(n *vertex, future uint32, adds bool) {
	if n.future != future {
		n.future = future
		for component, set := range l.sets.byComponent(future) {
			l.sent.Put(n.id, component, set)
		}
	}
	if adds {
		l.records.Put(n.id, 0, 1)
	}
}

// connected finds the strongly connected components of the graph with some of the edges: by node the number of the
// one that it is in, and the members of each. Those that can be reached from one have smaller numbers (Tarjan, Depth-first search
// and linear graph algorithms, 1972).
func (g *graph) connected(isIn func(edge) bool) (of []uint32, members [][]uint32) {
	const none = ^uint32(0)
	of = slices.Repeat([]uint32{none}, len(g.edges))
	index, low := make([]uint32, len(g.edges)), make([]uint32, len(g.edges))
	var stack []uint32
	next := uint32(0)
	var visit func(n uint32)
	visit = func(n uint32) {
		next++
		index[n], low[n] = next, next
		first := len(stack)
		stack = append(stack, n)
		for _, e := range g.edges[n] {
			switch {
			case !e.met || !isIn(e):
			case index[e.to] == 0:
				visit(e.to)
				low[n] = min(low[n], low[e.to])
			case of[e.to] == none:
				low[n] = min(low[n], index[e.to])
			}
		}
		if low[n] != index[n] {
			return
		}
		for _, m := range stack[first:] {
			of[m] = uint32(len(members))
		}
		members = append(members, slices.Clone(stack[first:]))
		stack = stack[:first]
	}
	for n := range g.edges {
		if index[n] == 0 {
			visit(uint32(n))
		}
	}
	return of, members
}
