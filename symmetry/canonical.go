package symmetry

import (
	"cmp"
	"slices"

	"harrier/model"
)

// Canonicalizer makes what gives states their keys, for one worker. It appends to into, of length 0, a vector
// that is equal for the states of one orbit of the group only. Ids in it, and its positions, are of its own.
//
// The vector is the least of those that the state becomes by the permutations that sort the actors by their
// signatures: what the state says of an actor without naming any. So most states need one permutation. Signatures that are equal by
// chance cost time and nothing else.
func (g *Group) Canonicalizer() func(s model.State, into []uint32) ([]uint32, error) {
	c := &canonicalizer{tables: g.tables, shape: &g.shape, signs: make([]uint64, len(g.tables.points)), same: g.tables.identity()}
	return c.canonical
}

type canonicalizer struct {
	*tables
	shape *shape

	known  []*node    // nodes of the model, by their ids
	spread [][]uint32 // by position in the model and point: where in a vector the node comes, plus 1

	nodes []*node  // of the state at hand
	signs []uint64 // by point
	now   []uint32 // the vector of the state as it is
	p     []uint8  // a permutation: what each point becomes
	same  []uint8  // the permutation that moves nothing
	swap  []uint8  // one that swaps two units
	next  []uint32 // a vector that may be less than the least so far
	least []uint32

	order  []uint8 // numbers of the units of a class, sorted by signature
	blocks []block
}

func (c *canonicalizer) canonical(s model.State, into []uint32) ([]uint32, error) {
	if err := c.load(s); err != nil {
		return into, err
	}
	c.sign()
	c.least = c.least[:0]
	var err error
	if c.shape.inverses != nil {
		err = c.tryListed()
	} else {
		err = c.tryProduct()
	}
	return append(into, c.least...), err
}

// load finds the nodes of a state, what is global last.
func (c *canonicalizer) load(s model.State) error {
	c.nodes = c.nodes[:0]
	for position := 1; position < len(s); position++ {
		id := s[position]
		if id == 0 {
			continue
		}
		for int(id) >= len(c.known) {
			c.known = append(c.known, make([]*node, len(c.known)+64)...)
		}
		if c.known[id] == nil {
			n, err := c.node(id, position)
			if err != nil {
				return err
			}
			c.known[id] = n
		}
		c.nodes = append(c.nodes, c.known[id])
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
			c.signs[n.owner] += n.form
		}
		for i, point := range n.others() {
			c.signs[point] += n.marked[i]
		}
	}
}

// try has the vector of the state after a permutation compete for the least.
func (c *canonicalizer) try(p []uint8) error {
	var err error
	if c.next, err = c.vector(p, c.next[:0]); err != nil {
		return err
	}
	if len(c.least) == 0 || slices.Compare(c.next, c.least) < 0 {
		c.next, c.least = c.least, c.next
	}
	return nil
}

// vector is the state at hand after a permutation. It does not end in a zero.
func (c *canonicalizer) vector(p []uint8, into []uint32) ([]uint32, error) {
	into = append(into, 0)
	for _, n := range c.nodes {
		id, err := c.image(&n.thing, p)
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
func (c *canonicalizer) placeOf(n *node, p []uint8) uint32 {
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
	name := c.actors.PositionName(n.position)
	if n.owner >= 0 {
		_, rest := split(name)
		name = c.points[p[n.owner]] + rest
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	place := c.place(name)
	c.spread[n.position][to] = place
	return place
}

// tryListed tries the permutations of a list that sort the signatures.
func (c *canonicalizer) tryListed() error {
	var sorting [][]uint8
	for _, inverse := range c.shape.inverses {
		by := -1
		if len(sorting) > 0 {
			by = c.compareSigns(inverse, sorting[0])
		}
		if by < 0 {
			sorting = sorting[:0]
		}
		if by <= 0 {
			sorting = append(sorting, inverse)
		}
	}
	c.p = slices.Grow(c.p[:0], len(c.points))[:len(c.points)]
	for _, inverse := range sorting {
		for to, from := range inverse {
			c.p[from] = uint8(to)
		}
		if err := c.try(c.p); err != nil {
			return err
		}
	}
	return nil
}

// compareSigns compares the signatures of the points in the order in which two permutations put them.
func (c *canonicalizer) compareSigns(a, b []uint8) int {
	for i := range a {
		if by := cmp.Compare(c.signs[a[i]], c.signs[b[i]]); by != 0 {
			return by
		}
	}
	return 0
}
