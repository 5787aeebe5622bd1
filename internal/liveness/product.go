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
	return p.follow(ctx, number, func(e edge) {
		for i := range all {
			if e.to < p.explored && all[i].Reads(p.labels[number]) {
				found(move{e, e.to*len(p.automaton.Edges) + all[i].To, all[i].In})
			}
		}
	})
}

// next yields the vertices that the edges of a vertex lead to, as far as they were explored.
func (p *product) next(v int) iter.Seq[int] {
	number, state := p.divide(v)
	n := len(p.automaton.Edges)
	return func(yield func(int) bool) {
		for _, e := range p.automaton.Edges[state] {
			if !e.Reads(p.labels[number]) {
				continue
			}
			if !yield(number*n + e.To) {
				return
			}
			for _, to := range p.successors(number) {
				if int(to) < p.explored && !yield(int(to)*n+e.To) {
					return
				}
			}
		}
	}
}

// mayAccept reports whether the edges of the automaton within a part are in all acceptance sets. Of a single vertex that no step
// leads back to, the run has to be fair without steps.
func (p *product) mayAccept(vertices []int) bool {
	in, loops := uint32(0), false
	has := func(number, state int) bool {
		_, ok := slices.BinarySearch(vertices, number*len(p.automaton.Edges)+state)
		return ok
	}
	for _, v := range vertices {
		number, state := p.divide(v)
		for _, e := range p.automaton.Edges[state] {
			isWithin := func(to uint32) bool { return has(int(to), e.To) }
			if e.Reads(p.labels[number]) && (has(number, e.To) || slices.ContainsFunc(p.successors(number), isWithin)) {
				in, loops = in|e.In, true
			}
		}
	}
	if !loops || !p.automaton.IsEvery(in) {
		return false
	}
	number, _ := p.divide(vertices[0])
	return len(vertices) > 1 || slices.Contains(p.successors(number), uint32(number)) || p.mayStay(number)
}

// mayStay reports whether a run that does internal steps only from a state on, or none, may be fair.
func (p *product) mayStay(number int) bool {
	s := p.state(number)
	for _, state := range p.components(s) {
		l := p.locals.Get(state)
		if p.single && len(p.enabled(l, s.At(0))) > 0 || !p.single && !l.quiet {
			return false
		}
	}
	return true
}

// A part is vertices of the product that lead to each other.
type part struct {
	vertices []int    // ascending
	frames   []uint32 // by place: the permutation into the frame of the first vertex
	// still are, by place, components whose steps are left out, in the frame of the vertex. It is nil without any.
	still [][]uint32
	// movers are components that take steps in the part, or come into the place of one that does, in the frame of the first vertex.
	movers []uint32
	// arrivals are, by component, the messages that arrive at it over a channel that is a set, in the frame of the first vertex.
	arrivals map[uint32][]arrival
	// strong are the strong constraints that are enabled somewhere in the part, in the frame of the first vertex. Each is taken somewhere.
	strong []uint32
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

// find returns a fair part that the initial state leads to, nil if no state explored so far leads to one.
func (p *product) find(ctx context.Context) (*part, error) {
	if p.size() == 0 {
		return nil, nil
	}
	for vertices := range lts.EachPart(p.size(), slices.Values([]int{0}), p.next) {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		vertices = sorted(vertices)
		if !p.mayAccept(vertices) {
			continue
		}
		found, err := p.fair(ctx, &part{vertices: vertices})
		if found != nil || err != nil {
			return found, err
		}
	}
	return nil, nil
}

// split returns a fair part of the rest of a part, without the steps of some components; nil without one.
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
			inner.vertices = append(inner.vertices, c.vertices[place])
			if c.still != nil {
				inner.still = append(inner.still, c.still[place])
			}
		}
		found, err := p.fair(ctx, inner)
		if found != nil || err != nil {
			return found, err
		}
	}
	return nil, failed
}

func sorted(vertices []int) []int {
	vertices = slices.Clone(vertices)
	slices.Sort(vertices)
	return vertices
}
