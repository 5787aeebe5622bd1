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
	first, err := p.both(ctx, s, g.acts, u.Slot, func(a act) bool { return a.label == u.label })
	if err != nil {
		return err
	}
	if u.Fails() {
		return p.compareFailing(s, g, u, first)
	}
	last, err := p.both(ctx, s, []act{u}, g.acts[0].Slot, g.has)
	if err != nil {
		return err
	}
	return p.compareOrders(s, g, u, first, last)
}

// compareOrders compares what the event that is followed does after the other one, last, with what both do if it comes first.
func (p *pairing) compareOrders(s model.State, g *group, u act, first, last []pair) error {
	reached := slices.DeleteFunc(first, func(b pair) bool { return b.end == nil })
	isReached := func(end model.State) bool {
		key := p.relevant.state(end)
		return slices.ContainsFunc(reached, func(b pair) bool { return p.relevant.state(b.end) == key })
	}
	for _, b := range last {
		switch {
		case b.end == nil && g.fails(b.second.Handler):
		case b.end == nil:
			return p.together(s, b.second, u, "the first fails after the second")
		case len(reached) == 0:
			return p.together(s, b.second, u, "the second is not enabled after the first")
		case !isReached(b.end):
			return p.together(s, b.second, u, p.differing(b.end, reached[0].end),
				p.shown("the first last:   ", b.end), p.shown("the first first:  ", reached[0].end))
		}
	}
	if len(last) > 0 {
		return nil
	}
	alone, err := p.after(s, u)
	if err != nil || isReached(alone) {
		return err // its actor has stopped, and nothing is left of what the event did
	}
	return p.together(s, g.acts[0], u, "the first is not enabled after the second")
}

// compareFailing compares with a transition that fails: it has to fail after the event that is followed as well, unless that
// leads nowhere itself.
func (p *pairing) compareFailing(s model.State, g *group, u act, first []pair) error {
	goesOn := slices.ContainsFunc(g.acts, func(a act) bool { return !a.Fails() })
	if goesOn && !slices.ContainsFunc(first, func(b pair) bool { return b.end == nil && b.second.Handler == u.Handler }) {
		return p.together(s, g.acts[0], u, "the second fails, and does not after the first")
	}
	return nil
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

// A pair is two acts that were taken, one after the other.
type pair struct {
	second act
	end    model.State // nil if the second fails
}

// both takes each of some acts of a state that do not fail, and then each of those of a slot that are asked for and enabled.
func (p *pairing) both(ctx context.Context, s model.State, acts []act, slot uint32, isSecond func(act) bool) ([]pair, error) {
	var pairs []pair
	for _, t := range acts {
		if t.Fails() {
			continue
		}
		next, err := p.after(s, t)
		if err != nil {
			return nil, err
		}
		offered, err := p.acts(ctx, next, slot)
		if err != nil {
			return nil, err
		}
		for _, a := range offered {
			if !isSecond(a) {
				continue
			}
			end, err := p.after(next, a)
			switch {
			case errors.Is(err, model.ErrRefused):
				continue
			case isFailure(err):
				end = nil
			case err != nil:
				return nil, err
			}
			pairs = append(pairs, pair{a, end})
		}
	}
	return pairs, nil
}
