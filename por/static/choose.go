package static

import (
	"context"
	"math/bits"

	"harrier/internal/ds/bitset"
	"harrier/internal/model"
	"harrier/internal/model/space"
)

// In a state a stubborn set of classes is chosen, and its enabled transitions are followed; docs/soundness.md has the proof. It
// needs one key transition: no fault, invisible, without failure, and consuming a message that is not renewable. It must have no
// unsafe one: where budgets or cuts guard a transition, all others with that budget guard depend on it. Under the model MP an
// event consumes all that was delivered, so nothing commutes with a delivery, and all transitions are followed.

// Reduction is for one worker. It chooses from the transitions of a state, as model.Reduction asks.
func (s *Static) Reduction() model.Reduction {
	c := &chooser{reader: newReader(s)}
	size := len(s.classes)
	for _, of := range []*bitset.Set{&c.enabled, &c.waits, &c.unsafe, &c.keyTransitions, &c.in, &c.best, &c.done, &c.active,
		&c.failed, &c.dead} {
		*of = bitset.New(size)
	}
	c.counts = make([]int, size)
	return c.choose
}

type chooser struct {
	*reader
	enabled, waits, unsafe, keyTransitions bitset.Set
	dead                                   bitset.Set // classes that a spent budget disables
	in, best                               bitset.Set // the set that is tried, and the best one
	done                                   bitset.Set // classes of the set whose dependences are in it
	active                                 bitset.Set // classes that may add others
	failed                                 bitset.Set // classes of no smaller set than the best one
	counts                                 []int
	transitions                            []model.Transition
	nodes                                  []*enabledSet // in the order of transitions
}

func (c *chooser) choose(ctx context.Context, state model.State, into []model.Transition) ([]model.Transition, bool, error) {
	if c.wiring.program.Delivery == model.MP {
		return into, false, nil
	}
	var err error
	if c.transitions, err = c.actors.Enabled(ctx, state, c.transitions[:0]); err != nil {
		return into, false, err
	}
	ok, err := c.collect(state)
	if !ok || err != nil {
		return into, false, err
	}
	if !c.search() {
		return into, false, nil
	}
	return c.emit(into), true, nil
}

// collect joins the enabled sets of the nodes of a state. ok is false if some transition or message has no class.
func (c *chooser) collect(state model.State) (ok bool, err error) {
	for _, of := range []bitset.Set{c.enabled, c.waits, c.unsafe, c.keyTransitions, c.dead} {
		clear(of)
	}
	clear(c.counts)
	c.nodes = c.nodes[:0]
	ok = true
	for slot := len(state) - 2; slot >= 0; slot-- {
		if state[slot+1] == 0 {
			continue
		}
		o, err := c.enabledSet(space.Placed{Position: uint32(slot) + 1, Node: state[slot+1]})
		if err != nil {
			return false, err
		}
		c.nodes = append(c.nodes, o)
		ok = ok && !o.vague
		c.enabled.Add(o.enabled)
		c.waits.Add(o.waits)
		c.unsafe.Add(o.unsafe)
		c.keyTransitions.Add(o.keyTransitions)
		for _, st := range o.steps {
			if st.class < 0 {
				continue
			}
			c.counts[st.class]++
			if st.update != 0 && o.unsafe.Has(int(st.class)) && c.actors.Globals.Disables(state[0], st.update) {
				c.dead.Put(int(st.class))
			}
		}
	}
	for i := range c.dead.All {
		c.enabled[i>>6] &^= 1 << (i & 63)
	}
	return ok, nil
}

// search finds the stubborn set with the fewest enabled transitions, and reports whether it has fewer than all.
func (c *chooser) search() bool {
	total := 0
	for i := range c.enabled.All {
		total += c.counts[i]
	}
	fewest := total
	for w := range c.enabled {
		c.active[w] = c.enabled[w] | c.waits[w]
		c.failed[w] = c.enabled[w] & c.unsafe[w]
	}
	for seed := range c.enabled.All {
		if n := c.close(seed, fewest); n < fewest {
			fewest = n
			copy(c.best, c.in)
		}
	}
	return fewest < total
}

// close computes the smallest stubborn set with the enabled transitions of a class, in c.in, and returns how many transitions it
// has; at least bound if there is no set with fewer.
//
// Only the enabled transitions of the seed need be in the set, unless others depend on them. Added classes are closed under
// enablers, so only classes that are enabled or wait add others.
func (c *chooser) close(seed, bound int) int {
	clear(c.in)
	clear(c.done)
	if c.failed.Has(seed) {
		return bound
	}
	n := c.counts[seed]
	hasKey := c.keyTransitions.Has(seed)
	ok := c.take(c.needs.depends[seed])
	for i := c.next(); ok && i >= 0; i = c.next() {
		if c.enabled.Has(i) {
			if i != seed {
				n += c.counts[i]
			}
			hasKey = hasKey || c.keyTransitions.Has(i)
			ok = n < bound && c.take(c.needs.depends[i])
		}
		if ok && c.waits.Has(i) {
			ok = c.take(c.needs.guardEnablers[i])
		}
	}
	switch {
	case !ok:
		c.failed.Put(seed)
		return bound
	case !hasKey || n >= bound:
		return bound
	}
	c.in.Put(seed)
	return n
}

// next returns a class of the set whose dependences are to be added, or -1.
func (c *chooser) next() int {
	for w := range c.in {
		if left := c.in[w] & c.active[w] &^ c.done[w]; left != 0 {
			c.done[w] |= left & -left
			return w<<6 + bits.TrailingZeros64(left)
		}
	}
	return -1
}

// take adds classes to the set. Not ok means that one of them is in no smaller set than the best one.
func (c *chooser) take(classes bitset.Set) (ok bool) {
	for w, some := range classes {
		if some&c.failed[w] != 0 {
			return false
		}
		c.in[w] |= some
	}
	return true
}

// emit appends the enabled transitions of the best set.
func (c *chooser) emit(into []model.Transition) []model.Transition {
	at := 0
	for _, o := range c.nodes {
		for _, st := range o.steps {
			if st.class >= 0 && c.best.Has(int(st.class)) && c.enabled.Has(int(st.class)) {
				into = append(into, c.transitions[at])
			}
			at++
		}
	}
	return into
}
