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
type Run struct {
	oracle  Oracle
	actors  map[string]Actor
	inboxes map[string][]Message
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

// NewRun starts a run in the initial state.
func NewRun(oracle Oracle) (*Run, error) {
	r := &Run{oracle: oracle, actors: map[string]Actor{}, inboxes: map[string][]Message{}}
	initial := oracle.Program().Initial
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
	rest, err := consume(r.inboxes[do.Actor], do.Event.Messages)
	if err != nil {
		return Taken{}, fmt.Errorf("%w: actor %s: %v", ErrNotEnabled, do.Actor, err)
	}
	answers, err := r.oracle.Steps(ctx, []Question{{actor.Local, do.Event}})
	if err != nil {
		return Taken{}, err
	}
	if do.Outcome >= len(answers[0].Outcomes) {
		return Taken{}, fmt.Errorf("%w: actor %s: the step has %d outcomes, the one wanted is number %d",
			ErrNotEnabled, do.Actor, len(answers[0].Outcomes), do.Outcome+1)
	}
	outcome := answers[0].Outcomes[do.Outcome]
	taken := Taken{Actor: do.Actor, Event: do.Event, Before: actor.Local, Outcome: outcome}
	if outcome.Failure != nil {
		return taken, nil
	}
	r.inboxes[do.Actor] = rest
	r.actors[do.Actor] = Actor{actor.Name, actor.Class, outcome.Local}
	return taken, r.add(outcome.Creates, outcome.Sends)
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

// consume returns an inbox less one copy of each of the messages.
func consume(inbox, messages []Message) ([]Message, error) {
	rest := slices.Clone(inbox)
	for _, m := range messages {
		i := slices.IndexFunc(rest, func(o Message) bool { return compareMessages(o, m) == 0 })
		if i < 0 {
			return nil, fmt.Errorf("the message from %s is not pending", m.Sender)
		}
		rest = slices.Delete(rest, i, i+1)
	}
	return rest, nil
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
			questions = append(questions, Question{actor.Local, Event{Receive, []Message{m}}})
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
	judgements, err := r.oracle.Evaluate(ctx, []Evaluation{{property, r.Actors()}})
	if err != nil {
		return Judgement{}, err
	}
	return judgements[0], nil
}

// Digest identifies the present global state, whatever the order in which it came about: 16
// hexadecimal digits of the SHA-256 of the local states, by name, with their sorted inboxes.
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
