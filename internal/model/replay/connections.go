package replay

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"

	"harrier/internal/model"
	"harrier/internal/model/network"
)

// A line is an open connection, by the names of its ends in their order.
type line [2]string

func lineOf(one, other string) line { return line{min(one, other), max(one, other)} }

// end is the other end of a connection of an actor.
func (l line) end(actor string) string {
	if l[0] == actor {
		return l[1]
	}
	return l[0]
}

// unknownEnd are the places of the messages from an actor to another one up to the end of a connection that this one does not know of; none if
// there is none.
func (w *inboxes) unknownEnd(at, from string) (places []int) {
	for place, m := range w.waiting[at] {
		switch {
		case m.Sender != from:
		case m.IsClosed():
			return append(places, place)
		default:
			places = append(places, place)
		}
	}
	return nil
}

// findDisconnected finds the messages that an actor takes or loses when it learns that a connection has closed.
func (w *inboxes) findDisconnected(actor string, m model.Message) (places []int, found []model.Message, err error) {
	if places = w.unknownEnd(actor, m.Sender); len(places) == 0 {
		return nil, nil, fmt.Errorf("it has no connection with %s that has closed", m.Sender)
	}
	return places, []model.Message{w.waiting[actor][places[len(places)-1]]}, nil
}

// mayEnd is why a connection does not break, or is not refused, in an event of an actor; nil if it may be.
func (w *inboxes) mayEnd(actor model.Actor, do model.Action) error {
	m := do.Event.Messages[0]
	_, stopped := w.stopped[do.Actor]
	switch {
	case !m.IsClosed() || m.Sender != do.Actor || !w.open[lineOf(m.Sender, m.Receiver)]:
		return fmt.Errorf("it has no open connection with %s", m.Receiver)
	case do.Event.Kind == model.Break && !w.program.Faults[do.Event.Fault].Crossing(m.Sender, m.Receiver):
		return fmt.Errorf("its connection with %s does not cross the cut", m.Receiver)
	case do.Event.Kind == model.Refuse && !stopped && !actor.Down:
		return errors.New("it is neither down nor has it stopped")
	}
	return nil
}

// close closes a connection: an end is told, after all that is in flight to it.
func (w *inboxes) close(l line, told string) error {
	delete(w.open, l)
	return w.send(network.Closed(told, l.end(told)))
}

// leave takes messages to an actor, which are lost with a connection, out of its inbox.
func (w *inboxes) leave(to string, places []int) {
	for _, place := range places {
		w.lose(w.waiting[to][place])
	}
	w.waiting[to] = without(w.waiting[to], places)
}

func (w *inboxes) lose(m model.Message) {
	if !m.IsClosed() {
		w.lost = append(w.lost, m)
	}
}

// drop loses all messages on connections to an actor, from one other actor, or from any if that is "".
func (w *inboxes) drop(to, from string) {
	var places []int
	for place, m := range w.waiting[to] {
		if w.program.OnConnection(m) && (from == "" || m.Sender == from) {
			places = append(places, place)
		}
	}
	w.leave(to, places)
}

// goes closes the connections of an actor that crashes or stops.
func (w *inboxes) goes(actor string) error {
	for l := range maps.Clone(w.open) {
		if l[0] != actor && l[1] != actor {
			continue
		}
		if err := w.close(l, l.end(actor)); err != nil {
			return err
		}
	}
	w.drop(actor, "")
	return nil
}

// connect does to connections what an event of an actor does, by which it may have stopped, and which sends some messages. It returns those
// that are not lost.
func (w *inboxes) connect(e model.Event, actor string, stopped bool, sends []model.Message) (sent []model.Message, err error) {
	if !w.program.TracksConnections() {
		return sends, nil
	}
	switch e.Kind {
	case model.Restart, model.Crash:
		err = w.goes(actor)
	case model.Break:
		l := lineOf(actor, e.Messages[0].Receiver)
		err = cmp.Or(w.close(l, l[0]), w.close(l, l[1]))
	case model.Refuse:
		l := lineOf(actor, e.Messages[0].Receiver)
		w.drop(actor, l.end(actor))
		err = w.close(l, l.end(actor))
	}
	if err != nil {
		return nil, err
	}
	for _, m := range sends {
		isSent, err := w.sendOn(actor, m)
		if err != nil {
			return nil, err
		}
		if isSent {
			sent = append(sent, m)
		}
	}
	if e.Kind.IsWithin() || stopped {
		// What it sent is in flight before its connections close.
		for _, m := range sent {
			if err := w.send(m); err != nil {
				return nil, err
			}
		}
		return nil, w.goes(actor)
	}
	return sent, nil
}

// sendOn opens the connection on which an actor, or one that it creates, sends a message, or closes it. It reports false if the message is lost.
func (w *inboxes) sendOn(actor string, m model.Message) (isSent bool, err error) {
	if !w.program.OnConnection(m) {
		return true, nil
	}
	l, unknown := lineOf(m.Sender, m.Receiver), w.unknownEnd(actor, m.Receiver)
	switch {
	case m.Sender != actor && m.Receiver == actor: // which may close this connection, or go, later in the step
		w.open[l] = true
		return false, w.send(m)
	case m.Sender != actor: // a new one knows of no connection
		w.open[l] = true
		return true, nil
	case m.IsClosed() && len(unknown) > 0:
		w.leave(actor, unknown)
		return false, nil
	case m.IsClosed():
		isSent = w.open[l]
		delete(w.open, l)
		w.drop(actor, m.Receiver)
		return isSent, nil
	case len(unknown) > 0:
		w.lose(m)
		return false, nil
	}
	w.open[l] = true
	return true, nil
}

// lines are the open connections, in their order.
func (w *inboxes) lines() []line {
	return slices.SortedFunc(maps.Keys(w.open), func(a, b line) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
}

// opened are the open connections as both ends have them, not nil.
func (w *inboxes) opened() []model.Message {
	opened := []model.Message{}
	for _, l := range w.lines() {
		opened = append(opened, network.Opened(l[0], l[1]), network.Opened(l[1], l[0]))
	}
	return opened
}

// attempts are the connections to actors that have stopped, as they refuse them.
func (w *inboxes) attempts() (refused []Taken) {
	for _, l := range w.lines() {
		for _, actor := range l {
			if _, stopped := w.stopped[actor]; stopped {
				e := model.Event{Kind: model.Refuse, Messages: []model.Message{network.Closed(l.end(actor), actor)}}
				refused = append(refused, Taken{Actor: actor, Event: e})
			}
		}
	}
	return refused
}
