package lmc

import (
	"context"

	"harrier/internal/ds/bdd"
)

// complete finds all members that can be reached, as far as tokens go.
func (s *sets) complete(ctx context.Context) error {
	for {
		for len(s.work) > 0 {
			if s.isFull() {
				return nil
			}
			if err := context.Cause(ctx); err != nil {
				return err
			}
			next := s.work[0]
			s.work = s.work[1:]
			s.advance(next)
			s.tell()
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
	s.progress.States.Store(uint64(len(s.members)))
	s.progress.Transitions.Store(s.steps)
	s.progress.Frontier.Store(uint64(len(s.work)))
}

func (s *sets) queue(m *member) {
	if !m.queued && m.reached != bdd.False {
		m.queued = true
		s.work = append(s.work, m)
	}
}

// reach notes that a member can be reached when something was spent.
func (s *sets) reach(m *member, spent bdd.Func) {
	if now := s.functions.Or(m.reached, spent); now != m.reached {
		m.reached, m.tried = now, 0
		s.queue(m)
	}
}

// advance tries the events of a member that were not tried since it was last found to be reached by spending other tokens. Members
// take their turns in the order in which that was found, so that most need few.
func (s *sets) advance(m *member) {
	for m.queued = false; m.tried < len(m.events); {
		m.tried++
		s.try(m, m.tried-1)
	}
}

// try takes an event, unless a token is missing, once it is answered.
func (s *sets) try(m *member, place int) {
	e := &m.events[place]
	spent := s.spend(m.set, m.reached, s.spends(e))
	switch {
	case spent == bdd.False:
		return
	case e.state == unasked:
		e.state = asking
		s.batch = append(s.batch, asked{m, place})
	}
	for _, to := range s.leads(e) {
		s.reach(to, spent)
	}
}

// spend returns the tokens spent after some more are spent; False if one of them is missing. The spent places of a token
// come before the others.
func (s *sets) spend(of *set, spent bdd.Func, tokens []token) bdd.Func {
	for _, t := range tokens {
		most, bounded := s.bounds[t]
		if !bounded {
			continue
		}
		for len(of.copies[t]) < most {
			of.copies[t] = append(of.copies[t], of.places)
			of.places++
		}
		before := spent
		spent = bdd.False
		for i, place := range of.copies[t][:most] {
			more := s.functions.Add(before, place)
			for _, first := range of.copies[t][:i] {
				more = s.functions.And(more, first)
			}
			spent = s.functions.Or(spent, more)
		}
	}
	return spent
}

// retry tries all events again, as there are more tokens.
func (s *sets) retry() {
	s.raised = false
	for _, m := range s.members {
		m.tried = 0
		s.queue(m)
	}
}

// allow has each actor do something by itself so often.
func (s *sets) allow(times int) {
	if s.bounds[byItself] != times {
		s.bounds[byItself] = times
		s.retry()
	}
}
