package twin

import (
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
	part := state{history: s.history}
	for _, a := range s.actors {
		a.Local = e.part(a.Local)
		part.actors = append(part.actors, a)
	}
	for _, m := range s.pending {
		m.Payload = e.part(m.Payload)
		part.pending = append(part.pending, m)
	}
	slices.SortFunc(part.pending, compare)
	return part
}

func (e *explorer) part(b []byte) []byte {
	r, err := e.Relevant(b)
	if err != nil {
		e.Err = err
	}
	return r
}

// isNew says whether no message with the same relevant part was consumed in the state yet.
func (e *explorer) isNew(m model.Message, counted map[string]bool) bool {
	m.Payload = e.part(m.Payload)
	key := string(appendMessage(nil, m))
	defer func() { counted[key] = true }()
	return !counted[key]
}
