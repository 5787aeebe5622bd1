package model

import (
	"errors"
	"fmt"
	"slices"
)

// What events take out of the buffers of a network and put into them.

// consumable is what the handlers of an actor may take from.
func (w *network) consumable(name string) []Message {
	if w.program.Delivery == M {
		return w.waiting[name]
	}
	return w.delivered[name]
}

// heads are the places in a list of messages to an actor that are next as far as the order goes.
func (w *network) heads(name string, list []Message) []int {
	var heads []int
	senders := map[string]bool{}
	for i, m := range list {
		if w.program.channel(name) != fifo || !senders[m.Sender] {
			heads = append(heads, i)
		}
		senders[m.Sender] = true
	}
	return heads
}

// isCollector reports whether a class of actors has a handler that takes several messages.
func (w *network) isCollector(class string) bool {
	return slices.ContainsFunc(w.program.Handlers, func(h Handler) bool { return h.Class == class && h.Quorum })
}

// runsJava reports whether events of a kind run handlers of an actor of a class.
func (w *network) runsJava(k EventKind, class string) bool {
	isReception := w.program.Delivery == M && !w.isCollector(class)
	return k == Receive || k == Internal || k == Restart || k == Duplicate && isReception
}

// findConsumed finds the messages of a Receive in what an actor may consume, by what is hashed of them.
func (w *network) findConsumed(actor string, wanted []Message) (places []int, found []Message, err error) {
	inbox := w.consumable(actor)
	if w.program.Delivery == MP && len(wanted) != len(inbox) {
		return nil, nil, fmt.Errorf("%d messages were delivered and have to be consumed together, not %d", len(inbox), len(wanted))
	}
	for _, m := range wanted {
		place, err := w.findNext(actor, inbox, places, m)
		if err != nil {
			return nil, nil, err
		}
		if w.program.Delivery == M && w.blocked(inbox[place]) {
			return nil, nil, notThrough(m)
		}
		places, found = append(places, place), append(found, inbox[place])
	}
	return places, found, nil
}

func notThrough(m Message) error {
	return fmt.Errorf("the message from %s does not get through the cut", m.Sender)
}

// findNext is the place of a message that comes next in a list, when those at some places are taken out.
func (w *network) findNext(actor string, list []Message, taken []int, wanted Message) (int, error) {
	var left []Message
	var places []int
	for i, m := range list {
		if !slices.Contains(taken, i) {
			left, places = append(left, m), append(places, i)
		}
	}
	var next []Message
	heads := w.heads(actor, left)
	for _, i := range heads {
		next = append(next, left[i])
	}
	i, err := w.search(next, wanted)
	if err == nil && i < 0 {
		err = fmt.Errorf("the message from %s is not pending, or not at the head of its queue", wanted.Sender)
	}
	if err != nil {
		return 0, err
	}
	return places[heads[i]], nil
}

// find finds the message of an event in what is in flight to an actor of a class, by what is hashed of it. number says
// which one of equal messages it is, where not only heads come into question.
func (w *network) find(actor, class string, e Event, number int) (place int, err error) {
	wanted, waiting := e.Messages[0], w.waiting[actor]
	isAtCut := e.Kind == Lose && w.program.Faults[e.Fault].Kind == Split
	switch {
	case isAtCut && !w.program.Faults[e.Fault].crosses(wanted):
		return 0, fmt.Errorf("the message from %s does not cross the cut", wanted.Sender)
	case isAtCut, w.program.Delivery == M && w.isCollector(class):
		place, err = w.number(waiting, wanted, number)
	default:
		place, err = w.findNext(actor, waiting, nil, wanted)
	}
	if err == nil && e.Kind != Lose && w.blocked(waiting[place]) {
		err = notThrough(wanted)
	}
	return place, err
}

// byzantineSend finds what an adversary sends in its message domain. Without a domain it may send anything.
func (w *network) byzantineSend(actor string, e Event) ([]Message, error) {
	if e.Messages[0].Sender != actor {
		return nil, fmt.Errorf("the message is from %s", e.Messages[0].Sender)
	}
	domain := w.program.Faults[e.Fault].Domain
	if domain == nil {
		return e.Messages, nil
	}
	i, err := w.search(domain, e.Messages[0])
	if err == nil && i < 0 {
		err = errors.New("it is not among the messages that the adversary may send")
	}
	if err != nil {
		return nil, err
	}
	return domain[i : i+1], nil
}

// search is the index of a message in a list, -1 if it is not there. One that is equal in all of it comes first,
// then one that is not told apart.
func (w *network) search(list []Message, wanted Message) (int, error) {
	if i := slices.IndexFunc(list, func(m Message) bool { return compareMessages(m, wanted) == 0 }); i >= 0 {
		return i, nil
	}
	want, err := w.messageKey(wanted)
	if err != nil {
		return 0, err
	}
	for i, m := range list {
		if k, err := w.messageKey(m); err != nil || k == want {
			return i, err
		}
	}
	return -1, nil
}

// number is the index of the message of that number, from 0, of those in a list that are not told apart from one.
func (w *network) number(list []Message, wanted Message, number int) (int, error) {
	want, err := w.messageKey(wanted)
	if err != nil {
		return 0, err
	}
	for i, m := range list {
		k, err := w.messageKey(m)
		if err != nil {
			return 0, err
		}
		if k == want {
			if number--; number < 0 {
				return i, nil
			}
		}
	}
	return 0, fmt.Errorf("the message from %s is not pending that often", wanted.Sender)
}

// take does to the buffers for an actor of a class what an event does to them. Its messages are at places.
func (w *network) take(actor, class string, e Event, places []int) error {
	stays := w.program.neverEmpties(actor)
	switch {
	case e.Kind == Receive && w.program.Delivery != M:
		w.delivered[actor] = without(w.delivered[actor], places)
	case e.Kind == Receive && !stays, e.Kind == Lose:
		w.waiting[actor] = without(w.waiting[actor], places)
	case e.Kind == Deliver:
		if !stays {
			w.waiting[actor] = without(w.waiting[actor], places)
		}
		return w.put(w.delivered, e.Messages[0])
	case e.Kind == Duplicate && w.program.Delivery != M:
		return w.put(w.delivered, e.Messages[0])
	case e.Kind == Duplicate && w.isCollector(class) && w.program.channel(actor) != repeating:
		w.waiting[actor] = slices.Insert(slices.Clone(w.waiting[actor]), places[0], e.Messages[0])
	}
	return nil
}

func without(list []Message, places []int) []Message {
	var rest []Message
	for i, m := range list {
		if !slices.Contains(places, i) {
			rest = append(rest, m)
		}
	}
	return rest
}
