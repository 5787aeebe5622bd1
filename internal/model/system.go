// Package model has the two interfaces that all of harrier meets at, with the words that both of their sides use.
//
//	Oracle        answers what the program under check does, one actor at a time: local steps, properties, histories
//	Program       the facts that it knows of the program: actors, handlers, properties, fields, footprints, fairness
//	System        a global transition system, as a search sees it: states of ids, transitions, applying them
//	Shared        the methods for several processes that search one System: parts of states in terms that all can read
//	errors        the ends of a check that are no violation, and a step that fails
//
// Package space makes a System of an Oracle. The virtual machine is an Oracle (package bridge); tests have others (package toy).
// Package network says what the network does to messages.
package model

import (
	"context"
	"errors"
	"slices"
)

// A System is a global transition system as a search sees it. It keeps no states, and what it returns depends on
// its arguments alone. Several goroutines may use it at once.
//
// A System is local, unless it is a Whole one, so that searches may compose transitions of facts about parts of states:
//
//   - The transitions of a slot, which of them fail, and their effects at their own position depend on the id at
//     that position alone, but for what an actor sends to itself.
//   - What a transition does at other positions is identified by Facts.Effect: with equal effects, equal ids at a
//     position become equal ids.
//   - The global, at position 0, may disable a transition. Whether it does depends on Facts.Effect and the id
//     at position 0 alone.
type System interface {
	// Initial returns the initial state. The caller owns it.
	Initial() State
	// Enabled appends the transitions of the slots of s to into, failing ones included, always in the same order.
	// All are enabled but those for which Apply returns ErrDisabled.
	Enabled(ctx context.Context, s State, into []Transition) ([]Transition, error)
	// Apply takes a transition of Enabled in place, and appends to undo the changes that take it back. It returns s because
	// the vector may have to grow. The error is ErrDisabled if the transition is disabled, and a *StepFailure if
	// its handler fails; s is then as it was. Other errors may depend on all of s.
	Apply(s State, t Transition, undo []Change) (State, []Change, error)
	// Facts describes a transition enabled in s.
	Facts(s State, t Transition) Facts
	// Pending returns the number of messages in s that were not consumed.
	Pending(s State) int
}

// A Whole is a System that may not be local.
type Whole interface {
	System
	// IsWhole reports whether it has transitions that depend on, and change, all of a state.
	IsWhole() bool
}

// Ids count from 0, which always means "none": no actor, no message, nothing global.
type (
	LocalID   = uint32 // an interned local state
	MessageID = uint32 // an interned message with its sender and receiver
	ListID    = uint32 // an interned list of messages; 0 is empty
	NodeID    = uint32 // an interned local state with the messages that were sent to it
)

// A State is a global state. Position 0 has the id of the global: the history, the spent budgets and active cuts of faults
// and, with full hashing, the messages processed last. Position 1+slot has the NodeID of the actor in that slot. Slots
// follow actors' names. Trailing zeros do not matter, as actors may come to exist later.
type State []uint32

// A Transition is a transition of a state: a step of the node in a slot, by its number there.
type Transition struct {
	Slot, Step uint32
}

// Rounds is the slot of transitions in which time goes on: that of position 0. They are of a System that is not local.
const Rounds = ^uint32(0)

// An Action is a transition in concrete terms: which actor does what, and with which outcome.
type Action struct {
	Actor string
	Event Event
	// Outcome is an index in the answer's outcomes; of a message that is lost or duplicated by no handler, how many equal
	// ones are before it.
	Outcome int
	// Expected is what the step does, as far as it is relevant; nil if that is not known, or follows from the event.
	Expected *Outcome
}

// Facts are what a search needs to know of a transition beside where it leads.
type Facts struct {
	Handler uint32 // number of the handler that it runs, 0 if it runs none
	Effect  uint32 // identifies its effects at other positions than its own
	Guarded bool   // it has a budget guard: the global may disable it
	Fault   uint16 // of an event that is a fault: one more than the index in Program.Faults; else 0
}

// ErrDisabled is the error of a transition that the global disables, such as a crash when all crashes are spent.
var ErrDisabled = errors.New("budgets or cuts disable the transition")

// IsTerminal reports whether a state is terminal: its enabled transitions, as Enabled has them, are faults or disabled.
func IsTerminal(system System, s State, enabled []Transition) (bool, error) {
	for _, t := range enabled {
		if system.Facts(s, t).Fault != 0 {
			continue
		}
		_, _, err := system.Apply(slices.Clone(s), t, nil)
		var failed *StepFailure
		switch {
		case errors.Is(err, ErrDisabled):
		case err == nil, errors.As(err, &failed):
			return false, nil
		default:
			return false, err
		}
	}
	return true, nil
}

// A Reduction chooses which transitions of a state a worker of a search follows. It appends them to into, which is empty, in
// the order of System.Enabled, and reports whether it left others out; if not, into may stay empty. It is asked where several
// transitions are enabled, and appends none that the global disables.
type Reduction = func(ctx context.Context, s State, into []Transition) (chosen []Transition, reduced bool, err error)

// A Change is one replaced position of a State.
type Change struct {
	Position, Old uint32
}

// At returns the id at a position, 0 beyond the end.
func (s State) At(position uint32) uint32 {
	if int(position) < len(s) {
		return s[position]
	}
	return 0
}

// Put replaces the id at a position, and appends to undo the change that takes it back. It returns s because the vector may have to grow.
func (s State) Put(position, id uint32, undo []Change) (State, []Change) {
	for int(position) >= len(s) {
		s = append(s, 0)
	}
	undo = append(undo, Change{position, s[position]})
	s[position] = id
	return s, undo
}

// Undo takes changes back, the last one first. If the vector had to grow for them, s may be the one before, which has
// the first of the changes only.
func (s State) Undo(changes []Change) {
	for i := len(changes) - 1; i >= 0; i-- {
		if c := changes[i]; int(c.Position) < len(s) {
			s[c.Position] = c.Old
		}
	}
}

// Trimmed returns s without zeros at its end, which do not matter.
func (s State) Trimmed() State {
	for len(s) > 0 && s[len(s)-1] == 0 {
		s = s[:len(s)-1]
	}
	return s
}
