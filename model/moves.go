package model

// A move is something that may happen to a node: an event with what is known of it without Java.
type move struct {
	event   uint32
	outcome uint32  // of an event that runs no Java
	takes   int     // the place in the inbox of a message that it takes out, -1 for none
	toll    uint32  // what it asks of the budgets
	last    uint32  // an event that stands for the messages that it processes
	next    *NodeID // the node that it leads to, of an event that runs no Java; nil if only the inbox changes
}

// movesOf lists what may happen to the node at a position, faults last. The oracle says which of it is enabled.
func (a *Actors) movesOf(id NodeID, position uint32) []move {
	n := a.nodes.At(id)
	inbox := *a.inboxes.at(n.inbox)
	var moves []move
	if n.local != 0 {
		for _, place := range a.heads(inbox) {
			moves = append(moves, a.receive(inbox, place))
		}
		if a.locals.at(n.local).acts {
			moves = append(moves, move{event: a.event(event{kind: Internal}), takes: -1})
		}
	}
	for i, f := range a.program.Faults {
		switch {
		case f.Kind == Split:
			moves = append(moves, a.cut(id, position, i)...)
		case f.Scope.Has(*a.names.at(position)):
			moves = append(moves, a.befall(id, position, i)...)
		}
	}
	return moves
}

// receive is the reception of the message at a place of an inbox.
func (a *Actors) receive(inbox []MessageID, place int) move {
	m := inbox[place]
	e := a.event(event{kind: Receive, messages: []MessageID{m}})
	r := move{event: e, takes: place, last: e, toll: a.toll(toll{Receive, -1, a.cuts(m)})}
	if a.program.neverEmpties(a.messages.at(m).Receiver) {
		r.takes = -1
	}
	return r
}

// befall lists what a fault whose scope has the actor, other than a Split, may do to its node.
func (a *Actors) befall(id NodeID, position uint32, fault int) []move {
	n, kind := a.nodes.At(id), a.program.Faults[fault].Kind
	inbox := *a.inboxes.at(n.inbox)
	var moves []move
	switch kind {
	case Restart, Stop:
		if n.local != 0 {
			m := a.fault(kind, fault)
			if kind == Stop {
				next := a.stop(position)
				m.next = &next
			}
			moves = append(moves, m)
		}
	case Lose:
		// Of a queue only the head can be lost. That loses no behaviour: what is to be lost behind it may as well
		// be lost when it is the head, since nothing can tell before, or never, if it never is.
		for _, place := range a.heads(inbox) {
			moves = append(moves, a.fault(kind, fault).of(a, inbox, place, 0))
		}
	case Duplicate:
		if n.local != 0 {
			moves = append(moves, a.duplicates(inbox, fault)...)
		}
	}
	return moves
}

// duplicates lists the receptions of messages that stay. Where every reception is one, there are no others.
func (a *Actors) duplicates(inbox []MessageID, fault int) []move {
	var moves []move
	isUnbounded := a.program.Faults[fault].Budget == Unbounded
	for _, place := range a.heads(inbox) {
		if isUnbounded && a.program.neverEmpties(a.messages.at(inbox[place]).Receiver) {
			continue
		}
		m := a.receive(inbox, place)
		m.event = a.event(event{Duplicate, fault, []MessageID{inbox[place]}})
		m.takes, m.toll = -1, a.toll(toll{Duplicate, fault, a.cuts(inbox[place])})
		moves = append(moves, m)
	}
	return moves
}

// cut lists what a Split has to do with the node at a position. Of a queue messages behind the head can be lost at
// the cut too: when they are the head, the cut may have healed.
func (a *Actors) cut(id NodeID, position uint32, fault int) []move {
	var moves []move
	inbox := *a.inboxes.at(a.nodes.At(id).inbox)
	for _, place := range a.distinct(inbox) {
		m := inbox[place]
		if a.program.Faults[fault].crosses(a.messages.at(m).Message) {
			moves = append(moves, a.fault(Lose, fault).of(a, inbox, place, equals(inbox[:place], m)))
		}
	}
	if a.splitters[fault] == position {
		for _, kind := range []EventKind{Split, Heal} {
			m := a.fault(kind, fault)
			m.next = &id
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

// fault is an event that belongs to a fault and consumes no message.
func (a *Actors) fault(kind EventKind, fault int) move {
	return move{event: a.event(event{kind: kind, fault: fault}), takes: -1, toll: a.toll(toll{kind: kind, fault: fault})}
}

// of is the move as one that takes the message at a place out of an inbox.
func (m move) of(a *Actors, inbox []MessageID, place int, outcome uint32) move {
	e := *a.events.at(m.event)
	e.messages = []MessageID{inbox[place]}
	m.event, m.takes, m.outcome = a.event(e), place, outcome
	return m
}

func (a *Actors) cuts(m MessageID) []int { return a.program.crossed(a.messages.at(m).Message) }

func (a *Actors) event(e event) uint32 {
	ids := append([]uint32{uint32(e.kind), uint32(e.fault)}, e.messages...)
	return a.events.intern(idsKey(ids...), func() event { return e })
}

// asks is the event that the oracle is asked for to know what an event does, 0 if it does not run Java. Which
// fault an event belongs to makes no difference to an actor, nor does it whether a message stays in the inbox.
func (a *Actors) asks(id uint32) uint32 {
	switch e := a.events.at(id); e.kind {
	case Receive, Internal:
		return id
	case Restart:
		return a.event(event{kind: Restart})
	case Duplicate:
		return a.event(event{kind: Receive, messages: e.messages})
	}
	return 0
}

// connect turns the answers to what may happen to the node at a position into its steps.
func (a *Actors) connect(id NodeID, position uint32) {
	var steps []step
	for _, m := range a.movesOf(id, position) {
		if asked := a.asks(m.event); asked == 0 {
			steps = append(steps, a.plain(id, m))
		} else {
			number, _ := a.numbers.Get(a.nodes.At(id).local, asked)
			steps = append(steps, a.stepsOf(id, position, m, a.answers[number].outcomes)...)
		}
	}
	a.nodes.At(id).expand(span{a.steps.AddAll(steps), uint32(len(steps))})
}

// plain is the step of a move that runs no Java.
func (a *Actors) plain(id NodeID, m move) step {
	st := step{event: m.event, outcome: m.outcome, mark: a.mark(mark{toll: m.toll})}
	if m.next != nil {
		st.next = *m.next
	} else {
		st.next = a.node(a.nodes.At(id).local, a.rest(id, m))
	}
	st.effect = a.effect(a.spans.intern(effectsKey(nil), func() span { return span{} }), st.mark)
	return st
}

// stepsOf are the steps of a move for each of the outcomes.
func (a *Actors) stepsOf(id NodeID, position uint32, m move, outcomes []outcome) []step {
	if len(outcomes) == 0 {
		return nil
	}
	var steps []step
	rest := a.rest(id, m)
	for k, o := range outcomes {
		st := step{handler: o.handler, effects: *a.spans.at(o.effects), failure: o.failure, event: m.event, outcome: uint32(k)}
		switch {
		case o.failure != 0:
			if m.toll != 0 {
				st.mark = a.mark(mark{toll: m.toll})
			}
		case o.local == 0:
			st.next = a.stop(position)
		default:
			st.next = a.node(o.local, rest)
		}
		if o.failure == 0 {
			st.mark = a.mark(mark{a.globals.recorded(o.records), a.last(m), m.toll})
		}
		st.effect = a.effect(o.effects, st.mark)
		steps = append(steps, st)
	}
	return steps
}

// rest is the inbox after a move.
func (a *Actors) rest(id NodeID, m move) InboxID {
	if m.takes < 0 {
		return a.nodes.At(id).inbox
	}
	return a.without(a.nodes.At(id).inbox, m.takes)
}

// effect identifies effects with a mark.
func (a *Actors) effect(effects, mark uint32) uint32 {
	id, _ := a.affected.GetOrPut(effects, mark, func() (uint32, error) { return uint32(a.affected.Len() + 1), nil })
	return id
}

// last is what a state remembers of the move that led to it.
func (a *Actors) last(m move) uint32 {
	if a.Hashing == Full {
		return m.last
	}
	return 0
}
