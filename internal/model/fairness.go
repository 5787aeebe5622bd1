package model

import (
	"slices"
	"strings"
)

// Fairness has the declared assumptions on the runs that liveness properties are about, beside those of every program:
// messages that stay deliverable are delivered, timers that stay set fire, and internal events that stay enabled happen.
type Fairness struct {
	Strong         Scope    // receivers: a message that is deliverable to them again and again is received again and again
	ByChoice       Scope    // actors that make each choice again and again which they could make again and again
	Unfair         Scope    // actors that need not do anything
	UnfairMessages []string // the classes of messages and timers that need not be handled
	Heals          bool     // a network that has split heals
	Recovers       bool     // actors that are down start again
}

// IsFair reports whether what a handler of an actor does has to happen sooner or later.
func (f *Fairness) IsFair(p *Program, actor, handler string) bool {
	if f.Unfair.Has(actor) {
		return false
	}
	return len(f.UnfairMessages) == 0 || !slices.ContainsFunc(p.Handlers, func(h Handler) bool {
		return h.Label == handler && slices.Contains(f.UnfairMessages, h.Takes)
	})
}

// IsFault reports whether an event of a kind is a fault, which need not happen. That an actor which is down starts again is one unless
// fairness says that it does.
func (p *Program) IsFault(k EventKind) bool {
	return k.IsFault() && !(k == Recover && p.Fairness.Recovers)
}

// TakesAs is the kind of event as which a step of a kind counts in fairness, whether it runs a handler or not. A Duplicate receives
// or delivers a copy of its message, unless it adds a copy in flight.
func (p *Program) TakesAs(k EventKind, runsHandler bool) EventKind {
	switch {
	case k == Duplicate && runsHandler:
		return Receive
	case k == Duplicate && p.DeliversCopies():
		return Deliver
	}
	return k
}

// String describes the assumptions.
func (f *Fairness) String() string {
	text := "messages, timers and internal events that stay possible happen"
	names := func(s Scope) string {
		if s.All {
			return "all actors"
		}
		var all []string
		for _, name := range s.Names {
			if of, ok := strings.CutSuffix(name, "/"); ok {
				name = "children of " + of
			}
			all = append(all, name)
		}
		return strings.Join(all, ", ")
	}
	if !f.Strong.IsEmpty() {
		text += "; so do messages to " + names(f.Strong) + " that are possible again and again"
	}
	if !f.ByChoice.IsEmpty() {
		text += "; each value is chosen that stays possible for " + names(f.ByChoice)
	}
	if f.Heals {
		text += "; splits heal"
	}
	if f.Recovers {
		text += "; actors that are down start again"
	}
	text += "; faults need not"
	if !f.Unfair.IsEmpty() {
		text += ", nor what " + names(f.Unfair) + " do"
	}
	if len(f.UnfairMessages) > 0 {
		text += ", nor handling " + strings.Join(f.UnfairMessages, ", ")
	}
	return text
}
