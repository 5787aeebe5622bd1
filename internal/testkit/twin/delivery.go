package twin

import (
	"cmp"
	"slices"

	"harrier/internal/model"
	"harrier/internal/model/network"
)

// This file has the pending and the delivered messages: which of them receivers may consume, and how events change them.

// maxTogether is how many messages are tried together: all of their subsets are.
const maxTogether = 14

// receptions lists what an actor may receive, were no guard false: in M pending messages, else delivered ones; one
// message or several; under MP all of them.
func (e *explorer) receptions(s state, a model.Actor) []event {
	inbox := s.pending
	if e.program.Delivery != model.M {
		inbox = s.delivered
	}
	var all []int
	for i, m := range inbox {
		if m.Receiver == a.Name {
			all = append(all, i)
		}
	}
	met := map[string]bool{}
	var events []event
	for _, places := range e.subsets(a, inbox, all) {
		ev := event{kind: model.Receive, actor: a.Name, places: places}
		if slices.ContainsFunc(places, func(i int) bool { return inbox[i].IsClosed() }) {
			continue // no message
		}
		key := ""
		for _, i := range places {
			ev.messages = append(ev.messages, inbox[i])
			ev.disabled = ev.disabled || e.program.Delivery == model.M && e.isBlocked(s, inbox[i])
			key += string(appendMessage(nil, inbox[i]))
		}
		if met[key] || e.program.Delivery == model.MP && len(places) < len(all) {
			continue
		}
		met[key] = true
		events = append(events, ev)
	}
	return events
}

func (e *explorer) noteQuorum(ev event) {
	e.Met["quorums"] = true
	for i, m := range ev.messages[1:] {
		if compare(ev.messages[i], m) == 0 {
			e.Met["quorums of equal messages"] = true
		}
	}
	if e.isQueue(ev.actor) {
		e.Met["quorums in queues"] = true
	}
	if e.isSet(ev.actor) {
		e.Met["quorums from sets"] = true
	}
}

// subsets lists the sets of places that an actor may receive together as far as order and sizes go: the single ones
// first, then those for a quorum handler.
func (e *explorer) subsets(a model.Actor, inbox []model.Message, all []int) [][]int {
	var subsets [][]int
	for _, i := range all {
		if e.takesHeads(inbox, all, []int{i}) {
			subsets = append(subsets, []int{i})
		}
	}
	if !e.hasQuorum(a.Class) {
		return subsets
	}
	return append(subsets, e.together(a, inbox, all)...)
}

// together lists the sets of several places.
func (e *explorer) together(a model.Actor, inbox []model.Message, all []int) [][]int {
	var subsets [][]int
	byMessage := map[int][]model.Quorum{}
	var quorums []model.Quorum
	for _, i := range all {
		if inbox[i].IsClosed() {
			continue
		}
		q := model.Question{Local: a.Local, Event: model.Event{Messages: []model.Message{inbox[i]}}}
		byMessage[i] = e.ask(q).Quorums
		quorums = append(quorums, byMessage[i]...)
	}
	for n, q := range quorums {
		if slices.Contains(quorums[:n], q) {
			continue
		}
		takes := slices.DeleteFunc(slices.Clone(all), func(i int) bool { return !slices.Contains(byMessage[i], q) })
		if len(takes) > maxTogether {
			e.TooLarge = true
			return nil
		}
		for mask := range 1 << len(takes) {
			var places []int
			for bit, i := range takes {
				if mask>>bit&1 == 1 {
					places = append(places, i)
				}
			}
			if len(places) > 1 && e.fits(q, inbox, places) && e.takesHeads(inbox, all, places) {
				subsets = append(subsets, places)
			}
		}
	}
	return subsets
}

// takesHeads reports whether all that is in front of messages in queues is among them.
func (e *explorer) takesHeads(inbox []model.Message, all, places []int) bool {
	for _, i := range places {
		for _, k := range all {
			before := k < i && e.isQueue(inbox[i].Receiver) && inbox[k].Sender == inbox[i].Sender
			if before && !slices.Contains(places, k) {
				return false
			}
		}
	}
	return true
}

// fits reports whether messages are as many, and from whom, as a quorum handler wants.
func (e *explorer) fits(q model.Quorum, inbox []model.Message, places []int) bool {
	senders := map[string]bool{}
	for _, i := range places {
		if q.Role != "" && !e.hasRole(inbox[i].Sender, q.Role) {
			return false
		}
		senders[inbox[i].Sender] = true
	}
	return q.Size == 0 || len(places) == q.Size && len(senders) == q.Size
}

func (e *explorer) hasRole(name, role string) bool {
	return slices.ContainsFunc(e.program.Roles, func(r model.Role) bool {
		return r.Name == role && slices.Contains(r.Actors, name)
	})
}

// hasQuorum reports whether a class has quorum handlers.
func (e *explorer) hasQuorum(class string) bool {
	return slices.ContainsFunc(e.program.Handlers, func(h model.Handler) bool { return h.Quorum && h.Class == class })
}

// takesSeveral reports whether an actor may receive several messages at once.
func (e *explorer) takesSeveral(s state, name string) bool {
	i := s.find(name)
	return i >= 0 && e.hasQuorum(s.actors[i].Class)
}

// receivesCopy reports whether an event duplicates a message by receiving one that stays, and does not make a copy of it.
func (e *explorer) receivesCopy(s state, ev event) bool {
	counts := slices.ContainsFunc(e.program.Faults, func(f model.Fault) bool { return (f.Within || f.Filling > 0) && f.Scope.Has(ev.actor) })
	return ev.kind == model.Duplicate && e.program.Delivery == model.M && !e.takesSeveral(s, ev.actor) && !counts && !e.adds(ev.fault)
}

// adds reports whether duplicating by a fault always adds a copy to the messages in flight. Without a bound there would be no end of them.
func (e *explorer) adds(fault int) bool {
	return e.program.SeesInFlight || e.EveryChoice && e.program.Faults[fault].Budget >= 0
}

func (s state) hasDelivered(name string) bool {
	return slices.ContainsFunc(s.delivered, func(m model.Message) bool { return m.Receiver == name })
}

func (e *explorer) isQueue(receiver string) bool {
	return slices.ContainsFunc(e.program.Channels, func(d network.Declared) bool {
		return (d.Channel == network.FIFO || d.Channel == network.Connected) && d.To.Has(receiver)
	})
}

// isSet reports whether all that is in flight to a receiver may be received any number of times.
func (e *explorer) isSet(receiver string) bool {
	return !e.isQueue(receiver) && slices.ContainsFunc(e.program.Faults, func(f model.Fault) bool {
		return f.Kind == model.Duplicate && f.Budget < 0 && f.Scope.Has(receiver)
	})
}

// stays reports whether a message in flight to a receiver stays in flight when it is received: that makes no difference if nobody asks
// about terminal states.
func (e *explorer) stays(receiver string) bool {
	return e.isSet(receiver) && len(e.program.Liveness) == 0 && !slices.ContainsFunc(e.program.Properties, func(p model.Property) bool {
		return p.Kind.IsOfTerminalStates()
	})
}

// move does to the messages of a state what an event does, but for what it sends.
func (e *explorer) move(s *state, ev event) {
	receives := ev.kind == model.Receive || ev.within()
	switch {
	case receives && e.program.Delivery != model.M:
		s.delivered = without(s.delivered, ev.places)
	case ev.kind == model.Lose, ev.kind == model.Disconnect, ev.kind == model.Drop, receives && !e.stays(ev.actor):
		s.pending = without(s.pending, ev.places)
	case ev.kind == model.Deliver:
		if !e.stays(ev.actor) {
			s.pending = without(s.pending, ev.places)
		}
		s.delivered = e.put(s.delivered, ev.messages[0])
	case ev.kind == model.Duplicate && e.program.Delivery != model.M && !e.adds(ev.fault):
		s.delivered = e.put(s.delivered, ev.messages[0])
	case ev.kind == model.Duplicate && !e.receivesCopy(*s, ev) && !e.isSet(ev.actor):
		e.Met["copies"] = true
		e.Met["copies inside"] = e.Met["copies inside"] || e.isBehind(s.pending, ev.places[0])
		s.pending = slices.Insert(slices.Clone(s.pending), ev.places[0], ev.messages[0])
	case ev.kind == model.Byzantine:
		e.enqueue(s, ev.messages[0])
		e.sort(s.pending)
	}
}

func without(messages []model.Message, places []int) []model.Message {
	var rest []model.Message
	for i, m := range messages {
		if !slices.Contains(places, i) {
			rest = append(rest, m)
		}
	}
	return rest
}

// enqueue puts a message among those that are pending, unless the receiver has stopped.
func (e *explorer) enqueue(s *state, m model.Message) {
	if slices.Contains(s.stopped, m.Receiver) {
		e.Met["messages to stopped actors"] = true
		e.Met["messages to adversaries"] = e.Met["messages to adversaries"] || slices.Contains(e.adversaries(), m.Receiver)
		return
	}
	s.pending = e.put(s.pending, m)
}

// put adds a message to pending or delivered ones.
func (e *explorer) put(messages []model.Message, m model.Message) []model.Message {
	same := func(o model.Message) bool {
		return compare(e.relevantMessage(m), e.relevantMessage(o)) == 0
	}
	if e.isSet(m.Receiver) && slices.ContainsFunc(messages, same) {
		e.Met["messages that are in the set"] = true
		return messages
	}
	messages = append(slices.Clone(messages), m)
	e.sort(messages)
	return messages
}

// sort puts messages in an order that is the same for equal states: those in a queue as they were sent.
func (e *explorer) sort(messages []model.Message) {
	slices.SortStableFunc(messages, func(a, b model.Message) int {
		if a.Receiver == b.Receiver && a.Sender == b.Sender && e.isQueue(a.Receiver) {
			return 0
		}
		return cmp.Or(cmp.Compare(a.Receiver, b.Receiver), compare(a, b))
	})
}
