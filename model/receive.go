package model

import (
	"cmp"
	"slices"
)

// consumable is what handlers of a node's actor may take from.
func (a *Actors) consumable(n *node) []MessageID {
	if a.program.Delivery == M {
		return *a.inboxes.At(n.waiting)
	}
	return *a.inboxes.At(n.delivered)
}

// receptions lists which messages of a node may be consumed together. Lacking are receptions of single messages that the
// oracle has to be asked for before all are known.
func (a *Actors) receptions(n *node) (moves []move, lacking []uint32, err error) {
	inbox := a.consumable(n)
	isAll := a.program.Delivery == MP
	if !isAll || len(inbox) == 1 {
		for _, place := range a.heads(inbox) {
			moves = append(moves, a.receive(inbox, place))
		}
	}
	if len(inbox) < 2 || !a.Collects(n.local) {
		return moves, nil, nil
	}
	shares, lacking := a.shares(n.local, inbox)
	if len(lacking) > 0 {
		return moves, lacking, nil
	}
	if isAll {
		if a.fits(inbox, shares) {
			moves = append(moves, a.receive(inbox, a.arranged(inbox)...))
		}
		return moves, nil, nil
	}
	several, err := a.several(n.local, inbox, shares)
	return append(moves, several...), nil, err
}

// receive is the reception of the messages at places of an inbox.
func (a *Actors) receive(inbox []MessageID, places ...int) move {
	var messages []MessageID
	for _, place := range places {
		messages = append(messages, inbox[place])
	}
	e := a.event(event{kind: Receive, messages: messages})
	r := move{event: e, asks: e, last: e}
	if a.program.Delivery == M {
		r.guard = a.budgetGuard(budgetGuard{Receive, -1, a.cuts(messages...)})
	}
	if a.program.Delivery != M || !a.program.neverEmpties(a.messages.At(messages[0]).Receiver) {
		r.takes = slices.Sorted(slices.Values(places))
	}
	return r
}

// deliveries lists what may be delivered to a node's actor, where that is an event of its own.
func (a *Actors) deliveries(n *node) []move {
	if a.program.Delivery == M {
		return nil
	}
	var moves []move
	waiting := *a.inboxes.At(n.waiting)
	for _, place := range a.heads(waiting) {
		m := waiting[place]
		moves = append(moves, move{
			event: a.event(event{kind: Deliver, messages: []MessageID{m}}),
			guard: a.budgetGuard(budgetGuard{Deliver, -1, a.cuts(m)}),
			next: func() NodeID {
				rest := n.waiting
				if !a.program.neverEmpties(a.messages.At(m).Receiver) {
					rest = a.without(rest, place)
				}
				return a.node(n.local, mailbox{rest, a.with(n.delivered, m)})
			},
		})
	}
	return moves
}

// arranged are all places of an inbox in the order in which events have their messages: by senders, then by relevant
// parts, or as they are in a queue. It does not depend on ids, so that all ways to search take events in the same order.
func (a *Actors) arranged(inbox []MessageID) []int {
	places := make([]int, len(inbox))
	for i := range places {
		places[i] = i
	}
	slices.SortStableFunc(places, func(x, y int) int {
		one, two := a.messages.At(inbox[x]), a.messages.At(inbox[y])
		bySender := cmp.Compare(one.Sender, two.Sender)
		if bySender == 0 && a.channelTo(inbox[x]) != fifo {
			return cmp.Compare(one.order, two.order)
		}
		return bySender
	})
	return places
}
