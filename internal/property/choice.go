package property

import (
	"encoding/binary"
	"iter"
	"slices"
	"sync"

	"harrier/internal/ds/pairs"
	"harrier/internal/ds/slab"
	"harrier/internal/model"
)

// A Choice is what a combination takes one option of: nodes that are together at some positions. Some property distinguishes
// each of its options from the others.
type Choice struct {
	positions []uint32
	nodes     []model.NodeID // of one option after another, each with a node for each position
	set       *optionSet
}

// An optionSet says which observations there are to choose from. Equal sets are one.
type optionSet struct {
	number  uint32
	options []uint32 // numbers of vectors of observations, ascending
	all     *choices
}

// choices numbers the choices of a Checker. Several goroutines may use it at once.
type choices struct {
	observe func(model.NodeID) model.LocalID

	mu      sync.Mutex
	options map[string]uint32 // by observations
	numbers map[string]uint32 // of sets, by their options
	sets    slab.List[optionSet]
	unions  pairs.Map // (set, set) -> set
}

// noOptions is the number of the empty set.
const noOptions = 0

// newChoices returns empty choices. observe is equal for nodes that properties cannot tell apart.
func newChoices(observe func(model.NodeID) model.LocalID) *choices {
	t := &choices{observe: observe, options: map[string]uint32{}, numbers: map[string]uint32{}}
	t.setOf(nil)
	return t
}

// Choice is the choice among vectors of nodes at some positions, one vector after another; nil without any. Of vectors that no
// property can tell apart it has the first. It is for combinations that this Checker is asked of.
func (c *Checker) Choice(positions []uint32, nodes []model.NodeID) *Choice {
	return c.choices.of(positions, nodes)
}

func (t *choices) of(positions []uint32, nodes []model.NodeID) *Choice {
	if len(nodes) == 0 {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	c := &Choice{positions: positions}
	var options []uint32
	observed := make([]uint32, len(positions))
	for vector := range slices.Chunk(nodes, len(positions)) {
		for i, n := range vector {
			observed[i] = t.observe(n)
		}
		option := number(t.options, observed)
		if at, known := slices.BinarySearch(options, option); !known {
			options = slices.Insert(options, at, option)
			c.nodes = slices.Insert(c.nodes, at*len(vector), vector...)
		}
	}
	c.set = t.setOf(options)
	return c
}

// Len is the number of options.
func (c *Choice) Len() int { return len(c.set.options) }

// Put makes a state one with the first option.
func (c *Choice) Put(into model.State) {
	for i, position := range c.positions {
		into[position] = c.nodes[i]
	}
}

// setOf is the set of some options.
func (t *choices) setOf(options []uint32) *optionSet {
	n := number(t.numbers, options)
	if int(n) == t.sets.Len() {
		t.sets.Add(optionSet{n, options, t})
	}
	return t.sets.At(n)
}

// number numbers lists of ids in the order in which they come.
func number(numbers map[string]uint32, ids []uint32) uint32 {
	key := make([]byte, 0, 4*len(ids))
	for _, id := range ids {
		key = binary.LittleEndian.AppendUint32(key, id)
	}
	if n, ok := numbers[string(key)]; ok {
		return n
	}
	n := uint32(len(numbers))
	numbers[string(key)] = n
	return n
}

// with returns the number of the union of x and the set with another number.
func (x *optionSet) with(other uint32) uint32 {
	t := x.all
	union, _ := t.unions.GetOrPut(other, x.number, func() (uint32, error) {
		t.mu.Lock()
		defer t.mu.Unlock()
		both := slices.Concat(t.sets.At(other).options, x.options)
		slices.Sort(both)
		return t.setOf(slices.Compact(both)).number, nil
	})
	return union
}

// parts divides the options that the set with a number lacks, by the observation at a position. A part holds until the next.
func (c *Choice) parts(position, known uint32) iter.Seq[*Choice] {
	width, lacks := len(c.positions), c.set.all.sets.At(known).options
	return func(yield func(*Choice) bool) {
		if width == 1 {
			one := &Choice{positions: c.positions, set: c.set.all.sets.At(noOptions)} // its position is not read again
			for i, option := range c.set.options {
				one.nodes = c.nodes[i : i+1]
				if _, ok := slices.BinarySearch(lacks, option); !ok && !yield(one) {
					return
				}
			}
			return
		}
		at := slices.Index(c.positions, position)
		parts := map[model.LocalID][]model.NodeID{}
		var order []model.LocalID
		for i, option := range c.set.options {
			if _, ok := slices.BinarySearch(lacks, option); ok {
				continue
			}
			vector := c.nodes[i*width : (i+1)*width]
			l := c.set.all.observe(vector[at])
			if parts[l] == nil {
				order = append(order, l)
			}
			parts[l] = append(parts[l], vector...)
		}
		for _, l := range order {
			if !yield(c.set.all.of(c.positions, parts[l])) {
				return
			}
		}
	}
}
