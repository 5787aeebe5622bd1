package model

import (
	"fmt"
	"slices"
)

// A Sender is the sender of the messages of a class, where an actor of a class takes them, with its part in
// the decomposition. It is a field of the message to which the code of the actor gives a meaning.
type Sender struct {
	Message string // full name of the messages' class
	Actor   string // full name of the actors' class
	Label   string // what people call it
	Verdict FieldVerdict
	// Reason is as in Field: how the sender comes to be relevant, read by read.
	Reason []string
}

// AuxiliarySender reports whether the sender of messages of a class is auxiliary where an actor of the start takes them. Of other
// actors the future steps are not known.
func (p *Program) AuxiliarySender(message, receiver string) bool {
	if message == "" || p.NeedsSenders(receiver) != "" {
		return false
	}
	s, known := p.SenderFact(message, receiver)
	return known && s.Verdict.Auxiliary()
}

// SenderFact returns the analysis of the sender of messages of a class to an actor of the start, whatever the network reads of senders.
func (p *Program) SenderFact(message, receiver string) (Sender, bool) {
	i := slices.IndexFunc(p.Initial.Actors, func(a Actor) bool { return a.Name == receiver })
	if i < 0 {
		return Sender{}, false
	}
	k := slices.IndexFunc(p.Senders, func(s Sender) bool { return s.Message == message && s.Actor == p.Initial.Actors[i].Class })
	if k < 0 {
		return Sender{}, false
	}
	return p.Senders[k], true
}

// RelevantSender is the relevant part of the sender of a message of a class: its name, or "" if it is auxiliary. Where a fault
// spares what actors send to themselves, whether it did that is relevant in any case.
func (p *Program) RelevantSender(class string, m Message) string {
	if !p.AuxiliarySender(class, m.Receiver) || m.Sender == m.Receiver && p.sparesSelf(m.Receiver) {
		return m.Sender
	}
	return ""
}

func (p *Program) sparesSelf(receiver string) bool {
	return slices.ContainsFunc(p.Faults, func(f Fault) bool { return f.SparesSelf && f.Scope.Has(receiver) })
}

// NeedsSenders is why it matters who sent a message to a receiver, whatever its handlers do; "" if it does not.
func (p *Program) NeedsSenders(receiver string) string {
	switch {
	case p.SeesInFlight:
		return "properties read who sent what is in flight"
	case p.Watches():
		return "the notice that an actor has gone comes after its messages"
	case p.Channel(receiver).KeepsOrder():
		return "its channel keeps the order in which each sender sent"
	case p.Channel(receiver).Displaces:
		return "its channel may displace messages by who sent them"
	case p.NeedsWholeMessages():
		return WholeMessagesReason
	}
	for _, a := range p.Initial.Actors {
		if h := p.QuorumHandler(a.Class); a.Name == receiver && h != "" {
			return h + " takes messages of different senders together"
		}
	}
	for _, f := range p.Faults {
		switch {
		case f.Kind == Split && !f.Scope.All && len(f.Scope.Names) > 0:
			return fmt.Sprintf("%q stops messages by who sent them", f.Label)
		case f.Senders != nil && f.Scope.Has(receiver):
			return fmt.Sprintf("%q is about messages of some senders", f.Label)
		}
	}
	return ""
}

// FindSenderRelevant makes a sender relevant, for a reason that was found after the program was loaded.
func (p *Program) FindSenderRelevant(sender Sender, reason string) {
	for i := range p.Senders {
		if s := &p.Senders[i]; s.Message == sender.Message && s.Actor == sender.Actor {
			s.Verdict, s.Reason = Relevant, []string{reason}
		}
	}
}

// SenderPart is the part that a sender has in the decomposition, the actors of the start and the network considered, with the
// reasons. It is auxiliary if it is auxiliary for some of these actors.
func (p *Program) SenderPart(s Sender) (FieldVerdict, []string) {
	if !s.Verdict.Auxiliary() {
		return s.Verdict, s.Reason
	}
	part, reasons := Relevant, slices.Clone(s.Reason)
	if !slices.ContainsFunc(p.Initial.Actors, func(a Actor) bool { return a.Class == s.Actor }) {
		reasons = append(reasons, "no actor of the class is there from the start")
	}
	for _, a := range p.Initial.Actors {
		if a.Class != s.Actor {
			continue
		}
		if why := p.NeedsSenders(a.Name); why != "" {
			reasons = append(reasons, "at "+a.Name+": "+why)
			continue
		}
		part = s.Verdict
		if p.sparesSelf(a.Name) {
			reasons = append(reasons, "but not that "+a.Name+" sent it itself: what is lost spares that")
		}
	}
	return part, reasons
}

// AuxiliarySenders are those that are auxiliary at some actors.
func (p *Program) AuxiliarySenders() []Sender {
	return slices.DeleteFunc(slices.Clone(p.Senders), func(s Sender) bool {
		part, _ := p.SenderPart(s)
		return !part.Auxiliary()
	})
}

// AuxiliarySenderLabels are the labels of AuxiliarySenders.
func (p *Program) AuxiliarySenderLabels() []string {
	labels := []string{}
	for _, s := range p.AuxiliarySenders() {
		labels = append(labels, s.Label)
	}
	return labels
}

// BelievedSenders are those that are auxiliary only since they are marked so.
func (p *Program) BelievedSenders() []Sender {
	return slices.DeleteFunc(p.AuxiliarySenders(), func(s Sender) bool { return s.Verdict != Believed })
}
