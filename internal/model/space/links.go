package space

import (
	"fmt"
	"slices"

	"harrier/internal/ds/slab"
	"harrier/internal/model"
	"harrier/internal/model/network"
)

// Who watches whom is known twice: local states say whom their actor watches, so that which notices it may get depends on the node alone;
// the global says of whom it has to be told, which depends on the steps of these.

// actorAfter is the actor after an outcome of an event in a local state. A crash leaves nobody watched, nor does a notice leave its own
// sender so.
func (s *LocalSteps) actorAfter(before local, by uint32, o model.Outcome, requests []model.Message) model.Actor {
	e, watched := s.events.At(by), before.watches
	switch {
	case e.kind.IsCrash():
		watched = nil
	case len(e.messages) == 1 && s.values.messages.At(e.messages[0]).IsNotice() && !s.values.messages.At(e.messages[0]).IsClosed():
		told := s.values.messages.At(e.messages[0]).Sender
		watched = slices.DeleteFunc(slices.Clone(watched), func(name string) bool { return name == told })
	}
	if !e.kind.GoesDown() {
		watched = network.Watched(watched, *s.values.names.At(before.position), requests)
	}
	return model.Actor{Class: before.class, Local: o.Local, Acts: o.Acts, Down: e.kind.GoesDown() || e.kind == model.Tick && before.down, Ahead: before.ahead, Watches: watched}
}

// born gives new actors with those whom they watch after some requests, and with the clock of who creates them.
func born(created []model.Actor, ahead int, requests []model.Message) []model.Actor {
	if len(requests) == 0 && ahead == 0 {
		return created
	}
	created = slices.Clone(created)
	for i, c := range created {
		created[i].Ahead += ahead
		created[i].Watches = network.Watched(c.Watches, c.Name, requests)
	}
	return created
}

// mayWatch requires that the notices which are asked for can come: some actor handles notices, and messages to who watches do not stay
// in flight for ever.
func (v *Values) mayWatch(requests []model.Message) error {
	if len(requests) > 0 && !v.watches {
		return &model.RuleError{Text: fmt.Sprintf("%s calls watch, and no actor has a handler for Disconnected, the notice that comes of it: add one",
			requests[0].Sender)}
	}
	for _, r := range requests {
		for _, f := range v.program.Faults {
			stays := f.Kind == model.Duplicate && f.Budget == model.Unbounded && f.Scope.Has(r.Sender)
			if stays && r.IsWatch() && f.AppliesTo(model.Message{Sender: r.Receiver, Receiver: r.Sender}) {
				return &model.RuleError{Text: fmt.Sprintf("%s watches %s, and %q is without a bound, so there is no last message after which the "+
					"notice that it has gone could come: give the duplication a budget", r.Sender, r.Receiver, f.Label)}
			}
		}
	}
	return nil
}

// notices lists the notices that the actor of a node may get: of those whom it watches and of whom no message waits for it.
func (a *Moves) notices(n *node) (moves []move, err error) {
	of := a.values.locals.At(n.local)
	for _, name := range of.watches {
		isFrom := func(m model.MessageID) bool { return a.values.messages.At(m).Sender == name }
		if slices.ContainsFunc(a.messageLists.at(n.waiting), isFrom) || slices.ContainsFunc(a.messageLists.at(n.delivered), isFrom) {
			continue
		}
		m, err := a.notice(of.position, name)
		if err != nil {
			return nil, err
		}
		moves = append(moves, m)
	}
	return moves, nil
}

func (a *Moves) notice(position uint32, of string) (move, error) {
	message, err := a.values.internMessage(network.Notice(*a.values.names.At(position), of))
	if err != nil {
		return move{}, err
	}
	m := a.move(model.Notify, 0, message)
	m.asks = a.localSteps.question(m.event)
	m.last = m.asks
	return m, nil
}

// Notices are the events, as the oracle is asked for them, by which the actor with a local state is told that one whom it watches has gone.
func (a *Moves) Notices(l model.LocalID) (events []uint32, err error) {
	a.values.mu.Lock()
	defer a.values.mu.Unlock()
	of := a.values.locals.At(l)
	for _, name := range of.watches {
		m, err := a.notice(of.position, name)
		if err != nil {
			return nil, err
		}
		events = append(events, m.asks)
	}
	return events, nil
}

// links identifies what an outcome of an event of the actor at a position does to links; 0 for nothing.
func (a *Actors) links(position, by uint32, stopped bool, requests []model.Message) uint32 {
	if !a.Values.watches {
		return 0
	}
	e := a.LocalSteps.described(by)
	return a.Globals.change(a.Values.program.LinkChange(e.Kind, *a.Values.names.At(position), e.Messages, stopped, requests))
}

// told identifies what a step needs of links that fails.
func (a *Actors) told(position, by uint32) uint32 {
	if a.LocalSteps.events.At(by).kind != model.Notify {
		return 0
	}
	return a.links(position, by, false, nil)
}

func (g *Globals) change(c network.LinkChange) uint32 {
	if c.IsNone() {
		return 0
	}
	key := fmt.Sprint(c.Goes, c.Away, c.Returns, slab.Join(c.Actor, c.Told))
	for _, r := range c.Requests {
		key += slab.Join(r.Sender, r.Receiver, string(r.Payload))
	}
	return g.changes.Intern(key, func() network.LinkChange { return c })
}

func (g *Globals) link(l network.Links) uint32 {
	if len(l) == 0 {
		return 0
	}
	return g.links.Intern(fmt.Sprintf("%#v", l), func() network.Links { return l })
}

// changed is what links become by a change, both by id; not ok if the change is disabled.
func (g *Globals) changed(links, by uint32) (after uint32, ok bool) {
	if by == 0 {
		return links, true
	}
	l, ok := g.links.At(links).After(*g.changes.At(by))
	return g.link(l), ok
}

func sameMessage(a, b model.Message) bool {
	return a.Sender == b.Sender && a.Receiver == b.Receiver && string(a.Payload) == string(b.Payload)
}
