package audit

import (
	"encoding/binary"
	"fmt"
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
		return n.mailed("m", n.actors.Message(id))
	})
}

func (n *numbers) event(id uint32) uint32 {
	return n.number(id, n.events, func() string {
		e := n.actors.Event(id)
		k := fmt.Sprintf("e %d %d", e.Kind, e.Fault)
		for _, m := range e.Messages {
			k = n.mailed(k, m)
		}
		return k
	})
}

// mailed is a key with a message more.
func (n *numbers) mailed(key string, m model.Message) string {
	return fmt.Sprintf("%s %q %q %q", key, m.Sender, m.Receiver, n.part(m.Payload))
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
	if program.Repeats(receiver) {
		mail = slices.Compact(mail)
	}
	return mail
}
