package closure

import (
	"cmp"
	"encoding/binary"
	"slices"

	"harrier/internal/pairs"
	"harrier/model"
)

// A setID names an interned multiset. 0 is the empty one.
type setID = uint32

// An item is what the future may bring: a message, the creation of an actor with a local state, or a restart.
type item uint32

func messageItem(m uint32) item  { return item(m << 1) }
func creationItem(l uint32) item { return item(l<<1 | 1) }

// restartItem stands for a crash after which the actor starts again.
const restartItem = item(1)

func (x item) isMessage() bool { return x&1 == 0 }

// id is the message, or the local state of the new actor.
func (x item) id() uint32 { return uint32(x) >> 1 }

// An entry is an item of a multiset.
type entry struct {
	item
	copies copies
}

// copies says how often something may happen in all.
type copies uint8

const (
	// mostCopies is how far is counted.
	mostCopies = 6
	// many stands for any number.
	many copies = 255
)

func (c copies) plus(o copies) copies {
	if c == many || o == many || c+o > mostCopies {
		return many
	}
	return c + o
}

// multisets interns multisets of items, and remembers what was done with them.
type multisets struct {
	ids     map[string]setID
	entries [][]entry // sorted by items
	sums    pairs.Map
	mosts   pairs.Map
	alls    pairs.Map // (multiset, 0) -> any number of each
	key     []byte
	merged  []entry
}

func newMultisets() *multisets {
	return &multisets{ids: map[string]setID{"": 0}, entries: [][]entry{nil}}
}

// intern gives the id of a multiset. It keeps none of sorted, which has no item twice.
func (s *multisets) intern(sorted []entry) setID {
	s.key = s.key[:0]
	for _, x := range sorted {
		s.key = append(binary.LittleEndian.AppendUint32(s.key, uint32(x.item)), byte(x.copies))
	}
	if id, ok := s.ids[string(s.key)]; ok {
		return id
	}
	id := setID(len(s.entries))
	s.entries = append(s.entries, slices.Clone(sorted))
	s.ids[string(s.key)] = id
	return id
}

// of gives the id of the multiset of some entries, which it sorts. Those with equal items are put together.
func (s *multisets) of(list []entry, together func(a, b copies) copies) setID {
	slices.SortFunc(list, func(a, b entry) int { return cmp.Compare(a.item, b.item) })
	kept := list[:0]
	for _, x := range list {
		if n := len(kept); n > 0 && kept[n-1].item == x.item {
			kept[n-1].copies = together(kept[n-1].copies, x.copies)
		} else {
			kept = append(kept, x)
		}
	}
	return s.intern(kept)
}

// sum has the copies of both.
func (s *multisets) sum(a, b setID) setID { return s.merge(&s.sums, a, b, copies.plus) }

// most has as many copies as the one that has more.
func (s *multisets) most(a, b setID) setID {
	if a == b {
		return a
	}
	return s.merge(&s.mosts, a, b, func(x, y copies) copies { return max(x, y) })
}

func (s *multisets) merge(known *pairs.Map, a, b setID, together func(a, b copies) copies) setID {
	if a == 0 || b == 0 {
		return a + b
	}
	if a > b {
		a, b = b, a
	}
	if id, ok := known.Get(a, b); ok {
		return id
	}
	s.merged = append(append(s.merged[:0], s.entries[a]...), s.entries[b]...)
	id := s.of(s.merged, together)
	known.Put(a, b, id)
	return id
}

// all has any number of what a multiset has.
func (s *multisets) all(of setID) setID {
	if of == 0 {
		return 0
	}
	if id, ok := s.alls.Get(of, 0); ok {
		return id
	}
	s.merged = append(s.merged[:0], s.entries[of]...)
	for i := range s.merged {
		s.merged[i].copies = many
	}
	id := s.intern(s.merged)
	s.alls.Put(of, 0, id)
	return id
}

// copiesOf is how many of an item a multiset has.
func (s *multisets) copiesOf(of setID, x item) copies {
	list := s.entries[of]
	i, ok := slices.BinarySearchFunc(list, x, byItem)
	if !ok {
		return 0
	}
	return list[i].copies
}

func byItem(e entry, x item) int { return cmp.Compare(e.item, x) }

// appendEffects appends what effects bring.
func appendEffects(list []entry, effects []model.Effect) []entry {
	for _, e := range effects {
		if e.Message != 0 {
			list = append(list, entry{messageItem(e.Message), 1})
		} else {
			list = append(list, entry{creationItem(e.Local), 1})
		}
	}
	return list
}
