package network

import (
	"fmt"
	"slices"
)

// Unbounded is the budget of a fault that may happen any number of times.
const Unbounded = -1

// Fault is a kind of fault that the scenario allows.
type Fault struct {
	Kind  EventKind // Restart, Stop, Crash, Lose, Duplicate, Split or Byzantine
	Scope Scope     // whom it affects; of messages the receivers, of a Split one side of the cut, of a one-way Split the receivers, of Byzantine the adversaries
	// Senders are those whose messages it affects, nil for all, or for the other side of a Split; SparesSelf says that what an actor sends to itself is left alone.
	Senders    []string
	SparesSelf bool
	// Within says of a Restart, a Stop and a Crash that they happen within handlers, too.
	Within bool
	// Losing says of a Crash that messages to an actor that is down may be lost.
	Losing bool
	// Filling is not 0 of a Lose that drops messages to a full mailbox: how many others have to be in flight to the receiver.
	Filling int
	Budget  int    // how often it may happen in a run, or Unbounded
	Label   string // for people, such as "crash of acceptor"
	// Domain is the messages that the adversaries of Byzantine may send. Senders are in Scope. Nil stands for all that the
	// check finds by itself (package adversary).
	Domain []Message
}

// SenderScope has the actors whose messages the fault is about.
func (f Fault) SenderScope() Scope { return Scope{All: f.Senders == nil, Names: f.Senders} }

// Repeats reports whether messages to the actors of the fault's scope may be duplicated without bound.
func (f Fault) Repeats() bool { return f.Kind == Duplicate && f.Budget == Unbounded }

// KindWithin is the kind of the events of a fault that happen within handlers; ok if there are any.
func (f Fault) KindWithin() (k EventKind, ok bool) {
	switch f.Kind {
	case Restart:
		return RestartWithin, f.Within
	case Crash:
		return CrashWithin, f.Within
	}
	return StopWithin, f.Within && f.Kind == Stop
}

// Allows reports whether events of a kind belong to the fault.
func (f Fault) Allows(k EventKind) bool {
	within, ok := f.KindWithin()
	return k == f.Kind || ok && k == within || f.NeedsCut(k) || f.NeedsDown(k)
}

// AppliesTo reports whether a fault of messages to actors of its scope may take or copy this one.
func (f Fault) AppliesTo(m Message) bool {
	return f.SenderScope().Has(m.Sender) && !(f.SparesSelf && m.Sender == m.Receiver)
}

// Drops reports whether the fault drops messages to an actor because its mailbox is full.
func (f Fault) Drops(receiver string) bool { return f.Filling > 0 && f.Scope.Has(receiver) }

// HasMailbox reports whether an actor has a mailbox that drops messages when it is full.
func (n *Network) HasMailbox(name string) bool {
	return slices.ContainsFunc(n.Faults, func(f Fault) bool { return f.Drops(name) })
}

// HasMailboxes reports whether some actors have such mailboxes.
func (n *Network) HasMailboxes() bool {
	return slices.ContainsFunc(n.Faults, func(f Fault) bool { return f.Filling > 0 })
}

// IsOneWay reports whether the fault is a Split that stops messages from some actors to others, and not those the other way.
func (f Fault) IsOneWay() bool { return f.Kind == Split && f.Senders != nil }

// Crosses reports whether a message has to cross the cut of a fault, if that is a Split. A message without a sender was
// there before any cut, at its receiver's side.
func (f Fault) Crosses(m Message) bool {
	if f.IsOneWay() {
		return m.Sender != "" && m.Sender != m.Receiver && f.SenderScope().Has(m.Sender) && f.Scope.Has(m.Receiver)
	}
	return f.Kind == Split && m.Sender != "" && f.Scope.Has(m.Sender) != f.Scope.Has(m.Receiver)
}

// NeedsCut reports whether an event that belongs to the fault needs its cut: the network heals, or something is lost or breaks there.
func (f Fault) NeedsCut(k EventKind) bool {
	return f.Kind == Split && (k == Heal || k == Lose || k == Break)
}

// NeedsDown reports whether an event that belongs to the fault needs an actor that is down: it starts again, or a message to it is lost.
func (f Fault) NeedsDown(k EventKind) bool {
	return f.Kind == Crash && (k == Recover || k == Lose && f.Losing)
}

// IsFree reports whether an event of the fault neither asks for its budget and cut nor changes them.
func (f Fault) IsFree(k EventKind) bool {
	return f.NeedsDown(k) || f.Kind != Split && f.Budget == Unbounded
}

// A Budget is what a fault has spent and cut: twice how often it happened, if that is bounded, plus one while its cut is active.
type Budget = uint32

// IsCut reports whether the cut is active.
func IsCut(b Budget) bool { return b&1 != 0 }

// Taken is how often a fault with a bound happened.
func Taken(b Budget) int { return int(b >> 1) }

// consume takes what an event of the fault needs from its budget, and reports whether that is there.
func (f Fault) consume(k EventKind, b *Budget) bool {
	if f.IsFree(k) {
		return true
	}
	cut := IsCut(*b)
	if f.NeedsCut(k) {
		if k == Heal {
			*b &^= 1
		}
		return cut
	}
	if cut || f.Budget != Unbounded && Taken(*b) >= f.Budget {
		return false
	}
	if f.Budget != Unbounded {
		*b += 2
	}
	if k == Split {
		*b |= 1
	}
	return true
}

// CrashesWithin reports whether an actor may crash within handlers.
func (n *Network) CrashesWithin(name string) bool {
	return slices.ContainsFunc(n.Faults, func(f Fault) bool {
		_, within := f.KindWithin()
		return within && f.Scope.Has(name)
	})
}

// Adversaries are the names of all of them.
func (n *Network) Adversaries() []string {
	var names []string
	for _, f := range n.Faults {
		if f.Kind == Byzantine {
			names = append(names, f.Scope.Names...)
		}
	}
	return names
}

// Files name a fault by its label, not by its index among the scenario's declarations: a later version of the
// program may declare more.

// FaultName is the label of a fault, with a number if there are several with that label.
func (n *Network) FaultName(fault int) string {
	label, number := n.Faults[fault].Label, 1
	for _, f := range n.Faults[:fault] {
		if f.Label == label {
			number++
		}
	}
	if number > 1 {
		return fmt.Sprintf("%s (%d)", label, number)
	}
	return label
}

// FindFault returns the index of the fault with a name, or -1.
func (n *Network) FindFault(name string) int {
	for i := range n.Faults {
		if n.FaultName(i) == name {
			return i
		}
	}
	return -1
}
