package twin

import (
	"fmt"
	"slices"

	"harrier/internal/model"
)

// The quotient of an exploration has the relevant parts of states in place of states. All states with
// the same part are met; the first of them is counted.

// divide counts the relevant part of a state if it is new. It returns the figures in which to count what
// follows from the state, and an empty set for the events counted there; nil if the part was met before.
func (e *explorer) divide(s state) (*Result, map[string]bool) {
	if e.Quotient == nil {
		return nil, nil
	}
	part := e.relevant(s).canonical()
	if e.parts[part] {
		return nil, nil
	}
	e.parts[part] = true
	e.Quotient.States++
	if !e.isWithin(s) {
		e.Quotient.Outside++
		return nil, nil
	}
	for i, p := range e.program.Properties {
		if p.Kind.IsOfEachState() && !e.holds(i, s) {
			e.Quotient.Violations++
			break
		}
	}
	return e.Quotient, map[string]bool{}
}

func (e *explorer) relevant(s state) state {
	part := s
	part.actors, part.pending, part.delivered = nil, e.relevantOf(s.pending), e.relevantOf(s.delivered)
	for _, a := range s.actors {
		a.Local = e.part(a.Local)
		part.actors = append(part.actors, a)
	}
	return part
}

// relevantOf are the relevant parts of messages, in order.
func (e *explorer) relevantOf(messages []model.Message) []model.Message {
	var parts []model.Message
	for _, m := range messages {
		parts = append(parts, e.relevantMessage(m))
	}
	e.sort(parts)
	return parts
}

// relevantMessage is the relevant part of a message, without a sender of which nothing depends: neither what the receiver does nor
// what the network may do.
func (e *explorer) relevantMessage(m model.Message) model.Message {
	m.Payload = e.part(m.Payload)
	i := slices.IndexFunc(e.program.Initial.Actors, func(a model.Actor) bool { return a.Name == m.Receiver })
	watches := func(h model.Handler) bool { return h.Takes == model.NoticeClass }
	if e.UsesSender == nil || i < 0 || e.isQueue(m.Receiver) || slices.ContainsFunc(e.program.Handlers, watches) {
		return m
	}
	if class := e.program.Initial.Actors[i].Class; e.hasQuorum(class) || e.UsesSender(class, m) {
		return m
	}
	endless := false
	for _, f := range e.program.Faults {
		endless = endless || f.Kind == model.Duplicate && f.Budget < 0
		isHere := f.Scope.Has(m.Receiver)
		if f.Kind == model.Split || isHere && f.Senders != nil || isHere && f.SparesSelf && m.Sender == m.Receiver {
			return m
		}
	}
	if isFinal := func(p model.Property) bool { return p.Kind.IsOfTerminalStates() }; !endless || len(e.program.Liveness) == 0 && !slices.ContainsFunc(e.program.Properties, isFinal) {
		m.Sender = ""
	}
	return m
}

func (e *explorer) part(b []byte) []byte {
	if e.Relevant == nil || len(b) == 1 && b[0] >= 0xfb { // a notice has no parts
		return b
	}
	r, err := e.Relevant(b)
	if err != nil {
		e.Err = err
	}
	return r
}

// isNew reports whether no event with the same relevant part was met in the state yet: the same kind that takes equal
// messages from equal places.
func (e *explorer) isNew(s state, ev event, counted map[string]bool) bool {
	key := fmt.Sprint(ev.kind, ev.fault, ev.actor, ev.ticks)
	for _, m := range e.relevantOf(ev.messages) {
		key += string(appendMessage(nil, m))
	}
	if ev.kind == model.Lose || ev.kind == model.Duplicate {
		after := s
		e.move(&after, ev)
		key += e.relevant(after).canonical()
	}
	defer func() { counted[key] = true }()
	return !counted[key]
}
