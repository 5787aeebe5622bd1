package replay

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"harrier/internal/model"
	"harrier/internal/model/network"
)

// A Constraint is an actor with something that it may consume or do, as far as that is hashed. A fair run takes it again and again
// unless it is disabled again and again; if it is strong, if it is enabled again and again.
type Constraint struct {
	Actor          string
	Kind           model.EventKind // Receive, Deliver, Disconnect or Refuse of a message, Internal, Recover, or Heal
	Message        string          // its key
	Handler, Timer string          // of Internal: the timer that fires, or else the handler
	Choices        string          // the values that are chosen; "" of the constraint of all of them together
	Fault          int             // of Heal
	Strong         bool
}

// String describes a step that takes the constraint.
func (c Constraint) String() string {
	if c.Kind == model.Heal {
		return "the healing of the network"
	}
	return "an event of " + c.Actor
}

// Constraints are those that are enabled in the run's present state.
func (r *Run) Constraints(ctx context.Context) ([]Constraint, error) {
	enabled, messages, err := r.deliverable()
	if err != nil {
		return nil, err
	}
	for fault := range r.budgets {
		if r.program.Fairness.Heals && network.IsCut(r.budgets[fault]) {
			enabled = append(enabled, Constraint{Kind: model.Heal, Fault: fault})
		}
	}
	here, s, err := r.here(ctx, beside{r.oracle}, messages)
	if err != nil {
		return nil, model.Doubted(err)
	}
	transitions, err := here.Enabled(ctx, s, nil)
	if err != nil {
		return nil, model.Doubted(err)
	}
	for _, refused := range r.attempts() {
		taken, err := r.Takes(refused)
		if err != nil {
			return nil, err
		}
		enabled = append(enabled, taken...)
	}
	for _, t := range transitions {
		if _, _, err := here.Apply(slices.Clone(s), t, nil); errors.Is(err, model.ErrDisabled) {
			continue // a notice that is not due
		}
		do, st := here.Action(s, t), here.StepOf(s, t)
		var outcome model.Outcome
		if do.Expected != nil {
			outcome = model.Outcome{Handler: do.Expected.Handler, Choices: st.Choices(here), Fired: st.Timer(here)}
		}
		taken, err := r.Takes(Taken{Actor: do.Actor, Event: do.Event, Outcome: outcome})
		if err != nil {
			return nil, err
		}
		enabled = append(enabled, taken...)
	}
	return enabled, nil
}

// deliverable are the constraints of messages that may be delivered, where that is an event of its own, and of actors that are down, and
// the messages that may be consumed, as far as cuts let them through.
func (r *Run) deliverable() (enabled []Constraint, consumable []model.Message, err error) {
	for name, actor := range r.actors {
		if actor.Down {
			if r.program.Fairness.Recovers {
				enabled = append(enabled, Constraint{Actor: name, Kind: model.Recover})
			}
			continue
		}
		for _, m := range r.sorted(r.consumable(), name) {
			if m.IsClosed() || r.passes(model.Event{Kind: model.Receive, Messages: []model.Message{m}}) == nil {
				consumable = append(consumable, m)
			}
		}
		if r.program.Delivery == model.M {
			continue
		}
		for _, m := range r.waiting[name] {
			event := model.Event{Kind: model.Deliver, Messages: []model.Message{m}}
			if _, err := r.findNext(name, r.waiting[name], nil, m); err != nil || r.passes(event) != nil {
				continue
			}
			taken, err := r.Takes(Taken{Actor: name, Event: event})
			if err != nil {
				return nil, nil, err
			}
			enabled = append(enabled, taken...)
		}
	}
	return enabled, consumable, nil
}

// Takes returns the constraints that a step takes: none if it need not happen, or is a fault other than a duplicate that is received or
// delivered. Of several messages that are consumed at once each is one.
func (r *Run) Takes(taken Taken) ([]Constraint, error) {
	kind, fairness := r.program.TakesAs(taken.Event.Kind, taken.Outcome.Handler != ""), &r.program.Fairness
	switch {
	case kind == model.Heal && fairness.Heals:
		return []Constraint{{Kind: kind, Fault: taken.Event.Fault}}, nil
	case kind == model.Recover && fairness.Recovers:
		return []Constraint{{Actor: taken.Actor, Kind: kind}}, nil
	case kind != model.Internal && kind != model.Receive && kind != model.Deliver && kind != model.Notify && kind != model.Disconnect && kind != model.Refuse,
		!fairness.IsFair(r.program, taken.Actor, taken.Outcome.Handler):
		return nil, nil
	}
	of := Constraint{Actor: taken.Actor, Kind: kind}
	if kind == model.Internal {
		of, err := r.pending(taken.Actor, taken.Outcome.Handler, taken.Outcome.Fired)
		return r.chosen([]Constraint{of}, taken), err
	}
	var all []Constraint
	of.Strong = fairness.Strong.Has(taken.Actor)
	for _, m := range taken.Event.Messages {
		var err error
		if of.Message, err = r.MessageKey(m); err != nil {
			return nil, err
		}
		all = append(all, of)
	}
	return r.chosen(all, taken), nil
}

// chosen adds to the constraints of a step those of the values that it chooses, if these are to be fair.
func (r *Run) chosen(all []Constraint, taken Taken) []Constraint {
	if len(taken.Outcome.Choices) == 0 || !r.program.Fairness.ByChoice.Has(taken.Actor) {
		return all
	}
	for _, of := range slices.Clone(all) {
		of.Choices = fmt.Sprint(taken.Outcome.Choices)
		all = append(all, of)
	}
	return all
}

// Meets are the constraints that a step meets: those that it takes, and weak ones that it disables in between, though they may be
// enabled before and after it. These are timers and tasks that it sets anew, and messages that a crash within their handler consumes.
func (r *Run) Meets(taken Taken) ([]Constraint, error) {
	all, err := r.Takes(taken)
	if err != nil {
		return nil, err
	}
	for _, e := range taken.Outcome.Renewed {
		of, err := r.pending(taken.Actor, e.Task, e.Timer)
		if err != nil {
			return nil, err
		}
		all = append(all, of)
	}
	if !taken.Event.Kind.IsWithin() || r.program.Fairness.Strong.Has(taken.Actor) {
		return all, nil
	}
	for _, m := range taken.Event.Messages {
		key, err := r.MessageKey(m)
		if err != nil {
			return nil, err
		}
		all = append(all, Constraint{Actor: taken.Actor, Kind: model.Receive, Message: key})
	}
	return all, nil
}

// pending is the constraint of a timer or, if that is empty, of a handler for what an actor does by itself.
func (r *Run) pending(actor, handler string, timer []byte) (Constraint, error) {
	of := Constraint{Actor: actor, Kind: model.Internal}
	if len(timer) == 0 {
		of.Handler = handler
		return of, nil
	}
	hashed, err := r.Hashed(timer)
	of.Timer = string(hashed)
	return of, err
}
