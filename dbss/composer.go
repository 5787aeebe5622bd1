package dbss

import (
	"harrier/internal/ds/pairs"
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
	arrived bool   // it comes from another member of a Partition, which counted it
	fault   uint16 // as in action
	number  uint32 // of the action, among those of both halves, those that are disabled here included
}

// composer makes the transitions of states out of those of their halves. A half behaves as an actor does:
// what it does by itself, and what it does to the other half, is worked out once, on a state
// that it was met in, and then remembered. So a transition costs one or two look-ups, however many
// actors there are and however many of them it changes.
//
// This rests on System being local. What is remembered belongs to one worker, so nothing is locked, and is
// forgotten when it takes too much memory.
type composer struct {
	system model.System
	store  *store
	recent recent
	noted  *recent // the candidates of the worker; nil while states are looked up at once
	tree   *vectors.Tree
	split  int                                     // first position of the upper half
	sum    func(position int, ids []uint32) uint64 // hashes halves

	known   [2]vectors.Index // id of a half -> its place in halves
	moved   [2]pairs.Map     // (id of a half, effect of a transition of the other half) -> id, or disabled
	halves  []half
	ids     []uint32 // of the positions of all halves, one after another
	actions []action // of all halves, one after another

	// The state that something is worked out on, with what is enabled in it.
	staged    compressed
	hasStaged bool
	vector    model.State
	enabled   []model.Transition
	undo      []model.Change

	scratch []successor
	tries   uint64 // how often something was worked out
}

// A half is what is remembered of one half of states.
type half struct {
	hash           uint64
	ids, positions uint32 // its range in composer.ids
	actions, end   uint32 // its range in composer.actions
	certain        uint32 // how many of these are no faults and enabled whatever the other half is
	expanded       bool
	published      uint64 // with a Partition: a bit for each member to which it was sent
}

// An action is a transition of an actor in a half.
type action struct {
	model.Transition
	next    uint32 // the half after it
	effect  uint32 // what it does to the other half, 0 for nothing that the other half could disable
	handler uint32
	fails   bool
	// open says that next and fails are not known yet, as all other halves so far disabled the effect.
	open  bool
	fault uint16 // of a fault: one more than its index
}

// disabled stands for no half. What is global is in the lower half, so only that disables transitions.
const disabled = 1<<32 - 2

// The sides of a state.
const (
	lower = iota
	upper
)

func newComposer(system model.System, s *store) *composer {
	c := &composer{recent: newRecent(recentBits), system: system, store: s, tree: s.tree, sum: hash, split: max(1, (len(system.Initial())+1)/2)}
	if c.tree == nil {
		c.tree = &vectors.Tree{}
	}
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
	if to.lower, err = c.id(s[:min(c.split, len(s))]); err != nil {
		return to, err
	}
	if len(s) > c.split {
		to.upper, err = c.id(s[c.split:])
	}
	return to, err
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

// A place is where the halves of a state are in composer.halves.
type place [2]uint32

// find is the place of a state. It holds until the composer forgets.
func (c *composer) find(s compressed) place {
	return place{c.half(lower, s.lower), c.half(upper, s.upper)}
}

// decompress is the state at a place as a vector, in the memory of into.
func (c *composer) decompress(at place, into model.State) model.State {
	into = into[:0]
	for side, h := range at {
		h := &c.halves[h]
		into = append(into, c.ids[h.ids:h.ids+h.positions]...)
		for side == lower && len(into) < c.split {
			into = append(into, 0)
		}
	}
	return into
}

// half is where a half is in halves.
func (c *composer) half(side int, id uint32) uint32 {
	if place, ok := c.known[side].Get(id); ok {
		return place
	}
	place, from := uint32(len(c.halves)), uint32(len(c.ids))
	c.ids = c.tree.Decompress(id, c.ids)
	for len(c.ids) > int(from) && c.ids[len(c.ids)-1] == 0 {
		c.ids = c.ids[:len(c.ids)-1]
	}
	h := half{ids: from, positions: uint32(len(c.ids)) - from}
	h.hash = c.sum(side*c.split, c.ids[from:])
	c.halves = append(c.halves, h)
	c.known[side].Put(id, place)
	return place
}

// bytes is about the memory of what is remembered, but for the indices.
func (c *composer) bytes() uint64 {
	const slot = 20 // bytes of a map for each pair in it
	moved := c.moved[lower].Len() + c.moved[upper].Len()
	return uint64(len(c.halves))*32 + uint64(len(c.ids))*4 + uint64(len(c.actions))*24 + uint64(moved)*slot
}

// indexBytes is the memory of the indices.
func (c *composer) indexBytes() uint64 { return c.known[lower].Bytes() + c.known[upper].Bytes() }

// forget drops all that is remembered. Its memory is used again.
func (c *composer) forget() {
	for side := range 2 {
		c.known[side].Clear()
		c.moved[side].Clear()
	}
	c.halves, c.ids, c.actions = c.halves[:0], c.ids[:0], c.actions[:0]
	c.hasStaged = false
}

// renewTree goes on with an empty tree. It returns what makes a state of the old tree one of the new.
func (c *composer) renewTree() (recompress func(compressed) (compressed, error)) {
	old := c.tree
	c.tree, c.known = &vectors.Tree{}, [2]vectors.Index{}
	c.forget()
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
