package persistent

import (
	"context"
	"slices"

	"harrier/internal/pairs"
	"harrier/model"
)

// graph is what the search saw of the components.
type graph struct {
	nodes    []*node
	numbers  pairs.Map // (component state, 0) -> its node
	arrivals pairs.Map // (component state, label of another one) -> what it became
	creates  bool      // some step creates an actor of another component
	grown    bool      // since it was looked at last
	cycles   []uint32  // by node: which cycles of labels it lies on
}

// A node is a component state that was met.
type node struct {
	*state
	arrivals []uint32 // what it became by the messages of labels of others
}

// An edge is a step or an arrival of a node.
type edge struct {
	to    uint32 // node
	isMet bool   // there is one: none is asked for where a run ends
	label *label // nil for an arrival
}

// meet makes a component state of a state that was met a node.
func (l *Labels) meet(ctx context.Context, s model.State, x uint32) error {
	if _, ok := l.graph.numbers.Get(x, 0); ok {
		return nil
	}
	component := uint32(slices.Index(s[1:], x))
	l.mu.Lock()
	defer l.mu.Unlock()
	met, err := l.state(ctx, component, x)
	if err != nil {
		return err
	}
	if _, ok := l.graph.numbers.Get(x, 0); !ok {
		l.graph.grown = true
		l.graph.nodes = append(l.graph.nodes, &node{state: met})
		l.graph.numbers.Put(x, 0, uint32(len(l.graph.nodes)-1))
	}
	return nil
}

// note notes what a label that is followed in a state sends to the components of the state.
func (l *Labels) note(s model.State, by label) {
	for _, a := range by.Sends {
		if int(a.Component)+1 < len(s) && s[a.Component+1] != 0 {
			if _, ok := l.graph.arrivals.Get(s[a.Component+1], by.id); !ok {
				l.noteArrival(s[a.Component+1], by, a.Component)
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

// noteArrival notes what a component state becomes by all messages of a label to it.
func (l *Labels) noteArrival(x uint32, by label, component uint32) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, ok := l.graph.arrivals.Get(x, by.id); ok {
		return
	}
	to := x
	for _, a := range by.Sends {
		if a.Component != component {
			continue
		}
		var err error
		if to, err = l.of.Arrive(to, a.Message); err != nil {
			return // whoever takes the step says so
		}
	}
	number, _ := l.graph.numbers.Get(x, 0)
	n := l.graph.nodes[number]
	n.arrivals = append(n.arrivals, to)
	l.graph.arrivals.Put(x, by.id, to)
	l.graph.grown = true
}

// Revise takes up what the search saw since it was called last, and reports whether labels that were persistent before are perhaps no
// longer. No worker may use l meanwhile.
func (l *Labels) Revise() bool {
	visible := l.of.Visible()
	isSame := visible.HistoryWithMore == l.visible.HistoryWithMore && slices.Equal(visible.Components, l.visible.Components)
	if isSame && !l.graph.grown {
		return false
	}
	l.visible, l.creates, l.graph.grown = visible, l.graph.creates, false
	l.persistent.Clear()
	l.relied = nil
	edges := l.edges()
	l.graph.cycles, _ = connected(edges, func(e edge) bool { return e.label != nil })
	l.foresee(edges)
	return true
}

// edges are those of the nodes, by number.
func (l *Labels) edges() [][]edge {
	edges := make([][]edge, len(l.graph.nodes))
	for i, n := range l.graph.nodes {
		for _, a := range n.arrivals {
			if to, ok := l.graph.numbers.Get(a, 0); ok {
				edges[i] = append(edges[i], edge{to: to, isMet: true})
			}
		}
		for k := range n.labels {
			for _, target := range n.labels[k].targets {
				to, ok := l.graph.numbers.Get(target, 0)
				edges[i] = append(edges[i], edge{to: to, isMet: ok, label: &n.labels[k].label})
			}
		}
	}
	return edges
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
func (l *Labels) foresee(edges [][]edge) {
	l.sent.Clear()
	l.records.Clear()
	of, members := connected(edges, func(edge) bool { return true })
	futures := make([]uint32, len(members))
	adds := make([]bool, len(members))
	labels := map[*label]uint32{}
	for c, nodes := range members {
		for _, from := range nodes {
			for _, e := range edges[from] {
				sends := uint32(0)
				if e.label != nil {
					adds[c] = adds[c] || e.label.Records
					var ok bool
					if sends, ok = labels[e.label]; !ok {
						sends = l.sets.ofSends(e.label.Sends)
						labels[e.label] = sends
					}
				}
				switch {
				case !e.isMet:
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
			x := l.graph.nodes[from].id
			for component, set := range l.sets.byComponent(futures[c]) {
				l.sent.Put(x, component, set)
			}
			if adds[c] {
				l.records.Put(x, 0, 1)
			}
		}
	}
}

// connected finds the strongly connected components of a graph that has some of the edges: by node the number of the
// one that it is in, and the members of each. Those that can be reached from one have smaller numbers (Tarjan, Depth-first search
// and linear graph algorithms, 1972).
func connected(edges [][]edge, isIn func(edge) bool) (of []uint32, members [][]uint32) {
	const none = ^uint32(0)
	of = slices.Repeat([]uint32{none}, len(edges))
	index, low := make([]uint32, len(edges)), make([]uint32, len(edges))
	var stack []uint32
	next := uint32(0)
	var visit func(n uint32)
	visit = func(n uint32) {
		next++
		index[n], low[n] = next, next
		stack = append(stack, n)
		for _, e := range edges[n] {
			switch {
			case !e.isMet || !isIn(e):
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
		first := slices.Index(stack, n)
		for _, m := range stack[first:] {
			of[m] = uint32(len(members))
		}
		members = append(members, slices.Clone(stack[first:]))
		stack = stack[:first]
	}
	for n := range edges {
		if index[n] == 0 {
			visit(uint32(n))
		}
	}
	return of, members
}
