package space

import (
	"fmt"
	"slices"

	"harrier/internal/model"
	"harrier/internal/model/network"
)

// Which connections are open both ends know, by their nodes: with whom, as a list of Opened, and whether one has closed that the actor does
// not know of yet, as a Closed in a queue. So what a step sends depends on its node alone, and what it does to the other ends is sent to them.

// mayTrackConnections refuses what does not go together with connections that may close.
func mayTrackConnections(p *model.Program) error {
	if !p.TracksConnections() {
		return nil
	}
	refuse := func(format string, of ...any) error { return &model.UsageError{Text: fmt.Sprintf(format, of...)} }
	if p.Delivery != model.M {
		return refuse("network().connections() is for the delivery model M, not %s: what an actor sends once a connection has closed would depend on what was delivered", p.Delivery)
	}
	if p.SeesInFlight {
		return refuse("properties call inFlight(), and of what is in flight on network().connections() some may be lost already: take one or the other")
	}
	for _, d := range p.Channels {
		for _, f := range p.Faults {
			switch meets := d.Connects() && d.To.Meets(f.Scope); {
			case meets && (f.Kind == model.Lose || f.Kind == model.Duplicate):
				return refuse("%q and network().connections() are about the same receivers: a connection loses the last messages when an end goes, and no others: name receivers of the one that are none of the other", f.Label)
			case meets && f.Kind == model.Byzantine:
				return refuse("%q and network().connections() are about the same actors: Byzantine actors have no connections: name those that have, without them", f.Label)
			case meets && f.Kind == model.Restart && f.Within:
				return refuse("%q: a crash within a handler closes connections after what the handler sent, and before what onRestart sends, so it has to be two events: add staysDown()", f.Label)
			}
		}
	}
	return nil
}

// mayClose requires that the connections that an actor closes in a step are its own, to who has such ones, and that some actor is told.
func (v *Values) mayClose(actor string, sends []model.Message) error {
	for _, m := range sends {
		switch {
		case !m.IsClosed():
		case m.Sender != actor:
			return &model.RuleError{Text: fmt.Sprintf("%s calls disconnect in start(), where it has no connection yet: leave it out", m.Sender)}
		case !v.program.OnConnection(m):
			return &model.RuleError{Text: fmt.Sprintf("%s calls disconnect(%s), and network().connections() does not connect them: have it name both", m.Sender, m.Receiver)}
		case !v.tracks:
			return &model.RuleError{Text: fmt.Sprintf("%s calls disconnect(%s), and no actor has a handler for Disconnected, the notice that comes of it: add one", m.Sender, m.Receiver)}
		}
	}
	return nil
}

// afterArrival is an inbox after a message arrives.
func (b *messageLists) afterArrival(in inbox, m model.MessageID) inbox {
	switch of := b.values.messages.At(m); {
	case of.IsOpened():
		in.open = b.including(in.open, m)
		return in
	case of.opened != 0 && of.IsClosed():
		in.open = b.excluding(in.open, of.opened)
	case of.opened != 0:
		in.open = b.including(in.open, of.opened)
	}
	in.waiting = b.with(in.waiting, m)
	return in
}

func (b *messageLists) including(i model.ListID, m model.MessageID) model.ListID {
	if slices.Contains(b.at(i), m) {
		return i
	}
	return b.with(i, m)
}

func (b *messageLists) excluding(i model.ListID, m model.MessageID) model.ListID {
	return b.retained(i, func(o model.MessageID) bool { return o != m })
}

// throughClosed are the places of the messages from a sender up to the first Closed; none if there is no Closed.
func (b *messageLists) throughClosed(i model.ListID, sender string) (places []int) {
	for place, id := range b.at(i) {
		switch m := b.values.messages.At(id); {
		case m.Sender != sender:
		case m.IsClosed():
			return append(places, place)
		default:
			places = append(places, place)
		}
	}
	return nil
}

// withoutQueue is a list less all messages from a sender.
func (b *messageLists) withoutQueue(i model.ListID, sender string) model.ListID {
	return b.retained(i, func(m model.MessageID) bool { return b.values.messages.At(m).Sender != sender })
}

// disconnections lists the events in which the actor of a node learns that a connection has closed.
func (a *Moves) disconnections(n *node) (moves []move) {
	if !a.values.tracks {
		return nil
	}
	met := map[string]bool{}
	for _, id := range a.messageLists.at(n.waiting) {
		of := a.values.messages.At(id)
		if !of.IsClosed() || met[of.Sender] {
			continue
		}
		met[of.Sender] = true
		m, places := a.move(model.Disconnect, 0, id), a.messageLists.throughClosed(n.waiting, of.Sender)
		if a.values.program.HandlesNotices(a.values.locals.At(n.local).class) {
			m.asks, m.takes = a.localSteps.question(m.event), places
			m.last = m.asks
		} else {
			m.next = func() model.NodeID {
				return a.nodes.node(n.local, inbox{a.messageLists.without(n.waiting, places...), n.delivered, n.open})
			}
		}
		moves = append(moves, m)
	}
	return moves
}

// drop is the loss of what is ahead of the end of a connection that the actor of a node does not take.
func (a *Moves) drop(id model.NodeID, disconnect move) move {
	n, ahead := a.nodes.list.At(id), disconnect.takes[:len(disconnect.takes)-1]
	m := a.move(model.Drop, 0, a.localSteps.events.At(disconnect.event).messages...)
	m.next = func() model.NodeID {
		return a.nodes.node(n.local, inbox{a.messageLists.without(n.waiting, ahead...), n.delivered, n.open})
	}
	return m
}

// refusals lists the events in which an actor that is down or has stopped refuses a connection.
func (a *Moves) refusals(id model.NodeID, position uint32) (moves []move) {
	n := a.nodes.list.At(id)
	if n.open == 0 || !n.stopped && !a.values.locals.At(n.local).down {
		return nil
	}
	for i, e := range a.localSteps.closing(position, n.open) {
		opened := a.messageLists.at(n.open)[i]
		m := a.move(model.Refuse, 0, e.Message)
		m.effects = []Effect{e}
		m.next = func() model.NodeID {
			open := a.messageLists.excluding(n.open, opened)
			if n.stopped {
				return a.nodes.attempted(id, open)
			}
			return a.nodes.node(n.local, inbox{a.messageLists.withoutQueue(n.waiting, a.values.messages.At(opened).Sender), n.delivered, open})
		}
		moves = append(moves, m)
	}
	return moves
}

// breaks lists the events in which a connection breaks at the cut of a fault. They are those of the end whose name comes first.
func (a *Moves) breaks(id model.NodeID, position uint32, fault int) (moves []move) {
	for _, e := range a.localSteps.closing(position, a.nodes.list.At(id).open) {
		of := a.values.messages.At(e.Message)
		if of.Sender > of.Receiver || !a.values.program.Faults[fault].Crossing(of.Sender, of.Receiver) {
			continue
		}
		m := a.move(model.Break, fault, e.Message)
		m.effects = []Effect{e}
		m.next = func() model.NodeID {
			back, _ := a.values.internMessage(network.Closed(of.Sender, of.Receiver)) // no part of it is looked for
			return a.nodes.arrived(id, back)
		}
		moves = append(moves, m)
	}
	return moves
}

// closing are the effects by which the actor at a position closes connections, in their order.
func (s *LocalSteps) closing(position uint32, open model.ListID) (effects []Effect) {
	for _, id := range s.nodes.messageLists.at(open) {
		peer := s.values.messages.At(id).Sender
		m, _ := s.values.internMessage(network.Closed(peer, *s.values.names.At(position))) // no part of it is looked for
		effects = append(effects, Effect{Position: s.values.position(peer), Message: m})
	}
	return effects
}

// opening adds to the effects that make the initial state those by which the senders of messages have open connections: some, if they are
// given, or those on which there are messages.
func (a *Actors) opening(effects []Effect, given []model.Message) (all []Effect, err error) {
	all, opened := effects, given
	for _, e := range effects {
		if m := a.Values.messages.At(e.Message); m.opened != 0 && given == nil {
			opened = append(opened, network.Opened(m.Sender, m.Receiver))
		}
	}
	for _, m := range opened {
		id, err := a.Values.internMessage(m)
		if err != nil {
			return nil, err
		}
		all = append(all, Effect{Position: a.Values.position(m.Receiver), Message: id})
	}
	return all, nil
}

// A sender is what a step does to the connections of its actor, as it sends one message after another.
type sender struct {
	*Actors
	position uint32
	name     string
	inbox    inbox
	effects  []Effect
	closes   bool // connections may have closed
}

// onConnections is what an outcome of an event leaves of an inbox, less what came on connections that it closes, and its effects, less
// what is sent on connections that have closed.
func (a *Actors) onConnections(position, event uint32, in inbox, o *outcome) (after inbox, effects uint32, closes bool) {
	s := &sender{Actors: a, position: position, name: *a.Values.names.At(position), inbox: in}
	kind := a.LocalSteps.events.At(event).kind
	if kind == model.Restart || kind == model.Crash {
		s.goes()
	}
	sent := a.LocalSteps.spans.At(o.effects)
	for _, e := range a.LocalSteps.effects.Range(sent.first, sent.count) {
		s.send(e)
	}
	if kind.IsWithin() || o.local == 0 {
		s.goes()
	}
	return s.inbox, a.LocalSteps.list(s.effects), s.closes
}

// goes has the actor go, with all that came on connections.
func (s *sender) goes() {
	s.closes = true
	s.effects = append(s.effects, s.LocalSteps.closing(s.position, s.inbox.open)...)
	s.inbox.open = 0
	s.inbox.waiting = s.messageLists.retained(s.inbox.waiting, func(m model.MessageID) bool { return s.Values.messages.At(m).opened == 0 })
}

func (s *sender) send(e Effect) {
	m := s.Values.messages.At(e.Message)
	if e.Message == 0 || m.opened == 0 {
		s.effects = append(s.effects, e)
		return
	}
	own, _ := s.Values.internMessage(network.Opened(m.Sender, m.Receiver)) // no part of it is looked for
	if m.Sender != s.name {                                                // but an actor that it creates
		s.effects = append(s.effects, Effect{Position: s.Values.position(m.Sender), Message: own})
		if m.Receiver == s.name { // which may close this connection, or go, later in the step
			s.inbox = s.messageLists.afterArrival(s.inbox, e.Message)
			return
		}
		s.effects = append(s.effects, e)
		return
	}
	unknown := s.messageLists.throughClosed(s.inbox.waiting, m.Receiver) // the end of a connection that the actor does not know of
	switch isOpen := slices.Contains(s.messageLists.at(s.inbox.open), own); {
	case m.IsClosed() && len(unknown) > 0:
		s.closes = true
		s.inbox.waiting = s.messageLists.without(s.inbox.waiting, unknown...)
	case m.IsClosed():
		s.closes = true
		s.inbox.waiting = s.messageLists.withoutQueue(s.inbox.waiting, m.Receiver)
		s.inbox.open = s.messageLists.excluding(s.inbox.open, own)
		if isOpen {
			s.effects = append(s.effects, e)
		}
	case len(unknown) == 0:
		s.inbox.open = s.messageLists.including(s.inbox.open, own)
		s.effects = append(s.effects, e)
	}
}
