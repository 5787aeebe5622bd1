package audit

import (
	"encoding/binary"
	"slices"

	"harrier/model"
)

// numbers give equal numbers to what has the same relevant part, whatever the system tells apart.
type numbers struct {
	actors *model.Actors
	isFull bool // the system tells more apart

	known  map[string]uint32 // by a letter and the relevant part
	locals map[model.LocalID]uint32
	mail   map[model.MessageID]uint32
	events map[uint32]uint32
}

func newNumbers(actors *model.Actors) numbers {
	return numbers{
		actors: actors, isFull: actors.Hashing == model.Full && actors.Relevant != nil, known: map[string]uint32{},
		locals: map[model.LocalID]uint32{}, mail: map[model.MessageID]uint32{}, events: map[uint32]uint32{},
	}
}

// number is that of a thing with an id. What it is made of is asked for once.
func (n *numbers) number(id uint32, of map[uint32]uint32, key func() string) uint32 {
	if !n.isFull || id == 0 {
		return id
	}
	found, ok := of[id]
	if !ok {
		k := key()
		if found, ok = n.known[k]; !ok {
			found = uint32(len(n.known) + 1)
			n.known[k] = found
		}
		of[id] = found
	}
	return found
}

// part is the relevant part of bytes; all of them if there is none, as then nothing is left out by mistake.
func (n *numbers) part(b []byte) string {
	if relevant, err := n.actors.Relevant(b); err == nil {
		return string(relevant)
	}
	return string(b)
}

func (n *numbers) local(l model.LocalID) uint32 {
	return n.number(l, n.locals, func() string { return "l" + n.part(n.actors.Actor(l).Local) })
}

func (n *numbers) message(id model.MessageID) uint32 {
	return n.number(id, n.mail, func() string {
		m := n.actors.Message(id)
		return "m" + m.Sender + "\x00" + m.Receiver + "\x00" + n.part(m.Payload)
	})
}

func (n *numbers) event(id uint32) uint32 {
	return n.number(id, n.events, func() string {
		e := n.actors.Event(id)
		k := "e" + string(rune(e.Kind)) + string(rune(e.Fault))
		for _, m := range e.Messages {
			part := n.part(m.Payload)
			k += m.Sender + "\x00" + string(rune(len(part))) + part
		}
		return k
	})
}

// state is equal for states with the same relevant parts.
func (n *numbers) state(s model.State) string {
	global := n.actors.GlobalParts(s[0])
	b := binary.AppendUvarint(nil, uint64(global.Budgets))
	b = append(binary.AppendUvarint(b, uint64(len(global.History))), global.History...)
	for len(s) > 1 && s[len(s)-1] == 0 {
		s = s[:len(s)-1]
	}
	for _, id := range s[1:] {
		parts := n.actors.NodeParts(id)
		is := uint64(n.local(parts.Local)) * 2
		if parts.Stopped {
			is++
		}
		b = binary.AppendUvarint(b, is)
		b = n.appendMailbox(n.appendMailbox(b, parts.Waiting), parts.Delivered)
	}
	return string(b)
}

func (n *numbers) appendMailbox(b []byte, messages []model.MessageID) []byte {
	mail := n.mailbox(messages)
	b = binary.AppendUvarint(b, uint64(len(mail)))
	for _, m := range mail {
		b = binary.AppendUvarint(b, uint64(m))
	}
	return b
}

// mailbox is what is in a mailbox: in the order of its queues, or in an order that is always the same, and in a set once.
func (n *numbers) mailbox(messages []model.MessageID) []uint32 {
	var mail []uint32
	for _, m := range messages {
		mail = append(mail, n.message(m))
	}
	if len(mail) == 0 || !n.isFull {
		return mail
	}
	receiver, program := n.actors.Message(messages[0]).Receiver, n.actors.Program()
	if program.FIFO.Has(receiver) {
		return mail
	}
	slices.Sort(mail)
	repeats := func(f model.Fault) bool {
		return f.Kind == model.Duplicate && f.Budget == model.Unbounded && f.Scope.Has(receiver)
	}
	if slices.ContainsFunc(program.Faults, repeats) {
		mail = slices.Compact(mail)
	}
	return mail
}
