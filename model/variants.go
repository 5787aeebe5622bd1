package model

import "errors"

// What an audit of the decomposition needs: the memoized local steps, and the variants of local states and messages that
// were met.

// LocalStep is a local step that was asked for, on representatives.
type LocalStep struct {
	Local    LocalID
	Kind     EventKind
	Messages []MessageID
}

// LocalSteps are the local steps asked for so far, in order.
func (a *Actors) LocalSteps() []LocalStep {
	steps := make([]LocalStep, len(a.answers))
	for i, answer := range a.answers {
		e := a.events.At(answer.event)
		steps[i] = LocalStep{answer.local, e.kind, e.messages}
	}
	return steps
}

// LocalVariants are the local states that were met beside their representatives.
func (a *Actors) LocalVariants() []Variant { return a.localVariants.list }

// MessageVariants are the payloads that were met beside their representatives.
func (a *Actors) MessageVariants() []Variant { return a.messageVariants.list }

// Message is the representative of a message.
func (a *Actors) Message(id MessageID) Message { return a.messages.At(id).Message }

var errNotMet = errors.New("a step leads to what its representative does not lead to")

// FindLocal is the id of a local state of which some variant was met.
func (a *Actors) FindLocal(b []byte) (LocalID, error) {
	hashed, err := a.hashed(b)
	if err != nil {
		return 0, err
	}
	return met(a.locals.Find(string(hashed)))
}

// FindMessage is the id of a message of which some variant was met.
func (a *Actors) FindMessage(m Message) (MessageID, error) {
	key, err := a.messageKey(m)
	if err != nil {
		return 0, err
	}
	return met(a.messages.Find(key))
}

func met(id uint32) (uint32, error) {
	if id == 0 {
		return 0, errNotMet
	}
	return id, nil
}
