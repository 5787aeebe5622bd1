package replay

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"harrier/internal/model"
)

// A Clock is the clock of an actor after a round: by how many ticks it went on, and by how many it is ahead of the rounds.
type Clock struct {
	Actor        string
	Ticks, Ahead int
}

// tick has time go on, if nothing has to happen before. The outcome of the action has the ticks of all clocks (space.Actors.Action).
func (r *Run) tick(ctx context.Context, do model.Action) (Taken, error) {
	clocks := r.program.Clocks
	if r.round >= clocks.Rounds {
		return Taken{}, fmt.Errorf("%w: time goes on %d times", ErrNotEnabled, clocks.Rounds)
	}
	if err := r.isSettled(ctx); err != nil {
		return Taken{}, fmt.Errorf("%w: %w", ErrNotEnabled, err)
	}
	taken := Taken{Actor: do.Actor, Event: do.Event, Round: r.round + 1}
	names := slices.Sorted(maps.Keys(r.actors))
	after := maps.Clone(r.actors)
	for i, ticks := range clocks.DecodeRound(uint32(do.Outcome), len(names)) {
		actor := after[names[i]]
		if !clocks.MayTick(ticks, actor.Ahead) {
			return Taken{}, fmt.Errorf("%w: the clock of %s, %d ticks ahead, goes on by %d ticks", ErrNotEnabled, actor.Name, actor.Ahead, ticks)
		}
		if ticks > 0 {
			outcomes, err := r.outcomes(ctx, actor.Local, model.Event{Kind: model.Tick})
			if err != nil {
				return Taken{}, err
			}
			if ticks > len(outcomes) {
				return Taken{}, fmt.Errorf("the clock of %s does not go on by %d ticks", actor.Name, ticks)
			}
			actor.Local, actor.Acts = outcomes[ticks-1].Local, outcomes[ticks-1].Acts
		}
		actor.Ahead += ticks - 1
		after[names[i]] = actor
		taken.Clocks = append(taken.Clocks, Clock{names[i], ticks, actor.Ahead})
	}
	r.actors = after
	for _, part := range []map[string][]model.Message{r.waiting, r.delivered} {
		for name, messages := range part {
			older := slices.Clone(messages)
			for i := range older {
				older[i].Age = clocks.Older(older[i].Age)
			}
			part[name] = older
		}
	}
	r.round++
	return taken, nil
}

// isSettled returns an error that says what has to happen before time goes on, or nil.
func (r *Run) isSettled(ctx context.Context) error {
	for _, actor := range r.Actors() {
		if actor.Down {
			continue
		}
		if actor.Acts && !(r.program.Delivery == model.MP && len(r.delivered[actor.Name]) > 0) {
			outcomes, err := r.outcomes(ctx, actor.Local, model.Event{Kind: model.Internal})
			if err != nil {
				return err
			}
			if slices.ContainsFunc(outcomes, func(o model.Outcome) bool { return o.Due }) {
				return fmt.Errorf("%s has something to do before time goes on", actor.Name)
			}
		}
		for _, m := range r.waiting[actor.Name] {
			arrives := model.Receive
			if r.program.Delivery != model.M {
				arrives = model.Deliver
			}
			if err := r.requireArrived(ctx, actor, arrives, r.waiting, m); err != nil {
				return err
			}
		}
		if delivered := r.delivered[actor.Name]; r.program.Delivery == model.MMP || len(delivered) == 1 {
			for _, m := range delivered {
				if err := r.requireArrived(ctx, actor, model.Receive, r.delivered, m); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// requireArrived returns an error if a message of a part of an actor's inbox has to arrive before time goes on, by an event of a kind.
func (r *Run) requireArrived(ctx context.Context, to model.Actor, by model.EventKind, in map[string][]model.Message, m model.Message) error {
	if !r.program.Clocks.IsOverdue(m.Age) {
		return nil
	}
	e := model.Event{Kind: by, Messages: []model.Message{m}}
	if _, err := r.findNext(to.Name, in[to.Name], nil, m); err != nil || r.passes(e) != nil {
		return nil // another one comes first, or a cut stops it
	}
	if by == model.Receive {
		outcomes, err := r.outcomes(ctx, to.Local, e)
		if err != nil || len(outcomes) == 0 {
			return err
		}
	}
	return fmt.Errorf("a message from %s to %s has to arrive before time goes on", m.Sender, to.Name)
}

// outcomes asks the oracle for a local step. Only those of clocks are a part of the run.
func (r *Run) outcomes(ctx context.Context, local []byte, e model.Event) ([]model.Outcome, error) {
	q := question(local, e)
	q.Beside = e.Kind != model.Tick
	answers, err := r.oracle.Steps(ctx, []model.Question{q})
	if err != nil {
		return nil, err
	}
	return answers[0].Outcomes, nil
}
