package dbss

import (
	"sync/atomic"
	"unsafe"
)

// moves says what effects of transitions of the other half make of a half. Looking up takes no lock: a table that grows is copied, so that who
// looks something up meanwhile sees the old one. The zero value is empty.
//
// Each half has a table of its own, so that all look-ups of a state are in two tables, of a few lines of a cache each.
type moves struct{ table atomic.Pointer[header] }

// A header says how many slots lie behind it, which is a power of two. A slot is free while it is 0; else its upper bits are an effect, which
// is not 0, and its lower ones what that makes of the half.
type header struct{ mask, used uint64 }

const leastMoves = 4 // slots

func newHeader(slots uint64) *header {
	words := make([]uint64, uint64(unsafe.Sizeof(header{}))/8+slots)
	h := (*header)(unsafe.Pointer(unsafe.SliceData(words)))
	h.mask = slots - 1
	return h
}

// find returns the slot of an effect with what it holds, or the free slot where it belongs and 0.
func (h *header) find(effect uint32) (slot *uint64, holds uint64) {
	for i := uint64(effect) * 0x9e3779b97f4a7c15 >> 32; ; i++ {
		slot = (*uint64)(unsafe.Add(unsafe.Pointer(h), unsafe.Sizeof(*h)+uintptr(i&h.mask)*8))
		if holds = atomic.LoadUint64(slot); holds == 0 || uint32(holds>>32) == effect {
			return slot, holds
		}
	}
}

// get returns what an effect makes of the half, or disabled.
func (m *moves) get(effect uint32) (id uint32, ok bool) {
	h := m.table.Load()
	if h == nil {
		return 0, false
	}
	_, holds := h.find(effect)
	return uint32(holds), holds != 0
}

// put stores what an effect makes of the half, and returns by how many bytes the table grew. One goroutine may store at a time.
func (m *moves) put(effect, id uint32) (bytes int64) {
	h := m.table.Load()
	if h == nil || 4*(h.used+1) > 3*(h.mask+1) {
		h, bytes = m.grow(h)
	}
	slot, holds := h.find(effect)
	if holds == 0 {
		h.used++
	}
	atomic.StoreUint64(slot, uint64(effect)<<32|uint64(id))
	return bytes
}

func (m *moves) grow(old *header) (h *header, bytes int64) {
	if old == nil {
		h, bytes = newHeader(leastMoves), int64(unsafe.Sizeof(*h))
	} else {
		h = newHeader(2 * (old.mask + 1))
		for i := range old.mask + 1 {
			holds := *(*uint64)(unsafe.Add(unsafe.Pointer(old), unsafe.Sizeof(*old)+uintptr(i)*8))
			if holds != 0 {
				slot, _ := h.find(uint32(holds >> 32))
				*slot = holds
			}
		}
		h.used, bytes = old.used, -int64(old.mask+1)*8
	}
	m.table.Store(h)
	return h, bytes + int64(h.mask+1)*8
}

// bytes is how many bytes the table has.
func (m *moves) bytes() int64 {
	h := m.table.Load()
	if h == nil {
		return 0
	}
	return int64(unsafe.Sizeof(*h)) + int64(h.mask+1)*8
}

// copy takes over the moves of another half. No goroutine may store meanwhile.
func (m *moves) copy(from *moves) {
	old := from.table.Load()
	if old == nil {
		return
	}
	h := newHeader(old.mask + 1)
	copy(h.words(), old.words())
	h.used = old.used
	m.table.Store(h)
}

// words are the slots.
func (h *header) words() []uint64 {
	return unsafe.Slice((*uint64)(unsafe.Add(unsafe.Pointer(h), unsafe.Sizeof(*h))), h.mask+1)
}
