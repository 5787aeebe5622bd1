package static

import (
	"fmt"
	"slices"

	"harrier/internal/ds/bitset"
	"harrier/internal/model"
	"harrier/internal/model/network"
)

// relate finds the relations between classes.
func (s *Static) relate() {
	for range s.classes {
		s.depends = append(s.depends, bitset.New(len(s.classes)))
		s.enablers = append(s.enablers, bitset.New(len(s.classes)))
		s.guardEnablers = append(s.guardEnablers, bitset.New(len(s.classes)))
	}
	senders := make([]bitset.Set, len(s.keys))
	for k := range s.keys {
		senders[k] = s.senders(k)
	}
	for i := range s.classes {
		for j := range s.classes {
			if s.conflict(i, j) != nil {
				s.depends[i].Put(j)
			}
			if s.enablesGuard(j, i) {
				s.guardEnablers[i].Put(j)
			}
		}
		s.enable(i, senders)
	}
	s.need()
}

// demands are, by class, what a stubborn set with it must have: the dependent classes if it is enabled, its guard enablers if it
// waits; both closed under enablers.
type demands struct{ depends, guardEnablers []bitset.Set }

func (s *Static) need() {
	s.needs = demands{}
	enablers := make([]bitset.Set, len(s.classes)) // of a class, and so on
	for i := range enablers {
		enablers[i] = slices.Clone(s.enablers[i])
	}
	for via := range enablers {
		for i := range enablers {
			if enablers[i].Has(via) {
				enablers[i].Add(enablers[via])
			}
		}
	}
	with := func(i int, others bitset.Set) bitset.Set {
		all := slices.Clone(others)
		all.Add(enablers[i])
		for j := range others.All {
			all.Add(enablers[j])
		}
		return all
	}
	for i := range s.classes {
		s.needs.depends = append(s.needs.depends, with(i, s.depends[i]))
		s.needs.guardEnablers = append(s.needs.guardEnablers, with(i, s.guardEnablers[i]))
	}
}

// senders are the classes that may send a message of a key.
func (s *Static) senders(k int) bitset.Set {
	found := bitset.New(len(s.classes))
	of := s.keys[k]
	vague, hasVague := s.keyNumbers[key{of.receiver, "", of.sender}]
	for i := range s.classes {
		if c := &s.classes[i]; c.sends.Has(k) || hasVague && c.sends.Has(vague) {
			found.Put(i)
		}
	}
	return found
}

// enable finds the enablers of a class: one of them must act before a message that it lacks is there.
func (s *Static) enable(i int, senders []bitset.Set) {
	c := &s.classes[i]
	delivered := s.wiring.program.Source(c.kind) == network.Delivered
	for k := range s.keys {
		switch takes := s.mayTake(c, k); {
		case takes && !delivered:
			s.enablers[i].Add(senders[k])
		case takes:
			for j := range s.classes {
				if d := &s.classes[j]; d.actor == c.actor && (d.kind == model.Deliver && d.keys[0] == k || d.kind == model.Duplicate) {
					s.enablers[i].Put(j)
				}
			}
		}
	}
	if c.actor == children {
		for j := range s.classes {
			if d := &s.classes[j]; d.summary != nil && d.summary.creates {
				s.enablers[i].Put(j)
			}
		}
	}
}

// mayTake reports whether a class may take messages of a key.
func (s *Static) mayTake(c *class, k int) bool {
	switch {
	case c.actor == children, c.kind == model.Lose, c.kind == model.Duplicate:
		return s.keys[k].receiver == c.actor
	}
	return slices.Contains(c.keys, k)
}

// takeFromOne reports whether two classes take messages from the same part of the inbox of their actor.
func (s *Static) takeFromOne(c, d *class) bool {
	return s.wiring.program.Source(c.kind) == s.wiring.program.Source(d.kind)
}

// enablesGuard reports whether a class may make the guard of another one true, or clear the queue in front of its message.
func (s *Static) enablesGuard(by, of int) bool {
	c, d := &s.classes[by], &s.classes[of]
	if c.actor != d.actor || d.actor == children {
		return false
	}
	return s.writes(c).meets(s.guards(d)) || s.sharesQueue(c, d)
}

// sharesQueue reports whether two classes take from the queue of one sender.
func (s *Static) sharesQueue(c, d *class) bool {
	if !s.queued[c.actor] || !s.takeFromOne(c, d) {
		return false
	}
	for k := range s.keys {
		for l := range s.keys {
			if s.keys[k].sender == s.keys[l].sender && s.mayTake(c, k) && s.mayTake(d, l) {
				return true
			}
		}
	}
	return false
}

// everything is what a class touches that is no handler's.
var everything = touches{any: true, where: []model.Touch{{Field: model.AnyField, Where: "a fault"}}}

// touchesAll reports whether an event of a kind is taken to change all of its actor.
func touchesAll(k model.EventKind) bool {
	return k == model.Restart || k == model.Stop || k == model.Duplicate
}

// mayStop reports whether a class may end its actor, and with it all its transitions and deliveries to it.
func mayStop(c *class) bool { return c.summary != nil && c.summary.stops }

func (s *Static) writes(c *class) touches {
	switch {
	case touchesAll(c.kind) || c.catchAll || mayStop(c):
		return everything
	case c.summary == nil:
		return touches{}
	}
	return s.withAgenda(c, c.summary.writes)
}

func (s *Static) reads(c *class) touches {
	switch {
	case touchesAll(c.kind) || c.catchAll:
		return everything
	case c.summary == nil:
		return touches{}
	}
	return s.withAgenda(c, c.summary.reads)
}

// guards are the fields that decide whether a class is enabled. A timer may hold back other timers of its actor while its own guard
// holds.
func (s *Static) guards(c *class) touches {
	switch {
	case touchesAll(c.kind):
		return touches{}
	case c.catchAll:
		return everything
	case c.summary == nil:
		return touches{}
	case !c.fires:
		return c.summary.guard
	}
	all := touches{}
	for i := range s.classes {
		if d := &s.classes[i]; d.actor == c.actor && d.fires {
			all = all.with(d.summary.guard)
		}
	}
	return s.withAgenda(c, all)
}

// withAgenda adds the agenda to the touches of classes that fire timers.
func (s *Static) withAgenda(c *class, t touches) touches {
	if !c.fires {
		return t
	}
	agenda := touches{where: []model.Touch{{Field: model.Agenda, Where: "a timer fires"}}}
	agenda.fields.Put(s.field(model.Agenda))
	return t.with(agenda)
}

// A conflict is why two classes depend on each other. It has touches if it is about fields.
type conflict struct {
	text       string
	one, other model.Touch
}

// conflict says why transitions of two classes may not commute, or one may disable the other; nil if they do.
func (s *Static) conflict(i, j int) *conflict {
	c, d := &s.classes[i], &s.classes[j]
	if s.records(c) && s.records(d) {
		return &conflict{text: "both may record operations, whose order in real time counts"}
	}
	if c.actor != d.actor {
		return nil
	}
	switch {
	case c.kind == model.Byzantine && d.kind == model.Byzantine:
	case c.actor == children:
		return &conflict{text: "the actors are created at run time"}
	case i == j && c.several:
		return &conflict{text: "both may take the same message"}
	case i != j && s.mayShare(c, d):
		return &conflict{text: "both may take the same message"}
	case s.sharesQueue(c, d):
		return &conflict{text: "both take from the queue of one sender"}
	case touchesAll(c.kind) || touchesAll(d.kind):
		return &conflict{text: "the fault may change all of the actor"}
	case mayStop(c) || mayStop(d):
		return &conflict{text: "the actor may stop"}
	}
	if c.queues.Meets(d.queues) {
		for to := range c.queues.All {
			if d.queues.Has(to) {
				return &conflict{text: fmt.Sprintf("both may send to %s, whose channel keeps the order", s.wiring.names[to])}
			}
		}
	}
	return s.fieldConflict(c, d)
}

// mayShare reports whether two classes may take the same message.
func (s *Static) mayShare(c, d *class) bool {
	if !s.takeFromOne(c, d) {
		return false
	}
	for k := range s.keys {
		if s.mayTake(c, k) && s.mayTake(d, k) {
			return true
		}
	}
	return false
}

func (s *Static) fieldConflict(c, d *class) *conflict {
	wc, wd := s.writes(c), s.writes(d)
	for _, pair := range [][2]touches{
		{wc, wd}, {wc, s.reads(d)}, {wc, s.guards(d)}, {s.reads(c), wd}, {s.guards(c), wd},
	} {
		if pair[0].meets(pair[1]) {
			one, other := pair[0].common(pair[1])
			return &conflict{one: one, other: other}
		}
	}
	return nil
}

// records reports whether a class may record operations.
func (s *Static) records(c *class) bool {
	if c.kind != model.Duplicate {
		return c.summary != nil && c.summary.records
	}
	for i := range s.classes {
		if d := &s.classes[i]; d.actor == c.actor && d.kind == model.Receive && d.summary.records {
			return true
		}
	}
	return false
}
