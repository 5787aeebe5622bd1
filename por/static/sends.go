package static

import (
	"harrier/internal/model"
	"harrier/por/footprint"
)

// follow finds what a class may send.
func (s *Static) follow(c *class) {
	switch c.kind {
	case model.Byzantine:
	case model.Duplicate:
		s.followCopies(c)
	default:
		if c.summary != nil {
			for _, sent := range c.summary.sends {
				s.send(c, sent)
			}
		}
	}
	for k := range c.sends.All {
		if to := s.keys[k].receiver; s.queued[to] {
			c.queues.Put(to)
		}
	}
}

// followCopies adds the sends of duplicates: each is received at once, or a copy of it is sent.
func (s *Static) followCopies(c *class) {
	for i := range s.classes {
		if o := &s.classes[i]; o.actor == c.actor && o.kind == model.Receive {
			for k := range o.sends.All {
				c.sends.Put(k)
			}
		}
	}
	for k := range s.keys {
		if s.keys[k].receiver == c.actor {
			c.sends.Put(k)
		}
	}
}

func (s *Static) send(c *class, sent model.Sending) {
	of, _ := footprint.PlainType(sent.Type)
	to, senders := s.receivers(c, sent), []int{c.actor}
	if c.summary.creates {
		senders = append(senders, children) // start() of the new actor may send it
	}
	for _, from := range senders {
		for _, receiver := range to {
			if receiver == children || s.wiring.exists(receiver) {
				c.sends.Put(s.key(key{receiver, of, from}))
			}
		}
	}
}

// receivers are whom a message may go to.
func (s *Static) receivers(c *class, sent model.Sending) []int {
	w := s.wiring
	var senders []string
	for _, k := range c.keys {
		senders = append(senders, w.names[s.keys[k].sender])
	}
	who, ok := w.fields.Receivers(sent, w.names[c.actor], senders)
	if !ok || c.catchAll || c.summary.creates {
		who = w.names
	}
	var numbers []int
	for _, name := range who {
		numbers = append(numbers, w.number(name))
	}
	return numbers
}
