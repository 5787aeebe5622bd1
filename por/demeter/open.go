package demeter

import (
	"context"
	"fmt"
	"slices"

	"harrier/dbss"
	"harrier/internal/model"
)

// An opening makes a run of single steps of a path of the system: the local trace of each component is substituted for its local
// skeleton, and the interface events come in the order of the path, each after the steps of its component that come before it.
type opening struct {
	*System
	state model.State // of the actors
	path  []model.Transition
	left  map[uint32][]taken // by component: steps of its trace that are to be taken
}

// open gives the path of a violation as one of single steps of the actors, up to the state in which the property does not hold.
func (d *System) open(ctx context.Context, v *dbss.Counterexample) ([]model.Transition, error) {
	o := &opening{System: d, state: d.actors.Initial(), left: map[uint32][]taken{}}
	s := d.Initial()
	var events []*branching
	for _, t := range v.Path {
		b := d.branching(s, t)
		events = append(events, b)
		next, _, err := d.Apply(s, t, nil)
		if err != nil { // the last one fails
			o.left[t.Slot] = slices.Clone(b.steps)
			break
		}
		s = next
	}
	for component, number := range s[1:] {
		if _, failed := o.left[uint32(component)]; number != 0 && !failed {
			o.left[uint32(component)] = slices.Clone(o.witness(uint32(component), d.at(number), v.State))
		}
	}
	for i, b := range events {
		component := v.Path[i].Slot
		at := slices.IndexFunc(o.left[component], func(t taken) bool { return t.event == b.event })
		if at < 0 {
			return nil, fmt.Errorf("%s has no event of its skeleton in its trace", d.componentName(component))
		}
		if err := o.take(ctx, component, o.left[component][at]); err != nil {
			return nil, err
		}
	}
	if len(events) > 0 && d.Graph.Label(events[len(events)-1].label).Failure != 0 {
		return o.path, nil
	}
	for component := range s[1:] {
		for len(o.left[uint32(component)]) > 0 {
			if err := o.take(ctx, uint32(component), o.left[uint32(component)][0]); err != nil {
				return nil, err
			}
		}
	}
	return o.path, nil
}

// witness is the steps of a local trace with a skeleton: one that ends as a state of the actors has it, if one is given.
func (o *opening) witness(component uint32, k *skeleton, to model.State) []taken {
	if to != nil {
		state := o.Graph.Fold(slices.Clone(to)).At(component + 1)
		for _, e := range k.local.ends {
			if e.trace.state == state {
				return e.trace.steps
			}
		}
	}
	return k.local.shown.steps
}

// take takes a step of a trace, after those that come before it.
func (o *opening) take(ctx context.Context, component uint32, t taken) error {
	for {
		at := slices.IndexFunc(o.left[component], func(other taken) bool {
			return other.number < t.number && int(other.slot) < len(t.past) && other.number <= t.past[other.slot]
		})
		if at < 0 {
			break
		}
		if err := o.take(ctx, component, o.left[component][at]); err != nil {
			return err
		}
	}
	o.left[component] = slices.DeleteFunc(o.left[component], func(other taken) bool { return other.number == t.number })
	enabled, err := o.actors.Enabled(ctx, o.state, nil)
	if err != nil {
		return err
	}
	for _, by := range enabled {
		if st := o.actors.StepOf(o.state, by); by.Slot == t.slot && st.EventID == t.EventID {
			o.path = append(o.path, by)
			if !st.Fails() {
				o.state, _, err = o.actors.Apply(o.state, by, nil)
			}
			return err
		}
	}
	return fmt.Errorf("%s cannot take a step of its trace", o.actors.Values.PositionName(int(t.slot)+1))
}
