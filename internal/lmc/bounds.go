package lmc

import (
	"context"
	"iter"
	"slices"

	"harrier/internal/lts"
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
			copied = slices.Contains(s.actors.Moves.Domain(i), m)
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
// part of these it is sent as often as there are tokens for the events that do.
func (s *sets) longest(of *set, numbers map[model.MessageID]int) []int {
	all := make([]int, len(numbers))
	var best [][]int // from each part on
	within := map[sending]int{}
	parts, in := s.parts(of)
	for c, places := range parts {
		after := make([]int, len(numbers))
		clear(within)
		for _, place := range places {
			m := of.members[place]
			s.note(m, within, func(to *member) bool { return in[to.place] == c })
			for to := range s.after(m) {
				if c != in[to] {
					for i, n := range best[in[to]] {
						after[i] = max(after[i], n)
					}
				}
			}
			for i := range m.events {
				for to, f := range s.sends(m, &m.events[i]) {
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

// sends yields the messages that an event sends, with the member that it leads to.
func (s *sets) sends(m *member, e *event) iter.Seq2[*member, sent] {
	return func(yield func(*member, sent) bool) {
		if !e.sends {
			return
		}
		for to, o := range s.outcomes(m, e) {
			for _, f := range o.Effects {
				if f.Message != 0 && !yield(to, sent{f.Message, sends(o.Effects, f.Message)}) {
					return
				}
			}
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

// parts are the strongly connected parts of a set, by places of its members.
func (s *sets) parts(of *set) (parts [][]int, in []int) {
	return lts.Parts(len(of.members), func(v int) iter.Seq[int] { return s.after(of.members[v]) })
}
