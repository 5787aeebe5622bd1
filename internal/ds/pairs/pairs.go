// Package pairs holds the one table that the hot paths look things up in: from a pair of ids to
// an id. It is open-addressed and holds no pointers, so that a look-up costs one cache line and
// the garbage collector nothing.
//
// Many goroutines may use a Map at once. Looking up takes no lock. Storing takes one, and a table that
// grows is copied, so that who looks something up meanwhile sees the old one.
package pairs

import (
	"sync"
	"sync/atomic"
)

// Map maps pairs of ids to an id. The zero value is an empty map.
type Map struct {
	slots atomic.Pointer[[]slot]

	storing sync.Mutex
	used    atomic.Int64
}

// A slot is free while value is 0; values are stored plus one. A pair is written before its value,
// and never after it.
type slot struct {
	a, b  uint32
	value atomic.Uint32
}

const (
	slotBytes = 12
	leastSize = 64
)

// Get returns the id stored for (a, b).
func (m *Map) Get(a, b uint32) (uint32, bool) {
	slots := m.slots.Load()
	if slots == nil {
		return 0, false
	}
	_, v := find(*slots, a, b)
	return v - 1, v != 0
}

// GetOrPut returns the id stored for (a, b). If there is none it stores the one that make gives; make is
// called under the lock of the map.
func (m *Map) GetOrPut(a, b uint32, make func() (uint32, error)) (uint32, error) {
	if v, ok := m.Get(a, b); ok {
		return v, nil
	}
	m.storing.Lock()
	defer m.storing.Unlock()
	if v, ok := m.Get(a, b); ok {
		return v, nil
	}
	v, err := make()
	if err != nil {
		return 0, err
	}
	m.put(a, b, v)
	return v, nil
}

// Put stores an id for (a, b), in place of what was there. Ids are below 2^32-1.
func (m *Map) Put(a, b, value uint32) {
	m.storing.Lock()
	defer m.storing.Unlock()
	m.put(a, b, value)
}

// Len is the number of pairs.
func (m *Map) Len() int { return int(m.used.Load()) }

// Bytes is the memory that the map takes.
func (m *Map) Bytes() uint64 {
	if slots := m.slots.Load(); slots != nil {
		return uint64(len(*slots)) * slotBytes
	}
	return 0
}

func (m *Map) put(a, b, value uint32) {
	slots := m.slots.Load()
	if slots == nil || 4*(m.Len()+1) > 3*len(*slots) {
		slots = m.grow(slots)
	}
	s, old := find(*slots, a, b)
	if old == 0 {
		m.used.Add(1)
		s.a, s.b = a, b
	}
	s.value.Store(value + 1)
}

func (m *Map) grow(old *[]slot) *[]slot {
	size := leastSize
	if old != nil {
		size = 2 * len(*old)
	}
	slots := make([]slot, size)
	if old != nil {
		for i := range *old {
			if s := &(*old)[i]; s.value.Load() != 0 {
				to, _ := find(slots, s.a, s.b)
				to.a, to.b = s.a, s.b
				to.value.Store(s.value.Load())
			}
		}
	}
	m.slots.Store(&slots)
	return &slots
}

// find returns the slot of (a, b) with its value, or the free slot where it belongs and 0. The value is loaded
// once: what was free may be put to use at any time, for another pair.
func find(slots []slot, a, b uint32) (s *slot, value uint32) {
	mask := uint64(len(slots) - 1)
	for i := hash(a, b) & mask; ; i = (i + 1) & mask {
		s = &slots[i]
		if value = s.value.Load(); value == 0 || s.a == a && s.b == b {
			return s, value
		}
	}
}

func hash(a, b uint32) uint64 {
	h := (uint64(a)<<32 | uint64(b)) * 0x9e3779b97f4a7c15
	return h ^ h>>29
}
