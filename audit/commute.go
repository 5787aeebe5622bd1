package audit

import (
	"context"
	"errors"
	"slices"

	"harrier/model"
)

// compare takes an event that is followed, and a transition that is put off, both ways round.
func (p *pairing) compare(ctx context.Context, s model.State, g *group, u act) error {
	if g.acts[0].Slot == u.Slot && g.acts[0].label == u.label && !g.isPart {
		return nil // another copy of the message, which differs in its auxiliary part
	}
	if p.pairs.Load() >= p.bound {
		p.isCut.Store(true)
		return nil
	}
	p.pairs.Add(1)
	last, err := p.after(s, u)
	switch {
	case isFailure(err):
		return p.compareFailing(ctx, s, g, u)
	case err != nil:
		return err
	}
	reached, err := p.reached(ctx, s, g, u)
	if err != nil {
		return err
	}
	return p.compareOrders(ctx, s, g, u, last, reached)
}

// compareOrders compares what the event that is followed does after the other one with what both do in the other order.
func (p *pairing) compareOrders(ctx context.Context, s model.State, g *group, u act, last model.State, reached []model.State) error {
	e := g.acts[0]
	offered, err := p.acts(ctx, last, e.Slot)
	if err != nil {
		return err
	}
	isEnabled := false
	for _, a := range offered {
		if !g.has(a) {
			continue
		}
		end, err := p.after(last, a)
		switch {
		case errors.Is(err, model.ErrRefused):
			continue
		case isFailure(err) && g.fails(a.Handler):
			isEnabled = true
			continue
		case isFailure(err):
			return p.together(s, a, u, "the first fails after the second")
		case err != nil:
			return err
		case len(reached) == 0:
			return p.together(s, a, u, "the second is not enabled after the first")
		}
		isEnabled = true
		if !p.isAmong(end, reached) {
			return p.together(s, a, u, p.differing(end, reached[0]), p.shown("the first last:   ", end), p.shown("the first first:  ", reached[0]))
		}
	}
	if isEnabled || p.isAmong(last, reached) {
		return nil // or its actor has stopped, and nothing is left of what the event did
	}
	return p.together(s, e, u, "the first is not enabled after the second")
}

// isAmong says whether a state is one of several.
func (p *pairing) isAmong(s model.State, several []model.State) bool {
	key := p.relevant.state(s)
	return slices.ContainsFunc(several, func(r model.State) bool { return p.relevant.state(r) == key })
}

// has says whether an act is one of the event, in whichever state.
func (g *group) has(a act) bool {
	isSame := a.Slot == g.acts[0].Slot && a.label == g.acts[0].label
	return isSame && (!g.isPart || slices.ContainsFunc(g.acts, func(f act) bool { return f.Handler == a.Handler }))
}

// fails says whether some outcome of the event fails in a handler.
func (g *group) fails(handler uint32) bool {
	return slices.ContainsFunc(g.acts, func(a act) bool { return a.Fails() && a.Handler == handler })
}

// reached are the states that the event that is followed and then the other one lead to.
func (p *pairing) reached(ctx context.Context, s model.State, g *group, u act) ([]model.State, error) {
	var reached []model.State
	err := p.afterEach(ctx, s, g, u, func(_ act, end model.State, err error) error {
		if err == nil {
			reached = append(reached, end)
		} else if !isFailure(err) {
			return err
		}
		return nil
	})
	return reached, err
}

// compareFailing compares with a transition that fails: it has to fail after the event that is followed as well, unless that
// leads nowhere itself.
func (p *pairing) compareFailing(ctx context.Context, s model.State, g *group, u act) error {
	fails := !slices.ContainsFunc(g.acts, func(a act) bool { return !a.Fails() })
	err := p.afterEach(ctx, s, g, u, func(a act, _ model.State, err error) error {
		fails = fails || isFailure(err) && a.Handler == u.Handler
		if isFailure(err) {
			return nil
		}
		return err
	})
	if err == nil && !fails {
		err = p.together(s, g.acts[0], u, "the second fails, and does not after the first")
	}
	return err
}

// afterEach takes the event that is followed, and then the other one where it is enabled, with what that leads to.
func (p *pairing) afterEach(ctx context.Context, s model.State, g *group, u act, met func(a act, end model.State, err error) error) error {
	for _, t := range g.acts {
		if t.Fails() {
			continue
		}
		next, err := p.after(s, t)
		if err != nil {
			return err
		}
		offered, err := p.acts(ctx, next, u.Slot)
		if err != nil {
			return err
		}
		for _, a := range offered {
			if a.label != u.label {
				continue
			}
			end, err := p.after(next, a)
			if errors.Is(err, model.ErrRefused) {
				continue
			}
			if err := met(a, end, err); err != nil {
				return err
			}
		}
	}
	return nil
}
