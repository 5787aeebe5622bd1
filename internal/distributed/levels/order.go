package levels

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"
	"sync"

	"harrier/internal/ds/vectors"
)

// An Order is the order of states: by the numbers of their orbits, then by their lower halves, then by their upper halves. Halves are
// compared lexicographically: first by their components at fixed positions, in the order of these, then by the others in the order of
// their hashes. Several goroutines may use it.
type Order struct {
	Space
	mu         sync.Mutex
	hashes     [][]*[pageSize]uint64 // of components, by position and id; 0 where the hash of a component was not computed yet
	components map[uint64]Component  // by hash
	texts      map[string]bool       // the names of files of texts that were read
	told       map[uint64]bool       // the hashes of their components
	written    map[uint64]bool       // the hashes of components of run files that were written
	heads      map[string]*fileHead  // of files that were written and not closed since, by their names
	sides      [2]sortedHalves
	room       []Component // of a half that is compared
	failed     error       // the first error of the space, or that two components have one hash
}

// pageSize is how many hashes there are for, once there is one.
const pageSize = 64

// sortedHalves are halves of one side in their order.
type sortedHalves struct {
	ids   []uint32
	rank  vectors.Index // of each
	fresh []sequence    // that were included since, and have no rank yet
}

// NewOrder makes the order of the states of a space.
func NewOrder(space Space) *Order {
	return &Order{
		Space: space, components: map[uint64]Component{}, texts: map[string]bool{}, told: map[uint64]bool{}, written: map[uint64]bool{}, heads: map[string]*fileHead{},
	}
}

// Forget forgets all halves that were included. Runs that were opened before must not be used any more.
func (o *Order) Forget() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.sides, o.heads = [2]sortedHalves{}, map[string]*fileHead{}
}

// halfBytes is about the memory that a half takes in an order and in runs.
const halfBytes = 32

// Bytes is about the memory for halves, with those of runs.
func (o *Order) Bytes() (n uint64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, s := range o.sides {
		n += halfBytes * uint64(len(s.ids)+len(s.fresh))
	}
	for _, h := range o.heads {
		n += 4 * uint64(len(h.halves[0])+len(h.halves[1]))
	}
	return n
}

// head is that of a file that this process has written; nil if it is not known.
func (o *Order) head(name string) *fileHead {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.heads[name]
}

// remember remembers the head of a file that was written, which Open need not read then.
func (o *Order) remember(name string, h *fileHead) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.heads[name] = h
}

// ForgetFile forgets the head of a file that was written. One that is opened later is read.
func (o *Order) ForgetFile(name string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	delete(o.heads, name)
}

// include gives halves a rank among all that were included so far, once it is asked for. The ranks of others may change, and their order
// does not.
func (o *Order) include(halves [2][]uint32) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for side, ids := range halves {
		s := &o.sides[side]
		for _, id := range ids {
			if _, known := s.rank.Get(id); !known {
				s.rank.Put(id, 0)
				s.fresh = append(s.fresh, sequence{id, o.sequence(side, id, nil)})
			}
		}
	}
}

// settle gives all halves that were included their ranks.
func (o *Order) settle() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	for side := range o.sides {
		o.extend(&o.sides[side], side)
	}
	return o.failed
}

func (o *Order) extend(s *sortedHalves, side int) {
	fresh := s.fresh
	if s.fresh = nil; len(fresh) == 0 {
		return
	}
	slices.SortFunc(fresh, func(a, b sequence) int { return o.compare(a.of, b.of) })
	all := make([]uint32, 0, len(s.ids)+len(fresh))
	rest := s.ids
	for _, f := range fresh {
		at, _ := slices.BinarySearchFunc(rest, f, func(id uint32, f sequence) int {
			o.room = o.sequence(side, id, o.room[:0])
			return o.compare(o.room, f.of)
		})
		all, rest = append(append(all, rest[:at]...), f.id), rest[at:]
	}
	s.ids = append(all, rest...)
	for rank, id := range s.ids {
		s.rank.Put(id, uint32(rank))
	}
}

// A sequence is the components of a half in the order in which they are compared.
type sequence struct {
	id uint32
	of []Component
}

// component returns the component with a hash, if one is known.
func (o *Order) component(hash uint64) (c Component, known bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	c, known = o.components[hash]
	return c, known
}

// sequence appends the components of a half. Those of actors that the initial state does not have come last, in the order of their
// hashes, as their positions differ from process to process.
func (o *Order) sequence(side int, id uint32, into []Component) []Component {
	first := len(into)
	into = o.Take(id, side, into)
	late := len(into)
	for late > first && into[late-1].Position >= o.Fixed() {
		late--
	}
	slices.SortFunc(into[late:], o.compareComponents)
	return into
}

func (o *Order) compare(a, b []Component) int { return slices.CompareFunc(a, b, o.compareComponents) }

func (o *Order) compareComponents(a, b Component) int { return cmp.Compare(o.hash(a), o.hash(b)) }

// HashOf is Hash, which is computed once for a component.
func (o *Order) HashOf(c Component) (uint64, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.hash(c), o.failed
}

func (o *Order) hash(c Component) uint64 {
	if int(c.Position) < len(o.hashes) {
		if pages := o.hashes[c.Position]; int(c.ID/pageSize) < len(pages) && pages[c.ID/pageSize] != nil {
			if h := pages[c.ID/pageSize][c.ID%pageSize]; h != 0 {
				return h
			}
		}
	}
	return o.newHash(c)
}

// newHash is the hash of a component that was not asked for yet. Another component with the same one would be confused with it in files.
func (o *Order) newHash(c Component) uint64 {
	h, err := o.Hash(c.Position, c.ID)
	o.fail(err)
	h = max(h, 1)
	if was, known := o.components[h]; known && was != c {
		o.fail(&DamagedError{fmt.Sprintf("a component (%x)", h), "has the hash of another one"})
	}
	o.components[h] = c
	for int(c.Position) >= len(o.hashes) {
		o.hashes = append(o.hashes, nil)
	}
	pages, at := &o.hashes[c.Position], int(c.ID/pageSize)
	for at >= len(*pages) {
		*pages = append(*pages, nil)
	}
	if (*pages)[at] == nil {
		(*pages)[at] = new([pageSize]uint64)
	}
	(*pages)[at][c.ID%pageSize] = h
	return h
}

func (o *Order) fail(err error) {
	if o.failed == nil {
		o.failed = err
	}
}

// rank is where a half is among all that were included.
func (o *Order) rank(side int, id uint32) uint32 {
	rank, _ := o.sides[side].rank.Get(id)
	return rank
}

// key orders states of one orbit. It holds until more halves are included.
func (o *Order) key(s State) uint64 {
	return uint64(o.rank(0, s[0]))<<bits.Len(uint(len(o.sides[1].ids))) | uint64(o.rank(1, s[1]))
}

// ranks are those of the halves of a state.
func (o *Order) ranks(s State) (ranks [2]uint32) { return [2]uint32{o.rank(0, s[0]), o.rank(1, s[1])} }

// Halves are the halves of some states.
type Halves struct {
	ids  [2][]uint32
	seen [2]vectors.Index
}

// Add adds those of a state.
func (h *Halves) Add(s State) {
	for side, id := range s {
		h.add(side, id)
	}
}

func (h *Halves) add(side int, id uint32) {
	if _, known := h.seen[side].Get(id); !known {
		h.seen[side].Put(id, 0)
		h.ids[side] = append(h.ids[side], id)
	}
}

// Clear removes all, and keeps the memory.
func (h *Halves) Clear() {
	for side, ids := range h.ids {
		for _, id := range ids {
			h.seen[side].Drop(id)
		}
		h.ids[side] = ids[:0]
	}
}
