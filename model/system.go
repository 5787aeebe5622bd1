// Package model turns the local steps of a program into a global transition system.
//
// It asks an Oracle for local steps, interns what comes back, and memoizes both the steps and what
// they do to mailboxes, so that a transition is integer work:
//
//	Oracle -> values (bytes to ids), inboxes, nodes, globals -> localSteps -> moves -> Actors (steps of a node) -> search
//
// Each of these is a type that is made of the ones before. What may happen at a node is found in moves.go, with receive.go, quorum.go
// and faults.go; with the answers of the oracle it is the node's steps (steps.go), which reductions and audits read. What the
// network of a program is, whatever the ids, is in package network.
//
// A local state is a LocalID, a message with its sender and receiver a MessageID, a multiset of
// messages an InboxID, and a local state with what was sent to it a NodeID. A State is a vector of ids: what
// is global, then a NodeID for each actor.
package model

import (
	"context"
	"errors"
)

// Ids count from 0, which always means "none": no actor, no message, nothing global.
type (
	LocalID   = uint32 // an interned local state
	MessageID = uint32 // an interned message with its sender and receiver
	InboxID   = uint32 // an interned multiset of messages; 0 is empty
	NodeID    = uint32 // an interned local state with its mailbox
)

// State is a global state: State[0] is the id of what is global (the history, what faults have spent and cut and,
// with full hashing, the messages processed last; 0 for none of it), State[1+slot] the NodeID of the actor in that slot. Slots follow
// actors' names. Trailing zeros do not matter: actors may come to exist later.
type State []uint32

// Placed are the nodes of s.
func (s State) Placed() []Placed {
	var nodes []Placed
	for position, n := range s {
		if position > 0 && n != 0 {
			nodes = append(nodes, Placed{uint32(position), n})
		}
	}
	return nodes
}

// Transition is a transition of a state: a step of the node in a slot.
type Transition struct {
	Slot, Step uint32
}

// Change is one replaced position of a State.
type Change struct {
	Position, Old uint32
}

// At is what is at a position; 0 beyond the end.
func (s State) At(position uint32) uint32 {
	if int(position) < len(s) {
		return s[position]
	}
	return 0
}

// Put replaces what is at a position, and appends to undo what takes that back. It returns s because the vector may have to grow.
func (s State) Put(position, id uint32, undo []Change) (State, []Change) {
	for int(position) >= len(s) {
		s = append(s, 0)
	}
	undo = append(undo, Change{position, s[position]})
	s[position] = id
	return s, undo
}

// Trimmed is s without zeros at its end, which do not matter.
func (s State) Trimmed() State {
	for len(s) > 0 && s[len(s)-1] == 0 {
		s = s[:len(s)-1]
	}
	return s
}

// Undo takes changes back, the last one first. Where the vector grew while they were made, s may be what it was
// before: it has the first of the changes only, and not all positions.
func (s State) Undo(changes []Change) {
	for i := len(changes) - 1; i >= 0; i-- {
		if c := changes[i]; int(c.Position) < len(s) {
			s[c.Position] = c.Old
		}
	}
}

// System is a global transition system as a search sees it. States are values: a System keeps
// none of them, and what it returns depends on its arguments alone. Several goroutines may use it at once.
//
// It is local, which searches rely on. Which transitions are enabled in a slot, which of them fail, and
// what they do at their own position depends on the id at that position alone, save for effects that come
// back to it. What a transition does at other positions has an id: with equal ids, equal ids at a
// position become equal ids. What is global, at position 0, may disable an effect: whether it does depends on the
// effect's id and the id there alone. A transition whose effect is disabled is disabled.
type System interface {
	// Initial is the initial state. The caller owns it.
	Initial() State
	// Enabled appends the transitions that the slots of s offer, always in the same order, failing ones
	// included. All are enabled but those for which Apply returns ErrDisabled.
	Enabled(ctx context.Context, s State, into []Transition) ([]Transition, error)
	// Apply takes a transition enabled in s in place and appends to undo what takes it back. It
	// returns s because the vector may have to grow. If the transition is not enabled the error is ErrDisabled,
	// if its handler fails a *StepFailure; s is then as it was. Other errors may depend on all of s.
	Apply(s State, t Transition, undo []Change) (State, []Change, error)
	// Facts describes a transition enabled in s.
	Facts(s State, t Transition) Facts
	// Pending is the number of messages in s that were not consumed.
	Pending(s State) int
}

// Facts are facts about a transition.
type Facts struct {
	Handler uint32 // number of the handler that it runs, 0 if it runs none
	Effect  uint32 // identifies what it does at other positions than its own
	Guarded bool   // what is global may disable the effect
	Fault   uint16 // of an event that is a fault: one more than the index in Program.Faults; else 0
}

// ErrDisabled is the error of a transition that what is global disables, such as a crash when all crashes are spent.
var ErrDisabled = errors.New("budgets or cuts disable the transition")

// Reduction chooses which transitions of a state a worker of a search follows. It appends to into, which is empty, those of a state
// in which several are enabled, in the order of System.Enabled, and reports whether there are others. Without others, into may stay
// empty. All that it appends are enabled: what is global disables none.
type Reduction = func(ctx context.Context, s State, into []Transition) (chosen []Transition, isReduced bool, err error)
