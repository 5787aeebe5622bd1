package macro

import (
	"context"
	"fmt"
	"slices"

	"harrier/internal/lts"
	"harrier/internal/model"
)

// Open gives a path of macro steps as one of single steps of the actors. It goes on by internal steps to a state of the actors
// that the last macro state stands for, if one is given, or to a nearer one that properties cannot tell from it. The last macro step may fail.
func (d *System) Open(ctx context.Context, path []model.Transition, to model.State) ([]model.Transition, error) {
	s := d.Initial()
	var opened []model.Transition
	for i, t := range path {
		if _, err := d.Enabled(ctx, s, nil); err != nil {
			return nil, fmt.Errorf("following the path to its macro step %d: %w", i+1, err)
		}
		steps, err := d.openStep(ctx, s, t)
		if err != nil {
			return nil, err
		}
		opened = append(opened, steps...)
		if s, _, err = d.Apply(s, t, nil); err != nil && i < len(path)-1 {
			return nil, fmt.Errorf("following the path to its macro step %d: %w", i+1, err)
		}
	}
	if to == nil {
		return opened, nil
	}
	for component, state := range d.Graph.Fold(to)[1:] {
		if component+1 >= len(s) || s[component+1] == state {
			continue
		}
		in := d.insides.Get(s[component+1])
		if of := d.insides.Get(state); in == nil || of == nil || !in.has(of) {
			return nil, fmt.Errorf("a combination has a state of component %d that is none of its macro state's", component)
		}
		steps, err := d.path(ctx, uint32(component), s[component+1], d.nearest(in, state))
		if err != nil {
			return nil, err
		}
		opened = append(opened, steps...)
	}
	return opened, nil
}

// openStep is a macro step, or a round, as single steps.
func (d *System) openStep(ctx context.Context, s model.State, t model.Transition) ([]model.Transition, error) {
	if t.Slot == model.Rounds {
		return d.openRound(ctx, s, t)
	}
	return d.open(ctx, s, d.insides.Get(s[t.Slot+1]), t)
}

// nearest is the nearest member that properties cannot tell from one, or that one itself if it may be terminal.
func (d *System) nearest(in *inside, state uint32) uint32 {
	for st := range d.Graph.Out(in.component, state) {
		if st.Fault != 0 || st.Guarded {
			continue
		}
		for member := range in.members { // near ones first
			if d.seen(member) == d.seen(state) {
				return member
			}
		}
	}
	return state
}

// open is a macro step of a component in a state as single steps, and those that consume the ignored messages afterwards.
func (d *System) open(ctx context.Context, s model.State, in *inside, t model.Transition) ([]model.Transition, error) {
	m := d.step(s, t)
	steps, err := d.path(ctx, in.component, s[t.Slot+1], m.from)
	if err != nil {
		return nil, err
	}
	steps = append(steps, m.by)
	e := d.Graph.Label(m.facts.Effect)
	if e.Failure != 0 {
		return steps, nil
	}
	own, err := d.consume(ctx, in.component, m.from, m.by)
	if err != nil {
		return nil, err
	}
	steps = append(steps, own...)
	arrived := map[uint32]uint32{}
	var order []uint32
	for _, f := range e.Outside {
		to := d.Graph.Spot(f.Position)
		state, ok := arrived[to.Component]
		if !ok {
			order, state = append(order, to.Component), s.At(to.Component+1)
		}
		if arrived[to.Component], err = d.Graph.Arrive(state, to, f); err != nil {
			return nil, err
		}
	}
	for _, component := range order {
		discards, err := d.discards(ctx, component, arrived[component])
		if err != nil {
			return nil, err
		}
		steps = append(steps, discards...)
	}
	return steps, nil
}

// path is the internal steps, and those that consume the ignored messages after them, by which a component state becomes another one.
func (d *System) path(ctx context.Context, component, from, to uint32) ([]model.Transition, error) {
	type step struct {
		before uint32
		by     model.Transition
	}
	found := map[uint32]step{from: {}}
	for todo := []uint32{from}; len(todo) > 0 && found[to] == (step{}) && to != from; todo = todo[1:] {
		for st := range d.Graph.Out(component, todo[0]) {
			next, isInternal, err := d.canonicalNext(ctx, lts.Vertex{Component: component, State: todo[0]}, &st)
			if err != nil {
				return nil, err
			}
			if _, known := found[next]; isInternal && !known {
				found[next], todo = step{todo[0], st.Transition}, append(todo, next)
			}
		}
	}
	var steps [][]model.Transition
	for state := to; state != from; state = found[state].before {
		if _, known := found[state]; !known {
			return nil, fmt.Errorf("component %d has no way to a member of In", component)
		}
		after, err := d.consume(ctx, component, found[state].before, found[state].by)
		if err != nil {
			return nil, err
		}
		steps = append(steps, append([]model.Transition{found[state].by}, after...))
	}
	slices.Reverse(steps)
	return slices.Concat(steps...), nil
}

// consume returns the steps by which a component consumes ignored messages after a step.
func (d *System) consume(ctx context.Context, component, state uint32, by model.Transition) ([]model.Transition, error) {
	for st := range d.Graph.Out(component, state) {
		if st.Transition == by {
			next, err := d.Graph.After(component, state, &st)
			if err != nil {
				return nil, err
			}
			return d.discards(ctx, component, next)
		}
	}
	return nil, fmt.Errorf("component %d has no step %v", component, by)
}
