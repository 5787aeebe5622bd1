package symmetry

import (
	"cmp"
	"slices"

	"harrier/internal/ds/wordset"
	"harrier/internal/model"
)

// Canonicalizer returns a function that gives states their keys, for one worker. It appends to into, of length 0, a vector
// that is equal for the states of one orbit of the group only. Ids in it, and its positions, are of its own. States may have parts (Part) in
// place of nodes.
//
// The vector is the least of those that the state becomes by the permutations that sort the actors by their
// signatures: what the state says of an actor without naming any. So most states need one permutation. Signatures that are equal by
// chance cost time and nothing else.
func (g *Group) Canonicalizer() func(s model.State, into []uint32) ([]uint32, error) {
	c := g.canonicalizer()
	return c.canonical
}

// Canonicalize makes a Canonicalizer that also returns a permutation by which the state becomes that of the vector: the point that
// each point becomes, valid until the next call.
func (g *Group) Canonicalize() func(s model.State, into []uint32) (vector []uint32, by []uint8, err error) {
	c := g.canonicalizer()
	return func(s model.State, into []uint32) ([]uint32, []uint8, error) {
		vector, err := c.canonical(s, into)
		return vector, c.by, err
	}
}

// Numbers returns a function that gives all states of an orbit one number, for one worker: the same in all processes that check the program, and
// perhaps that of other orbits, too.
func (g *Group) Numbers() func(s model.State) (uint64, error) {
	c := g.canonicalizer()
	return func(s model.State) (sum uint64, err error) {
		if err := c.load(s); err != nil {
			return 0, err
		}
		if s[0] != 0 {
			c.nodes = c.nodes[:len(c.nodes)-1] // ids in the global are those of this process
		}
		c.sign()
		for point, sign := range c.signs {
			sum += wordset.Mix(sign + hash(c.orbit[point]))
		}
		for _, n := range c.nodes {
			if n.owner < 0 {
				sum += wordset.Mix(n.digest ^ hash(c.actors.Values.PositionName(n.position)))
			}
		}
		return sum, nil
	}
}

func (g *Group) canonicalizer() *canonicalizer {
	n := len(g.tables.points)
	c := &canonicalizer{tables: g.tables, signs: make([]uint64, n), p: make([]uint8, n), swaps: make([]*move, n*n)}
	c.froms = append(c.froms, g.tables.identity())
	for i, t := range g.chain {
		c.chain = append(c.chain, g.tables.level(t))
		base := c.chain[i].base
		for k := range c.chain[i].by {
			m := &c.chain[i].by[k]
			to := m.images[base]
			c.swaps[int(base)*n+int(to)], c.swaps[int(to)*n+int(base)] = m, m
		}
		c.froms, c.ties = append(c.froms, make([]uint8, n)), append(c.ties, nil)
	}
	return c
}

type canonicalizer struct {
	*tables
	chain []level
	swaps []*move // by two points: one of the chain that moves one of them to the other

	spread [][]uint32 // by position in the model and point: where in a vector the node comes, plus 1

	nodes []*object // of the state at hand
	signs []uint64  // by point
	now   []uint32  // the vector of the state as it is
	p     []uint8   // a permutation: the image of each point
	next  []uint32  // a vector that may be less than the least so far
	least []uint32
	by    []uint8 // the permutation that makes least

	froms [][]uint8 // by level: where those come from that come to the base points of the levels before
	ties  [][]*move // by level: those that continue it
	known []*move   // of which it is known whether they leave the state as it is
}

func (c *canonicalizer) canonical(s model.State, into []uint32) ([]uint32, error) {
	if err := c.load(s); err != nil {
		return into, err
	}
	c.sign()
	for _, m := range c.known {
		m.known = false
	}
	c.least, c.now, c.known = c.least[:0], c.now[:0], c.known[:0]
	err := c.arrange(0)
	return append(into, c.least...), err
}

// load finds the nodes of a state, the global last.
func (c *canonicalizer) load(s model.State) error {
	c.nodes = c.nodes[:0]
	for position := 1; position < len(s); position++ {
		id := s[position]
		if id == 0 {
			continue
		}
		n, err := c.element(id, position)
		if err != nil {
			return err
		}
		c.nodes = append(c.nodes, n)
	}
	if s[0] != 0 {
		n, err := c.global(s[0])
		if err != nil {
			return err
		}
		c.nodes = append(c.nodes, n)
	}
	return nil
}

// sign gives each point its signature: its own nodes, and how others mention it.
func (c *canonicalizer) sign() {
	clear(c.signs)
	for _, n := range c.nodes {
		if n.owner >= 0 {
			c.signs[n.owner] += n.digest
		}
		for i, point := range n.others() {
			c.signs[point] += n.marked[i]
		}
	}
}

// arrange chooses who comes to the base points from a level on, in all ways that sort the signatures, but of those that differ by
// a move that leaves the state as it is, one. It has each resulting vector compete for the least.
func (c *canonicalizer) arrange(at int) error {
	from := c.froms[at]
	if at == len(c.chain) {
		return c.try(from)
	}
	l, next := &c.chain[at], c.froms[at+1]
	ties := c.ties[at][:0]
	for i := range l.by {
		m := &l.by[i]
		by := 0
		if len(ties) > 0 {
			by = cmp.Compare(c.signs[from[m.images[l.base]]], c.signs[from[ties[0].images[l.base]]])
		}
		if by < 0 {
			ties = ties[:0]
		}
		if by <= 0 {
			ties = append(ties, m)
		}
	}
	c.ties[at] = ties
next:
	for i, m := range ties {
		for _, tried := range ties[:i] {
			same, err := c.isSame(at, from[tried.images[l.base]], from[m.images[l.base]])
			if err != nil {
				return err
			}
			if same {
				continue next
			}
		}
		for point, image := range m.images {
			next[point] = from[image]
		}
		if err := c.arrange(at + 1); err != nil {
			return err
		}
	}
	return nil
}

// isSame reports whether some move between two points leaves the state as it is, and the points that come to the base points before
// a level. So it makes no difference which of the two comes next.
func (c *canonicalizer) isSame(at int, one, other uint8) (bool, error) {
	m := c.swaps[int(one)*len(c.points)+int(other)]
	if m == nil {
		return false, nil
	}
	for _, before := range c.chain[:at] {
		if from := c.froms[at][before.base]; m.images[from] != from {
			return false, nil
		}
	}
	if !m.known {
		m.known, c.known = true, append(c.known, m)
		var err error
		if m.keeps, err = c.keeps(m); err != nil {
			return false, err
		}
	}
	return m.keeps, nil
}

// keeps reports whether a move leaves the state as it is.
func (c *canonicalizer) keeps(m *move) (bool, error) {
	if len(c.now) == 0 {
		var err error
		if c.now, err = c.vector(c.froms[0], c.now); err != nil {
			return false, err
		}
	}
	for _, n := range c.nodes {
		if n.mask&m.mask == 0 {
			continue
		}
		id, err := c.image(n, m.images)
		if err != nil {
			return false, err
		}
		if place := int(c.placeOf(n, m.images)); place >= len(c.now) || c.now[place] != id {
			return false, nil
		}
	}
	return true, nil
}

// try has the vector of the state after a permutation, of which it is given where each point comes from, compete for the least.
func (c *canonicalizer) try(from []uint8) error {
	for to, point := range from {
		c.p[point] = uint8(to)
	}
	var err error
	if c.next, err = c.vector(c.p, c.next[:0]); err != nil {
		return err
	}
	if len(c.least) == 0 || slices.Compare(c.next, c.least) < 0 {
		c.next, c.least = c.least, c.next
		c.by = append(c.by[:0], c.p...)
	}
	return nil
}

// vector is the state at hand after a permutation. It does not end in a zero.
func (c *canonicalizer) vector(p []uint8, into []uint32) ([]uint32, error) {
	into = append(into, 0)
	for _, n := range c.nodes {
		id, err := c.image(n, p)
		if err != nil {
			return into, err
		}
		place := c.placeOf(n, p)
		for int(place) >= len(into) {
			into = append(into, 0)
		}
		into[place] = id
	}
	return into, nil
}

// placeOf is where in the vector a node comes by a permutation.
func (c *canonicalizer) placeOf(n *object, p []uint8) uint32 {
	if n.position == 0 {
		return 0
	}
	for n.position >= len(c.spread) {
		c.spread = append(c.spread, nil)
	}
	if c.spread[n.position] == nil {
		c.spread[n.position] = make([]uint32, len(c.points)+1)
	}
	to := 0
	if n.owner >= 0 {
		to = int(p[n.owner]) + 1
	}
	if place := c.spread[n.position][to]; place != 0 {
		return place
	}
	name := c.actors.Values.PositionName(n.position)
	if n.owner >= 0 {
		_, rest := model.Origin(name)
		name = c.points[p[n.owner]] + rest
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	place := c.place(name)
	c.spread[n.position][to] = place
	return place
}
