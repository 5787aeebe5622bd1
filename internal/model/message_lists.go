package model

import (
	"cmp"
	"slices"

	"harrier/internal/ds/slab"
	"harrier/internal/model/network"
)

// messageLists interns lists of messages. An inbox is one of what is in flight, and one of what was delivered.
type messageLists struct {
	values
	interned *slab.Table[[]MessageID] // each in the order that put keeps
}

// put returns a list with a message more. An unordered list and a set are sorted by ids. Of FIFO ones the queues follow
// one another, by the senders' names.
func (b *messageLists) put(list []MessageID, m MessageID) []MessageID {
	var i int
	switch kind := b.channelTo(m); kind {
	case network.FIFO:
		sender := b.messages.At(m).Sender
		i, _ = slices.BinarySearchFunc(list, sender, func(o MessageID, sender string) int {
			if b.messages.At(o).Sender <= sender {
				return -1
			}
			return 1
		})
	default:
		var present bool
		if i, present = slices.BinarySearch(list, m); present && kind == network.Repeating {
			return list
		}
	}
	return slices.Insert(slices.Clone(list), i, m)
}

// at are the messages of a list.
func (b *messageLists) at(i ListID) []MessageID { return *b.interned.At(i) }

// with is a list with a message more.
func (b *messageLists) with(i ListID, m MessageID) ListID { return b.intern(b.put(b.at(i), m)) }

// without is a list less the messages at some places, in ascending order.
func (b *messageLists) without(i ListID, places ...int) ListID {
	rest := slices.Clone(b.at(i))
	for _, place := range slices.Backward(places) {
		rest = slices.Delete(rest, place, place+1)
	}
	return b.intern(rest)
}

// withCopy is a list with a copy beside the message at a place.
func (b *messageLists) withCopy(i ListID, place int) ListID {
	list := b.at(i)
	if b.channelTo(list[place]) == network.Repeating {
		return i
	}
	return b.intern(slices.Insert(slices.Clone(list), place, list[place]))
}

func (b *messageLists) channelTo(m MessageID) network.Channel {
	return b.program.Channel(b.messages.At(m).Receiver)
}

// heads are the places in a list of the messages that can be received: the heads of queues, and one of equal ones.
func (b *messageLists) heads(list []MessageID) []int {
	return slices.DeleteFunc(b.distinct(list), func(place int) bool { return b.isBehind(list, place) })
}

// isBehind reports whether the message at a place has to wait for the one before it.
func (b *messageLists) isBehind(list []MessageID, place int) bool {
	return place > 0 && b.channelTo(list[place]) == network.FIFO &&
		b.messages.At(list[place-1]).Sender == b.messages.At(list[place]).Sender
}

// distinct are the places in a list that it makes a difference to take a message from.
func (b *messageLists) distinct(list []MessageID) []int {
	var places []int
	for i, m := range list {
		if i == 0 || list[i-1] != m {
			places = append(places, i)
		}
	}
	return b.inOrder(list, places)
}

// inOrder sorts places by the relevant parts of the messages there, not by their ids, so that all ways to search
// take transitions in the same order.
func (b *messageLists) inOrder(list []MessageID, places []int) []int {
	slices.SortStableFunc(places, func(x, y int) int {
		return cmp.Compare(b.messages.At(list[x]).order, b.messages.At(list[y]).order)
	})
	return places
}

func (b *messageLists) intern(messages []MessageID) ListID {
	if len(messages) == 0 {
		return 0
	}
	return b.interned.Intern(slab.Key(messages...), func() []MessageID { return messages })
}

// arranged are all places of a list in the order in which events have their messages: by senders, then by relevant
// parts, or as they are in a queue. It does not depend on ids, so that all ways to search take events in the same order.
func (b *messageLists) arranged(list []MessageID) []int {
	places := make([]int, len(list))
	for i := range places {
		places[i] = i
	}
	slices.SortStableFunc(places, func(x, y int) int {
		one, two := b.messages.At(list[x]), b.messages.At(list[y])
		bySender := cmp.Compare(one.Sender, two.Sender)
		if bySender == 0 && b.channelTo(list[x]) != network.FIFO {
			return cmp.Compare(one.order, two.order)
		}
		return bySender
	})
	return places
}
