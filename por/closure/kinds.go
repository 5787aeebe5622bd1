package closure

import (
	"context"
	"slices"

	"harrier/model"
)

// A kind is a number of messages to an actor, from different senders, that all do the same wherever it may be. So it need not be
// known which of them were consumed, only how many.
type kind struct {
	messages []model.MessageID
	copies   copies // of all together
}

// A contentKey is a content of messages to the actor at a position.
type contentKey struct{ position, content uint32 }

// kindsOf are the kinds of the messages that are counted.
func (t *tables) kindsOf(k reachKey) map[model.MessageID]*kind {
	kinds := map[model.MessageID]*kind{}
	byContent := map[uint32]*kind{}
	for _, x := range t.entries[k.available] {
		if !x.isMessage() || x.copies == many {
			continue
		}
		content := t.message(x.id()).content
		of := byContent[content]
		if of == nil || t.tellsApart[contentKey{k.position, content}] {
			of = &kind{}
			byContent[content] = of
		}
		of.messages = append(of.messages, x.id())
		of.copies = together(of.copies, x.copies)
		kinds[x.id()] = of
	}
	return kinds
}

// together adds up copies that are consumed. So far is counted that one kind may have messages of several senders.
func together(a, b copies) copies { return copies(min(int(a)+int(b), int(many))) }

// distinguishes says whether messages of one kind do different things in a local state. Then they are of different kinds from
// now on.
func (x *explorer) distinguishes(l model.LocalID) bool {
	for _, of := range x.kinds {
		first, _ := x.steps.Step(l, x.message(of.messages[0]).reception)
		for _, m := range of.messages[1:] {
			if st, _ := x.steps.Step(l, x.message(m).reception); st.Same != first.Same {
				x.tellsApart[contentKey{x.key.position, x.message(m).content}] = true
				return true
			}
		}
	}
	return false
}

// consume adds what an event takes to what was consumed, as far as that is counted, if there is as much.
func (t *tables) consume(r *reached, consumed setID, event uint32) (after setID, ok bool) {
	if event == t.restart {
		return t.take(consumed, restartItem, t.copiesOf(r.key.available, restartItem))
	}
	for _, m := range t.steps.Messages(event) {
		of := r.kinds[m]
		if of == nil {
			continue
		}
		if consumed, ok = t.take(consumed, messageItem(of.messages[0]), of.copies); !ok {
			return 0, false
		}
	}
	return consumed, true
}

func (t *tables) take(consumed setID, x item, there copies) (after setID, ok bool) {
	if there == many {
		return consumed, true
	}
	if t.copiesOf(consumed, x) >= there {
		return 0, false
	}
	one, ok := t.ones[x]
	if !ok {
		one = t.intern([]entry{{x, 1}})
		t.ones[x] = one
	}
	return t.merge(&t.takings, consumed, one, together), true
}

// forget leaves out of what was consumed what would do nothing in a local state, were it there once more.
func (x *explorer) forget(ctx context.Context, l model.LocalID, consumed setID) (setID, error) {
	if x.counting != forgetful || consumed == 0 {
		return consumed, nil
	}
	p, err := x.possible(ctx, l, x.key.available)
	if x.limit = p.limit; err != nil || p.limit != "" {
		return 0, err
	}
	var kept []entry
	for _, e := range x.entries[consumed] {
		if !e.isMessage() || !x.isIdle(l, x.message(e.id()).reception) {
			kept = append(kept, e)
		}
	}
	return x.intern(kept), nil
}

// isIdle says whether an event, whose step is known, changes nothing in a local state.
func (x *explorer) isIdle(l model.LocalID, event uint32) bool {
	st, _ := x.steps.Step(l, event)
	return len(st.Quorums) == 0 && !slices.ContainsFunc(st.Outcomes, func(o model.PossibleOutcome) bool {
		return o.Fails || o.Local != l || len(o.Effects) > 0
	})
}
