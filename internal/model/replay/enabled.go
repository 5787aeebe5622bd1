package replay

import (
	"context"
	"slices"

	"harrier/internal/model"
	"harrier/internal/model/network"
	"harrier/internal/model/space"
)

// Enabled reports whether any event other than a fault is enabled.
func (r *Run) Enabled(ctx context.Context) (bool, error) {
	if slices.ContainsFunc(r.budgets, network.IsCut) {
		return true, nil // it may heal
	}
	if len(r.attempts()) > 0 {
		return true, nil // they are refused
	}
	var messages []model.Message
	for name, actor := range r.actors {
		if actor.Down && r.program.Fairness.Recovers {
			return true, nil // it may start again
		}
		if actor.Down {
			continue
		}
		if r.program.Delivery != model.M && len(r.waiting[name]) > 0 {
			return true, nil // it may be delivered
		}
		messages = append(messages, r.sorted(r.consumable(), name)...)
	}
	here, s, err := r.here(ctx, r.oracle, messages)
	if err != nil {
		return false, err
	}
	enabled, err := here.Enabled(ctx, s, nil)
	if err != nil {
		return false, err
	}
	terminal, err := model.IsTerminal(here, s, enabled)
	return !terminal, err
}

// here is the run's present state without faults as one of a search, in which some messages may be consumed.
func (r *Run) here(ctx context.Context, oracle model.Oracle, messages []model.Message) (*space.Actors, model.State, error) {
	here, err := space.NewActors(placed{oracle, r.programHere(messages)}, space.Decomposition{})
	if err != nil {
		return nil, nil, err
	}
	s := here.Initial()
	for {
		enabled, err := here.Enabled(ctx, s, nil)
		if err != nil {
			return nil, nil, err
		}
		i := slices.IndexFunc(enabled, func(t model.Transition) bool { return here.StepOf(s, t).Kind == model.Deliver })
		if i < 0 {
			return here, s, nil
		}
		if s, _, err = here.Apply(s, enabled[i], nil); err != nil {
			return nil, nil, err
		}
	}
}

// Possible lists the enabled events of a state but for faults, each with one of its outcomes. Every message in flight may be
// consumed.
func Possible(ctx context.Context, o model.Oracle, in model.Initial) ([]model.Action, error) {
	p := *o.Program()
	p.Faults, p.Delivery, p.Initial = nil, model.M, in
	here, err := space.NewActors(placed{o, &p}, space.Decomposition{})
	if err != nil {
		return nil, err
	}
	enabled, err := here.Enabled(ctx, here.Initial(), nil)
	if err != nil {
		return nil, err
	}
	var possible []model.Action
	for _, t := range enabled {
		actions, err := here.Actions([]model.Transition{t})
		if err != nil {
			return nil, err
		}
		possible = append(possible, actions...)
	}
	return possible, nil
}

// programHere is the program without faults from the run's present state on, with some messages in flight.
func (r *Run) programHere(messages []model.Message) *model.Program {
	p := *r.program
	p.Faults, p.Initial = nil, model.Initial{Actors: r.Actors(), Messages: messages, History: r.history, Links: r.links, Round: r.round}
	if r.program.TracksConnections() {
		p.Initial.Open = r.opened()
	}
	for i := range p.Initial.Actors {
		p.Initial.Actors[i].Watches = r.watched(p.Initial.Actors[i].Name)
	}
	return &p
}

// watched are those whom an actor watches.
func (r *Run) watched(by string) (names []string) {
	for _, l := range r.links {
		if l.By == by {
			names = append(names, l.Of)
		}
	}
	return names
}

// placed is an oracle whose program begins somewhere else.
type placed struct {
	model.Oracle
	program *model.Program
}

// Program implements Oracle.
func (p placed) Program() *model.Program { return p.program }

// A beside is an oracle that is asked beside a run, and not for the steps of it.
type beside struct{ model.Oracle }

// Steps implements model.Oracle.
func (b beside) Steps(ctx context.Context, questions []model.Question) ([]model.Answer, error) {
	questions = slices.Clone(questions)
	for i := range questions {
		questions[i].Beside = true
	}
	return b.Oracle.Steps(ctx, questions)
}
