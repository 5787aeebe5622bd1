package twin

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"

	"harrier/internal/model"
)

// A Permutation maps the names of actors.
type Permutation struct {
	Name  func(name string) string       // to names
	Bytes func(b []byte) ([]byte, error) // to local states, messages and histories, which may be no bytes
}

// key identifies a state: itself, or with Permutations the least of what it becomes by any of them. So
// the states of an orbit count as the first of them that is met. What is no part of Quotient is none of orbits either.
func (e *explorer) key(s state) string {
	if len(e.Permutations) == 0 {
		return s.canonical()
	}
	if e.Quotient != nil {
		s = e.relevant(s)
	}
	own := s.canonical()
	if least, known := e.orbits[own]; known {
		return least
	}
	least := own
	for _, p := range e.Permutations {
		moved, err := e.moved(s, p)
		if err != nil {
			e.Err = fmt.Errorf("renaming: %w", err)
			return own
		}
		least = min(least, moved.canonical())
	}
	e.orbits[own] = least
	return least
}

// moved is a state with its actors permuted. Nothing that is written there in an order of names stays where it is.
func (e *explorer) moved(s state, p Permutation) (state, error) {
	next := state{taken: s.taken, cut: s.cut, round: s.round}
	next.watching = watching{map[pair]bool{}, map[string]bool{}}
	for of, gone := range s.watching.gone {
		next.watching.gone[pair{p.Name(of.by), p.Name(of.of)}] = gone
	}
	next.open = map[pair]bool{}
	for of := range s.open {
		next.open[pairOf(p.Name(of.by), p.Name(of.of))] = true
	}
	for name := range s.watching.away {
		next.watching.away[p.Name(name)] = true
	}
	var err error
	bytes := func(b []byte) []byte {
		moved, failed := p.Bytes(b)
		err = cmp.Or(err, failed)
		return moved
	}
	payload := func(m model.Message) []byte {
		if m.IsClosed() {
			return m.Payload
		}
		return bytes(m.Payload)
	}
	for _, a := range s.actors {
		next.actors = append(next.actors, model.Actor{Name: p.Name(a.Name), Class: a.Class, Local: bytes(a.Local), Acts: a.Acts, Down: a.Down, Ahead: a.Ahead})
	}
	slices.SortFunc(next.actors, func(a, b model.Actor) int { return cmp.Compare(a.Name, b.Name) })
	for _, name := range s.stopped {
		next.stopped = append(next.stopped, p.Name(name))
	}
	slices.Sort(next.stopped)
	all := func(messages []model.Message) []model.Message {
		var out []model.Message
		for _, m := range messages {
			out = append(out, model.Message{Sender: p.Name(m.Sender), Receiver: p.Name(m.Receiver), Payload: payload(m), Age: m.Age})
		}
		e.sort(out)
		return out
	}
	next.pending, next.delivered = all(s.pending), all(s.delivered)
	next.history = bytes(s.history)
	last, failed := readMessages(s.last)
	for _, m := range all(last) {
		next.last = appendMessage(next.last, m)
	}
	return next, cmp.Or(err, failed)
}

// readMessages reads what appendMessage wrote.
func readMessages(b []byte) ([]model.Message, error) {
	var all []model.Message
	for len(b) > 0 {
		var parts [3][]byte
		for i := range parts {
			n, size := binary.Uvarint(b)
			if size <= 0 || n > uint64(len(b)-size) {
				return nil, fmt.Errorf("these are no messages: %x", b)
			}
			parts[i], b = b[size:size+int(n)], b[size+int(n):]
		}
		age, size := binary.Varint(b)
		if size <= 0 {
			return nil, fmt.Errorf("a message has no age: %x", b)
		}
		b = b[size:]
		all = append(all, model.Message{Receiver: string(parts[0]), Sender: string(parts[1]), Payload: parts[2], Age: int(age)})
	}
	return all, nil
}
