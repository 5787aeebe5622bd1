package dbss

import (
	"sync"
	"sync/atomic"
	"unsafe"

	"harrier/internal/ds/slab"
	"harrier/internal/model"
)

// A memo is what composers remember of halves. Composers with one tree may share it: looking up takes no lock, and what two of them
// work out at the same time is the same.
//
// A memo that is full is followed by another one, which takes over what is still looked up. So what is looked up often stays.
type memo struct {
	halves [2]slab.Pointers[half] // by side and id
	before atomic.Pointer[memo]   // the memo that this one follows, until this one is followed; nil for none

	used      atomic.Int64 // bytes of halves, their actions and their moves
	expanding *sync.Mutex  // held while actions or moves of a half are stored or copied; the same one in all that follow each other
}

// newMemo is an empty memo that follows another one, or nil.
func newMemo(before *memo) *memo {
	if before == nil {
		return &memo{expanding: &sync.Mutex{}}
	}
	m := &memo{expanding: before.expanding}
	m.before.Store(before)
	before.before.Store(nil)
	return m
}

// A half is what is remembered of one half of states.
type half struct {
	ids  []uint32 // of its positions, without zeros at the end
	hash uint64

	expanded atomic.Bool // actions and certain are there, and do not change but for action.next
	actions  []action
	certain  uint32 // how many of these are no faults and enabled whatever the other half is

	moves moves
}

// An action is a transition of an actor in a half.
type action struct {
	model.Transition
	next    uint32 // the half after it, failing or unsettled; loaded and stored atomically
	effect  uint32 // what it does to the other half, 0 for nothing that the other half could disable
	handler uint32
	fault   uint16 // of a fault: one more than its index
}

// What stands for no half.
const (
	disabled  = 1<<32 - 2 - iota // the transition is. What is global is in the lower half, so only that disables transitions.
	failing                      // the handler fails, so there is no half after it
	unsettled                    // not known yet, as all other halves so far disabled the effect
)

// after is the half after an action, 0 if its handler fails.
func (a *action) after() (next uint32, fails bool) {
	if next = atomic.LoadUint32(&a.next); next == failing {
		return 0, true
	}
	return next, false
}

func (a *action) isSettled() bool { return atomic.LoadUint32(&a.next) != unsettled }

// add puts a half in the memo, and returns the one that was there before if there was one.
func (m *memo) add(side int, id uint32, h *half) *half {
	bytes := int64(unsafe.Sizeof(*h)) + int64(cap(h.ids))*4 + int64(len(h.actions))*int64(unsafe.Sizeof(action{})) + h.moves.bytes()
	kept := m.halves[side].GetOrPut(id, h) // from then on, others may expand it
	if kept == h {
		m.used.Add(bytes)
	}
	return kept
}

// expand stores the actions of a half, unless another composer has.
func (m *memo) expand(h *half, actions []action, certain uint32) {
	m.expanding.Lock()
	defer m.expanding.Unlock()
	if h.expanded.Load() {
		return
	}
	h.actions, h.certain = actions, certain
	h.expanded.Store(true)
	m.used.Add(int64(len(actions)) * int64(unsafe.Sizeof(action{})))
}

// move stores what an effect of the other half makes of a half, or disabled.
func (m *memo) move(h *half, effect, id uint32) {
	m.expanding.Lock()
	defer m.expanding.Unlock()
	m.used.Add(h.moves.put(effect, id))
}

// bytes is about the memory of the memo and the one before.
func (m *memo) bytes() uint64 {
	bytes := m.used.Load()
	if before := m.before.Load(); before != nil {
		bytes += before.used.Load()
	}
	return uint64(bytes)
}

// isFull reports whether the memo takes more than half of a limit, of which the one before has the other half.
func (m *memo) isFull(limit uint64) bool { return uint64(m.used.Load()) > limit/2 }
