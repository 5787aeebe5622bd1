package model

// What a state is made of, for those who take it apart without Java.

// NodeParts is what a node is made of.
type NodeParts struct {
	Local     LocalID     // 0 if there is no such actor
	Waiting   []MessageID // in flight to it, in an order of the channel's
	Delivered []MessageID // delivered and not consumed, likewise; none in M
	Stopped   bool        // the actor does not exist any more
}

// Nodes is how many nodes were met. Their ids count them from 1, as they are met.
func (a *Actors) Nodes() int { return a.nodes.Len() - 1 }

// NodeParts takes a node apart.
func (a *Actors) NodeParts(id NodeID) NodeParts {
	n := a.nodes.At(id)
	return NodeParts{n.local, *a.inboxes.At(n.waiting), *a.inboxes.At(n.delivered), n.stopped}
}

// GlobalParts is what a state holds beside its actors.
type GlobalParts struct {
	History []byte // in structured bytes; empty if it holds no operations
	Last    Event  // with full hashing, what was processed last; the zero Event for nothing
	HasLast bool   // whether there is a Last
	Budgets uint32 // identifies what faults have spent and cut
}

// GlobalParts takes what is at position 0 of a state apart.
func (a *Actors) GlobalParts(id uint32) GlobalParts {
	g := a.globals.items.At(id)
	p := GlobalParts{History: *a.globals.histories.At(g.history), Budgets: g.budgets, HasLast: g.last != 0}
	if g.last != 0 {
		p.Last = a.Event(g.last)
	}
	return p
}

// PositionName is the name of the actor at a position of a State, from 1.
func (a *Actors) PositionName(position int) string { return *a.names.At(uint32(position)) }

// HashedLocal is what tells a local state from others.
func (a *Actors) HashedLocal(l LocalID) ([]byte, error) { return a.hashed(a.locals.At(l).bytes) }

// HashedPayload is what tells a message's payload from others.
func (a *Actors) HashedPayload(m MessageID) ([]byte, error) {
	return a.hashed(a.messages.At(m).Payload)
}

// TransitionParts is what a transition is about.
type TransitionParts struct {
	EventID
	Facts
	Kind     EventKind
	Messages []MessageID // those that the event is about; not to be changed
	Records  bool        // it adds to the history
	Fails    bool
	Stops    bool
	Local    LocalID  // of the actor after it; 0 if it fails or stops
	Effects  []Effect // what it creates, then what it sends, in order; not to be changed
}

// Creates reports whether the transition creates actors.
func (p *TransitionParts) Creates() bool { return len(p.Effects) > 0 && p.Effects[0].Message == 0 }

// TransitionParts takes a transition that s offers apart.
func (a *Actors) TransitionParts(s State, t Transition) TransitionParts {
	st := a.step(s[t.Slot+1], t.Step)
	e := a.events.At(st.event)
	p := TransitionParts{
		EventID: EventID{st.event, st.outcome}, Facts: a.facts(st), Kind: e.kind, Messages: e.messages,
		Records: a.globals.marks.At(st.mark).records != 0, Fails: st.failure != 0,
	}
	if st.failure == 0 {
		next := a.nodes.At(st.next)
		p.Local, p.Stops = next.local, next.stopped
	}
	p.Effects = a.effects.Range(st.effects.first, st.effects.count)
	return p
}

// MayBeVisible reports whether some invariant may tell what a transition that s offers leads to from s.
func (a *Actors) MayBeVisible(s State, t Transition, p *TransitionParts) bool {
	before := a.Local(s, int(t.Slot)+1)
	switch {
	case p.Fails || !a.program.HasInvariants():
		return false
	case p.Records, p.Stops && before != 0, p.Creates():
		return true
	}
	return a.IsVisible(before, p.Local)
}
