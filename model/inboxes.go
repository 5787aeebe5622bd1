package model

import (
	"cmp"
	"slices"

	"harrier/internal/slab"
	"harrier/model/network"
)

// inboxes are what waits for actors, and what was delivered to them: lists of messages, which are interned.
type inboxes struct {
	values
	lists *slab.Table[[]MessageID] // each in the order that put keeps
}

// put returns an inbox with a message more. An unordered inbox and a set are sorted by ids. Of FIFO ones the queues follow
// one another, by the senders' names.
func (b *inboxes) put(inbox []MessageID, m MessageID) []MessageID {
	var i int
	switch kind := b.channelTo(m); kind {
	case network.FIFO:
		sender := b.messages.At(m).Sender
		i, _ = slices.BinarySearchFunc(inbox, sender, func(o MessageID, sender string) int {
			if b.messages.At(o).Sender <= sender {
				return -1
			}
			return 1
		})
	default:
		var present bool
		if i, present = slices.BinarySearch(inbox, m); present && kind == network.Repeating {
			return inbox
		}
	}
	return slices.Insert(slices.Clone(inbox), i, m)
}

// at are the messages of an inbox.
func (b *inboxes) at(i InboxID) []MessageID { return *b.lists.At(i) }

// with is an inbox with a message more.
func (b *inboxes) with(i InboxID, m MessageID) InboxID { return b.inbox(b.put(b.at(i), m)) }

// without is an inbox less the messages at some places, in ascending order.
func (b *inboxes) without(i InboxID, places ...int) InboxID {
	rest := slices.Clone(b.at(i))
	for _, place := range slices.Backward(places) {
		rest = slices.Delete(rest, place, place+1)
	}
	return b.inbox(rest)
}

// withCopy is an inbox with a copy beside the message at a place.
func (b *inboxes) withCopy(i InboxID, place int) InboxID {
	inbox := b.at(i)
	if b.channelTo(inbox[place]) == network.Repeating {
		return i
	}
	return b.inbox(slices.Insert(slices.Clone(inbox), place, inbox[place]))
}

func (b *inboxes) channelTo(m MessageID) network.Channel {
	return b.program.Channel(b.messages.At(m).Receiver)
}

// heads are the places in an inbox of the messages that can be received: the heads of queues, and one of equal ones.
func (b *inboxes) heads(inbox []MessageID) []int {
	return slices.DeleteFunc(b.distinct(inbox), func(place int) bool { return b.isBehind(inbox, place) })
}

// isBehind reports whether the message at a place has to wait for the one before it.
func (b *inboxes) isBehind(inbox []MessageID, place int) bool {
	return place > 0 && b.channelTo(inbox[place]) == network.FIFO &&
		b.messages.At(inbox[place-1]).Sender == b.messages.At(inbox[place]).Sender
}

// distinct are the places in an inbox that it makes a difference to take a message from.
func (b *inboxes) distinct(inbox []MessageID) []int {
	var places []int
	for i, m := range inbox {
		if i == 0 || inbox[i-1] != m {
			places = append(places, i)
		}
	}
	return b.inOrder(inbox, places)
}

// inOrder sorts places by the relevant parts of the messages there, not by their ids, so that all ways to search
// take transitions in the same order.
func (b *inboxes) inOrder(inbox []MessageID, places []int) []int {
	slices.SortStableFunc(places, func(x, y int) int {
		return cmp.Compare(b.messages.At(inbox[x]).order, b.messages.At(inbox[y]).order)
	})
	return places
}

func (b *inboxes) inbox(messages []MessageID) InboxID {
	if len(messages) == 0 {
		return 0
	}
	return b.lists.Intern(slab.Key(messages...), func() []MessageID { return messages })
}

// arranged are all places of an inbox in the order in which events have their messages: by senders, then by relevant
// parts, or as they are in a queue. It does not depend on ids, so that all ways to search take events in the same order.
func (b *inboxes) arranged(inbox []MessageID) []int {
	places := make([]int, len(inbox))
	for i := range places {
		places[i] = i
	}
	slices.SortStableFunc(places, func(x, y int) int {
		one, two := b.messages.At(inbox[x]), b.messages.At(inbox[y])
		bySender := cmp.Compare(one.Sender, two.Sender)
		if bySender == 0 && b.channelTo(inbox[x]) != network.FIFO {
			return cmp.Compare(one.order, two.order)
		}
		return bySender
	})
	return places
}
