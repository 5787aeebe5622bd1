package dbss

import (
	"context"
	"errors"
	"slices"

	"harrier/internal/pairs"
	"harrier/internal/wordset"
	"harrier/model"
)

// folded is a global state as two halves: the actors at lower positions, with what is global, and those at
// higher ones. A half is the id of its part of the vector in a tree.
type folded struct{ lower, upper uint32 }

// successor is an enabled transition with the state that it leads to.
type successor struct {
	model.Transition
	to      folded
	handler uint32
	fails   bool   // the handler does, so there is no such state
	fault   uint16 // as in action
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
	tree   *tree
	split  int // first position of the upper half

	known   [2]index     // id of a half -> its place in halves
	moved   [2]pairs.Map // (id of a half, effect of a transition of the other half) -> id, or refused
	halves  []half
	ids     []uint32 // of the positions of all halves, one after another
	actions []action // of all halves, one after another

	// The state that something is worked out on, with what is enabled in it.
	staged   folded
	isStaged bool
	vector   model.State
	enabled  []model.Transition
	undo     []model.Change

	scratch []successor
}

// A half is what is remembered of one half of states.
type half struct {
	hash           uint64
	ids, positions uint32 // its range in composer.ids
	actions, end   uint32 // its range in composer.actions
	certain        uint32 // how many of these are no faults and enabled whatever the other half is
	isExpanded     bool
}

// An action is a transition of an actor in a half.
type action struct {
	model.Transition
	next    uint32 // the half after it
	effect  uint32 // what it does to the other half, 0 for nothing that the other half could refuse
	handler uint32
	fails   bool
	// isOpen says that next and fails are not known yet, as all other halves so far refused the effect.
	isOpen bool
	fault  uint16 // of a fault: one more than its index
}

// refused stands for no half. What is global is in the lower half, so that is the one to refuse.
const refused = 1<<32 - 2

// The sides of a state.
const (
	lower = iota
	upper
)

func newComposer(system model.System, s *store) *composer {
	c := &composer{recent: newRecent(), system: system, store: s, tree: s.tree, split: max(1, (len(system.Initial())+1)/2)}
	if c.tree == nil {
		c.tree = &tree{}
	}
	return c
}

// An index finds numbers by ids of a tree, which count up on each level.
type index [maxLevel + 1][]uint32

func (x *index) get(id uint32) (number uint32, ok bool) {
	level, i := x[id>>indexBits], id&(1<<indexBits-1)
	if int(i) >= len(level) || level[i] == 0 {
		return 0, false
	}
	return level[i] - 1, true
}

func (x *index) put(id, number uint32) {
	level, i := &x[id>>indexBits], int(id&(1<<indexBits-1))
	if i >= len(*level) {
		*level = slices.Grow(*level, i+1-len(*level))[:i+1]
	}
	(*level)[i] = number + 1
}

func (x *index) clear() {
	for _, level := range x {
		clear(level)
	}
}

func (x *index) bytes() uint64 {
	n := 0
	for _, level := range x {
		n += cap(level) * 4
	}
	return uint64(n)
}

// side is the half of a state on one side.
func (s folded) side(side int) uint32 {
	if side == lower {
		return s.lower
	}
	return s.upper
}

func (s *folded) replace(side int, id uint32) {
	if side == lower {
		s.lower = id
	} else {
		s.upper = id
	}
}

// fold is a vector as halves.
func (c *composer) fold(s model.State) (to folded, err error) {
	if to.lower, err = c.tree.fold(s[:min(c.split, len(s))]); err != nil {
		return to, err
	}
	if len(s) > c.split {
		to.upper, err = c.tree.fold(s[c.split:])
	}
	return to, err
}

// A place is where the halves of a state are in composer.halves.
type place [2]uint32

// find is the place of a state. It holds until the composer forgets.
func (c *composer) find(s folded) place {
	return place{c.half(lower, s.lower), c.half(upper, s.upper)}
}

// unfold is the state at a place as a vector, in the memory of into.
func (c *composer) unfold(at place, into model.State) model.State {
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
	if place, ok := c.known[side].get(id); ok {
		return place
	}
	place, from := uint32(len(c.halves)), uint32(len(c.ids))
	c.ids = c.tree.unfold(id, c.ids)
	for len(c.ids) > int(from) && c.ids[len(c.ids)-1] == 0 {
		c.ids = c.ids[:len(c.ids)-1]
	}
	h := half{ids: from, positions: uint32(len(c.ids)) - from}
	h.hash = hash(side*c.split, c.ids[from:])
	c.halves = append(c.halves, h)
	c.known[side].put(id, place)
	return place
}

// An outlook says what may follow a state.
type outlook struct {
	isEnd bool // no event is enabled, but perhaps faults
	goes  bool // some transition is enabled
}

// expand makes sure that the transitions of both halves of a state are known, and says what may follow it.
func (c *composer) expand(ctx context.Context, s folded, at place) (outlook, error) {
	actions, certain := uint32(0), uint32(0)
	for side, h := range at {
		if !c.halves[h].isExpanded {
			if err := c.workOut(ctx, s, at, side); err != nil {
				return outlook{}, err
			}
		}
		actions += c.halves[h].end - c.halves[h].actions
		certain += c.halves[h].certain
	}
	if actions == 0 || certain > 0 {
		return outlook{isEnd: actions == 0, goes: actions > 0}, nil
	}
	var err error
	c.scratch, err = c.successors(ctx, s, at, c.scratch[:0])
	isEvent := func(to successor) bool { return to.fault == 0 }
	return outlook{isEnd: !slices.ContainsFunc(c.scratch, isEvent), goes: len(c.scratch) > 0}, err
}

// successors appends the successors of a state that is expanded, in the order of System.Enabled. It has the
// store begin to load what it will be asked for when they are taken.
func (c *composer) successors(ctx context.Context, s folded, at place, into []successor) ([]successor, error) {
	for side := upper; side >= lower; side-- {
		other, h := 1-side, &c.halves[at[side]]
		actions := c.actions[h.actions:h.end]
		n := len(into)
		into = slices.Grow(into, len(actions))[:n+len(actions)]
		for i := range actions {
			a, next := &actions[i], &into[n]
			to := s
			if a.effect != 0 {
				id, ok := c.moved[other].Get(s.side(other), a.effect)
				if !ok || a.isOpen && id != refused {
					var err error
					if id, err = c.move(ctx, s, at, other, a); err != nil {
						return into[:n], err
					}
				}
				if id == refused {
					continue
				}
				to.replace(other, id)
			}
			to.replace(side, a.next)
			if key := c.store.key(c, to); !c.recent.has(key) {
				c.store.prefetch(key)
			}
			// Field by field: to copy what was written just before, in other sizes, is slow.
			next.Slot, next.Step, next.to, next.handler, next.fails, next.fault = a.Slot, a.Step, to, a.handler, a.fails, a.fault
			n++
		}
		into = into[:n]
	}
	return into, nil
}

// stage makes a state the one that transitions are taken of to work something out.
func (c *composer) stage(ctx context.Context, s folded, at place) error {
	if c.isStaged && c.staged == s {
		return nil
	}
	c.isStaged = false
	c.vector = c.unfold(at, c.vector)
	var err error
	if c.enabled, err = c.system.Enabled(ctx, c.vector, c.enabled[:0]); err != nil {
		return err
	}
	c.staged, c.isStaged = s, true
	return nil
}

// workOut finds the transitions of a half in a state that it is met in.
func (c *composer) workOut(ctx context.Context, in folded, at place, side int) error {
	if err := c.stage(ctx, in, at); err != nil {
		return err
	}
	from, certain := uint32(len(c.actions)), uint32(0)
	for _, t := range c.enabled {
		if c.sideOf(t.Slot+1) != side {
			continue
		}
		facts := c.system.Facts(c.vector, t)
		a := action{Transition: t, handler: facts.Handler, fault: facts.Fault}
		isRefusable := side == upper && facts.Refusable
		if isRefusable {
			a.effect = facts.Effect
		}
		moves, err := c.try(in, side, &a, facts.Effect)
		if err != nil {
			return err
		}
		if side == lower && moves == refused {
			continue // the half is refused by itself
		}
		if a.effect != 0 {
			c.moved[1-side].Put(in.side(1-side), a.effect, moves)
		}
		if a.fault == 0 && !isRefusable {
			certain++
		}
		c.actions = append(c.actions, a)
	}
	h := &c.halves[at[side]]
	h.actions, h.end, h.certain, h.isExpanded = from, uint32(len(c.actions)), certain, true
	return nil
}

// move finds what the other half becomes by an action, in a state that they are met in.
func (c *composer) move(ctx context.Context, in folded, at place, other int, a *action) (uint32, error) {
	if err := c.stage(ctx, in, at); err != nil {
		return 0, err
	}
	next, err := c.try(in, 1-other, a, a.effect)
	if err == nil {
		c.moved[other].Put(in.side(other), a.effect, next)
	}
	return next, err
}

// try takes an action of a side of the staged state, and fills in what is found out about it by that. It returns what
// the other half becomes.
func (c *composer) try(in folded, side int, a *action, effect uint32) (uint32, error) {
	after, changed, err := c.apply(a.Transition)
	var failure *model.StepFailure
	switch {
	case errors.Is(err, model.ErrRefused):
		a.isOpen = true
		return refused, nil
	case errors.As(err, &failure):
		a.fails, a.isOpen = true, false
		return in.side(1 - side), nil
	case err != nil:
		return 0, err
	}
	a.next, a.isOpen = after.side(side), false
	if changed[1-side] {
		a.effect = effect
	}
	return after.side(1 - side), nil
}

// apply takes a transition of the staged state, which stays as it is, and says where it leads and which sides
// it changes.
func (c *composer) apply(t model.Transition) (to folded, changed [2]bool, err error) {
	var after model.State
	if after, c.undo, err = c.system.Apply(c.vector, t, c.undo[:0]); err != nil {
		return to, changed, err
	}
	for _, change := range c.undo {
		changed[c.sideOf(change.Position)] = true
	}
	to = c.staged
	if changed[lower] {
		to.lower, err = c.tree.fold(after[:min(c.split, len(after))])
	}
	if changed[upper] && err == nil {
		to.upper, err = c.tree.fold(after[c.split:])
	}
	c.vector.Undo(c.undo)
	return to, changed, err
}

func (c *composer) sideOf(position uint32) int {
	if int(position) < c.split {
		return lower
	}
	return upper
}

// bytes is about the memory of what is remembered, but for the indices.
func (c *composer) bytes() uint64 {
	const slot = 20 // bytes of a map for each pair in it
	moved := c.moved[lower].Len() + c.moved[upper].Len()
	return uint64(len(c.halves))*32 + uint64(len(c.ids))*4 + uint64(len(c.actions))*24 + uint64(moved)*slot
}

// indexBytes is the memory of the indices.
func (c *composer) indexBytes() uint64 { return c.known[lower].bytes() + c.known[upper].bytes() }

// forget drops all that is remembered. Its memory is used again.
func (c *composer) forget() {
	for side := range 2 {
		c.known[side].clear()
		c.moved[side].Clear()
	}
	c.halves, c.ids, c.actions = c.halves[:0], c.ids[:0], c.actions[:0]
	c.isStaged = false
}

// renewTree goes on with an empty tree. It returns what makes a state of the old tree one of the new.
func (c *composer) renewTree() (refold func(folded) (folded, error)) {
	old := c.tree
	c.tree, c.known = &tree{}, [2]index{}
	c.forget()
	var ids []uint32
	return func(s folded) (folded, error) {
		for side := range 2 {
			ids = old.unfold(s.side(side), ids[:0])
			id, err := c.tree.fold(ids)
			if err != nil {
				return s, err
			}
			s.replace(side, id)
		}
		return s, nil
	}
}

// hash is a hash of a state, for the compact store.
func (c *composer) hash(s folded) uint64 {
	sum := c.halves[c.half(lower, s.lower)].hash + c.halves[c.half(upper, s.upper)].hash
	if sum == wordset.Invalid {
		return 0
	}
	return sum
}

// hash is a 64-bit hash of ids from a position on: the sum of a mix of each id with its position. Zeros add
// nothing.
func hash(position int, ids []uint32) uint64 {
	sum := uint64(0)
	for i, id := range ids {
		if id != 0 {
			sum += mix(uint64(position+i)<<32 | uint64(id))
		}
	}
	return sum
}

// mix is the finalizer of SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators).
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
