package lmc

import (
	"context"
	"iter"
	"slices"

	"harrier/internal/model"
)

// mostCopies is how often a message may be sent before it is taken to be sent without bound.
const mostCopies = 16

// unbounded is more than any bound.
const unbounded = 1 << 20

// given is how often a message may be in flight without an actor sending it.
func (s *sets) given(m model.MessageID) int {
	receiver := s.actors.Values.Message(m).Receiver
	n := s.initial[m]
	for i, f := range s.program.Faults {
		copied := f.Kind == model.Duplicate && f.Scope.Has(receiver)
		if f.Kind == model.Byzantine {
			copied = slices.Contains(s.actors.LocalSteps.Domain(i), m)
		}
		switch {
		case copied && f.Budget == model.Unbounded:
			return unbounded
		case copied:
			n += f.Budget
		}
	}
	return n
}

// bound has a message be consumed at least so often more than it is given. Where that is more than before, it is raised.
func (s *sets) bound(m model.MessageID, sent int) {
	most := s.given(m) + sent
	before, bounded := s.bounds[m]
	switch {
	case s.sent[m] && !bounded, bounded && most <= before:
		return
	case most > mostCopies:
		delete(s.bounds, m)
	default:
		s.bounds[m] = most
	}
	s.raised = s.raised || bounded
}

// fixpoint finds all members. Each message is consumed as often as it can be sent by actors that consume no message more often than
// that: the least such bounds. By induction on the length of a run, no run exceeds them.
func (s *sets) fixpoint(ctx context.Context) error {
	for {
		if err := s.complete(ctx); err != nil || s.isFull() {
			return err
		}
		for m, n := range s.mostSent() {
			s.bound(m, n)
		}
		if !s.raised {
			return nil
		}
		s.retry()
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
	numbers := map[model.MessageID]int{}
	for by, n := range copies {
		all[by.message] = min(all[by.message]+n, unbounded)
		if _, known := numbers[by.message]; !known {
			numbers[by.message] = len(numbers)
		}
	}
	longest := s.longest(of, numbers)
	for m, n := range all {
		all[m] = min(n, longest[numbers[m]])
	}
	return all
}

// longest is how often each message is sent on a path through the members of a set, by numbers of messages. In a strongly connected
// component of these it is sent as often as there are tokens for the events that do.
func (s *sets) longest(of *set, numbers map[model.MessageID]int) []int {
	all := make([]int, len(numbers))
	var best [][]int // from each component on
	within := map[sending]int{}
	components, in := s.components(of)
	for c, members := range components {
		after := make([]int, len(numbers))
		clear(within)
		for _, m := range members {
			s.note(m, within, func(to *member) bool { return in[to.place] == c })
			for i := range m.events {
				e := &m.events[i]
				for _, to := range s.leads(e) {
					if c != in[to.place] {
						for i, n := range best[in[to.place]] {
							after[i] = max(after[i], n)
						}
					}
				}
				for to, f := range s.sends(m, e) {
					if i := numbers[f.message]; c != in[to.place] {
						after[i] = max(after[i], best[in[to.place]][i]+f.copies)
					}
				}
			}
		}
		for by, n := range within {
			i := numbers[by.message]
			after[i] = min(after[i]+n, unbounded)
		}
		best = append(best, after)
		for i, n := range after {
			all[i] = max(all[i], n)
		}
	}
	return all
}

// note notes how many copies of messages events of a member send in a step to some others.
func (s *sets) note(m *member, copies map[sending]int, isTo func(*member) bool) {
	for i := range m.events {
		e := &m.events[i]
		for to, f := range s.sends(m, e) {
			if isTo(to) {
				by := sending{f.message, e.id, e.spends[0]}
				copies[by] = max(copies[by], f.copies*s.times(e))
			}
		}
	}
}

// A sent is how often a message is sent at once.
type sent struct {
	message model.MessageID
	copies  int
}

// sends yields what an event sends, with the member that it leads to.
func (s *sets) sends(m *member, e *event) iter.Seq2[*member, sent] {
	return func(yield func(*member, sent) bool) {
		if !e.sends {
			return
		}
		to := s.leads(e)
		for o := range s.actors.LocalSteps.Outcomes(model.LocalStep{Local: m.local, Event: e.id}) {
			if o.Failure != 0 {
				continue
			}
			for _, f := range o.Effects {
				if f.Message != 0 && !yield(to[0], sent{f.Message, sends(o.Effects, f.Message)}) {
					return
				}
			}
			to = to[1:]
		}
	}
}

// times is how often an event can happen.
func (s *sets) times(e *event) int {
	least := unbounded
	for _, t := range s.spends(e) {
		if most, bounded := s.bounds[t]; bounded {
			least = min(least, most)
		}
	}
	return least
}

// components are the strongly connected ones of the members (Tarjan 1972), each after those that it leads to, and by members'
// places their numbers.
func (s *sets) components(of *set) (components [][]*member, numbers []int) {
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
		for i := range m.events {
			for _, to := range s.leads(&m.events[i]) {
				switch {
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
