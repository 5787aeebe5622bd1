package closure

import (
	"cmp"
	"context"
	"slices"

	"harrier/internal/pairs"
	"harrier/model"
)

// commutes says whether an event can be moved to the front of whatever else the actor does, everywhere in a local closure without
// the event.
func (t *tables) commutes(ctx context.Context, r *reached, event uint32) (bool, error) {
	if ok, isKnown := t.commuting.Get(r.number, event); isKnown {
		return ok == 1, nil
	}
	ok, err := t.commutesIn(ctx, r, event)
	if err != nil {
		return false, err
	}
	known := uint32(0)
	if ok {
		known = 1
	}
	t.commuting.Put(r.number, event, known)
	return ok, nil
}

func (t *tables) commutesIn(ctx context.Context, r *reached, event uint32) (bool, error) {
	isThere := t.allowedWithout(r, event)
	w := t.newWalk(r.starts)
	for i := 0; i < len(w.met); i++ {
		if ok, err := t.commutesAt(ctx, w.met[i], event, isThere); !ok || err != nil {
			return false, err
		}
		w.follow(w.met[i], isThere)
	}
	return true, nil
}

// commutesAt says whether an event can be moved to the front of others at a place.
func (t *tables) commutesAt(ctx context.Context, place, event uint32, isThere func(event uint32) bool) (bool, error) {
	if _, isClear := t.clear.Get(place, event); isClear {
		return true, nil
	}
	l := t.places.list[place].local
	if ok, err := t.mayBeEarly(ctx, l, event); !ok || err != nil {
		return false, err
	}
	isClear := true
	for _, x := range t.happeningAt(place) {
		if !isThere(t.occasions[x].event) {
			isClear = isClear && !t.has(t.occasions[x].event, event)
			continue
		}
		if ok, err := t.swap(ctx, l, x, event); !ok || err != nil {
			return false, err
		}
	}
	if isClear {
		t.clear.Put(place, event, 0)
	}
	return true, nil
}

// isHarmless says why an event may not be taken early in a local state, as far as the event alone goes: that it does not happen, or
// does what others can see. "" means that it may.
func (t *tables) isHarmless(ctx context.Context, l model.LocalID, e uint32) (reason string, err error) {
	outcomes, isKnown, err := t.outcomes(ctx, l, e)
	if err != nil {
		return "", err
	}
	if !isKnown {
		return "nothing is known of it", nil
	}
	if len(outcomes) == 0 {
		return "it may be disabled", nil
	}
	before, err := t.local(l)
	if err != nil {
		return "", err
	}
	visible := before.Visible
	for i := range outcomes {
		o := &outcomes[i]
		switch {
		case o.Fails:
			return "it may fail", nil
		case o.Stops:
			return "the actor may stop", nil
		case o.Records != 0:
			return "it extends the history", nil
		}
		if reason := t.sendsHarmlessly(o.Effects); reason != "" {
			return reason, nil
		}
		if t.hasInvariants {
			after, err := t.local(o.Local)
			if err != nil {
				return "", err
			}
			if after.Visible != visible {
				return "invariants can see what it changes", nil
			}
		}
	}
	return "", nil
}

func (t *tables) sendsHarmlessly(effects []model.Effect) (reason string) {
	for _, effect := range effects {
		if effect.Message == 0 {
			return "it creates an actor"
		}
		if t.shrinks(t.message(effect.Message).receiver) {
			return "it sends to a channel in which equal messages are one"
		}
	}
	return ""
}

// swap says whether an event can be moved to the front of an occasion in a local state.
func (t *tables) swap(ctx context.Context, l model.LocalID, occasion, event uint32) (bool, error) {
	return remember(&t.swaps, occasion, event, func() (string, error) { return t.obstacle(ctx, l, t.occasions[occasion].event, event) })
}

// mayBeEarly says whether an event is harmless in a local state.
func (t *tables) mayBeEarly(ctx context.Context, l model.LocalID, event uint32) (bool, error) {
	return remember(&t.harmless, l, event, func() (string, error) { return t.isHarmless(ctx, l, event) })
}

// remember keeps whether there is a reason against a pair.
func remember(known *pairs.Map, a, b uint32, why func() (string, error)) (bool, error) {
	if v, ok := known.Get(a, b); ok {
		return v == 1, nil
	}
	reason, err := why()
	if err != nil {
		return false, err
	}
	v := uint32(0)
	if reason == "" {
		v = 1
	}
	known.Put(a, b, v)
	return v == 1, nil
}

// obstacle says why e cannot be moved to the front of x in a local state where both may happen. "" means that it can.
func (t *tables) obstacle(ctx context.Context, l model.LocalID, x, e uint32) (reason string, err error) {
	if t.share(x, e) {
		return "both may consume the same message", nil
	}
	first, isKnown, err := t.outcomes(ctx, l, x)
	if err != nil || !isKnown {
		return "nothing is known of it", err
	}
	for i := range first {
		o := &first[i]
		switch {
		case o.Fails:
			return "the other one may fail", nil
		case o.Stops:
			return "the actor may stop", nil
		}
		second, isKnown, err := t.outcomes(ctx, o.Local, e)
		switch {
		case err != nil || !isKnown:
			return "nothing is known of what follows", err
		case len(second) == 0:
			return "it may be disabled by the other one", nil
		}
		for j := range second {
			if ok, err := t.isSwapped(ctx, l, x, e, o, &second[j]); !ok || err != nil {
				return "the order makes a difference", err
			}
		}
	}
	return "", nil
}

// share says whether two events consume the same message.
func (t *tables) share(x, e uint32) bool {
	return slices.ContainsFunc(t.steps.Messages(x), func(m model.MessageID) bool { return slices.Contains(t.steps.Messages(e), m) })
}

// isSwapped says whether an outcome of x and one of e after it can be had in the other order.
func (t *tables) isSwapped(ctx context.Context, l model.LocalID, x, e uint32, ofX, ofE *model.PossibleOutcome) (bool, error) {
	if ofE.Fails || ofE.Stops {
		return false, nil
	}
	first, isKnown, err := t.outcomes(ctx, l, e)
	if err != nil || !isKnown {
		return false, err
	}
	for i := range first {
		if first[i].Local == 0 {
			continue
		}
		second, isKnown, err := t.outcomes(ctx, first[i].Local, x)
		if err != nil || !isKnown {
			return false, err
		}
		for j := range second {
			if o := &second[j]; o.Local == ofE.Local && o.Local != 0 && o.Records == ofX.Records &&
				t.agree(ofX.Effects, ofE.Effects, first[i].Effects, o.Effects) {
				return true, nil
			}
		}
	}
	return false, nil
}

// agree says whether effects a and then b do what c and then d do.
func (t *tables) agree(a, b, c, d []model.Effect) bool {
	if len(a)+len(b) != len(c)+len(d) {
		return false
	}
	one, two := slices.Concat(a, b), slices.Concat(c, d)
	t.arrange(one)
	t.arrange(two)
	return slices.Equal(one, two)
}

// arrange sorts effects, but for the order of what is sent to one receiver whose channel keeps it.
func (t *tables) arrange(effects []model.Effect) {
	slices.SortStableFunc(effects, func(x, y model.Effect) int {
		if c := cmp.Compare(x.Position, y.Position); c != 0 || x.Message != 0 && y.Message != 0 && t.channel(x.Position).Queues {
			return c
		}
		return cmp.Or(cmp.Compare(x.Message, y.Message), cmp.Compare(x.Local, y.Local))
	})
}
