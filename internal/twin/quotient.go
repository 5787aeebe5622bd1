package twin

import (
	"fmt"
	"slices"

	"harrier/model"
)

// The quotient of an exploration has the relevant parts of states in place of states. All states with
// the same part are met; the first of them is counted.

// divide counts the relevant part of a state if it is new. It returns the figures in which to count what
// follows from the state, and an empty set for the events counted there; nil if the part was met before.
func (e *explorer) divide(s state) (*Result, map[string]bool) {
	if e.Quotient == nil {
		return nil, nil
	}
	part := e.relevant(s)
	if e.parts[part.canonical()] {
		return nil, nil
	}
	e.parts[part.canonical()] = true
	e.Quotient.States++
	for i, p := range e.oracle.Program().Properties {
		if p.Kind == model.Invariant && !e.holds(i, s) {
			e.Quotient.Violations++
			break
		}
	}
	return e.Quotient, map[string]bool{}
}

func (e *explorer) relevant(s state) state {
	part := s
	part.actors, part.pending = nil, nil
	for _, a := range s.actors {
		a.Local = e.part(a.Local)
		part.actors = append(part.actors, a)
	}
	for _, m := range s.pending {
		m.Payload = e.part(m.Payload)
		part.pending = append(part.pending, m)
	}
	e.sort(part.pending)
	return part
}

func (e *explorer) part(b []byte) []byte {
	r, err := e.Relevant(b)
	if err != nil {
		e.Err = err
	}
	return r
}

// isNew says whether no event with the same relevant part was met in the state yet: the same kind that takes an
// equal message from an equal place.
func (e *explorer) isNew(s state, ev event, counted map[string]bool) bool {
	key := fmt.Sprint(ev.kind, ev.fault, ev.actor)
	if ev.message >= 0 {
		m := s.pending[ev.message]
		m.Payload = e.part(m.Payload)
		key += string(appendMessage(nil, m))
		if ev.kind == model.Lose {
			left := slices.Delete(slices.Clone(s.pending), ev.message, ev.message+1)
			key += e.relevant(state{pending: left}).canonical()
		}
	}
	defer func() { counted[key] = true }()
	return !counted[key]
}
