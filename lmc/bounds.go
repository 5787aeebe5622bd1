package lmc

import (
	"context"
	"slices"

	"harrier/model"
)

// mostCopies is how often a message may be sent before it is taken to be sent without bound.
const mostCopies = 16

// unbounded is more than any bound.
const unbounded = 1 << 20

// given is how often a message may be in flight without an actor sending it.
func (s *sets) given(m model.MessageID) int {
	receiver := s.actors.Message(m).Receiver
	n := s.initial[m]
	for i, f := range s.program.Faults {
		isCopied := f.Kind == model.Duplicate && f.Scope.Has(receiver)
		if f.Kind == model.Byzantine {
			isCopied = slices.Contains(s.actors.Domain(i), m)
		}
		switch {
		case isCopied && f.Budget == model.Unbounded:
			return unbounded
		case isCopied:
			n += f.Budget
		}
	}
	return n
}

// bound has a message be consumed at least so often more than it is given. Where that is more than before, its receiver's set is
// raised.
func (s *sets) bound(m model.MessageID, sent int) {
	most := s.given(m) + sent
	before, isBounded := s.bounds[token(m)]
	switch {
	case s.sent[m] && !isBounded, isBounded && most <= before:
		return
	case most > mostCopies:
		delete(s.bounds, token(m))
	default:
		s.bounds[token(m)] = most
	}
	s.raised[s.at(s.actors.ReceiverOf(m))] = true
}

// fixpoint finds all members. Each message is consumed as often as it can be sent by actors that consume no message more often than
// that: the least such bounds. By induction on the length of a run, no run exceeds them.
func (s *sets) fixpoint(ctx context.Context) error {
	for {
		if err := s.complete(ctx); err != nil || s.reason != "" {
			return err
		}
		for m, n := range s.mostSent() {
			s.bound(m, n)
		}
		if len(s.raised) == 0 {
			return nil
		}
		for _, of := range s.sets {
			if s.raised[of] {
				s.retry(of)
			}
		}
		clear(s.raised)
	}
}

// mostSent is how often each message is sent at most, by all actors.
func (s *sets) mostSent() map[model.MessageID]int {
	total := map[model.MessageID]int{}
	for _, of := range s.sets {
		for m, n := range s.mostSentBy(of) {
			total[m] = min(total[m]+n, unbounded)
		}
	}
	return total
}

// A sending is an event of some local states that sends a message.
type sending struct {
	message model.MessageID
	event   uint32
	fault   token // of a crash
}

// mostSentBy is how often each message is sent at most by an actor: no more often than on any path through the members of its
// set, and than the tokens for the events that send it allow altogether.
func (s *sets) mostSentBy(of *set) map[model.MessageID]int {
	copies, all := map[sending]int{}, map[model.MessageID]int{}
	for _, m := range of.members {
		s.note(m, copies, func(*member) bool { return true })
	}
	s.add(copies, all)
	for m, n := range s.longest(of) {
		all[m] = min(all[m], n)
	}
	return all
}

// longest is how often each message is sent on a path through the members of a set. In a strongly connected component of these
// it is sent as often as there are tokens for the events that do.
func (s *sets) longest(of *set) map[model.MessageID]int {
	var best []map[model.MessageID]int // from each component on
	all := map[model.MessageID]int{}
	components, numbers := of.components()
	for c, members := range components {
		after, within := map[model.MessageID]int{}, map[sending]int{}
		for _, m := range members {
			s.note(m, within, func(to *member) bool { return numbers[to.place] == c })
			for _, e := range m.events {
				for _, edge := range e.edges {
					if to := numbers[edge.to.place]; to != c {
						for m, n := range best[to] {
							after[m] = max(after[m], n)
						}
						for _, f := range edge.sends {
							if f.Message != 0 {
								after[f.Message] = max(after[f.Message], best[to][f.Message]+sends(edge.sends, f.Message))
							}
						}
					}
				}
			}
		}
		s.add(within, after)
		best = append(best, after)
		for m, n := range after {
			all[m] = max(all[m], n)
		}
	}
	return all
}

// note notes how many copies of messages events of a member send in a step to some others.
func (s *sets) note(m *member, copies map[sending]int, isTo func(*member) bool) {
	for _, e := range m.events {
		for _, edge := range e.edges {
			if !isTo(edge.to) {
				continue
			}
			for _, f := range edge.sends {
				if f.Message != 0 {
					by := sending{f.Message, e.id, e.spends[0]}
					copies[by] = max(copies[by], sends(edge.sends, f.Message)*s.times(e))
				}
			}
		}
	}
}

// add adds up how often messages are sent.
func (s *sets) add(copies map[sending]int, to map[model.MessageID]int) {
	for by, n := range copies {
		to[by.message] = min(to[by.message]+n, unbounded)
	}
}

// times is how often an event can happen.
func (s *sets) times(e *event) int {
	least := unbounded
	for _, t := range e.spends {
		if most, isBounded := s.bounds[t]; isBounded {
			least = min(least, most)
		}
	}
	return least
}

// components are the strongly connected ones of the members (Tarjan 1972), each after those that it leads to, and by members' places
// their numbers.
func (of *set) components() (components [][]*member, numbers []int) {
	const none = -1
	numbers = slices.Repeat([]int{none}, len(of.members))
	order := make([]int, len(of.members)) // in which they were met, from 1
	met := 0
	var path []*member
	var visit func(m *member) int
	visit = func(m *member) int {
		met++
		order[m.place] = met
		low, depth := met, len(path)
		path = append(path, m)
		for _, e := range m.events {
			for _, edge := range e.edges {
				switch to := edge.to; {
				case order[to.place] == 0:
					low = min(low, visit(to))
				case numbers[to.place] == none:
					low = min(low, order[to.place])
				}
			}
		}
		if low == order[m.place] {
			for _, member := range path[depth:] {
				numbers[member.place] = len(components)
			}
			components = append(components, slices.Clone(path[depth:]))
			path = path[:depth]
		}
		return low
	}
	for _, m := range of.members {
		if order[m.place] == 0 {
			visit(m)
		}
	}
	return components, numbers
}
