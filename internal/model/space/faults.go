package space

import (
	"slices"

	"harrier/internal/model"
)

// faultMoves lists the moves of a fault at the node at a position.
func (a *Moves) faultMoves(id model.NodeID, position uint32, fault int) (moves []move) {
	n, f := a.nodes.list.At(id), a.values.program.Faults[fault]
	down := a.values.locals.At(n.local).down
	if f.Kind != model.Split && !f.Scope.Has(*a.values.names.At(position)) || f.Kind.NeedsActor() && n.local == 0 {
		return nil
	}
	switch {
	case down && f.Kind == model.Crash:
		return a.downMoves(n, fault)
	case down && f.Kind.NeedsUp():
		return nil
	}
	switch f.Kind {
	case model.Restart, model.Crash:
		m := a.move(f.Kind, fault)
		m.asks = a.localSteps.question(m.event)
		moves = append(moves, m)
	case model.Stop:
		m := a.move(model.Stop, fault)
		m.next = func() model.NodeID { return a.nodes.stop(position, n.local) }
		m.effects = a.localSteps.closing(position, n.open)
		moves = append(moves, m)
	case model.Lose:
		if f.Filling > 0 && (n.local == 0 || down || a.messageLists.len(n.waiting) <= f.Filling) {
			return nil // there is no mailbox, or it is not full
		}
		for _, m := range a.exposed(n, fault) {
			moves = append(moves, a.lose(n, fault, m))
		}
	case model.Duplicate:
		if f.Repeats() && a.values.program.NeverEmpties(*a.values.names.At(position)) {
			return nil // every reception or delivery leaves the message
		}
		for _, m := range a.exposed(n, fault) {
			moves = append(moves, a.duplicate(n, fault, m))
		}
	case model.Byzantine:
		moves = a.byzantineMoves(id, position, fault)
	case model.Split:
		moves = a.cut(id, position, fault)
	}
	return moves
}

// downMoves lists what a Crash has to do with a node whose actor is down: it starts again, or loses a message. Of a queue messages
// behind the head can be lost too: when they are the head, the actor may have started again.
func (a *Moves) downMoves(n *node, fault int) []move {
	m := a.move(model.Recover, fault)
	m.asks = a.localSteps.question(m.event)
	moves := []move{m}
	if !a.values.program.Faults[fault].Losing {
		return moves
	}
	for _, m := range a.messageLists.distinct(n.waiting) {
		if a.values.messages.At(m.message).opened == 0 { // else it is lost with its connection
			moves = append(moves, a.lose(n, fault, m))
		}
	}
	return moves
}

// crashesWithin lists the crashes of a fault within the handlers that own events of an actor run.
func (a *Moves) crashesWithin(own []move, name string, fault int) (crashes []move) {
	f := a.values.program.Faults[fault]
	kind, within := f.KindWithin()
	if !within || !f.Scope.Has(name) {
		return nil
	}
	for _, o := range own {
		if e := a.localSteps.events.At(o.event); e.kind == model.Receive || e.kind == model.Internal {
			m := a.move(kind, fault, e.messages...)
			m.asks, m.takes, m.last = a.localSteps.question(m.event), o.takes, o.last
			crashes = append(crashes, m)
		}
	}
	return crashes
}

// exposed are the waiting messages of a node that a fault may lose or duplicate.
func (a *Moves) exposed(n *node, fault int) []pending {
	messages := a.messageLists.heads
	if a.values.program.ReachesBehind(a.values.locals.At(n.local).class) {
		messages = a.messageLists.distinct
	}
	return slices.DeleteFunc(messages(n.waiting), func(m pending) bool {
		return !a.values.program.Faults[fault].AppliesTo(a.values.messages.At(m.message).Message)
	})
}

// lose is the loss of one of a node's waiting messages.
func (a *Moves) lose(n *node, fault int, lost pending) move {
	m := a.move(model.Lose, fault, lost.message)
	m.outcome = a.messageLists.equalAhead(n.waiting, lost)
	m.next = func() model.NodeID {
		return a.nodes.node(n.local, inbox{a.messageLists.without(n.waiting, lost.place), n.delivered, n.open})
	}
	return m
}

// duplicate is the duplication of one of a node's waiting messages: it is received or delivered, and stays. Where copies count, there
// is one more in flight.
func (a *Moves) duplicate(n *node, fault int, of pending) move {
	m := a.move(model.Duplicate, fault, of.message)
	switch {
	case a.values.program.DeliversCopies():
		m.next = func() model.NodeID {
			return a.nodes.node(n.local, inbox{n.waiting, a.messageLists.with(n.delivered, of.message), n.open})
		}
	case a.localSteps.copies(n.local):
		m.outcome = a.messageLists.equalAhead(n.waiting, of)
		m.next = func() model.NodeID {
			return a.nodes.node(n.local, inbox{a.messageLists.withCopy(n.waiting, of.place), n.delivered, n.open})
		}
	default:
		m.asks = a.localSteps.question(m.event)
		m.last = m.asks
	}
	return m
}

// cut lists what a Split has to do with the node at a position. What is on a connection is lost when that breaks. Of a queue messages behind the head can be lost at
// the cut too: when they are the head, the cut may have healed.
func (a *Moves) cut(id model.NodeID, position uint32, fault int) []move {
	var moves []move
	n := a.nodes.list.At(id)
	for _, m := range a.messageLists.distinct(n.waiting) {
		if of := a.values.messages.At(m.message); of.opened == 0 && a.values.program.Faults[fault].Crosses(of.Message) {
			moves = append(moves, a.lose(n, fault, m))
		}
	}
	moves = append(moves, a.breaks(id, position, fault)...)
	if a.splitters[fault] == position {
		for _, kind := range []model.EventKind{model.Split, model.Heal} {
			m := a.move(kind, fault)
			m.next = func() model.NodeID { return id }
			moves = append(moves, m)
		}
	}
	return moves
}

// byzantineMoves lists what the adversary at a position may send.
func (a *Moves) byzantineMoves(id model.NodeID, position uint32, fault int) []move {
	var moves []move
	for _, s := range a.domains[fault] {
		if m := s.message; s.adversary == position {
			send := a.move(model.Byzantine, fault, m)
			send.effects = []Effect{{Position: a.values.messages.At(m).position, Message: m}}
			send.next = func() model.NodeID { return id }
			moves = append(moves, send)
		}
	}
	return moves
}

// A sending is a message of an adversary's domain. Of several adversaries it may be one, so the message does not say whose it is.
type sending struct {
	adversary uint32 // its position
	message   model.MessageID
}

// Domain is the messages that the adversaries of a fault may send.
func (a *Moves) Domain(fault int) []model.MessageID {
	var messages []model.MessageID
	for _, s := range a.domains[fault] {
		if !slices.Contains(messages, s.message) {
			messages = append(messages, s.message)
		}
	}
	return messages
}
