package model

import (
	"context"
	"slices"
)

// Enabled reports whether any event other than a fault is enabled.
func (r *Run) Enabled(ctx context.Context) (bool, error) {
	if slices.ContainsFunc(r.budgets, func(b uint32) bool { return b&1 != 0 }) {
		return true, nil // it may heal
	}
	consumable := r.waiting
	if r.program.Delivery != M {
		consumable = r.delivered
	}
	var messages []Message
	for name := range r.actors {
		if r.program.Delivery != M && len(r.waiting[name]) > 0 {
			return true, nil // it may be delivered
		}
		messages = append(messages, r.sorted(consumable, name)...)
	}
	here, err := NewActors(placed{r.oracle, r.programHere(messages)}, Decomposition{})
	if err != nil {
		return false, err
	}
	s := here.Initial()
	for {
		enabled, err := here.Enabled(ctx, s, nil)
		if err != nil {
			return false, err
		}
		i := slices.IndexFunc(enabled, func(t Transition) bool { return here.StepOf(s, t).Kind == Deliver })
		if i < 0 {
			return len(enabled) > 0, nil
		}
		if s, _, err = here.Apply(s, enabled[i], nil); err != nil {
			return false, err
		}
	}
}

// Possible lists what may happen next in a state, each event with one of its outcomes, but for faults. All that is in flight may be
// consumed.
func Possible(ctx context.Context, o Oracle, in Initial) ([]Action, error) {
	p := *o.Program()
	p.Faults, p.Delivery, p.Initial = nil, M, in
	here, err := NewActors(placed{o, &p}, Decomposition{})
	if err != nil {
		return nil, err
	}
	enabled, err := here.Enabled(ctx, here.Initial(), nil)
	if err != nil {
		return nil, err
	}
	var possible []Action
	for _, t := range enabled {
		actions, err := here.Actions([]Transition{t})
		if err != nil {
			return nil, err
		}
		possible = append(possible, actions...)
	}
	return possible, nil
}

// programHere is the program without faults from the run's present state on, with some messages in flight.
func (r *Run) programHere(messages []Message) *Program {
	p := *r.program
	p.Faults, p.Initial = nil, Initial{Actors: r.Actors(), Messages: messages, History: r.history}
	return &p
}

// placed is an oracle whose program begins somewhere else.
type placed struct {
	Oracle
	program *Program
}

// Program implements Oracle.
func (p placed) Program() *Program { return p.program }
