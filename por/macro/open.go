package macro

import (
	"context"
	"fmt"
	"slices"

	"harrier/internal/model"
)

// Open gives a path of macro steps as one of single steps of the actors. It goes on by internal steps to a state of the actors
// that the last macro state stands for, if one is given. The last macro step may fail.
func (d *System) Open(ctx context.Context, path []model.Transition, to model.State) ([]model.Transition, error) {
	s := d.Initial()
	var opened []model.Transition
	for i, t := range path {
		if _, err := d.Enabled(ctx, s, nil); err != nil {
			return nil, fmt.Errorf("following the path to its macro step %d: %w", i+1, err)
		}
		in := d.insides.Get(s[t.Slot+1])
		steps, err := d.open(ctx, s, in, t)
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
		k := slices.Index(in.members, state)
		if k < 0 {
			return nil, fmt.Errorf("a combination has a state of component %d that is none of its macro state's", component)
		}
		steps, err := d.path(ctx, in, uint32(k))
		if err != nil {
			return nil, err
		}
		opened = append(opened, steps...)
	}
	return opened, nil
}

// open is a macro step of a component in a state as single steps, and those that consume the ignored messages afterwards.
func (d *System) open(ctx context.Context, s model.State, in *inside, t model.Transition) ([]model.Transition, error) {
	m := d.step(s, t)
	steps, err := d.path(ctx, in, m.from)
	if err != nil {
		return nil, err
	}
	steps = append(steps, m.by)
	e := d.Graph.Label(m.facts.Effect)
	if e.Failure != 0 {
		return steps, nil
	}
	own, err := d.consume(ctx, in.component, in.members[m.from], m.by)
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

// path is the steps from the first member to another one.
func (d *System) path(ctx context.Context, in *inside, to uint32) ([]model.Transition, error) {
	if to == 0 {
		return nil, nil
	}
	for k, m := range in.members[:to] {
		for st := range d.Graph.Out(in.component, m) {
			if !d.isInternal(in.component, &st) {
				continue
			}
			if next, err := d.canonicalAfter(ctx, in.component, m, &st); err != nil || next != in.members[to] {
				continue
			}
			steps, err := d.path(ctx, in, uint32(k))
			if err != nil {
				return nil, err
			}
			after, err := d.consume(ctx, in.component, m, st.Transition)
			return append(append(steps, st.Transition), after...), err
		}
	}
	return nil, fmt.Errorf("component %d has no way to a member of In", in.component)
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
