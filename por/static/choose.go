package static

import (
	"context"
	"errors"
	"math/bits"

	"harrier/model"
)

// What is chosen in a state: the enabled transitions of a stubborn set of classes. Let a run lead from the state to one that counts:
// an end, a transition that fails, a state in which an invariant is violated.
//
//   - If the run has a transition of the set, the first one is enabled in the state already, and commutes with all before it. So there
//     is a run from after it that is shorter by one and leads to the same.
//   - If it has none, it leads to no end, as all transitions of the set stay enabled and one of them is no fault. One that no
//     invariant can see, and that does not fail, can be taken before the whole run, which then leads to a state in which the
//     same invariants are violated, or the same transition fails. The run does not become shorter, but that does not go on for ever:
//     this one is chosen so that it takes a message that is not renewable. On a cycle of such all that is taken is sent again, so
//     it is renewable (renew.go).
//
// So a set needs one good transition: no fault, invisible, without failure, and taking such a message; it may
// have others. None in it may be one in whose effect something global has a say, such as a budget: these depend on others
// all over. Under the model MP an event takes all that was delivered, so nothing commutes with a delivery, and all is followed.

// Reduction is for one worker. It chooses from the transitions of a state, as model.Reduction asks.
func (s *Static) Reduction() model.Reduction {
	c := &chooser{reader: newReader(s)}
	size := len(s.classes)
	for _, of := range []*set{&c.enabled, &c.waits, &c.spoils, &c.good, &c.in, &c.best, &c.done, &c.active, &c.failed, &c.dead} {
		*of = newSet(size)
	}
	c.counts = make([]int, size)
	return c.choose
}

type chooser struct {
	*reader
	enabled, waits, spoils, good set
	dead                         set // classes whose budget is spent
	in, best                     set // classes of the set that is tried, and of the best one
	done                         set // classes of the set that were looked at
	active                       set // classes that may lead to more
	failed                       set // classes that are in no set with fewer transitions than the best one
	counts                       []int
	offered                      []model.Transition
	nodes                        []*offer // in the order of offered
	scratch                      model.State
	undo                         []model.Change
}

func (c *chooser) choose(ctx context.Context, state model.State, into []model.Transition) ([]model.Transition, bool, error) {
	if c.wiring.program.Passing == model.MP {
		return into, false, nil
	}
	var err error
	if c.offered, err = c.actors.Enabled(ctx, state, c.offered[:0]); err != nil {
		return into, false, err
	}
	ok, err := c.survey(state)
	if !ok || err != nil {
		return into, false, err
	}
	if !c.search() {
		return into, false, nil
	}
	return c.emit(into), true, nil
}

// survey finds what classes there are in a state. If it is not ok, nothing can be said.
func (c *chooser) survey(state model.State) (ok bool, err error) {
	for _, of := range []set{c.enabled, c.waits, c.spoils, c.good, c.dead} {
		clear(of)
	}
	clear(c.counts)
	c.nodes = c.nodes[:0]
	ok = true
	first := 0
	for slot := len(state) - 2; slot >= 0; slot-- {
		if state[slot+1] == 0 {
			continue
		}
		o, err := c.offer(model.Placed{Position: uint32(slot) + 1, Node: state[slot+1]})
		if err != nil {
			return false, err
		}
		c.nodes = append(c.nodes, o)
		ok = ok && !o.vague
		c.enabled.add(o.enabled)
		c.waits.add(o.waits)
		c.spoils.add(o.spoils)
		c.good.add(o.good)
		for i, st := range o.steps {
			if st.class < 0 {
				continue
			}
			c.counts[st.class]++
			if st.fault >= 0 && !c.dead.has(int(st.class)) && o.spoils.has(int(st.class)) && c.isSpent(state, c.offered[first+i], int(st.fault)) {
				c.dead.put(int(st.class))
			}
		}
		first += len(o.steps)
	}
	for i := range c.dead.all() {
		c.enabled[i>>6] &^= 1 << (i & 63)
	}
	return ok, nil
}

// isSpent reports whether the budget of a fault that a transition belongs to is spent. A message that is duplicated may also have to cross
// a cut that heals.
func (c *chooser) isSpent(state model.State, t model.Transition, fault int) bool {
	if f := c.wiring.program.Faults[fault]; f.Budget == model.Unbounded || f.Kind == model.Duplicate {
		return false
	}
	c.scratch = append(c.scratch[:0], state...)
	var err error
	c.scratch, c.undo, err = c.actors.Apply(c.scratch, t, c.undo[:0])
	return errors.Is(err, model.ErrRefused)
}

// search finds the set with the fewest enabled transitions, and reports whether one has fewer than all.
func (c *chooser) search() bool {
	total := 0
	for i := range c.enabled.all() {
		total += c.counts[i]
	}
	fewest := total
	for w := range c.enabled {
		c.active[w] = c.enabled[w] | c.waits[w]
		c.failed[w] = c.enabled[w] & c.spoils[w]
	}
	for seed := range c.enabled.all() {
		if n := c.close(seed, fewest); n < fewest {
			fewest = n
			copy(c.best, c.in)
		}
	}
	return fewest < total
}

// close finds the smallest stubborn set that has the enabled transitions of a class, in c.in, and gives how many there are in it. It gives at
// least a bound if there is no such set, or none with fewer transitions than that.
//
// Of the class itself only the enabled transitions need be in the set, unless others depend on it. What is taken in is closed under
// enablers, so only classes that are enabled, or for which something is there, lead to more.
func (c *chooser) close(seed, bound int) int {
	clear(c.in)
	clear(c.done)
	if c.failed.has(seed) {
		return bound
	}
	n := c.counts[seed]
	isGood := c.good.has(seed)
	ok := c.take(c.needs.depends[seed])
	for i := c.next(); ok && i >= 0; i = c.next() {
		if c.enabled.has(i) {
			if i != seed {
				n += c.counts[i]
			}
			isGood = isGood || c.good.has(i)
			ok = n < bound && c.take(c.needs.depends[i])
		}
		if ok && c.waits.has(i) {
			ok = c.take(c.needs.openers[i])
		}
	}
	switch {
	case !ok:
		c.failed.put(seed)
		return bound
	case !isGood || n >= bound:
		return bound
	}
	c.in.put(seed)
	return n
}

// next is a class in the set that may lead to more, and was not looked at; -1 if there is none.
func (c *chooser) next() int {
	for w := range c.in {
		if left := c.in[w] & c.active[w] &^ c.done[w]; left != 0 {
			c.done[w] |= left & -left
			return w<<6 + bits.TrailingZeros64(left)
		}
	}
	return -1
}

// take adds classes to the set. It is not ok if one of them is in no set that is of use.
func (c *chooser) take(classes set) (ok bool) {
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
			if st.class >= 0 && c.best.has(int(st.class)) && c.enabled.has(int(st.class)) {
				into = append(into, c.offered[at])
			}
			at++
		}
	}
	return into
}
