package audit

import (
	"fmt"
	"slices"

	"harrier/model"
)

// A relevant gives equal keys to what has the same relevant part, whatever the system tells apart.
type relevant struct {
	*model.Actors
	isFull bool // the system tells more apart
}

func newRelevant(actors *model.Actors) relevant {
	return relevant{actors, actors.Hashing == model.Full && actors.Relevant != nil}
}

// key is that of something with an id and bytes; all of them count if they have no relevant part, as then nothing is left out
// by mistake.
func (r relevant) key(id uint32, bytes func() []byte) string {
	if !r.isFull || id == 0 {
		return fmt.Sprint(id)
	}
	b := bytes()
	if part, err := r.Relevant(b); err == nil {
		b = part
	}
	return fmt.Sprintf("%q", b)
}

func (r relevant) local(l model.LocalID) string {
	return r.key(l, func() []byte { return r.Actor(l).Local })
}

func (r relevant) event(id uint32) string {
	if !r.isFull {
		return fmt.Sprint(id)
	}
	e := r.Event(id)
	k := fmt.Sprint(e.Kind, e.Fault)
	for _, m := range e.Messages {
		k += r.message(id, m)
	}
	return k
}

func (r relevant) message(id uint32, m model.Message) string {
	return fmt.Sprintf("%q %q %s", m.Sender, m.Receiver, r.key(id, func() []byte { return m.Payload }))
}

// state is equal for states with the same relevant parts.
func (r relevant) state(s model.State) string {
	global := r.GlobalParts(s[0])
	k := fmt.Sprintf("%d %q", global.Budgets, global.History)
	for len(s) > 1 && s[len(s)-1] == 0 {
		s = s[:len(s)-1]
	}
	for _, id := range s[1:] {
		parts := r.NodeParts(id)
		k += fmt.Sprintf(";%s %v %q %q", r.local(parts.Local), parts.Stopped, r.mailbox(parts.Waiting), r.mailbox(parts.Delivered))
	}
	return k
}

// mailbox is what is in a mailbox: in the order of its queues, or in an order that is always the same, and in a set once.
func (r relevant) mailbox(messages []model.MessageID) []string {
	var mail []string
	for _, id := range messages {
		mail = append(mail, r.message(id, r.Message(id)))
	}
	if len(mail) == 0 || !r.isFull {
		return mail
	}
	receiver := r.Message(messages[0]).Receiver
	if r.Program().FIFO.Has(receiver) {
		return mail
	}
	slices.Sort(mail)
	if r.Program().Repeats(receiver) {
		mail = slices.Compact(mail)
	}
	return mail
}
