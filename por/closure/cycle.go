package closure

import (
	"slices"

	"harrier/model"
)

// The cycle proviso. Who goes round a cycle of states for ever consumes nothing that is counted, so in the end each actor comes back to
// one place, and each step stays within a strongly connected component of its local graph; and what is consumed is sent again,
// by such steps. So a step that is not like that is on no cycle at all, in whichever future it was found not to be. That is why
// choices may depend on what was met before.

// resent is what steps inside the components of a local closure send if they may consume some messages.
func (t *tables) resent(r *reached, messages setID) setID {
	if id, ok := t.insides.Get(r.number, messages); ok {
		return id
	}
	var sends setID
	t.eachInside(r, func(e edge) {
		if e.sends != 0 && t.hasAll(messages, t.steps.Messages(e.event)) {
			sends = t.most(sends, t.all(e.sends))
		}
	})
	t.insides.Put(r.number, messages, sends)
	return sends
}

// eachInside calls do with the edges of a local closure that stay in their components.
func (t *tables) eachInside(r *reached, do func(edge)) {
	t.listed(r)
	isThere := t.allowed(r.available)
	component := make(map[uint32]int32, len(r.places))
	for i, n := range r.places {
		component[n] = r.components[i]
	}
	for i, n := range r.places {
		for _, e := range t.edgesOf(n) {
			if e.to >= 0 && component[uint32(e.to)] == r.components[i] && isThere(e.event) {
				do(e)
			}
		}
	}
}

func (t *tables) hasAll(of setID, messages []model.MessageID) bool {
	return !slices.ContainsFunc(messages, func(m model.MessageID) bool { return t.copiesOf(of, messageItem(m)) == 0 })
}

// isRenewable says whether messages to one actor are all in the greatest set of messages of a closure each of which is sent by a
// step inside a component that consumes only messages of the set, or comes about without any step.
func (t *tables) isRenewable(f *future, position uint32, messages []model.MessageID) bool {
	if f.of != nil {
		f = f.of
	}
	if !f.renewableIsKnown {
		t.findRenewable(f)
	}
	return t.hasAll(f.renewable[position], messages)
}

func (t *tables) findRenewable(f *future) {
	f.renewable = append(f.renewable[:0], f.available...)
	for shrinks := true; shrinks; {
		for position, items := range f.available {
			f.next[position] = t.everNew(f, items)
		}
		for position, r := range f.reached {
			if r == nil {
				continue
			}
			for _, d := range t.split(t.resent(r, t.all(f.renewable[position]))) {
				f.next[d.position] = t.most(f.next[d.position], d.items)
			}
		}
		shrinks = !slices.Equal(f.next, f.renewable)
		f.next, f.renewable = f.renewable, f.next
	}
	f.renewableIsKnown = true
}

// everNew are the messages that come again by themselves: forged, or duplicated.
func (t *tables) everNew(f *future, available setID) setID {
	if available == 0 {
		return 0
	}
	key := uint64(f.faults.number)<<32 | uint64(available)
	if id, ok := t.everNews[key]; ok {
		return id
	}
	var found []entry
	for _, x := range t.entries[available] {
		if x.isMessage() && (t.comesAgain(f.faults, x.id()) || t.copiesOf(f.faults.forged, x.item) > 0) {
			found = append(found, entry{x.item, many})
		}
	}
	id := t.intern(found)
	t.everNews[key] = id
	return id
}

// comesAgain says whether a message may be received any number of times however often it is sent.
func (t *tables) comesAgain(f *faults, m model.MessageID) bool {
	receiver := t.message(m).receiver
	return t.channel(receiver).Repeats || t.hazardsOf(f, receiver).duplicate
}

// isOnNoCycle says whether an event of an actor is on no cycle of states that have the same future: each outcome leaves its
// component, or something that it takes out of the mailbox does not come again.
func (t *tables) isOnNoCycle(n *nodeFacts, e *eventFacts, f *future, r *reached) bool {
	if e.kind == model.Duplicate {
		return t.leaves(r, n, e)
	}
	for _, m := range e.messages {
		if t.copiesOf(f.available[n.position], messageItem(m)) != many {
			return true
		}
	}
	isStep := e.kind == model.Receive || e.kind == model.Internal || e.kind == model.Restart
	return isStep && t.leaves(r, n, e) || !t.isRenewable(f, n.position, e.messages)
}

// leaves says whether each outcome of an event leaves its component, at each of the places where the local state is. Steps inside a
// component consume nothing that is counted, so all of its places have consumed the same.
func (t *tables) leaves(r *reached, n *nodeFacts, e *eventFacts) bool {
	return r != nil && !slices.ContainsFunc(e.parts, func(o outcomeFacts) bool {
		return o.local != 0 && (o.local == n.local || t.isTogether(r, n.local, o.local))
	})
}

// isTogether says whether two local states are in one component, whatever is left. It says so too if nothing is known.
func (t *tables) isTogether(r *reached, a, b model.LocalID) bool {
	components := map[int32]bool{}
	for i, n := range t.listed(r).places {
		if t.places.list[n].local == a {
			components[r.components[i]] = true
		}
	}
	for i, n := range r.places {
		if t.places.list[n].local == b && components[r.components[i]] {
			return true
		}
	}
	return len(components) == 0
}
