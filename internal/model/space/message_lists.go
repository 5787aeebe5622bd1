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

// Messages is a list of messages in flight or delivered to one actor, of which no slice is made.
type Messages struct {
	of   *messageLists
	list model.ListID
}

// Len is how many there are.
func (m Messages) Len() int { return m.of.len(m.list) }

// Counts yields them in their order, of equal ones that follow one another the first with their number.
func (m Messages) Counts(yield func(model.MessageID, int) bool) {
	for r := range m.of.interned.Runs(m.list) {
		if !yield(r.Number, r.Count) {
			return
		}
	}
}

// Inbox returns the messages in flight to the actor of a node, and the messages that are delivered and not consumed.
func Inbox(t *Nodes, n model.NodeID) (waiting, delivered Messages) {
	of := t.list.At(n)
	return Messages{t.messageLists, of.waiting}, Messages{t.messageLists, of.delivered}
}

// Retain returns a node without the messages in flight of which keeps reports false, which is asked once of those that follow one
// another and are equal.
func Retain(t *Nodes, n model.NodeID, keeps func(model.MessageID) bool) model.NodeID {
	t.values.mu.Lock()
	defer t.values.mu.Unlock()
	of := t.list.At(n)
	return t.node(of.local, inbox{t.messageLists.retained(of.waiting, keeps), of.delivered, of.open})
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

// A pending message is one at a place of a list.
type pending struct {
	place   int
	message model.MessageID
}

// heads are the messages of a list that can be received: the first of each queue, or one of equal messages each.
func (b *messageLists) heads(i model.ListID) []pending {
	n := b.len(i)
	if n == 0 || !b.inboxOf(b.interned.At(i, 0)).KeepsOrder() {
		return b.distinct(i)
	}
	var heads []pending
	for place := 0; place < n; {
		m := b.interned.At(i, place)
		heads = append(heads, pending{place, m})
		rest := func(behind int) model.MessageID { return b.interned.At(i, place+1+behind) }
		behind, _ := b.inboxOf(m).Place(n-place-1, rest, m) // of the queue's messages, all are in front of a further one
		place += 1 + behind
	}
	return b.inOrder(heads)
}

// distinct are the messages of a list that it makes a difference to take: of equal ones that follow one another the first.
func (b *messageLists) distinct(i model.ListID) []pending {
	var all []pending
	for r := range b.interned.Runs(i) {
		all = append(all, pending{r.Place, r.Number})
	}
	return b.inOrder(all)
}

// inOrder sorts messages by their relevant parts, not by their ids, so that all ways to search take transitions in the same order.
func (b *messageLists) inOrder(all []pending) []pending {
	slices.SortStableFunc(all, func(x, y pending) int {
		return cmp.Compare(b.values.messages.At(x.message).order, b.values.messages.At(y.message).order)
	})
	return all
}

// equalAhead is how many messages of a list equal a distinct one and are ahead of it: none but in a queue.
func (b *messageLists) equalAhead(i model.ListID, m pending) (n uint32) {
	if !b.inboxOf(m.message).KeepsOrder() {
		return 0
	}
	for r := range b.interned.Runs(i) {
		if r.Place >= m.place {
			break
		}
		if r.Number == m.message {
			n += uint32(r.Count)
		}
	}
	return n
}

// retained is a list without the messages of which keeps reports false.
func (b *messageLists) retained(i model.ListID, keeps func(model.MessageID) bool) model.ListID {
	var out []sequences.Run
	for r := range b.interned.Runs(i) {
		if !keeps(r.Number) {
			out = append(out, r)
		}
	}
	for _, r := range slices.Backward(out) {
		i = b.interned.Splice(i, r.Place, r.Count)
	}
	return i
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
