package liveness

import (
	"context"
	"errors"
	"slices"

	"harrier/internal/ds/bitset"
)

// collected is the result of one pass over the edges of a part, in the frame of the first vertex.
type collected struct {
	loops      bool // there is an edge
	in         uint32
	moved      []uint32 // components with steps
	met        bitset.Set
	generators []uint32 // of the group that maps the part to itself
	arrivals   []arrival
}

// fair returns the part if it has a run that is fair and that the automaton accepts, or a part of it that has one; nil if there is
// none.
//
// The vertices stand for orbits of a group. Paths within the part come back to the first vertex as one of its images, by
// permutations that generate a group H; the part of the full graph is the union of the images of this one under H. So a constraint that is met
// anywhere is met for the whole orbit under H (Emerson, Sistla: Utilizing symmetry when model-checking under fairness assumptions,
// TOPLAS 1997).
func (p *product) fair(ctx context.Context, c *part) (*part, error) {
	s, err := p.collect(ctx, c)
	if err != nil || !s.loops || !p.automaton.IsEvery(s.in) {
		return nil, err
	}
	first, _ := p.divide(c.vertices[0])
	c.movers = closure(s.moved, s.generators, func(by, component uint32) uint32 { return p.component(by, component) })
	if c.arrivals, err = p.arrivals(s); err != nil {
		return nil, err
	}
	var candidates []uint32
	state := p.state(first)
	for component, of := range p.components(state) {
		l := p.locals.Get(of)
		switch moves := slices.Contains(c.movers, component); {
		case p.single || moves:
			candidates = append(candidates, p.enabled(l, state.At(0))...)
		default:
			if quiet, err := p.mayBeQuiet(ctx, l, c.arrivals[component]); err != nil || !quiet {
				return nil, err
			}
		}
	}
	unmet, err := p.unmet(c, s, candidates)
	if err != nil || len(unmet) > 0 && p.single {
		return nil, err
	}
	if len(unmet) == 0 {
		return p.strong(ctx, c, s)
	}
	// The components whose constraints are not met may stand still instead.
	return p.split(ctx, p.stilled(c, func(int) []uint32 { return unmet }))
}

// stilled is a part in which the components stand still, in each vertex, that have some constraints, in the frame of the first one.
func (p *product) stilled(c *part, unmet func(place int) []uint32) *part {
	rest := &part{vertices: c.vertices}
	for place := range c.vertices {
		var still []uint32
		if c.still != nil {
			still = slices.Clone(c.still[place])
		}
		back := p.inverse(c.frames[place])
		for _, constraint := range unmet(place) {
			if own := p.component(back, p.componentOf(constraint)); !slices.Contains(still, own) {
				still = append(still, own)
			}
		}
		rest.still = append(rest.still, still)
	}
	return rest
}

// componentOf is the component of the actor of a constraint.
func (p *product) componentOf(constraint uint32) uint32 {
	return p.system.graph.Spot(p.constraints.table.At(constraint).position).Component
}

// collect goes over the edges of a part, breadth-first from its first vertex, and sets the part's frames.
func (p *product) collect(ctx context.Context, c *part) (*collected, error) {
	s := &collected{}
	c.frames = make([]uint32, len(c.vertices))
	known := make([]bool, len(c.vertices))
	known[0] = true
	for todo := []int{0}; len(todo) > 0; todo = todo[1:] {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		place := todo[0]
		frame := c.frames[place]
		var failed error
		err := p.moves(ctx, c.vertices[place], func(m move) {
			to, ok := c.has(place, m)
			if !ok {
				return
			}
			s.loops, s.in = true, s.in|m.in
			by := p.then(m.by, frame)
			if !known[to] {
				known[to], c.frames[to] = true, by
				todo = append(todo, to)
			} else if g := p.then(p.inverse(c.frames[to]), by); g != 0 && !slices.Contains(s.generators, g) {
				s.generators = append(s.generators, g)
			}
			if m.step == nil {
				return
			}
			if component := p.component(frame, m.component); !slices.Contains(s.moved, component) {
				s.moved = append(s.moved, component)
			}
			for _, constraint := range m.step.meets {
				image, err := p.permuted(frame, constraint)
				if err != nil {
					failed = err
				}
				s.met.Put(int(image))
			}
			if err := p.note(s, frame, m.step); err != nil {
				failed = err
			}
		})
		if err == nil {
			err = failed
		}
		if err != nil {
			return nil, err
		}
	}
	return s, nil
}

// unmet returns the candidates, in the frame of the first vertex, that no run within the part meets: no edge takes a constraint of
// their orbits, and all of these are enabled everywhere.
func (p *product) unmet(c *part, s *collected, candidates []uint32) ([]uint32, error) {
	orbits, err := p.untaken(s, candidates)
	if err != nil {
		return nil, err
	}
	for place, v := range c.vertices {
		if len(orbits) == 0 {
			break
		}
		number, _ := p.divide(v)
		enabled, err := p.enabledIn(number, c.frames[place])
		if err != nil {
			return nil, err
		}
		orbits = slices.DeleteFunc(orbits, func(orbit []uint32) bool {
			return slices.ContainsFunc(orbit, func(of uint32) bool { return !enabled[of] })
		})
	}
	var unmet []uint32
	for _, orbit := range orbits {
		unmet = append(unmet, orbit[0])
	}
	return unmet, nil
}

// untaken returns the orbits of candidates, of which no edge of a part takes or meets a constraint.
func (p *product) untaken(s *collected, candidates []uint32) (orbits [][]uint32, err error) {
	for _, constraint := range candidates {
		orbit, err := p.orbit(s, constraint)
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(orbit, func(of uint32) bool { return s.met.Has(int(of)) }) {
			orbits = append(orbits, orbit)
		}
	}
	return orbits, nil
}

// orbit returns the images of constraints under the group that maps a part to itself.
func (p *product) orbit(s *collected, of ...uint32) ([]uint32, error) {
	var failed error
	orbit := closure(of, s.generators, func(by, of uint32) uint32 {
		image, err := p.permuted(by, of)
		if err != nil {
			failed = err
		}
		return image
	})
	return orbit, failed
}

// enabledIn are the constraints that are enabled in a state, in a frame.
func (p *product) enabledIn(number int, frame uint32) (map[uint32]bool, error) {
	enabled := map[uint32]bool{}
	state := p.state(number)
	for _, of := range p.components(state) {
		for _, constraint := range p.enabled(p.locals.Get(of), state.At(0)) {
			image, err := p.permuted(frame, constraint)
			if err != nil {
				return nil, err
			}
			enabled[image] = true
		}
	}
	return enabled, nil
}

// strong returns a part that is fair to strong constraints as well, of one that is fair to all others: a run that does not take a
// strong constraint that the part does not take must not come to where it is enabled (Streett: Duret-Lutz, Poitrenaud, Couvreur:
// On-the-fly emptiness check of transition-based Streett automata, ATVA 2009). With macro steps it may, if the component is quiet from there
// on. It is nil without one.
func (p *product) strong(ctx context.Context, c *part, s *collected) (*part, error) {
	if p.actors.Program().Fairness.Strong.IsEmpty() {
		return c, nil
	}
	everywhere := make([]map[uint32]bool, len(c.vertices))
	var candidates []uint32
	for place, v := range c.vertices {
		number, _ := p.divide(v)
		var err error
		if everywhere[place], err = p.enabledIn(number, c.frames[place]); err != nil {
			return nil, err
		}
		for constraint := range everywhere[place] {
			isMoving := p.single || slices.Contains(c.movers, p.componentOf(constraint))
			if isMoving && p.constraints.table.At(constraint).strong && !slices.Contains(candidates, constraint) {
				candidates = append(candidates, constraint)
			}
		}
	}
	slices.Sort(candidates)
	orbits, err := p.untaken(s, candidates)
	if err != nil {
		return nil, err
	}
	if len(orbits) == 0 {
		c.strong, err = p.orbit(s, candidates...)
		return c, err
	}
	untaken := func(place int) []uint32 {
		return slices.DeleteFunc(slices.Concat(orbits...), func(of uint32) bool { return !everywhere[place][of] })
	}
	if !p.single {
		rest := p.stilled(c, untaken)
		if c.still != nil && slices.EqualFunc(rest.still, c.still, slices.Equal) {
			return nil, errors.New("internal error: a component that takes no step is to be stilled")
		}
		return p.split(ctx, rest)
	}
	rest := &part{}
	for place, v := range c.vertices {
		if len(untaken(place)) == 0 {
			rest.vertices = append(rest.vertices, v)
		}
	}
	return p.split(ctx, rest)
}

// closure adds to some numbers their images under permutations, and the images of these, until there are no new ones.
func closure(of, by []uint32, image func(by, of uint32) uint32) []uint32 {
	all := slices.Clone(of)
	for i := 0; i < len(all); i++ {
		for _, g := range by {
			if to := image(g, all[i]); !slices.Contains(all, to) {
				all = append(all, to)
			}
		}
	}
	return all
}

// permuted returns the image of a constraint under a permutation.
func (p *product) permuted(by, constraint uint32) (uint32, error) {
	return p.permutations.constraint(&p.constraints, by, constraint)
}
