package network

import (
	"slices"
	"sort"
)

// An Inbox keeps lists of the messages that wait for one receiver, in the order that Put gives them. Lists are
// values, which no method changes. Messages of type M are ids in the model, and messages with their contents in a live run.
type Inbox[M any] struct {
	Channel
	Envelopes *Envelopes[M]
}

// Envelopes are the functions on messages that inboxes need.
type Envelopes[M any] struct {
	Sender  func(M) string
	Compare func(a, b M) int // orders messages to one receiver; 0 of equal ones
}

// Put returns a list with a message more. Queues follow one another, by the senders' names; otherwise messages are sorted.
func (b Inbox[M]) Put(list []M, m M) []M {
	place, isNew := b.Place(len(list), func(i int) M { return list[i] }, m)
	if !isNew {
		return list
	}
	return insert(list, place, m)
}

// Place returns where Put puts a message in a list of n messages. It reports false if the list stays as it is.
func (b Inbox[M]) Place(n int, at func(int) M, m M) (place int, isNew bool) {
	if b.queues {
		sender := b.Envelopes.Sender(m)
		return sort.Search(n, func(i int) bool { return b.Envelopes.Sender(at(i)) > sender }), true
	}
	place = sort.Search(n, func(i int) bool { return b.Envelopes.Compare(at(i), m) >= 0 })
	return place, !b.set || place == n || b.Envelopes.Compare(at(place), m) != 0
}

// Copy returns a list with a copy next to the message at a place.
func (b Inbox[M]) Copy(list []M, place int) []M {
	if b.set {
		return list
	}
	return insert(list, place, list[place])
}

// Take returns a list without the messages at some places, which are in ascending order.
func (b Inbox[M]) Take(list []M, places ...int) []M {
	rest := slices.Clone(list)
	for _, place := range slices.Backward(places) {
		rest = slices.Delete(rest, place, place+1)
	}
	return rest
}

// Heads are the places of the messages that can be received next: the heads of queues, or one of equal messages each.
func (b Inbox[M]) Heads(list []M) []int {
	return slices.DeleteFunc(b.Distinct(list), func(place int) bool { return b.IsBehind(list, place) })
}

// IsBehind reports whether the message at a place has to wait for the one before it.
func (b Inbox[M]) IsBehind(list []M, place int) bool {
	return place > 0 && b.SameQueue(list[place-1], list[place])
}

// SameQueue reports whether two messages are in one queue.
func (b Inbox[M]) SameQueue(one, other M) bool {
	return b.queues && b.Envelopes.Sender(one) == b.Envelopes.Sender(other)
}

// Distinct are the places of a list that it makes a difference to take a message from: the first of equal neighbours each.
func (b Inbox[M]) Distinct(list []M) []int {
	var places []int
	for i, m := range list {
		if i == 0 || b.Envelopes.Compare(list[i-1], m) != 0 {
			places = append(places, i)
		}
	}
	return places
}

func insert[M any](list []M, place int, m M) []M {
	return append(append(append(make([]M, 0, len(list)+1), list[:place]...), m), list[place:]...)
}
