package dynamic

import (
	"context"
	"fmt"
	"slices"

	"harrier/dbss"
	"harrier/internal/model"
	"harrier/internal/property"
)

// A checker evaluates invariants in the states of all runs that differ from the one at hand in the order of independent steps: those
// after its consistent cuts (Mattern, "Virtual Time and Global States of Distributed Systems", 1989). So steps that change what
// invariants read need not be ordered both ways.
type checker struct {
	*property.Checker
	explorer *Explorer
}

// Invariants implements dbss.Checker, before the explorer is given s. Of a violation after a cut, State is the state there.
func (c *checker) Invariants(ctx context.Context, s model.State) (*property.Violation, error) {
	first, err := c.Checker.Invariants(ctx, s)
	x := c.explorer
	if first != nil || err != nil || len(x.frames) == 0 || !x.cuts {
		return first, err
	}
	top := &x.frames[len(x.frames)-1]
	by := top.options[top.last]
	if !by.visible {
		return nil, nil // it adds no cut that invariants tell apart
	}
	x.run.take(by)
	defer x.run.back()
	x.run.eachCut(x.states(s), func(cut *cut) bool {
		var v *property.Violation
		if v, err = c.Checker.Invariants(ctx, cut.state); v != nil && first == nil {
			at := *v // others share it
			at.State = slices.Clone(cut.state)
			first = &at
		}
		return err == nil && (first == nil || c.KeepsGoing())
	})
	return first, err
}

// states are the states after the steps of the run, of which the last leads to s.
func (x *Explorer) states(s model.State) []model.State {
	states := make([]model.State, 0, len(x.frames)+1)
	for i := range x.frames {
		states = append(states, x.frames[i].state)
	}
	return append(states, s)
}

// A cut is a set of visible steps of a run with all visible ones that come before them.
type cut struct {
	last  []int       // by slot: the last visible step of the actor in the cut
	own   []int       // by slot: the last step of the actor that is one of these or comes before one
	state model.State // after the steps in own, as far as invariants see
}

// eachCut calls do with the cuts of the run that have its last step, which is visible, until that returns false. states are those
// after each step, the initial one first.
func (r *run) eachCut(states []model.State, do func(*cut) bool) {
	n := len(r.taken) - 1
	var open []int // visible steps that do not come before the last one
	for i := 1; i < n; i++ {
		if t := &r.taken[i]; t.visible && i > at(r.taken[n].clock, t.Slot) {
			open = append(open, i)
		}
	}
	c := &cut{last: slices.Clone(r.taken[n].seen), state: make(model.State, len(states[n]))}
	r.grow(c, open, func() bool {
		r.place(c, states)
		return do(c)
	})
}

// grow calls do with what a cut becomes by some further steps, given in the order of the run. It returns false once that does.
func (r *run) grow(c *cut, open []int, do func() bool) bool {
	if len(open) == 0 {
		return do()
	}
	if !r.grow(c, open[1:], do) {
		return false
	}
	t := &r.taken[open[0]]
	for slot, before := range t.seen {
		if before == open[0] {
			before = at(r.taken[t.before].seen, t.Slot)
		}
		if before > at(c.last, uint32(slot)) {
			return true // some step before it is not in the cut
		}
	}
	before := at(c.last, t.Slot)
	c.last = set(c.last, t.Slot, open[0])
	more := r.grow(c, open[1:], do)
	c.last[t.Slot] = before
	return more
}

// place works out the state after a cut.
func (r *run) place(c *cut, states []model.State) {
	c.own = c.own[:0]
	history := 0
	for _, i := range c.last {
		for slot, number := range r.taken[i].clock {
			if number > at(c.own, uint32(slot)) {
				c.own = set(c.own, uint32(slot), number)
			}
		}
		history = max(history, r.taken[i].recorded)
	}
	c.state[0] = states[history][0]
	for position := uint32(1); int(position) < len(c.state); position++ {
		from := at(c.own, position-1)
		if born := r.born[position-1]; from == 0 && born > 0 && c.has(r, born) {
			from = born
		}
		c.state[position] = states[from].At(position)
	}
}

// has reports whether a step is in a cut or comes before a step of it.
func (c *cut) has(r *run, step int) bool { return step <= at(c.own, r.taken[step].Slot) }

// open makes a run to the state after a cut of one that leads to a violation.
func (x *Explorer) open(ctx context.Context, found *dbss.Counterexample) error {
	actors := x.nodes.actors
	r, s := newRun(actors, actors.Initial()), actors.Initial()
	states := []model.State{slices.Clone(s)}
	for _, t := range found.Path {
		if _, err := actors.Enabled(ctx, s, nil); err != nil {
			return err
		}
		r.take(option{step: &x.nodes.at(s, t.Slot).steps[t.Step]})
		var err error
		if s, _, err = actors.Apply(s, t, nil); err != nil {
			return err
		}
		states = append(states, slices.Clone(s))
	}
	var steps []option
	r.eachCut(states, func(c *cut) bool {
		if !slices.Equal(c.state, found.State) {
			return true
		}
		for i := range r.taken[1:] {
			if c.has(r, i+1) {
				steps = append(steps, r.taken[i+1].option)
			}
		}
		return false
	})
	s, found.Path, found.State = actors.Initial(), nil, nil
	for _, step := range steps {
		enabled, err := actors.Enabled(ctx, s, nil)
		if err != nil {
			return err
		}
		i := slices.IndexFunc(enabled, func(t model.Transition) bool {
			o := option{step: &x.nodes.at(s, t.Slot).steps[t.Step]}
			return o.is(&step)
		})
		if i < 0 {
			return fmt.Errorf("a step of %s is not enabled before those that it does not depend on",
				actors.Values.PositionName(int(step.Slot+1)))
		}
		found.Path = append(found.Path, enabled[i])
		if s, _, err = actors.Apply(s, enabled[i], nil); err != nil {
			return err
		}
	}
	return nil
}
