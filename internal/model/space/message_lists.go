package space

import (
	"cmp"
	"slices"

	"harrier/internal/ds/sequences"
	"harrier/internal/model"
	"harrier/internal/model/network"
)

// messageLists interns lists of messages to one receiver. An inbox has one of messages in flight and one of delivered messages. Lists
// share what they have in common, so that inboxes that grow without end take memory in proportion to their number.
type messageLists struct {
	values    *Values
	interned  *sequences.Table // each in the order that network.Inbox keeps
	envelopes network.Envelopes[model.MessageID]
}

func newMessageLists(values *Values) *messageLists {
	return &messageLists{
		values: values, interned: sequences.New(),
		envelopes: network.Envelopes[model.MessageID]{
			Sender:  func(m model.MessageID) string { return values.messages.At(m).Sender },
			Compare: func(one, other model.MessageID) int { return cmp.Compare(one, other) },
		},
	}
}

// inboxOf returns the operations on lists with a message.
func (b *messageLists) inboxOf(m model.MessageID) network.Inbox[model.MessageID] {
	return network.Inbox[model.MessageID]{Channel: b.values.messages.At(m).channel, Envelopes: &b.envelopes}
}

// at are the messages of a list.
func (b *messageLists) at(i model.ListID) []model.MessageID { return b.interned.All(i) }

// len is how many messages a list has.
func (b *messageLists) len(i model.ListID) int { return b.interned.Len(i) }

// with is a list with a message more.
func (b *messageLists) with(i model.ListID, m model.MessageID) model.ListID {
	at := func(place int) model.MessageID { return b.interned.At(i, place) }
	place, isNew := b.inboxOf(m).Place(b.len(i), at, m)
	if !isNew {
		return i
	}
	return b.interned.Splice(i, place, 0, m)
}

// without is a list less the messages at some places, in ascending order.
func (b *messageLists) without(i model.ListID, places ...int) model.ListID {
	for _, place := range slices.Backward(places) {
		i = b.interned.Splice(i, place, 1)
	}
	return i
}

// withCopy is a list with a copy beside the message at a place.
func (b *messageLists) withCopy(i model.ListID, place int) model.ListID {
	m := b.interned.At(i, place)
	if b.inboxOf(m).IsSet() {
		return i
	}
	return b.interned.Splice(i, place, 0, m)
}

// heads are the places in a list of the messages that can be received.
func (b *messageLists) heads(list []model.MessageID) []int {
	if len(list) == 0 {
		return nil
	}
	return b.inOrder(list, b.inboxOf(list[0]).Heads(list))
}

// distinct are the places in a list that it makes a difference to take a message from.
func (b *messageLists) distinct(list []model.MessageID) []int {
	if len(list) == 0 {
		return nil
	}
	return b.inOrder(list, b.inboxOf(list[0]).Distinct(list))
}

// inOrder sorts places by the relevant parts of the messages there, not by their ids, so that all ways to search
// take transitions in the same order.
func (b *messageLists) inOrder(list []model.MessageID, places []int) []int {
	slices.SortStableFunc(places, func(x, y int) int {
		return cmp.Compare(b.values.messages.At(list[x]).order, b.values.messages.At(list[y]).order)
	})
	return places
}

func (b *messageLists) intern(messages []model.MessageID) model.ListID {
	return b.interned.Intern(messages)
}

// arranged are all places of a list in the order in which events have their messages: by senders, then by relevant
// parts, or as they are in a queue. It does not depend on ids, so that all ways to search take events in the same order.
func (b *messageLists) arranged(list []model.MessageID) []int {
	places := make([]int, len(list))
	for i := range places {
		places[i] = i
	}
	slices.SortStableFunc(places, func(x, y int) int {
		one, two := b.values.messages.At(list[x]), b.values.messages.At(list[y])
		bySender := cmp.Compare(one.Sender, two.Sender)
		if bySender == 0 && !one.channel.KeepsOrder() {
			return cmp.Compare(one.order, two.order)
		}
		return bySender
	})
	return places
}
