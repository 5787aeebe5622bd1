package model

import (
	"fmt"
	"slices"
)

// An adversary is in the place of an actor. It has no local state, and messages to it vanish, as with an actor that has
// stopped; so it has the node of one, from the start. All that it does is to send messages of its domain.

// Adversaries are the names of all of them.
func (p *Program) Adversaries() []string {
	var names []string
	for _, f := range p.Faults {
		if f.Kind == Byzantine {
			names = append(names, f.Scope.Names...)
		}
	}
	return names
}

// admit puts the adversaries of a fault in their places, and interns what they may send.
func (a *Actors) admit(s State, fault int) (State, error) {
	f := a.program.Faults[fault]
	if f.Domain == nil {
		return s, fmt.Errorf("it is not known which messages %q is about", f.Label)
	}
	for _, name := range f.Scope.Names {
		position := a.position(name)
		for int(position) >= len(s) {
			s = append(s, 0)
		}
		s[position] = a.stop(position)
	}
	for _, m := range f.Domain {
		if !f.Scope.Has(m.Sender) {
			return s, fmt.Errorf("%q has a message from %s, which is none of its adversaries", f.Label, m.Sender)
		}
		id, err := a.internMessage(m)
		if err != nil {
			return s, err
		}
		if !slices.Contains(a.domains[fault], id) {
			a.domains[fault] = append(a.domains[fault], id)
		}
	}
	return s, nil
}

// byzantineMoves lists what the adversary at a position may send.
func (a *Actors) byzantineMoves(id NodeID, position uint32, fault int) []move {
	var moves []move
	for _, m := range a.domains[fault] {
		if a.messages.At(m).Sender == *a.names.At(position) {
			send := a.fault(Byzantine, fault, m)
			send.effects = []Effect{{Position: a.messages.At(m).position, Message: m}}
			send.next = func() NodeID { return id }
			moves = append(moves, send)
		}
	}
	return moves
}
