package dbss

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"

	"harrier/internal/ds/wordset"
	"harrier/internal/model"
)

// status is what may follow a state.
type status struct {
	terminal  bool // no event is enabled, but perhaps faults
	continues bool // some transition is enabled
}

// expand makes sure that the transitions of both halves of a state are known, and says what may follow it.
func (c *composer) expand(ctx context.Context, s compressed, at place) (status, error) {
	actions, certain := 0, 0
	for side, h := range at {
		if !h.expanded.Load() {
			if err := c.workOut(ctx, s, at, side); err != nil {
				return status{}, err
			}
		}
		actions += len(h.actions)
		certain += int(h.certain)
	}
	if actions == 0 || certain > 0 {
		return status{terminal: actions == 0, continues: actions > 0}, nil
	}
	var err error
	c.scratch, err = c.successors(ctx, s, at, c.scratch[:0])
	isEvent := func(to successor) bool { return to.fault == 0 }
	return status{terminal: !slices.ContainsFunc(c.scratch, isEvent), continues: len(c.scratch) > 0}, err
}

// successors appends the successors of a state that is expanded, in the order of System.Enabled. It has the
// store begin to load what it will be asked for when they are taken.
func (c *composer) successors(ctx context.Context, s compressed, at place, into []successor) ([]successor, error) {
	first := uint32(0)
	for side := upper; side >= lower; side-- {
		other, actions := 1-side, at[side].actions
		n := len(into)
		into = slices.Grow(into, len(actions))[:n+len(actions)]
		for i := range actions {
			a, next := &actions[i], &into[n]
			to := s
			if a.effect != 0 {
				id, ok := at[other].moves.get(a.effect)
				if !ok || id != disabled && !a.isSettled() {
					var err error
					if id, err = c.move(ctx, s, at, other, a); err != nil {
						return into[:n], err
					}
				}
				if id == disabled {
					continue
				}
				to.replace(other, id)
			}
			after, fails := a.after()
			to.replace(side, after)
			if key := c.store.key(c, to); !c.recent.has(key) {
				c.prefetch(key)
			}
			// Field by field: to copy what was written just before, in other sizes, is slow.
			next.Slot, next.Step, next.to, next.handler, next.fails, next.fault = a.Slot, a.Step, to, a.handler, fails, a.fault
			next.number, next.class = first+uint32(i), 0
			n++
		}
		into, first = into[:n], first+uint32(len(actions))
	}
	return into, nil
}

// compose is successors for breadth-first search, and counts the transitions. Those to states that the worker met lately are left out: a
// successor is written where the next one will be if its target was, for which no branch is taken that cannot be predicted. If reduced,
// only w.chosen are followed.
func (w *worker) compose(ctx context.Context, s compressed, at place, reduced bool, into []successor) (_ []successor, err error) {
	c := w.composer
	if _, err := c.expand(ctx, s, at); err != nil {
		return into, err
	}
	chosen, first, from, before := w.chosen, uint32(0), len(into), w.counts.Transitions
	for side := upper; side >= lower; side-- {
		other, actions := 1-side, at[side].actions
		n := len(into)
		into = slices.Grow(into, len(actions))[:n+len(actions)]
		for i := range actions {
			a, next := &actions[i], &into[n]
			if reduced {
				if len(chosen) == 0 || a.Transition != chosen[0] {
					continue
				}
				chosen = chosen[1:]
			}
			to := s
			if a.effect != 0 {
				id, ok := at[other].moves.get(a.effect)
				if !ok || id != disabled && !a.isSettled() {
					if id, err = c.move(ctx, s, at, other, a); err != nil {
						w.takeBack(at, reduced, w.counts.Transitions-before)
						return into[:from], err
					}
				}
				if id == disabled {
					continue
				}
				to.replace(other, id)
			}
			after, fails := a.after()
			to.replace(side, after)
			w.taken++
			w.counts.Transitions++
			w.counts.count(a.handler, a.fault, 1)
			// Field by field: to copy what was written just before, in other sizes, is slow.
			next.Slot, next.Step, next.to, next.handler, next.fails, next.fault = a.Slot, a.Step, to, a.handler, fails, a.fault
			next.number, next.class = first+uint32(i), 0
			if fails {
				n++
				continue
			}
			n += c.recent.replace(c.store.key(c, to))
		}
		into, first = into[:n], first+uint32(len(actions))
	}
	for i := range into[from:] {
		c.prefetch(c.store.key(c, into[from+i].to))
	}
	return into, nil
}

// takeBack subtracts from the counts the first counted transitions of the state at a place, which compose had added when it failed.
func (w *worker) takeBack(at place, reduced bool, counted uint64) {
	chosen := w.chosen
	for side := upper; side >= lower; side-- {
		for i := range at[side].actions {
			if counted == 0 {
				return
			}
			a := &at[side].actions[i]
			if reduced && (len(chosen) == 0 || a.Transition != chosen[0]) {
				continue
			} else if reduced {
				chosen = chosen[1:]
			}
			if id, known := at[1-side].moves.get(a.effect); a.effect != 0 && known && id == disabled {
				continue
			}
			counted--
			w.uncount(&successor{handler: a.handler, fault: a.fault})
		}
	}
}

// prefetch says that a state with a key will be looked up before long.
func (c *composer) prefetch(key uint64) {
	c.store.prefetch(key)
	if c.noted != nil && !c.store.canonical {
		wordset.PrefetchAt(c.noted.slot(key))
	}
}

// byNumber is the successor of a state by the action of a number.
func (c *composer) byNumber(ctx context.Context, s compressed, number uint32) (successor, error) {
	at := c.find(s)
	if _, err := c.expand(ctx, s, at); err != nil {
		return successor{}, err
	}
	next, ok, err := c.follow(ctx, s, at, number)
	if !ok && err == nil {
		err = fmt.Errorf("internal error: transition %d was taken, and there is none", number)
	}
	return next, err
}

// follow is the successor by the action of a number of a state that is expanded; false if there is none, or it is disabled.
// successors does the same for all actions, in a loop of its own: with a function for both, a search took 5 % longer.
func (c *composer) follow(ctx context.Context, s compressed, at place, number uint32) (next successor, ok bool, err error) {
	next.number = number
	side := upper
	if n := uint32(len(at[upper].actions)); number >= n {
		side, number = lower, number-n
	}
	actions := at[side].actions
	if number >= uint32(len(actions)) {
		return next, false, nil
	}
	a, to := &actions[number], s
	if a.effect != 0 {
		id, known := at[1-side].moves.get(a.effect)
		if !known || id != disabled && !a.isSettled() {
			if id, err = c.move(ctx, s, at, 1-side, a); err != nil {
				return next, false, err
			}
		}
		if id == disabled {
			return next, false, nil
		}
		to.replace(1-side, id)
	}
	after, fails := a.after()
	to.replace(side, after)
	c.prefetch(c.store.key(c, to))
	next.Transition, next.to, next.handler, next.fails, next.fault = a.Transition, to, a.handler, fails, a.fault
	return next, true, nil
}

// stage makes a state the one that transitions are taken of to work something out.
func (c *composer) stage(ctx context.Context, s compressed, at place) error {
	if c.hasStaged && c.staged == s {
		return nil
	}
	c.hasStaged = false
	c.vector = c.decompress(at, c.vector)
	var err error
	if c.enabled, err = c.system.Enabled(ctx, c.vector, c.enabled[:0]); err != nil {
		return err
	}
	c.staged, c.hasStaged = s, true
	return nil
}

// workOut finds the transitions of a half in a state that it is met in.
func (c *composer) workOut(ctx context.Context, in compressed, at place, side int) error {
	if err := c.stage(ctx, in, at); err != nil {
		return err
	}
	certain := uint32(0)
	c.actions = c.actions[:0]
	for _, t := range c.enabled {
		if c.sideOf(t.Slot+1) != side {
			continue
		}
		facts := c.system.Facts(c.vector, t)
		a := action{Transition: t, next: unsettled, handler: facts.Handler, fault: facts.Fault}
		guarded := side == upper && facts.Guarded
		if guarded {
			a.effect = facts.Effect
		}
		moves, err := c.try(in, side, &a, facts.Effect)
		if err != nil {
			return err
		}
		if side == lower && moves == disabled {
			continue // it disables itself
		}
		if a.effect != 0 {
			c.memo.move(at[1-side], a.effect, moves)
		}
		if a.fault == 0 && !guarded {
			certain++
		}
		c.actions = append(c.actions, a)
	}
	c.memo.expand(at[side], c.newActions.copy(c.actions), certain)
	return nil
}

// move finds what the other half becomes by an action, in a state that they are met in.
func (c *composer) move(ctx context.Context, in compressed, at place, other int, a *action) (uint32, error) {
	if err := c.stage(ctx, in, at); err != nil {
		return 0, err
	}
	next, err := c.try(in, 1-other, a, a.effect)
	if err == nil {
		c.memo.move(at[other], a.effect, next)
	}
	return next, err
}

// try takes an action of a side of the staged state, and fills in what is found out about it by that. It returns what
// the other half becomes.
func (c *composer) try(in compressed, side int, a *action, effect uint32) (uint32, error) {
	after, changed, err := c.apply(a.Transition)
	var failure *model.StepFailure
	switch {
	case errors.Is(err, model.ErrDisabled):
		return disabled, nil
	case errors.As(err, &failure):
		atomic.StoreUint32(&a.next, failing)
		return in.side(1 - side), nil
	case err != nil:
		return 0, err
	}
	atomic.StoreUint32(&a.next, after.side(side))
	if a.effect == 0 && changed[1-side] {
		a.effect = effect
	}
	return after.side(1 - side), nil
}

// apply takes a transition of the staged state, which stays as it is, and says where it leads and which sides
// it changes.
func (c *composer) apply(t model.Transition) (to compressed, changed [2]bool, err error) {
	var after model.State
	if after, c.undo, err = c.system.Apply(c.vector, t, c.undo[:0]); err != nil {
		return to, changed, err
	}
	for _, change := range c.undo {
		changed[c.sideOf(change.Position)] = true
	}
	to = c.staged
	if changed[lower] {
		to.lower, err = c.id(after[:min(c.split, len(after))])
	}
	if changed[upper] && err == nil {
		to.upper, err = c.id(after[c.split:])
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
