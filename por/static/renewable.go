package static

import (
	"harrier/internal/ds/bitset"
	"harrier/internal/model"
)

// renew finds the messages that may be sent again and again by transitions that take only such messages themselves: the greatest
// set of keys each of which some class sends that takes a message of the set, or none. What is taken on a cycle of states is
// sent on that cycle, so all of it is in the set.
func (s *Static) renew() {
	s.renewable = make([]bool, len(s.keys))
	senders := make([]bitset.Set, len(s.keys))
	for k := range s.keys {
		s.renewable[k], senders[k] = true, s.senders(k)
	}
	for changed := true; changed; {
		changed = false
		for k := range s.keys {
			if s.renewable[k] && !s.repeats(s.keys[k].receiver) && !s.isRenewed(senders[k]) {
				s.renewable[k], changed = false, true
			}
		}
	}
}

// isRenewed reports whether any of some classes may be on a cycle.
func (s *Static) isRenewed(senders bitset.Set) bool {
	for i := range senders.All {
		if s.mayRecur(&s.classes[i]) {
			return true
		}
	}
	return false
}

// mayRecur reports whether transitions of a class may be on a cycle. Budgets are not given back.
func (s *Static) mayRecur(c *class) bool {
	if c.fault >= 0 && s.wiring.program.Faults[c.fault].Budget != model.Unbounded {
		return false
	}
	if c.kind != model.Receive && c.kind != model.Deliver {
		return true
	}
	for _, k := range c.keys {
		if s.renewable[k] {
			return true
		}
	}
	return false
}
