package model

import (
	"cmp"
	"fmt"
	"slices"

	"harrier/internal/slab"
)

// A channel is how the messages to one receiver wait for it.
type channel uint8

const (
	// unordered is a multiset.
	unordered channel = iota
	// repeating is a set: each message may be received again and again.
	repeating
	// fifo is a queue for each sender; the messages of a scenario, which have no sender, are in one. Only the head
	// of a queue can be received, and if its guard is false it blocks the queue. A channel that may duplicate
	// without bound is still fifo: its copies follow one another.
	fifo
)

// Repeats reports whether the channel to a receiver is a set, of which each message may be received again and again.
func (p *Program) Repeats(receiver string) bool { return p.channel(receiver) == repeating }

// channel is that to a receiver.
func (p *Program) channel(receiver string) channel {
	if p.FIFO.Has(receiver) {
		return fifo
	}
	for _, f := range p.Faults {
		if f.Kind == Duplicate && f.Budget == Unbounded && f.Scope.Has(receiver) {
			return repeating
		}
	}
	return unordered
}

// neverEmpties reports whether receiving takes nothing out of the channel to a receiver. That is so for sets, since
// what was received may be received again, unless there is a final condition: then a state in which all
// was received, and would have to be duplicated once more, is terminal. So there receiving does take a message
// out, and only its duplication leaves it.
func (p *Program) neverEmpties(receiver string) bool {
	asksEnds := slices.ContainsFunc(p.Properties, func(q Property) bool { return q.Kind == Final })
	return !asksEnds && p.channel(receiver) == repeating
}

// appliesTo reports whether a fault of messages to actors of its scope may take or copy this one.
func (f Fault) appliesTo(m Message) bool {
	return (f.Senders == nil || slices.Contains(f.Senders, m.Sender)) && !(f.SparesSelf && m.Sender == m.Receiver)
}

// crosses reports whether a message has to cross the cut of a fault, if that is a Split. What has no sender was
// there before any cut, at its receiver's side.
func (f Fault) crosses(m Message) bool {
	return f.Kind == Split && m.Sender != "" && f.Scope.Has(m.Sender) != f.Scope.Has(m.Receiver)
}

// crossed lists the faults whose cuts a message has to cross.
func (p *Program) crossed(m Message) []int {
	var cuts []int
	for i, f := range p.Faults {
		if f.crosses(m) {
			cuts = append(cuts, i)
		}
	}
	return cuts
}

// splitter is the actor whose event the Split of a fault is: the first one of that side. Any one would do that
// there is from the beginning: the event neither depends on that actor nor changes it, and is there even when
// the actor has stopped, or is an adversary.
func (p *Program) splitter(f Fault) (string, error) {
	var side []string
	for _, a := range p.Initial.Actors {
		if f.Scope.Has(a.Name) {
			side = append(side, a.Name)
		}
	}
	for _, name := range p.Adversaries() {
		if f.Scope.Has(name) {
			side = append(side, name)
		}
	}
	if len(side) == 0 {
		return "", fmt.Errorf("the fault %q cuts off no actor", f.Label)
	}
	return slices.Min(side), nil
}

// put returns an inbox with a message more. An unordered inbox and a set are sorted by ids. Of fifo ones the queues follow
// one another, by the senders' names.
func (a *Actors) put(inbox []MessageID, m MessageID) []MessageID {
	var i int
	switch kind := a.channelTo(m); kind {
	case fifo:
		sender := a.messages.At(m).Sender
		i, _ = slices.BinarySearchFunc(inbox, sender, func(o MessageID, sender string) int {
			if a.messages.At(o).Sender <= sender {
				return -1
			}
			return 1
		})
	default:
		var isThere bool
		if i, isThere = slices.BinarySearch(inbox, m); isThere && kind == repeating {
			return inbox
		}
	}
	return slices.Insert(slices.Clone(inbox), i, m)
}

// with is an inbox with a message more.
func (a *Actors) with(i InboxID, m MessageID) InboxID { return a.inbox(a.put(*a.inboxes.At(i), m)) }

// without is an inbox less the messages at some places, in ascending order.
func (a *Actors) without(i InboxID, places ...int) InboxID {
	rest := slices.Clone(*a.inboxes.At(i))
	for _, place := range slices.Backward(places) {
		rest = slices.Delete(rest, place, place+1)
	}
	return a.inbox(rest)
}

func (a *Actors) channelTo(m MessageID) channel {
	return a.program.channel(a.messages.At(m).Receiver)
}

// heads are the places in an inbox of the messages that can be received: the heads of queues, and one of equal ones.
func (a *Actors) heads(inbox []MessageID) []int {
	var places []int
	for i, m := range inbox {
		if i == 0 || inbox[i-1] != m && !a.isBehind(inbox, i) {
			places = append(places, i)
		}
	}
	return a.inOrder(inbox, places)
}

// isBehind reports whether the message at a place has to wait for the one before it.
func (a *Actors) isBehind(inbox []MessageID, place int) bool {
	return place > 0 && a.channelTo(inbox[place]) == fifo &&
		a.messages.At(inbox[place-1]).Sender == a.messages.At(inbox[place]).Sender
}

// distinct are the places in an inbox that it makes a difference to take a message from.
func (a *Actors) distinct(inbox []MessageID) []int {
	var places []int
	for i, m := range inbox {
		if i == 0 || inbox[i-1] != m {
			places = append(places, i)
		}
	}
	return a.inOrder(inbox, places)
}

// inOrder sorts places by the relevant parts of the messages there, not by their ids, so that all ways to search
// take transitions in the same order.
func (a *Actors) inOrder(inbox []MessageID, places []int) []int {
	slices.SortStableFunc(places, func(x, y int) int {
		return cmp.Compare(a.messages.At(inbox[x]).order, a.messages.At(inbox[y]).order)
	})
	return places
}

func (a *Actors) inbox(messages []MessageID) InboxID {
	if len(messages) == 0 {
		return 0
	}
	return a.inboxes.Intern(slab.Key(messages...), func() []MessageID { return messages })
}
