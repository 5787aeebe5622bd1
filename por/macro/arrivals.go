package macro

import (
	"context"
	"errors"
	"fmt"

	"harrier/internal/lts"
	"harrier/internal/model"
	"harrier/internal/model/space"
)

// What a macro step sends and creates arrives at other components, whose states become canonical again. Java knows which messages
// they ignore: Enabled asks about the arrivals of all transitions of a state at once, and Apply looks them up.

// An arrive gives what the component state at a spot becomes by an effect of another component.
type arrive = func(state uint32, to lts.Spot, e space.Effect) (uint32, error)

// prepareArrivals makes known what the enabled ones of some transitions of a state do to other components than their own.
func (d *System) prepareArrivals(ctx context.Context, s model.State, transitions []model.Transition) error {
	var unknown []lts.Vertex
	isKnown := true
	err := d.eachArrival(s, transitions, d.arrivals(func(component, state uint32) (uint32, error) {
		to, ok := d.ignored.Known(component, state)
		if !ok {
			isKnown, unknown, to = false, d.ignored.AppendQuestions(unknown, component, state), state
		}
		return to, nil
	}))
	if isKnown || err != nil {
		return err
	}
	if err := d.Graph.Expand(ctx, unknown...); err != nil && !model.IsOfStep(ctx, err) { // which ignores finds again, of its message alone
		return err
	}
	return d.eachArrival(s, transitions, d.arrivals(func(component, state uint32) (uint32, error) {
		return d.ignored.Canonical(ctx, component, state)
	}))
}

// arrivals returns how component states change by effects of other components, where canonical gives the canonical one in place of
// another. Component states that are not canonical are noted: verify checks that messages left out of them are ignored.
func (d *System) arrivals(canonical func(component, state uint32) (uint32, error)) arrive {
	return func(state uint32, to lts.Spot, e space.Effect) (uint32, error) {
		next, err := d.Graph.Arrive(state, to, e)
		if err != nil {
			return 0, err
		}
		after, err := canonical(to.Component, next)
		if err == nil && after != next {
			d.noteArrival(lts.Vertex{Component: to.Component, State: next})
		}
		return after, err
	}
}

// eachArrival has the effects of each enabled transition arrive, one after the other, at the components of a state.
func (d *System) eachArrival(s model.State, transitions []model.Transition, arrive arrive) error {
	var room [33]uint32
	var changes [16]model.Change
	at := append(model.State(room[:0]), s...)
	for _, t := range transitions {
		e := d.Graph.Label(d.step(s, t).facts.Effect)
		if e.Failure != 0 || len(e.Outside) == 0 {
			continue
		}
		if e.Update != 0 {
			_, err := d.actors.Globals.After(s[0], e.Update)
			if errors.Is(err, model.ErrDisabled) {
				continue
			}
			if err != nil {
				return err
			}
		}
		undo, err := changes[:0], error(nil)
		if at, undo, err = d.arriveAll(at, e.Outside, undo, arrive); err != nil {
			return err
		}
		at.Undo(undo)
	}
	return nil
}

// arriveAll has effects arrive, one after the other, at the components of a state, in place. It appends to undo the changes that take them back.
func (d *System) arriveAll(s model.State, effects []space.Effect, undo []model.Change, arrive arrive) (model.State, []model.Change, error) {
	for _, f := range effects {
		to := d.Graph.Spot(f.Position)
		next, err := arrive(s.At(to.Component+1), to, f)
		if err != nil {
			return s, undo, err
		}
		s, undo = s.Put(to.Component+1, next, undo)
	}
	return s, undo, nil
}

// arrival is what the component state at a spot becomes by an effect of a transition that prepareArrivals was given.
func (d *System) arrival(state uint32, to lts.Spot, e space.Effect) (uint32, error) {
	next, err := d.Graph.Arrive(state, to, e)
	if err != nil {
		return 0, err
	}
	canonical, ok := d.ignored.Known(to.Component, next)
	if !ok {
		return 0, fmt.Errorf("something arrives at component %d that Enabled did not ask about", to.Component)
	}
	return canonical, nil
}

// noteArrival notes a component state that is not canonical, and that an arrival led to.
func (d *System) noteArrival(at lts.Vertex) {
	if _, known := d.ignored.arrived.Get(at.State, 0); known {
		return
	}
	d.ignored.arrived.Put(at.State, 0, 1)
	d.ignored.mu.Lock()
	d.ignored.arrivals = append(d.ignored.arrivals, at)
	d.ignored.mu.Unlock()
}
