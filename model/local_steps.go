package model

import (
	"context"
	"iter"
	"slices"
)

// Local steps without mailboxes, for those who do not ask what is in flight.

// A LocalEvent is an event that runs Java in a local state.
type LocalEvent struct {
	Local LocalID
	Event uint32 // as Receiving, ByItself, Restarting and Together give it
}

// A LocalOutcome is an outcome of a local step.
type LocalOutcome struct {
	Handler uint32
	Local   LocalID  // of the actor after it; 0 if it fails or stops
	Effects []Effect // not to be changed
	Records bool     // it adds to the history
	Failure uint32   // identifies how it fails, 0 if it does not
}

// Receiving is the event of consuming a message alone.
func (a *Actors) Receiving(m MessageID) uint32 {
	return a.locked(event{kind: Receive, messages: []MessageID{m}})
}

// ByItself is the event of what an actor does by itself.
func (a *Actors) ByItself() uint32 { return a.locked(event{kind: Internal}) }

// Restarting is the event of a crash after which the actor starts again.
func (a *Actors) Restarting() uint32 { return a.locked(event{kind: Restart}) }

func (a *Actors) locked(e event) uint32 {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.event(e)
}

// EventMessages are the messages that an event consumes.
func (a *Actors) EventMessages(event uint32) []MessageID { return a.events.At(event).messages }

// Domain is the messages that the adversaries of a fault may send.
func (a *Actors) Domain(fault int) []MessageID { return a.domains[fault] }

// Ask makes the outcomes of local steps known, those that are not yet in one batch of questions.
func (a *Actors) Ask(ctx context.Context, events []LocalEvent) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	for {
		w := expansion{met: map[localStep]bool{}}
		for _, e := range events {
			a.request(&w, localStep{e.Local, e.Event})
		}
		switch {
		case len(w.unknown) > 0:
			if err := a.ask(ctx, w.unknown); err != nil {
				return err
			}
		case w.waits:
			a.answered.Wait()
		default:
			a.counts.publish(a)
			return nil
		}
	}
}

func (a *Actors) answer(of LocalEvent) answer {
	number, _ := a.numbers.Get(of.Local, of.Event)
	return a.answers[number]
}

// Outcomes yields those of a local step that was asked for.
func (a *Actors) Outcomes(of LocalEvent) iter.Seq[LocalOutcome] {
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
func (a *Actors) Quorums(of LocalEvent) []Quorum {
	m := a.messages.At(a.events.At(of.Event).messages[0])
	return slices.DeleteFunc(slices.Clone(a.answer(of).quorums), func(q Quorum) bool { return !a.program.hasRole(q.Role, m.Sender) })
}

// Together are the events that consume several of some messages in a local state, in whatever order they arrived. What each of
// them alone does there was asked for.
func (a *Actors) Together(l LocalID, messages []MessageID) ([]uint32, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	inbox := slices.Sorted(slices.Values(messages))
	shares := make([][]Quorum, len(inbox))
	for i, m := range inbox {
		shares[i] = a.Quorums(LocalEvent{l, a.event(event{kind: Receive, messages: []MessageID{m}})})
	}
	moves, err := a.several(l, inbox, shares)
	var events []uint32
	for _, m := range moves {
		events = append(events, m.asks)
	}
	return events, err
}
