package pairs

import (
	"sync"
	"sync/atomic"

	"harrier/internal/ds/slab"
)

// Numbering numbers pairs of ids from 0 up, in the order in which they come, and gives them back by their numbers. It takes 8 bytes
// a pair, and 4 bytes for each slot of a table that is between 3/8 and 3/4 full. The zero value is empty. Looking up takes no
// lock, as for a Map.
type Numbering struct {
	slots atomic.Pointer[[]atomic.Uint32]
	pairs slab.List[Pair]

	adding sync.Mutex
}

// A Pair is two ids.
type Pair struct{ A, B uint32 }

// A slot is free while it is 0. Else its lower bits are a number plus one, and its upper bits those of the hash of the pair with that
// number, so that few pairs are looked at in vain.
const (
	numberBits = 28
	numberMask = 1<<numberBits - 1
)

// Number returns the number of a pair. It reports false if the pair is new and there are 2^28-1 others.
func (n *Numbering) Number(p Pair) (number uint32, ok bool) {
	h := hash(p.A, p.B)
	if slots := n.slots.Load(); slots != nil {
		if _, number = n.find(*slots, h, p); number != 0 {
			return number - 1, true
		}
	}
	n.adding.Lock()
	defer n.adding.Unlock()
	slots := n.slots.Load()
	if slots == nil || 4*(n.pairs.Len()+1) > 3*len(*slots) {
		slots = n.grow()
	}
	slot, number := n.find(*slots, h, p)
	if number != 0 {
		return number - 1, true
	}
	if n.pairs.Len() == numberMask {
		return 0, false
	}
	number = n.pairs.Add(p)
	slot.Store(tag(h) | (number + 1))
	return number, true
}

// Numbers puts the number of each of some pairs into numbers, as Number gives it. It reads the slots of all pairs, then the pairs that these
// lead to, so that the processor loads the memory of many at once.
func (n *Numbering) Numbers(pairs []Pair, numbers []uint32) (ok bool) {
	clear(numbers)
	if slots := n.slots.Load(); slots != nil {
		mask := uint64(len(*slots) - 1)
		for i, p := range pairs {
			numbers[i] = (*slots)[hash(p.A, p.B)&mask].Load()
		}
	}
	for i, p := range pairs {
		if v := numbers[i]; v != 0 && *n.pairs.At(v&numberMask - 1) == p {
			numbers[i] = v&numberMask - 1
		} else if numbers[i], ok = n.Number(p); !ok {
			return false
		}
	}
	return true
}

// At is the pair with a number.
func (n *Numbering) At(number uint32) Pair { return *n.pairs.At(number) }

// Bytes is the memory that the numbering takes.
func (n *Numbering) Bytes() uint64 {
	bytes := n.pairs.Bytes()
	if slots := n.slots.Load(); slots != nil {
		bytes += 4 * uint64(len(*slots))
	}
	return bytes
}

// find returns the slot of a pair with its number plus one, or the free slot where it belongs and 0.
func (n *Numbering) find(slots []atomic.Uint32, h uint64, p Pair) (slot *atomic.Uint32, number uint32) {
	mask, tag := uint64(len(slots)-1), tag(h)
	for i := h & mask; ; i = (i + 1) & mask {
		slot = &slots[i]
		v := slot.Load()
		if v == 0 || v&^numberMask == tag && *n.pairs.At(v&numberMask - 1) == p {
			return slot, v & numberMask
		}
	}
}

func (n *Numbering) grow() *[]atomic.Uint32 {
	size := leastSize
	if old := n.slots.Load(); old != nil {
		size = 2 * len(*old)
	}
	slots := make([]atomic.Uint32, size)
	mask := uint64(size - 1)
	for number := range uint32(n.pairs.Len()) {
		p := n.pairs.At(number)
		h := hash(p.A, p.B)
		i := h & mask
		for slots[i].Load() != 0 {
			i = (i + 1) & mask
		}
		slots[i].Store(tag(h) | (number + 1))
	}
	n.slots.Store(&slots)
	return &slots
}

// tag is the upper bits of a slot.
func tag(hash uint64) uint32 { return uint32(hash>>32) &^ numberMask }
