package closure

import (
	"encoding/binary"
	"slices"

	"harrier/internal/pairs"
	"harrier/model"
)

// A setID names an interned set. 0 is the empty one.
type setID = uint32

// An item is what the future may bring: a message, or the creation of an actor with a local state.
type item uint32

func messageItem(m uint32) item  { return item(m << 1) }
func creationItem(l uint32) item { return item(l<<1 | 1) }

// creates gives the local state of an actor that is created.
func (x item) creates() (l uint32, ok bool) { return uint32(x) >> 1, x&1 == 1 }

func (x item) message() uint32 { return uint32(x) >> 1 }

// sets interns sets of items, and remembers unions and parts of them.
type sets struct {
	ids    map[string]setID
	items  [][]item // sorted
	unions pairs.Map
	parts  pairs.Map // (set, position) -> what of it goes to the position
	key    []byte
	merged []item
}

func newSets() *sets { return &sets{ids: map[string]setID{"": 0}, items: [][]item{nil}} }

// intern gives the id of a set. It keeps none of sorted, which has nothing twice.
func (s *sets) intern(sorted []item) setID {
	s.key = s.key[:0]
	for _, x := range sorted {
		s.key = binary.LittleEndian.AppendUint32(s.key, uint32(x))
	}
	if id, ok := s.ids[string(s.key)]; ok {
		return id
	}
	id := setID(len(s.items))
	s.items = append(s.items, slices.Clone(sorted))
	s.ids[string(s.key)] = id
	return id
}

// of gives the id of the set of some items, which it sorts.
func (s *sets) of(items []item) setID {
	slices.Sort(items)
	return s.intern(slices.Compact(items))
}

func (s *sets) union(a, b setID) setID {
	if a == b || b == 0 {
		return a
	}
	if a == 0 {
		return b
	}
	if a > b {
		a, b = b, a
	}
	if id, ok := s.unions.Get(a, b); ok {
		return id
	}
	s.merged = append(append(s.merged[:0], s.items[a]...), s.items[b]...)
	id := s.of(s.merged)
	s.unions.Put(a, b, id)
	return id
}

// part is the set of those items that belong to a position.
func (s *sets) part(of setID, position uint32, belongs func(item) uint32) setID {
	if of == 0 {
		return 0
	}
	if id, ok := s.parts.Get(of, position); ok {
		return id
	}
	s.merged = s.merged[:0]
	for _, x := range s.items[of] {
		if belongs(x) == position {
			s.merged = append(s.merged, x)
		}
	}
	id := s.intern(s.merged)
	s.parts.Put(of, position, id)
	return id
}

func (s *sets) has(of setID, x item) bool {
	_, ok := slices.BinarySearch(s.items[of], x)
	return ok
}

// appendItems appends what effects bring.
func appendItems(items []item, effects []model.EffectParts) []item {
	for _, e := range effects {
		if e.Message != 0 {
			items = append(items, messageItem(e.Message))
		} else {
			items = append(items, creationItem(e.Local))
		}
	}
	return items
}

// compacted is what a list has, once.
func compacted(items []item) []item {
	slices.Sort(items)
	return slices.Compact(items)
}
