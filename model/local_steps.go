package model

import (
	"context"
	"iter"
	"slices"
)

// Local steps without mailboxes, for those who do not ask what is in flight.

// A LocalStep is a local step: what the oracle is asked for.
type LocalStep struct {
	Local LocalID
	Event uint32 // as Actors.LocalEvent and Together give it
}

// A LocalOutcome is an outcome of a local step.
type LocalOutcome struct {
	Handler uint32
	Local   LocalID  // of the actor after it; 0 if it fails or stops
	Effects []Effect // not to be changed
	Records bool     // it adds to the history
	Failure uint32   // identifies how it fails, 0 if it does not
}

// LocalEvent is the event of a kind that runs Java, with the messages that it consumes: what the oracle is asked for.
func (a *Actors) LocalEvent(kind EventKind, messages ...MessageID) uint32 {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.event(event{kind: kind, messages: messages})
}

// EventMessages are the messages that an event consumes.
func (a *Actors) EventMessages(event uint32) []MessageID { return a.events.At(event).messages }

// Domain is the messages that the adversaries of a fault may send.
func (a *Actors) Domain(fault int) []MessageID { return a.domains[fault] }

// Ask makes the outcomes of local steps known, those that are not yet in one batch of questions.
func (a *Actors) Ask(ctx context.Context, steps []LocalStep) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	_, err := a.complete(ctx, func() (expansion, error) {
		w := expansion{met: map[LocalStep]bool{}}
		for _, st := range steps {
			a.request(&w, st)
		}
		return w, nil
	})
	return err
}

func (a *Actors) answer(of LocalStep) answer {
	number, _ := a.numbers.Get(of.Local, of.Event)
	return a.answers[number]
}

// Outcomes yields those of a local step that was asked for.
func (a *Actors) Outcomes(of LocalStep) iter.Seq[LocalOutcome] {
	return func(yield func(LocalOutcome) bool) {
		for _, o := range a.answer(of).outcomes {
			effects := *a.spans.At(o.effects)
			if !yield(LocalOutcome{o.handler, o.local, a.effects.Range(effects.first, effects.count), len(o.records) > 0, o.failure}) {
				return
			}
		}
	}
}

// Quorums are the handlers that may take the message of an event that was asked for together with others.
func (a *Actors) Quorums(of LocalStep) []Quorum {
	m := a.messages.At(a.events.At(of.Event).messages[0])
	return a.program.Admitted(a.answer(of).quorums, m.Sender)
}

// Together are the events that consume several of some messages in a local state, in whatever order they arrived. What each of
// them alone does there was asked for.
func (a *Actors) Together(l LocalID, messages []MessageID) ([]uint32, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	inbox := slices.Sorted(slices.Values(messages))
	shares := make([][]Quorum, len(inbox))
	for i, m := range inbox {
		shares[i] = a.Quorums(LocalStep{l, a.event(event{kind: Receive, messages: []MessageID{m}})})
	}
	moves, err := a.several(l, inbox, shares)
	var events []uint32
	for _, m := range moves {
		events = append(events, m.asks)
	}
	return events, err
}

// LocalSteps are the local steps asked for so far, in order.
func (a *Actors) LocalSteps() []LocalStep {
	steps := make([]LocalStep, len(a.answers))
	for i, answer := range a.answers {
		steps[i] = answer.LocalStep
	}
	return steps
}

// Question asks for a local step, on representatives.
func (a *Actors) Question(st LocalStep) Question {
	return Question{Local: a.locals.At(st.Local).bytes, Event: a.Event(st.Event)}
}
