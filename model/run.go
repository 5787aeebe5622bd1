package model

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"
)

// Run executes a program concretely: every step is asked of the oracle again, on bytes, with none
// of the tables that a search uses. What a search found is believed once a Run has repeated it.
//
// A search steps on representatives: local states and messages that stand for all that are not told
// apart. A Run takes the action on what is really there, and compares what is hashed.
type Run struct {
	Decomposition
	oracle  Oracle
	actors  map[string]Actor
	inboxes map[string][]Message
	history []byte
}

// Taken says what a step of a Run did.
type Taken struct {
	Actor   string
	Event   Event
	Before  []byte // the actor's local state
	Outcome Outcome
}

// ErrNotEnabled is the error of an action that is not enabled in the run's present state.
var ErrNotEnabled = errors.New("not enabled")

// ErrDiffers is the error of an action that does not do what was expected of it.
var ErrDiffers = errors.New("it does not do what the search saw it do")

// NewRun starts a run in the initial state.
func NewRun(oracle Oracle, d Decomposition) (*Run, error) {
	initial := oracle.Program().Initial
	r := &Run{
		Decomposition: d,
		oracle:        oracle,
		actors:        map[string]Actor{},
		inboxes:       map[string][]Message{},
		history:       initial.History,
	}
	if err := r.add(initial.Actors, initial.Messages); err != nil {
		return nil, err
	}
	return r, nil
}

// Take executes an action. A failing handler is an Outcome with a Failure and changes nothing.
func (r *Run) Take(ctx context.Context, do Action) (Taken, error) {
	actor, ok := r.actors[do.Actor]
	if !ok {
		return Taken{}, fmt.Errorf("%w: there is no actor %s", ErrNotEnabled, do.Actor)
	}
	messages, rest, err := r.consume(r.inboxes[do.Actor], do.Event.Messages)
	if err != nil {
		return Taken{}, fmt.Errorf("%w: actor %s: %w", ErrNotEnabled, do.Actor, err)
	}
	event := Event{Kind: do.Event.Kind, Fault: do.Event.Fault, Messages: messages}
	answers, err := r.oracle.Steps(ctx, []Question{{actor.Local, event}})
	if err != nil {
		return Taken{}, err
	}
	if do.Outcome >= len(answers[0].Outcomes) {
		return Taken{}, fmt.Errorf("%w: actor %s: the step has %d outcomes, the one wanted is number %d",
			ErrNotEnabled, do.Actor, len(answers[0].Outcomes), do.Outcome+1)
	}
	outcome := answers[0].Outcomes[do.Outcome]
	if err := r.compare(outcome, do.Expected); err != nil {
		return Taken{}, fmt.Errorf("actor %s, %s: %w", do.Actor, outcome.Handler, err)
	}
	taken := Taken{Actor: do.Actor, Event: event, Before: actor.Local, Outcome: outcome}
	if outcome.Failure != nil {
		return taken, nil
	}
	if len(outcome.Records) > 0 {
		histories, err := r.oracle.Record(ctx, []Extension{{r.history, outcome.Records}})
		if err != nil {
			return Taken{}, err
		}
		r.history = histories[0]
	}
	r.inboxes[do.Actor] = rest
	actor.Local, actor.Acts = outcome.Local, outcome.Acts
	r.actors[do.Actor] = actor
	return taken, r.add(outcome.Creates, outcome.Sends)
}

// compare says whether an outcome is the expected one as far as it is hashed.
func (r *Run) compare(got Outcome, expected *Outcome) error {
	if expected == nil {
		return nil
	}
	a, err := r.OutcomeKey(got)
	if err != nil {
		return err
	}
	b, err := r.OutcomeKey(*expected)
	if err == nil && a != b {
		err = ErrDiffers
	}
	return err
}

func (r *Run) add(actors []Actor, messages []Message) error {
	for _, a := range actors {
		if _, ok := r.actors[a.Name]; ok {
			return fmt.Errorf("actor %s is created twice", a.Name)
		}
		r.actors[a.Name] = a
	}
	for _, m := range messages {
		r.inboxes[m.Receiver] = append(r.inboxes[m.Receiver], m)
	}
	return nil
}

// consume finds messages in an inbox, by what is hashed of them, and returns them with the rest. Those
// that are equal in all of it come first.
func (r *Run) consume(inbox, wanted []Message) (found, rest []Message, err error) {
	rest = slices.Clone(inbox)
	for _, m := range wanted {
		i := slices.IndexFunc(rest, func(o Message) bool { return compareMessages(o, m) == 0 })
		if i < 0 {
			if i, err = r.similar(rest, m); err != nil {
				return nil, nil, err
			}
		}
		found = append(found, rest[i])
		rest = slices.Delete(rest, i, i+1)
	}
	return found, rest, nil
}

// similar finds a message that is not told apart from another.
func (r *Run) similar(inbox []Message, wanted Message) (int, error) {
	want, err := r.messageKey(wanted)
	if err != nil {
		return 0, err
	}
	for i, m := range inbox {
		if k, err := r.messageKey(m); err == nil && k == want {
			return i, nil
		}
	}
	return 0, fmt.Errorf("the message from %s is not pending", wanted.Sender)
}

// Actors are the actors that exist, by name.
func (r *Run) Actors() []Actor {
	var actors []Actor
	for _, name := range slices.Sorted(maps.Keys(r.actors)) {
		actors = append(actors, r.actors[name])
	}
	return actors
}

// Enabled says whether any actor has an enabled event.
func (r *Run) Enabled(ctx context.Context) (bool, error) {
	var questions []Question
	for name, inbox := range r.inboxes {
		actor, ok := r.actors[name]
		if !ok {
			continue
		}
		for _, m := range inbox {
			questions = append(questions, Question{actor.Local, Event{Kind: Receive, Messages: []Message{m}}})
		}
	}
	answers, err := r.oracle.Steps(ctx, questions)
	return slices.ContainsFunc(answers, func(a Answer) bool { return len(a.Outcomes) > 0 }), err
}

// Pending are the messages in flight, by receiver.
func (r *Run) Pending() []Message {
	var pending []Message
	for _, name := range slices.Sorted(maps.Keys(r.inboxes)) {
		pending = append(pending, r.inboxes[name]...)
	}
	return pending
}

// Evaluate asks for a property in the run's present state.
func (r *Run) Evaluate(ctx context.Context, property int) (Judgement, error) {
	judgements, err := r.oracle.Evaluate(ctx, []Evaluation{{property, r.history, r.Actors()}})
	if err != nil {
		return Judgement{}, err
	}
	return judgements[0], nil
}

// Digest identifies the present global state, whatever the order in which it came about: 16
// hexadecimal digits of the SHA-256 of the local states, by name, with their sorted inboxes, and of the
// history.
func (r *Run) Digest() string {
	h := sha256.New()
	write := func(b []byte) {
		var n [8]byte
		binary.BigEndian.PutUint64(n[:], uint64(len(b)))
		h.Write(n[:])
		h.Write(b)
	}
	names := map[string]bool{}
	for name := range r.actors {
		names[name] = true
	}
	for name, inbox := range r.inboxes {
		if len(inbox) > 0 {
			names[name] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		write([]byte(name))
		write(r.actors[name].Local)
		inbox := slices.SortedFunc(slices.Values(r.inboxes[name]), compareMessages)
		binary.Write(h, binary.BigEndian, uint64(len(inbox)))
		for _, m := range inbox {
			write([]byte(m.Sender))
			write(m.Payload)
		}
	}
	if len(r.history) > 0 {
		write(r.history)
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

func compareMessages(a, b Message) int {
	if c := bytes.Compare([]byte(a.Sender), []byte(b.Sender)); c != 0 {
		return c
	}
	if c := bytes.Compare([]byte(a.Receiver), []byte(b.Receiver)); c != 0 {
		return c
	}
	return bytes.Compare(a.Payload, b.Payload)
}
