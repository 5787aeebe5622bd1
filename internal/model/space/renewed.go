package space

import (
	"bytes"
	"slices"

	"harrier/internal/ds/slab"
	"harrier/internal/model"
)

// Renewed are the timers and tasks that a step of some actors sets anew; not to be changed.
func (st *NodeStep) Renewed(a *Actors) []model.PendingEvent {
	if st.Handler == 0 {
		return nil // no Java runs
	}
	return a.optionalOf(st).renewed
}

// optionalOf has the optional fields of the outcome of a step that runs Java.
func (a *Actors) optionalOf(st *NodeStep) *optional {
	o := a.LocalSteps.outcomesOf(LocalStep{st.Before, a.LocalSteps.question(st.Event)})[st.Outcome]
	return a.LocalSteps.optional.At(o.optional)
}

// samePending reports whether two pending events are equal.
func samePending(one, other model.PendingEvent) bool {
	return one.Task == other.Task && bytes.Equal(one.Timer, other.Timer)
}

// clonedEvents are pending events that share no memory with others.
func clonedEvents(events []model.PendingEvent) []model.PendingEvent {
	kept := slices.Clone(events)
	for i := range kept {
		kept[i].Timer = slices.Clone(kept[i].Timer)
	}
	return kept
}

// eventsKey is equal for pending events that agree in their hashed parts, in whatever order.
func (d Decomposition) eventsKey(events []model.PendingEvent) (string, error) {
	var keys []string
	for _, e := range events {
		timer := e.Timer
		if len(timer) > 0 {
			var err error
			if timer, err = d.Hashed(timer); err != nil {
				return "", err
			}
		}
		keys = append(keys, slab.Join(e.Task, string(timer)))
	}
	slices.Sort(keys)
	return slab.Join(keys...), nil
}

// event is the image of a pending event.
func (r Renaming) event(of model.PendingEvent) (model.PendingEvent, error) {
	timer, err := r.Bytes(of.Timer)
	return model.PendingEvent{Task: of.Task, Timer: timer}, err
}
