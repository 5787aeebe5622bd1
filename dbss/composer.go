package dbss

import (
	"sync/atomic"

	"harrier/internal/ds/vectors"
	"harrier/internal/model"
)

// compressed is a global state as two halves: the actors at lower positions, with what is global, and those at
// higher ones. A half is the id of its part of the vector in a tree.
type compressed struct{ lower, upper uint32 }

// successor is an enabled transition with the state that it leads to.
type successor struct {
	model.Transition
	to      compressed
	handler uint32
	fails   bool   // the handler does, so there is no such state
	fault   uint16 // as in action
	number  uint32 // of the action, among those of both halves, those that are disabled here included
	class   uint64 // the visited set's key of the state, if symmetry gives it another one and it is known; else 0
}

// composer makes the transitions of states out of those of their halves. A half behaves as an actor does:
// what it does by itself, and what it does to the other half, is worked out once, on a state
// that it was met in, and then remembered. So a transition costs one or two look-ups, however many
// actors there are and however many of them it changes.
//
// This rests on System being local. A composer belongs to one worker; what is remembered is in a memo, which workers share.
type composer struct {
	system model.System
	store  *store
	recent recent
	noted  *recent // the candidates of the worker; nil while states are looked up at once
	tree   *vectors.Tree
	memo   *memo
	shared *atomic.Pointer[memo] // the memo that all composers use; nil if this one has its own
	split  int                   // first position of the upper half

	// The state that something is worked out on, with what is enabled in it.
	staged    compressed
	hasStaged bool
	vector    model.State
	enabled   []model.Transition
	undo      []model.Change

	ids        []uint32 // room for those of a half
	actions    []action // likewise
	newHalves  arena[half]
	newIDs     arena[uint32]
	newActions arena[action]
	scratch    []successor
}

// The sides of a state.
const (
	lower = iota
	upper
)

func newComposer(system model.System, s *store) *composer {
	c := &composer{recent: newRecent(recentBits), system: system, store: s, tree: s.tree, split: splitOf(system)}
	if c.tree == nil {
		c.tree, c.memo = &vectors.Tree{}, newMemo(nil)
		return c
	}
	c.shared = &s.memo
	c.shared.CompareAndSwap(nil, newMemo(nil))
	c.memo = c.shared.Load()
	return c
}

// side is the half of a state on one side.
func (s compressed) side(side int) uint32 {
	if side == lower {
		return s.lower
	}
	return s.upper
}

func (s *compressed) replace(side int, id uint32) {
	if side == lower {
		s.lower = id
	} else {
		s.upper = id
	}
}

// compress is a vector as halves.
func (c *composer) compress(s model.State) (to compressed, err error) {
	lower, upper := c.halves(s)
	if to.lower, err = c.id(lower); err == nil {
		to.upper, err = c.id(upper)
	}
	return to, err
}

// halves are the two parts of a vector that have ids of their own.
func (c *composer) halves(s []uint32) (lower, upper []uint32) {
	split := min(c.split, len(s))
	return s[:split], s[split:]
}

var errTreeFull = &model.LimitError{
	Text: "the tree that compresses the visited states is full; --store compact does without it",
}

// id is the id of one half of a vector.
func (c *composer) id(half []uint32) (uint32, error) {
	id, ok := c.tree.Compress(half)
	if !ok {
		return 0, errTreeFull
	}
	return id, nil
}

// A place is what is remembered of the halves of a state.
type place [2]*half

// find is the place of a state.
func (c *composer) find(s compressed) place {
	return place{c.half(lower, s.lower), c.half(upper, s.upper)}
}

// decompress is the state at a place as a vector, in the memory of into.
func (c *composer) decompress(at place, into model.State) model.State {
	into = into[:0]
	for side, h := range at {
		into = append(into, h.ids...)
		for side == lower && len(at[upper].ids) > 0 && len(into) < c.split {
			into = append(into, 0)
		}
	}
	return into
}

// half is what is remembered of the half with an id.
func (c *composer) half(side int, id uint32) *half {
	if h := c.memo.halves[side].Get(id); h != nil {
		return h
	}
	if before := c.memo.before.Load(); before != nil {
		if h := before.halves[side].Get(id); h != nil {
			return c.memo.add(side, id, c.copyOf(h))
		}
	}
	c.ids = c.tree.Decompress(id, c.ids[:0])
	for len(c.ids) > 0 && c.ids[len(c.ids)-1] == 0 {
		c.ids = c.ids[:len(c.ids)-1]
	}
	h := &c.newHalves.take(1)[0]
	h.ids, h.hash = c.newIDs.copy(c.ids), hash(side*c.split, c.ids)
	return c.memo.add(side, id, h)
}

// copyOf is a half of the memo before in memory of its own, so that what lies beside it can be given back.
func (c *composer) copyOf(old *half) *half {
	h := &c.newHalves.take(1)[0]
	h.ids, h.hash = c.newIDs.copy(old.ids), old.hash
	c.memo.expanding.Lock()
	defer c.memo.expanding.Unlock()
	if old.expanded.Load() {
		h.actions, h.certain = c.newActions.take(len(old.actions)), old.certain
		for i := range old.actions {
			a := &old.actions[i]
			h.actions[i] = action{a.Transition, atomic.LoadUint32(&a.next), a.effect, a.handler, a.fault}
		}
		h.expanded.Store(true)
	}
	h.moves.copy(&old.moves)
	return h
}

// bytes is about the memory of what this composer alone has.
func (c *composer) bytes() uint64 {
	bytes := uint64(0)
	if c.shared == nil {
		bytes += c.memo.bytes()
	}
	if c.store.tree == nil {
		bytes += c.tree.Bytes()
	}
	return bytes
}

// economize replaces the memo, for all composers that share it, once it takes more than half of limit bytes, and adopts the replacement that
// another composer has made.
func (c *composer) economize(limit uint64) {
	full := c.memo.isFull(limit)
	switch {
	case c.shared != nil:
		if full {
			c.shared.CompareAndSwap(c.memo, newMemo(c.memo))
		}
		c.memo = c.shared.Load()
	case full:
		c.memo = newMemo(c.memo)
	}
}

// renewTree goes on with an empty tree. It returns what makes a state of the old tree one of the new.
func (c *composer) renewTree() (recompress func(compressed) (compressed, error)) {
	old := c.tree
	c.tree, c.memo, c.hasStaged = &vectors.Tree{}, newMemo(nil), false
	var ids []uint32
	return func(s compressed) (compressed, error) {
		for side := range 2 {
			ids = old.Decompress(s.side(side), ids[:0])
			id, err := c.id(ids)
			if err != nil {
				return s, err
			}
			s.replace(side, id)
		}
		return s, nil
	}
}

// An arena makes slices that lie side by side in memory.
type arena[T any] struct{ free []T }

func (a *arena[T]) take(n int) []T {
	if n > len(a.free) {
		a.free = make([]T, max(n, 512))
	}
	taken := a.free[:n:n]
	a.free = a.free[n:]
	return taken
}

func (a *arena[T]) copy(from []T) []T {
	to := a.take(len(from))
	copy(to, from)
	return to
}
