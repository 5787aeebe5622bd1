package closure

import (
	"context"
	"slices"

	"harrier/model"
)

// An offer is what a node offers when some faults may still happen.
type offer struct {
	transitions int // those that are not refused for ever
	singles     []*single
	whole       *whole // nil if the actor's events may not be followed alone
}

// A single is an event that may be followed alone, as far as the node alone goes.
type single struct {
	*eventFacts
	always verdict // whether it may in all states
}

// A whole is all events of an actor.
type whole struct {
	events  []*eventFacts
	refuses map[setID]bool // by messages sent to it: whether it accepts none of them
}

func (t *tables) offer(ctx context.Context, n *nodeFacts, f *faults) (*offer, error) {
	for int(f.number) >= len(n.offers) {
		n.offers = append(n.offers, nil)
	}
	if n.offers[f.number] == nil {
		o := &offer{}
		h := t.hazardsOf(f, n.position)
		for _, e := range n.events {
			if e.toll(f) == refused {
				continue
			}
			o.transitions += len(e.parts)
			ok, err := t.isCandidate(ctx, n, e, f, h)
			if err != nil {
				return nil, err
			}
			if ok {
				o.singles = append(o.singles, &single{eventFacts: e})
			}
		}
		o.whole = t.newWhole(n, f)
		n.offers[f.number] = o
	}
	return n.offers[f.number], nil
}

// isCandidate says whether an event might be followed alone in some state that has the node.
func (t *tables) isCandidate(ctx context.Context, n *nodeFacts, e *eventFacts, f *faults, h hazards) (bool, error) {
	if e.toll(f) != free || e.isHarmful || t.program.Passing == model.MP {
		return false, nil
	}
	isM, isSet := t.program.Passing == model.M, t.channel(n.position).Repeats
	switch e.kind {
	case model.Deliver:
		return !h.lose && !h.duplicate && !isSet, nil
	case model.Receive:
		if h.stop || isM && (h.lose || h.duplicate) || !isM && isSet {
			return false, nil
		}
	case model.Internal:
		if h.stop {
			return false, nil
		}
	default:
		return false, nil
	}
	if slices.ContainsFunc(e.parts, func(o outcomeFacts) bool { return !o.isHarmless }) {
		return false, nil
	}
	if ok, err := t.mayBeEarly(ctx, n.local, e.event); !ok || err != nil {
		return false, err
	}
	// It has to commute with what the actor may do at once.
	for _, x := range n.events {
		if x == e || x.event == 0 {
			continue
		}
		if _, err := t.step(ctx, n.local, x.event); err != nil {
			return false, err
		}
		if ok, err := t.swap(ctx, n.local, t.occasion(n.local, x.event), e.event); !ok || err != nil {
			return false, err
		}
	}
	return true, nil
}

// newWhole is nil if the events of an actor may not be followed alone, as far as its node alone goes.
func (t *tables) newWhole(n *nodeFacts, f *faults) *whole {
	if n.local == 0 || t.shrinks(n.position) {
		return nil
	}
	w := &whole{refuses: map[setID]bool{}}
	hasHarmless := false
	for _, e := range n.events {
		switch e.toll(f) {
		case refused:
			continue
		case asked:
			return nil
		}
		if e.isHarmful {
			return nil
		}
		w.events = append(w.events, e)
		hasHarmless = hasHarmless || !e.kind.IsFault() && slices.ContainsFunc(e.parts, func(o outcomeFacts) bool { return o.isHarmless })
	}
	if !hasHarmless {
		return nil
	}
	return w
}

// refusesAll says whether an actor accepts none of some messages, were they sent to it.
func (t *tables) refusesAll(ctx context.Context, n *nodeFacts, w *whole, sent setID) (bool, error) {
	if is, ok := w.refuses[sent]; ok {
		return is, nil
	}
	is, err := t.findRefused(ctx, n, sent)
	if err == nil {
		w.refuses[sent] = is
	}
	return is, err
}

func (t *tables) findRefused(ctx context.Context, n *nodeFacts, sent setID) (bool, error) {
	parts, err := t.local(n.local)
	if err != nil {
		return false, err
	}
	collects := parts.Collects
	for _, x := range t.entries[sent] {
		if !x.isMessage() {
			continue
		}
		m := x.id()
		if t.channel(n.position).Queues && !collects && t.waitsBehind(n, m) {
			continue
		}
		if t.program.Passing != model.M {
			return false, nil
		}
		st, err := t.step(ctx, n.local, t.message(m).reception)
		switch {
		case err != nil || !st.IsKnown || len(st.Quorums) > 0:
			return false, err
		case len(st.Outcomes) > 0 && !slices.Contains(n.waiting, m):
			return false, nil
		}
	}
	return true, nil
}

// waitsBehind says whether others of its sender are before a message in the queue.
func (t *tables) waitsBehind(n *nodeFacts, m model.MessageID) bool {
	return slices.ContainsFunc(n.waiting, func(o model.MessageID) bool { return t.message(o).sender == t.message(m).sender })
}
