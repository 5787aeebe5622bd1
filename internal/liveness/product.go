package liveness

import (
	"context"
	"iter"
	"slices"

	"harrier/internal/liveness/ltl"
	"harrier/internal/lts"
)

// A product runs an automaton along the runs of a graph. A vertex is a state of both, by number.
type product struct {
	*graph
	automaton *ltl.Automaton
}

// A move is an edge of the product: a step, or none where the state is repeated.
type move struct {
	edge
	to int    // vertex
	in uint32 // the acceptance sets of the automaton's edge
}

// divide is the state of the graph and that of the automaton in a vertex.
func (p *product) divide(v int) (number, state int) {
	n := len(p.automaton.Edges)
	return v / n, v % n
}

// size is how many vertices there may be.
func (p *product) size() int { return p.explored * len(p.automaton.Edges) }

// moves calls found for each edge of a vertex to one whose state was explored.
func (p *product) moves(ctx context.Context, v int, found func(move)) error {
	number, state := p.divide(v)
	all := p.automaton.Edges[state]
	for i := range all {
		if all[i].Reads(p.labels[number]) {
			found(move{edge{to: number}, number*len(p.automaton.Edges) + all[i].To, all[i].In})
		}
	}
	return p.follow(ctx, number, func(e edge) bool {
		for i := range all {
			if e.to < p.explored && all[i].Reads(p.labels[number]) {
				found(move{e, e.to*len(p.automaton.Edges) + all[i].To, all[i].In})
			}
		}
		return true
	})
}

// mayAccept reports whether a single vertex may be a part that the automaton accepts.
func (p *product) mayAccept(v int) bool {
	number, state := p.divide(v)
	in, loops := uint32(0), false
	for _, e := range p.automaton.Edges[state] {
		if e.To == state && e.Reads(p.labels[number]) {
			in, loops = in|e.In, true
		}
	}
	return loops && p.automaton.IsEvery(in)
}

// A part is vertices of the product that lead to each other.
type part struct {
	vertices []int    // ascending
	frames   []uint32 // by place: the permutation into the frame of the first vertex
	// still are, by place, components whose steps are left out, in the frame of the vertex. It is nil if there are none.
	still [][]uint32
	// movers are components that take steps in the part, or come into the place of one that does, in the frame of the first vertex.
	movers []uint32
}

// place is where a vertex is in the part.
func (c *part) place(v int) (place int, ok bool) { return slices.BinarySearch(c.vertices, v) }

// has reports whether the part has an edge of the vertex at a place, and where it leads.
func (c *part) has(place int, m move) (to int, ok bool) {
	if m.step != nil && c.still != nil && slices.Contains(c.still[place], m.component) {
		return 0, false
	}
	return c.place(m.to)
}

// find returns a fair part that the initial state leads to, nil if there is none among the states that were explored.
func (p *product) find(ctx context.Context) (*part, error) {
	if p.size() == 0 {
		return nil, nil
	}
	var failed error
	next := func(v int) iter.Seq[int] {
		return func(yield func(int) bool) {
			if failed == nil && ctx.Err() != nil {
				failed = context.Cause(ctx)
			}
			if failed == nil {
				failed = p.moves(ctx, v, func(m move) { yield(m.to) })
			}
		}
	}
	for vertices := range lts.EachPart(p.size(), slices.Values([]int{0}), next) {
		if failed != nil {
			return nil, failed
		}
		if len(vertices) == 1 && !p.mayAccept(vertices[0]) {
			continue
		}
		found, err := p.fair(ctx, &part{vertices: slices.Sorted(slices.Values(vertices))})
		if found != nil || err != nil {
			return found, err
		}
	}
	return nil, failed
}

// split returns a fair part of what is left of a part without the steps of some components; nil if there is none.
func (p *product) split(ctx context.Context, c *part) (*part, error) {
	var failed error
	next := func(place int) iter.Seq[int] {
		return func(yield func(int) bool) {
			if failed == nil {
				failed = p.moves(ctx, c.vertices[place], func(m move) {
					if to, ok := c.has(place, m); ok {
						yield(to)
					}
				})
			}
		}
	}
	all := func(yield func(int) bool) {
		for place := 0; place < len(c.vertices) && yield(place); place++ {
		}
	}
	for places := range lts.EachPart(len(c.vertices), all, next) {
		if failed != nil {
			return nil, failed
		}
		slices.Sort(places)
		inner := &part{}
		for _, place := range places {
			inner.vertices, inner.still = append(inner.vertices, c.vertices[place]), append(inner.still, c.still[place])
		}
		found, err := p.fair(ctx, inner)
		if found != nil || err != nil {
			return found, err
		}
	}
	return nil, failed
}
