package replay

import (
	"errors"
	"fmt"
	"slices"

	"harrier/internal/model"
	"harrier/internal/model/network"
)

// Effects of events on the inboxes.

// consumable is the part of inboxes that handlers take from.
func (w *inboxes) consumable() map[string][]model.Message {
	if w.program.Source(model.Receive) == network.Waiting {
		return w.waiting
	}
	return w.delivered
}

// runsJava reports whether events of a kind run handlers of an actor of a class.
func (w *inboxes) runsJava(k model.EventKind, actor, class string) bool {
	reception := !w.program.DeliversCopies() && !w.program.CountsCopies(actor, class)
	runs := k == model.Receive || k == model.Internal || k == model.Recover || k == model.Notify || k.IsCrash() && k != model.Stop
	return runs || k == model.Duplicate && reception || k == model.Disconnect && w.program.HandlesNotices(class)
}

// isTold is why an actor does not get a notice now, nil if it may.
func (w *inboxes) isTold(actor string, m model.Message) error {
	isFrom := func(o model.Message) bool { return o.Sender == m.Sender }
	switch {
	case !m.IsNotice() || m.IsClosed() || !w.links.IsDue(actor, m.Sender):
		return fmt.Errorf("it does not watch %s, or that has not gone", m.Sender)
	case slices.ContainsFunc(w.waiting[actor], isFrom), slices.ContainsFunc(w.delivered[actor], isFrom):
		return fmt.Errorf("messages from %s are pending", m.Sender)
	}
	return nil
}

// findConsumed finds the messages of a Receive among those that an actor may consume, by their hashed parts.
func (w *inboxes) findConsumed(actor string, wanted []model.Message) (places []int, found []model.Message, err error) {
	inbox := w.consumable()[actor]
	if w.program.Delivery == model.MP && len(wanted) != len(inbox) {
		return nil, nil, fmt.Errorf("%d messages were delivered and have to be consumed together, not %d", len(inbox), len(wanted))
	}
	for _, m := range wanted {
		place, err := w.findNext(actor, inbox, places, m)
		if err != nil {
			return nil, nil, err
		}
		places, found = append(places, place), append(found, inbox[place])
	}
	return places, found, nil
}

// findNext is the place of a message that comes next in a list of messages to an actor, when those at some places are taken out.
func (w *inboxes) findNext(actor string, list []model.Message, taken []int, wanted model.Message) (int, error) {
	var next []model.Message
	var places []int
	senders := map[string]bool{}
	for i, m := range list {
		if slices.Contains(taken, i) {
			continue
		}
		if !w.program.Channel(actor).KeepsOrder() || !senders[m.Sender] {
			next, places = append(next, m), append(places, i)
		}
		senders[m.Sender] = true
	}
	i, err := w.search(next, wanted)
	if err == nil && i < 0 {
		err = fmt.Errorf("the message from %s is not pending, or not at the head of its queue", wanted.Sender)
	}
	if err != nil {
		return 0, err
	}
	return places[i], nil
}

// find finds the message of an event among those in flight to an actor of a class, by its hashed part. number says
// which one of equal messages it is, where not only heads come into question.
func (w *inboxes) find(actor, class string, e model.Event, number int) (place int, err error) {
	wanted, waiting := e.Messages[0], w.waiting[actor]
	atCut := e.Kind == model.Lose && w.program.Faults[e.Fault].Kind == model.Split
	whileDown := e.Kind == model.Lose && w.program.Faults[e.Fault].Kind == model.Crash
	switch {
	case (atCut || whileDown) && w.program.TracksConnections() && w.program.OnConnection(wanted):
		return 0, fmt.Errorf("the message from %s is lost with its connection", wanted.Sender)
	case atCut && !w.program.Faults[e.Fault].Crosses(wanted):
		return 0, fmt.Errorf("the message from %s does not cross the cut", wanted.Sender)
	case atCut, whileDown, w.program.ReachesBehind(class):
		place, err = w.number(waiting, wanted, number)
	default:
		place, err = w.findNext(actor, waiting, nil, wanted)
	}
	return place, err
}

// byzantineSend finds what an adversary sends in its message domain. Without a domain it may send anything.
func (w *inboxes) byzantineSend(actor string, e model.Event) ([]model.Message, error) {
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
func (w *inboxes) search(list []model.Message, wanted model.Message) (int, error) {
	if i := slices.IndexFunc(list, func(m model.Message) bool { return compareMessages(m, wanted) == 0 }); i >= 0 {
		return i, nil
	}
	want, err := w.MessageKey(wanted)
	if err != nil {
		return 0, err
	}
	for i, m := range list {
		if k, err := w.MessageKey(m); err != nil || k == want {
			return i, err
		}
	}
	return -1, nil
}

// number is the index of the message of that number, from 0, of those in a list that are not told apart from one.
func (w *inboxes) number(list []model.Message, wanted model.Message, number int) (int, error) {
	want, err := w.MessageKey(wanted)
	if err != nil {
		return 0, err
	}
	for i, m := range list {
		k, err := w.MessageKey(m)
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

// take does to the inboxes for an actor of a class what an event does to them. Its messages are at places.
func (w *inboxes) take(actor, class string, e model.Event, places []int) error {
	stays, receives := w.program.NeverEmpties(actor), e.Kind == model.Receive || e.Kind.IsWithin()
	switch {
	case receives && w.program.Delivery != model.M:
		w.delivered[actor] = without(w.delivered[actor], places)
	case e.Kind == model.Disconnect, e.Kind == model.Drop:
		w.leave(actor, places)
	case receives && !stays, e.Kind == model.Lose:
		w.waiting[actor] = without(w.waiting[actor], places)
	case e.Kind == model.Deliver:
		if !stays {
			w.waiting[actor] = without(w.waiting[actor], places)
		}
		return w.put(w.delivered, e.Messages[0])
	case e.Kind == model.Duplicate && w.program.DeliversCopies():
		return w.put(w.delivered, e.Messages[0])
	case e.Kind == model.Duplicate && w.program.CountsCopies(actor, class) && !w.program.Channel(actor).IsSet():
		w.waiting[actor] = slices.Insert(slices.Clone(w.waiting[actor]), places[0], e.Messages[0])
	}
	return nil
}

func without(list []model.Message, places []int) []model.Message {
	var rest []model.Message
	for i, m := range list {
		if !slices.Contains(places, i) {
			rest = append(rest, m)
		}
	}
	return rest
}
