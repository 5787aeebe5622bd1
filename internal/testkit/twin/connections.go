package twin

import (
	"maps"
	"slices"

	"harrier/internal/model"
	"harrier/internal/model/network"
)

// pairOf is the pair of two names in their order.
func pairOf(one, other string) pair { return pair{min(one, other), max(one, other)} }

func (p pair) has(name string) bool { return p.by == name || p.of == name }

func (p pair) other(name string) string {
	if p.by == name {
		return p.of
	}
	return p.by
}

// tracksConnections reports whether connections may close: an actor crashes, the network splits, or some actor is told.
func (e *explorer) tracksConnections() bool {
	return slices.ContainsFunc(e.program.Handlers, func(h model.Handler) bool { return h.Takes == model.NoticeClass }) ||
		slices.ContainsFunc(e.program.Faults, func(f model.Fault) bool {
			return f.Kind == model.Restart || f.Kind == model.Stop || f.Kind == model.Crash || f.Kind == model.Split
		})
}

// isConnected reports whether a message is on a connection that may close.
func (e *explorer) isConnected(m model.Message) bool {
	isEnd := func(name string) bool {
		return name != "" && slices.ContainsFunc(e.program.Channels, func(d network.Declared) bool {
			return d.Channel == network.Connected && d.To.Has(name)
		})
	}
	return m.Sender != m.Receiver && isEnd(m.Sender) && isEnd(m.Receiver) && e.tracksConnections()
}

func (e *explorer) handlesNotices(s state, name string) bool {
	i := s.find(name)
	return i >= 0 && slices.ContainsFunc(e.program.Handlers, func(h model.Handler) bool {
		return h.Takes == model.NoticeClass && h.Class == s.actors[i].Class
	})
}

// connectFirst opens the connections of the first messages.
func (e *explorer) connectFirst(s *state, messages []model.Message) {
	for _, m := range messages {
		if e.isConnected(m) {
			s.open[pairOf(m.Sender, m.Receiver)] = true
		}
	}
}

// closing lists the places of what waits for an actor from another one, up to the end of a connection; none if there is no such end.
func closing(pending []model.Message, to, from string) (places []int) {
	for i, m := range pending {
		if m.Receiver != to || m.Sender != from {
			continue
		}
		if places = append(places, i); m.IsClosed() {
			return places
		}
	}
	return nil
}

// disconnections lists the events in which an actor comes to know that a connection has closed: the rest of what came on it is lost.
func (e *explorer) disconnections(s state, name string) []event {
	var events []event
	met := map[string]bool{}
	for i, m := range s.pending {
		if m.Receiver != name || !m.IsClosed() || met[m.Sender] {
			continue
		}
		met[m.Sender] = true
		places := closing(s.pending, name, m.Sender)
		if len(places) > 1 {
			e.Met["messages lost with a connection"] = true
		}
		e.Met["messages after a connection"] = e.Met["messages after a connection"] || i+1 < len(s.pending) &&
			s.pending[i+1].Receiver == name && s.pending[i+1].Sender == m.Sender
		events = append(events, event{kind: model.Disconnect, actor: name, messages: []model.Message{m}, places: places})
	}
	return events
}

// endings lists the events in which connections break at cuts, or are refused by who is down or has stopped.
func (e *explorer) endings(s state) []event {
	var events []event
	for p := range s.open {
		for f, fault := range e.program.Faults {
			there, back := model.Message{Sender: p.by, Receiver: p.of}, model.Message{Sender: p.of, Receiver: p.by}
			if fault.Kind == model.Split && (slices.Contains(e.crossed(there), f) || slices.Contains(e.crossed(back), f)) {
				events = append(events, event{kind: model.Break, fault: f, actor: p.by, messages: []model.Message{network.Closed(p.of, p.by)}, disabled: !s.cut[f]})
			}
		}
		for _, name := range []string{p.by, p.of} {
			if i := s.find(name); slices.Contains(s.stopped, name) || i >= 0 && s.actors[i].Down {
				events = append(events, event{kind: model.Refuse, actor: name, messages: []model.Message{network.Closed(p.other(name), name)}})
			}
		}
	}
	return events
}

// connect does to the connections of a state what an event does that has an outcome, and returns the messages that it sends and that are not
// lost.
func (e *explorer) connect(s *state, ev event, o model.Outcome) (sent []model.Message) {
	if !slices.ContainsFunc(e.program.Channels, func(d network.Declared) bool { return d.Channel == network.Connected }) {
		return o.Sends
	}
	if ev.kind == model.Break || ev.kind == model.Refuse {
		m := ev.messages[0]
		delete(s.open, pairOf(m.Sender, m.Receiver))
		e.enqueue(s, m)
		if ev.kind == model.Break {
			e.enqueue(s, network.Closed(m.Sender, m.Receiver))
		} else {
			e.loseFrom(s, m.Sender, m.Receiver)
		}
	}
	if ev.kind == model.Restart || ev.kind == model.Crash {
		e.disconnect(s, ev.actor)
	}
	for _, m := range o.Sends {
		if e.sendsOn(s, ev.actor, m) {
			sent = append(sent, m)
		}
	}
	if o.Stopped || ev.kind == model.Stop || ev.kind == model.CrashWithin {
		for _, m := range s.watching.ask(sent) {
			e.enqueue(s, m)
		}
		e.disconnect(s, ev.actor)
		return nil
	}
	return sent
}

// sendsOn reports whether an actor, or one that it creates, sends a message that is not lost.
func (e *explorer) sendsOn(s *state, actor string, m model.Message) bool {
	p := pairOf(m.Sender, m.Receiver)
	if !e.isConnected(m) || m.IsRequest() {
		return true
	}
	stale := closing(s.pending, actor, m.Receiver)
	switch {
	case m.Sender == actor && m.IsClosed() && stale != nil:
		e.Met["closed connections that had closed"] = true
		s.pending = without(s.pending, stale)
		return false
	case m.IsClosed():
		isOpen := s.open[p]
		e.Met["closed connections"] = e.Met["closed connections"] || isOpen
		delete(s.open, p)
		e.loseFrom(s, actor, m.Receiver)
		return isOpen
	case m.Sender == actor && stale != nil:
		e.Met["messages on half-open connections"] = true
		return false
	}
	s.open[p] = true
	if m.Sender != actor && m.Receiver == actor { // what it does to its connections next is after that
		e.Met["messages to a creator on connections"] = true
		e.enqueue(s, m)
		return false
	}
	return true
}

// disconnect closes the connections of an actor that goes. What came on them is lost.
func (e *explorer) disconnect(s *state, name string) {
	for p := range maps.Clone(s.open) {
		if p.has(name) {
			delete(s.open, p)
			e.enqueue(s, network.Closed(p.other(name), name))
		}
	}
	s.pending = slices.DeleteFunc(slices.Clone(s.pending), func(m model.Message) bool { return m.Receiver == name && e.isConnected(m) })
}

// loseFrom loses what is in flight to an actor from another one.
func (e *explorer) loseFrom(s *state, name, from string) {
	s.pending = slices.DeleteFunc(slices.Clone(s.pending), func(m model.Message) bool { return m.Receiver == name && m.Sender == from })
}

// suffixesLost are, with EveryChoice, the states in which a connection that has closed has lost one more of the last messages already.
func (e *explorer) suffixesLost(s state) (lost []state) {
	for i := 1; i < len(s.pending) && e.EveryChoice; i++ {
		m, before := s.pending[i], s.pending[i-1]
		if m.IsClosed() && !before.IsClosed() && before.Sender == m.Sender && before.Receiver == m.Receiver {
			e.Met["messages lost at once"] = true
			next := s
			next.pending = without(s.pending, []int{i - 1})
			lost = append(append(lost, next), e.suffixesLost(next)...)
		}
	}
	return lost
}

// connections are the same for equal connections only.
func (s state) connections() (b []byte) {
	var lines []string
	for p := range s.open {
		lines = append(lines, p.by+"-"+p.of)
	}
	slices.Sort(lines)
	for _, line := range lines {
		b = appendBytes(b, []byte(line))
	}
	return b
}
