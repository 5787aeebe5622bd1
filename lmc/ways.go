package lmc

import (
	"context"
	"fmt"
	"slices"

	"harrier/internal/bitset"
)

// ways are those to reach a member, each with what was spent on it, as a set of places. A way stands for all on which more was spent.
// There are many, so they are small, and those of a member are together.
type ways struct {
	width int      // words of each set
	spent []uint64 // one set after another
	next  []uint32 // by way: the first event that was not tried, and perhaps isQueued
}

const (
	isQueued = 1 << 31
	isDone   = isQueued - 1 // in the place of an event: less was spent on another way
)

func (w *ways) at(i int) bitset.Set { return w.spent[i*w.width : (i+1)*w.width] }

// add adds a way, unless as little was spent on another one, and reports whether it did.
func (w *ways) add(spent bitset.Set) bool {
	if len(spent) > w.width || w.width == 0 {
		w.widen(max(len(spent), 1))
	}
	for i := range w.next {
		if w.at(i).IsWithin(spent) {
			return false
		}
	}
	for i := range w.next {
		if spent.IsWithin(w.at(i)) {
			w.next[i] |= isDone
		}
	}
	w.spent = append(append(w.spent, spent...), make([]uint64, w.width-len(spent))...)
	w.next = append(w.next, 0)
	return true
}

func (w *ways) widen(width int) {
	before := *w
	w.width, w.spent = width, nil
	for i := range w.next {
		w.spent = append(append(w.spent, before.at(i)...), make([]uint64, width-before.width)...)
	}
}

// tried is how many events were tried on a way; none are left to try if it is done.
func (w *ways) tried(i int) int { return int(w.next[i] &^ isQueued) }

func (w *ways) isDone(i int) bool { return w.tried(i) == isDone }

// A wayTo is a way of a member, by numbers.
type wayTo struct{ member, way uint32 }

// complete finds all members that can be reached, as far as tokens go.
func (s *sets) complete(ctx context.Context) error {
	for {
		for len(s.work) > 0 {
			if s.most > 0 && s.ways > s.most {
				s.reason = fmt.Sprintf("the abstract sets ended after %d local states, told apart by the messages they took (--max-states)", s.most)
				return nil
			}
			last := len(s.work) - 1
			next := s.work[last]
			s.work = s.work[:last]
			s.advance(s.members[next.member], int(next.way))
			if s.polled++; s.polled%1024 == 0 {
				s.tell()
				if ctx.Err() != nil {
					return context.Cause(ctx)
				}
			}
		}
		if len(s.batch) > 0 {
			s.tell()
			if err := s.ask(ctx); err != nil {
				return err
			}
			continue
		}
		if err := s.together(); err != nil || len(s.work) == 0 {
			return err
		}
	}
}

func (s *sets) tell() {
	s.progress.States.Store(s.ways)
	s.progress.Transitions.Store(s.steps)
	s.progress.Frontier.Store(uint64(len(s.work)))
}

func (s *sets) queue(m *member) {
	for i, next := range m.ways.next {
		if next&isQueued == 0 && next != isDone {
			m.ways.next[i] |= isQueued
			s.work = append(s.work, wayTo{uint32(m.number), uint32(i)})
		}
	}
}

// reach notes that a member can be reached when something was spent.
func (s *sets) reach(m *member, spent bitset.Set) {
	if m.ways.add(spent) {
		s.ways++
		last := len(m.ways.next) - 1
		m.ways.next[last] = isQueued
		s.work = append(s.work, wayTo{uint32(m.number), uint32(last)})
	}
}

// advance tries the events that were not tried on a way.
func (s *sets) advance(m *member, i int) {
	w := &m.ways
	for w.next[i] &^= isQueued; int(w.next[i]) < len(m.events); {
		w.next[i]++
		s.try(m, i, int(w.next[i])-1)
	}
}

// try takes an event, unless a token is missing, once it is answered.
func (s *sets) try(m *member, i, place int) {
	e := &m.events[place]
	spent, ok := s.spend(m.set, m.ways.at(i), s.spends(e), nil)
	switch {
	case !ok:
		return
	case e.state == answered || e.state == broken:
		s.take(e, spent)
		return
	case e.state == unasked:
		e.state = asking
		s.batch = append(s.batch, asked{m, place})
	}
}

func (s *sets) take(e *event, spent bitset.Set) {
	for _, to := range s.leads(e) {
		s.reach(to, spent)
	}
}

// spend is what was spent when some tokens are spent as well, until the next call; false if one of them is missing. Of those in before
// there are so many.
func (s *sets) spend(of *set, spent bitset.Set, tokens []token, before map[token]int) (bitset.Set, bool) {
	s.room = append(s.room[:0], spent...)
	for _, t := range tokens {
		most, bounded := before[t]
		if !bounded {
			most, bounded = s.bounds[t]
		}
		if !bounded {
			continue
		}
		places := of.copies[t]
		for len(places) < most {
			places = append(places, of.places)
			of.places++
		}
		of.copies[t] = places
		i := slices.IndexFunc(places[:most], func(place int) bool { return !s.room.Has(place) })
		if i < 0 {
			return nil, false
		}
		s.room.Put(places[i])
	}
	return s.room, true
}

// retry tries the events again that had no token left of which there are more now.
func (s *sets) retry() {
	before := s.raised
	s.raised = map[token]int{}
	for _, of := range s.sets {
		for _, m := range of.members {
			var again []int
			for place := range m.events {
				for _, t := range s.spends(&m.events[place]) {
					if _, raised := before[t]; raised {
						again = append(again, place)
						break
					}
				}
			}
			for i := range m.ways.next {
				for _, place := range again {
					if !m.ways.isDone(i) && place < m.ways.tried(i) && !s.has(m, i, place, before) {
						s.try(m, i, place)
					}
				}
			}
		}
	}
}

// has reports whether the tokens for an event are left on a way.
func (s *sets) has(m *member, i, place int, before map[token]int) bool {
	_, ok := s.spend(m.set, m.ways.at(i), s.spends(&m.events[place]), before)
	return ok
}

// allow has each actor do something by itself so often.
func (s *sets) allow(times int) {
	if s.bounds[byItself] != times {
		s.raised[byItself], s.bounds[byItself] = s.bounds[byItself], times
		s.retry()
	}
}
