package space

import (
	"slices"

	"harrier/internal/ds/slab"
	"harrier/internal/model"
)

// An event is an interned event of an actor, or a fault. Its budget guard is found once.
type event struct {
	kind     model.EventKind
	fault    int
	messages []model.MessageID // in the order of arranged
	guard    uint32            // of budgets and cuts
}

// event interns an event with its budget guard.
func (s *LocalSteps) event(e event) uint32 {
	return s.events.Intern(e.key(), func() event {
		var messages []model.Message
		for _, m := range e.messages {
			messages = append(messages, s.values.messages.At(m).Message)
		}
		e.guard = s.globals.guard(s.values.program.BudgetGuard(e.kind, e.fault, messages...))
		return e
	})
}

func (e event) key() string {
	return slab.Key(append([]uint32{uint32(e.kind), uint32(e.fault)}, e.messages...)...)
}

// question is what the oracle is asked for to know what an event does that runs Java. Which fault an event belongs to
// makes no difference to an actor.
func (s *LocalSteps) question(id uint32) uint32 {
	e := s.events.At(id)
	if !e.kind.HasFault() && e.kind == e.kind.Asked() && !slices.ContainsFunc(e.messages, s.isOld) {
		return id
	}
	messages := slices.Clone(e.messages)
	for i, m := range messages {
		if s.isOld(m) {
			messages[i] = s.values.messages.At(m).fresh
		}
	}
	return s.event(event{kind: e.kind.Asked(), messages: messages})
}

// isOld reports whether some round began since a message was sent, which makes no difference to an actor.
func (s *LocalSteps) isOld(m model.MessageID) bool { return s.values.messages.At(m).fresh != 0 }

// described is an interned event with its messages.
func (s *LocalSteps) described(id uint32) model.Event {
	e := s.events.At(id)
	out := model.Event{Kind: e.kind, Fault: e.fault}
	for _, m := range e.messages {
		out.Messages = append(out.Messages, s.values.messages.At(m).Message)
	}
	return out
}

// EventMessages are the messages that an event consumes.
func (s *LocalSteps) EventMessages(event uint32) []model.MessageID {
	return s.events.At(event).messages
}

// Event is the event of a kind that runs Java, with the messages that it consumes: what the oracle is asked for.
func (s *LocalSteps) Event(kind model.EventKind, messages ...model.MessageID) uint32 {
	s.values.mu.Lock()
	defer s.values.mu.Unlock()
	return s.event(event{kind: kind, messages: messages})
}
