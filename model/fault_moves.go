package model

import "slices"

// faultMoves lists the moves of a fault, other than a Split, at the node of an actor in its scope.
func (a *Actors) faultMoves(id NodeID, position uint32, fault int) []move {
	n, kind := a.nodes.At(id), a.program.Faults[fault].Kind
	var moves []move
	switch kind {
	case Restart:
		if n.local != 0 {
			m := a.fault(kind, fault)
			m.asks = a.question(m.event)
			moves = append(moves, m)
		}
	case Stop:
		if n.local != 0 {
			m := a.fault(kind, fault)
			m.next = func() NodeID { return a.stop(position) }
			moves = append(moves, m)
		}
	case Lose:
		for _, place := range a.exposed(n, fault) {
			moves = append(moves, a.lose(n, fault, place))
		}
	case Duplicate:
		if n.local != 0 {
			moves = a.duplicates(n, fault)
		}
	case Byzantine:
		moves = a.byzantineMoves(id, position, fault)
	}
	return moves
}

// exposed are the places of what waits for an actor that a fault may lose or duplicate. Of a queue that is its head. That
// loses no behaviour: what is to be lost behind it may as well be lost when it is the head, since it makes no difference before, or
// never, if it never is. Only where a handler takes it together with the head it never is.
func (a *Actors) exposed(n *node, fault int) []int {
	waiting := *a.inboxes.At(n.waiting)
	places := a.heads
	if a.program.Delivery == M && a.Collects(n.local) {
		places = a.distinct
	}
	return slices.DeleteFunc(places(waiting), func(place int) bool {
		return !a.program.Faults[fault].appliesTo(a.messages.At(waiting[place]).Message)
	})
}

// lose takes the message at a place of what waits for an actor away.
func (a *Actors) lose(n *node, fault, place int) move {
	waiting := *a.inboxes.At(n.waiting)
	m := a.fault(Lose, fault, waiting[place])
	m.outcome = equals(waiting[:place], waiting[place])
	m.next = func() NodeID { return a.node(n.local, mailbox{a.without(n.waiting, place), n.delivered}) }
	return m
}

// duplicates lists what a channel may duplicate. Where every reception or delivery leaves the message, there are no others.
func (a *Actors) duplicates(n *node, fault int) []move {
	var moves []move
	waiting := *a.inboxes.At(n.waiting)
	isUnbounded := a.program.Faults[fault].Budget == Unbounded
	for _, place := range a.exposed(n, fault) {
		m := waiting[place]
		if !isUnbounded || !a.program.neverEmpties(a.messages.At(m).Receiver) {
			moves = append(moves, a.duplicate(n, fault, place))
		}
	}
	return moves
}

// duplicate is the duplication of the message at a place of what waits for an actor: it is received or delivered, and
// stays. Where a handler may take several copies at once, there is one more to take.
func (a *Actors) duplicate(n *node, fault, place int) move {
	waiting := *a.inboxes.At(n.waiting)
	message := waiting[place]
	m := a.fault(Duplicate, fault, message)
	m.guard = a.budgetGuard(budgetGuard{Duplicate, fault, a.cuts(message)})
	switch {
	case a.program.Delivery != M:
		m.next = func() NodeID { return a.node(n.local, mailbox{n.waiting, a.with(n.delivered, message)}) }
	case a.Collects(n.local):
		m.outcome = equals(waiting[:place], message)
		m.next = func() NodeID { return a.node(n.local, mailbox{a.withCopy(n.waiting, place), n.delivered}) }
	default:
		m.asks = a.question(m.event)
		m.last = m.asks
	}
	return m
}

// withCopy is an inbox with a copy beside the message at a place.
func (a *Actors) withCopy(i InboxID, place int) InboxID {
	inbox := *a.inboxes.At(i)
	if a.channelTo(inbox[place]) == repeating {
		return i
	}
	return a.inbox(slices.Insert(slices.Clone(inbox), place, inbox[place]))
}

// cut lists what a Split has to do with the node at a position. Of a queue messages behind the head can be lost at
// the cut too: when they are the head, the cut may have healed.
func (a *Actors) cut(id NodeID, position uint32, fault int) []move {
	var moves []move
	n := a.nodes.At(id)
	waiting := *a.inboxes.At(n.waiting)
	for _, place := range a.distinct(waiting) {
		if a.program.Faults[fault].crosses(a.messages.At(waiting[place]).Message) {
			moves = append(moves, a.lose(n, fault, place))
		}
	}
	if a.splitters[fault] == position {
		for _, kind := range []EventKind{Split, Heal} {
			m := a.fault(kind, fault)
			m.next = func() NodeID { return id }
			moves = append(moves, m)
		}
	}
	return moves
}

func equals(messages []MessageID, m MessageID) uint32 {
	n := uint32(0)
	for _, o := range messages {
		if o == m {
			n++
		}
	}
	return n
}

// fault is an event that belongs to a fault.
func (a *Actors) fault(kind EventKind, fault int, messages ...MessageID) move {
	return move{event: a.event(event{kind, fault, messages}), guard: a.budgetGuard(budgetGuard{kind: kind, fault: fault})}
}

// cuts lists the faults whose cuts messages have to cross.
func (a *Actors) cuts(messages ...MessageID) []int {
	var cuts []int
	for _, m := range messages {
		cuts = append(cuts, a.program.crossed(a.messages.At(m).Message)...)
	}
	slices.Sort(cuts)
	return slices.Compact(cuts)
}
