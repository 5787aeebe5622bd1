// Package pairs holds the one table that the hot paths look things up in: from a pair of ids to
// an id. It is open-addressed and holds no pointers, so that a look-up costs one cache line and
// the garbage collector nothing.
package pairs

// Map maps pairs of ids to an id. The zero value is an empty map.
type Map struct {
	slots []slot
	used  int
}

// A slot is free while value is 0; values are stored plus one.
type slot struct {
	a, b, value uint32
}

// Get returns the id stored for (a, b).
func (m *Map) Get(a, b uint32) (uint32, bool) {
	if len(m.slots) == 0 {
		return 0, false
	}
	s := &m.slots[m.find(a, b)]
	return s.value - 1, s.value != 0
}

// Put stores an id for (a, b), in place of what was there. Ids are below 2^32-1.
func (m *Map) Put(a, b, value uint32) {
	if 4*(m.used+1) > 3*len(m.slots) {
		m.grow()
	}
	s := &m.slots[m.find(a, b)]
	if s.value == 0 {
		m.used++
	}
	*s = slot{a, b, value + 1}
}

// Len is the number of pairs.
func (m *Map) Len() int { return m.used }

// find returns the slot of (a, b), or the free slot where it belongs.
func (m *Map) find(a, b uint32) uint64 {
	mask := uint64(len(m.slots) - 1)
	for i := hash(a, b) & mask; ; i = (i + 1) & mask {
		s := &m.slots[i]
		if s.value == 0 || s.a == a && s.b == b {
			return i
		}
	}
}

func (m *Map) grow() {
	old := m.slots
	m.slots = make([]slot, max(64, 2*len(old)))
	for _, s := range old {
		if s.value != 0 {
			m.slots[m.find(s.a, s.b)] = s
		}
	}
}

func hash(a, b uint32) uint64 {
	h := (uint64(a)<<32 | uint64(b)) * 0x9e3779b97f4a7c15
	return h ^ h>>29
}
