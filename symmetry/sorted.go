package symmetry

import (
	"cmp"
	"slices"
)

// A block is units of one class whose signatures are equal, with the places that they share.
type block struct {
	class  class
	places []uint8 // numbers of units: where the units of the block may come
	units  []uint8 // those of the block
	// alike has a number for each unit of the block. To swap two with one number leaves the state as it is.
	alike []uint8
}

// tryProduct tries the permutations of a product of symmetric groups that sort the signatures, but of those that differ by
// units that the state does not tell apart, one.
func (c *canonicalizer) tryProduct() error {
	c.p = append(c.p[:0], c.same...)
	if err := c.sort(); err != nil {
		return err
	}
	return c.arrange(0, 0)
}

// sort puts the units that have a signature of their own in their places, and those that share one in blocks.
func (c *canonicalizer) sort() error {
	c.blocks, c.now = c.blocks[:0], c.now[:0]
	for _, units := range c.shape.classes {
		c.order = c.order[:0]
		for i := range units {
			c.order = append(c.order, uint8(i))
		}
		slices.SortFunc(c.order, func(a, b uint8) int { return c.compareUnits(units[a], units[b]) })
		for from := 0; from < len(units); {
			to := from + 1
			for to < len(units) && c.compareUnits(units[c.order[from]], units[c.order[to]]) == 0 {
				to++
			}
			if to == from+1 {
				c.put(units, c.order[from], uint8(from))
			} else if err := c.block(units, from, to); err != nil {
				return err
			}
			from = to
		}
	}
	return nil
}

func (c *canonicalizer) compareUnits(a, b unit) int {
	for i := range a {
		if by := cmp.Compare(c.signs[a[i]], c.signs[b[i]]); by != 0 {
			return by
		}
	}
	return 0
}

// put has a unit come in the place of another.
func (c *canonicalizer) put(units class, from, to uint8) {
	for i, point := range units[from] {
		c.p[point] = units[to][i]
	}
}

// block makes a block of the units at some places in order.
func (c *canonicalizer) block(units class, from, to int) error {
	b := block{class: units, units: slices.Clone(c.order[from:to])}
	for place := from; place < to; place++ {
		b.places = append(b.places, uint8(place))
	}
	kinds := []uint8{}
next:
	for i, u := range b.units {
		for kind, first := range kinds {
			same, err := c.isSame(units[b.units[first]], units[u])
			if err != nil {
				return err
			}
			if same {
				b.alike = append(b.alike, uint8(kind))
				continue next
			}
		}
		b.alike = append(b.alike, uint8(len(kinds)))
		kinds = append(kinds, uint8(i))
	}
	c.blocks = append(c.blocks, b)
	return nil
}

// isSame says whether the state stays the same when two units are swapped.
func (c *canonicalizer) isSame(a, b unit) (bool, error) {
	c.swap = append(c.swap[:0], c.same...)
	mask := uint64(0)
	for i := range a {
		c.swap[a[i]], c.swap[b[i]] = b[i], a[i]
		mask |= 1<<(a[i]%64) | 1<<(b[i]%64)
	}
	if len(c.now) == 0 {
		var err error
		if c.now, err = c.vector(c.same, c.now); err != nil {
			return false, err
		}
	}
	for _, n := range c.nodes {
		if n.mask&mask == 0 {
			continue
		}
		id, err := c.image(&n.thing, c.swap)
		if err != nil {
			return false, err
		}
		if place := int(c.placeOf(n, c.swap)); place >= len(c.now) || c.now[place] != id {
			return false, nil
		}
	}
	return true, nil
}

// arrange goes through the orders of the units of the blocks, from a place of a block on, and tries each.
func (c *canonicalizer) arrange(number, place int) error {
	if number == len(c.blocks) {
		return c.try(c.p)
	}
	b := &c.blocks[number]
	if place == len(b.places) {
		return c.arrange(number+1, 0)
	}
	var tried [maxPoints + 1]bool // by number in alike
	for i := place; i < len(b.units); i++ {
		if tried[b.alike[i]] {
			continue
		}
		tried[b.alike[i]] = true
		b.swap(place, i)
		c.put(b.class, b.units[place], b.places[place])
		if err := c.arrange(number, place+1); err != nil {
			return err
		}
		b.swap(place, i)
	}
	return nil
}

func (b *block) swap(i, j int) {
	b.units[i], b.units[j] = b.units[j], b.units[i]
	b.alike[i], b.alike[j] = b.alike[j], b.alike[i]
}
