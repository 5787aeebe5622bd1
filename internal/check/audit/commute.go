package audit

import (
	"context"
	"errors"
	"slices"

	"harrier/internal/model"
	"harrier/internal/model/space"
)

// compare takes an event that is followed, and a transition that is put off, both ways round.
func (r *Reduction) compare(ctx context.Context, s model.State, g *group, u space.NodeStep) error {
	if r.pairs.Load() >= r.bound {
		r.cut.Store(true)
		return nil
	}
	r.pairs.Add(1)
	first, err := r.both(ctx, s, g.acts, u.Slot, func(a space.NodeStep) bool { return a.Event == u.Event })
	if err != nil {
		return err
	}
	if u.Fails() {
		return r.compareFailing(s, g, u, first)
	}
	last, err := r.both(ctx, s, []space.NodeStep{u}, g.acts[0].Slot, g.has)
	if err != nil {
		return err
	}
	return r.compareOrders(s, g, u, first, last)
}

// compareOrders compares the states that both events reach with the followed event last with those that they reach with it first.
func (r *Reduction) compareOrders(s model.State, g *group, u space.NodeStep, first, last []sequence) error {
	reached := slices.DeleteFunc(first, func(b sequence) bool { return b.end == nil })
	isReached := func(end model.State) bool {
		return slices.ContainsFunc(reached, func(b sequence) bool { return slices.Equal(b.end.Trimmed(), end.Trimmed()) })
	}
	for _, b := range last {
		switch {
		case b.end == nil && g.fails(b.second.Handler):
		case b.end == nil:
			return r.together(s, b.second, u, "the first fails after the second")
		case len(reached) == 0:
			return r.together(s, b.second, u, "the second is not enabled after the first")
		case !isReached(b.end):
			return r.together(s, b.second, u, r.differing(b.end, reached[0].end),
				r.shown("the first last:   ", b.end), r.shown("the first first:  ", reached[0].end))
		}
	}
	if len(last) > 0 {
		return nil
	}
	alone, err := r.after(s, u)
	if err != nil || isReached(alone) {
		return err // its actor has stopped, and nothing is left of the event's effects
	}
	return r.together(s, g.acts[0], u, "the first is not enabled after the second")
}

// compareFailing compares with a transition that fails: it has to fail after the event that is followed as well, unless that
// leads nowhere itself.
func (r *Reduction) compareFailing(s model.State, g *group, u space.NodeStep, first []sequence) error {
	someSucceed := slices.ContainsFunc(g.acts, func(a space.NodeStep) bool { return !a.Fails() })
	if someSucceed && !slices.ContainsFunc(first, func(b sequence) bool { return b.end == nil && b.second.Handler == u.Handler }) {
		return r.together(s, g.acts[0], u, "the second fails, and does not after the first")
	}
	return nil
}

// has reports whether an act is one of the event, in whichever state.
func (g *group) has(a space.NodeStep) bool {
	same := a.Slot == g.acts[0].Slot && a.Event == g.acts[0].Event
	return same && (!g.partial || slices.ContainsFunc(g.acts, func(f space.NodeStep) bool { return f.Handler == a.Handler }))
}

// fails reports whether some outcome of the event fails in a handler.
func (g *group) fails(handler uint32) bool {
	return slices.ContainsFunc(g.acts, func(a space.NodeStep) bool { return a.Fails() && a.Handler == handler })
}

// A sequence is two acts that were taken, one after the other.
type sequence struct {
	second space.NodeStep
	end    model.State // nil if the second fails
}

// both takes each act that does not fail, and after it each enabled step of the slot for which isSecond holds.
func (r *Reduction) both(ctx context.Context, s model.State, acts []space.NodeStep, slot uint32,
	isSecond func(space.NodeStep) bool) ([]sequence, error) {
	var sequences []sequence
	for _, t := range acts {
		if t.Fails() {
			continue
		}
		next, err := r.after(s, t)
		if err != nil {
			return nil, err
		}
		enabled, err := r.acts(ctx, next, slot)
		if err != nil {
			return nil, err
		}
		for _, a := range enabled {
			if !isSecond(a) {
				continue
			}
			end, err := r.after(next, a)
			switch {
			case errors.Is(err, model.ErrDisabled):
				continue
			case isFailure(err):
				end = nil
			case err != nil:
				return nil, err
			}
			sequences = append(sequences, sequence{a, end})
		}
	}
	return sequences, nil
}
