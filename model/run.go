package model

import (
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
	network
	oracle  Oracle
	actors  map[string]Actor
	history []byte
}

// Taken says what a step of a Run did.
type Taken struct {
	Actor  string
	Event  Event
	Before []byte // the actor's local state; empty if it does not exist
	// Outcome of an event that runs no Java has no Handler, and the local state as it was.
	Outcome Outcome
}

// ErrNotEnabled is the error of an action that is not enabled in the run's present state.
var ErrNotEnabled = errors.New("not enabled")

// ErrDiffers is the error of an action that does not do what was expected of it.
var ErrDiffers = errors.New("it does not do what the search saw it do")

// NewRun starts a run in the initial state.
func NewRun(oracle Oracle, d Decomposition) (*Run, error) {
	program := oracle.Program()
	d.fifo = program.FIFO
	r := &Run{
		network: newNetwork(program, d),
		oracle:  oracle,
		actors:  map[string]Actor{},
		history: program.Initial.History,
	}
	if err := r.add(program.Initial.Actors, program.Initial.Messages); err != nil {
		return nil, err
	}
	return r, nil
}

// Take executes an action. A failing handler is an Outcome with a Failure and changes nothing.
func (r *Run) Take(ctx context.Context, do Action) (Taken, error) {
	taken, place, err := r.prepare(do)
	if err != nil {
		return Taken{}, fmt.Errorf("%w: actor %s: %w", ErrNotEnabled, do.Actor, err)
	}
	if runsJava(do.Event.Kind) {
		if taken.Outcome, err = r.step(ctx, taken, do); err != nil {
			return Taken{}, err
		}
	}
	outcome := taken.Outcome
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
	r.spend(taken.Event)
	r.take(do.Actor, taken.Event, place)
	switch actor, ok := r.actors[do.Actor]; {
	case outcome.Stopped:
		delete(r.actors, do.Actor)
		r.stop(do.Actor)
	case ok:
		actor.Local, actor.Acts = outcome.Local, outcome.Acts
		r.actors[do.Actor] = actor
	}
	return taken, r.add(outcome.Creates, outcome.Sends)
}

func runsJava(k EventKind) bool {
	return k == Receive || k == Internal || k == Restart || k == Duplicate
}

// prepare finds what an action is about, and what it does if it runs no Java.
func (r *Run) prepare(do Action) (taken Taken, place int, err error) {
	actor, exists := r.actors[do.Actor]
	taken = Taken{Actor: do.Actor, Event: do.Event, Before: actor.Local}
	taken.Outcome = Outcome{Local: actor.Local, Acts: actor.Acts, Stopped: do.Event.Kind == Stop}
	if !exists && (runsJava(do.Event.Kind) || do.Event.Kind == Stop) {
		return taken, 0, errors.New("there is no such actor")
	}
	if err := r.admits(do.Actor, do.Event); err != nil {
		return taken, 0, err
	}
	wanted := 0
	if do.Event.Kind == Receive || do.Event.Kind == Lose || do.Event.Kind == Duplicate {
		wanted = 1
	}
	if len(do.Event.Messages) != wanted {
		return taken, 0, fmt.Errorf("an event of the kind %q has %d messages, not %d", do.Event.Kind, wanted, len(do.Event.Messages))
	}
	if wanted == 1 {
		if place, err = r.find(do.Actor, do.Event, do.Outcome); err != nil {
			return taken, 0, err
		}
		taken.Event.Messages = []Message{r.inboxes[do.Actor][place]}
	}
	return taken, place, nil
}

// step asks for the outcome of an action.
func (r *Run) step(ctx context.Context, taken Taken, do Action) (Outcome, error) {
	answers, err := r.oracle.Steps(ctx, []Question{question(taken.Before, taken.Event)})
	if err != nil {
		return Outcome{}, err
	}
	outcomes := answers[0].Outcomes
	if do.Outcome >= len(outcomes) {
		return Outcome{}, fmt.Errorf("%w: actor %s: the step has %d outcomes, the one wanted is number %d",
			ErrNotEnabled, do.Actor, len(outcomes), do.Outcome+1)
	}
	outcome := outcomes[do.Outcome]
	if err := r.compare(outcome, do.Expected); err != nil {
		return Outcome{}, fmt.Errorf("actor %s, %s: %w", do.Actor, outcome.Handler, err)
	}
	return outcome, nil
}

// question is what the oracle is asked for an event that runs Java.
func question(local []byte, e Event) Question {
	kind := e.Kind
	if kind == Duplicate {
		kind = Receive
	}
	return Question{local, Event{Kind: kind, Messages: e.Messages}}
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
		if _, ok := r.actors[a.Name]; ok || r.stopped[a.Name] {
			return fmt.Errorf("actor %s is created twice", a.Name)
		}
		r.actors[a.Name] = a
	}
	for _, m := range messages {
		if err := r.send(m); err != nil {
			return err
		}
	}
	return nil
}

// Actors are the actors that exist, by name.
func (r *Run) Actors() []Actor {
	var actors []Actor
	for _, name := range slices.Sorted(maps.Keys(r.actors)) {
		actors = append(actors, r.actors[name])
	}
	return actors
}

// Enabled says whether any event other than a fault is enabled.
func (r *Run) Enabled(ctx context.Context) (bool, error) {
	if slices.Contains(r.cuts, true) {
		return true, nil // it may heal
	}
	var questions []Question
	for name, actor := range r.actors {
		if actor.Acts {
			questions = append(questions, question(actor.Local, Event{Kind: Internal}))
		}
		for _, m := range r.heads(name) {
			questions = append(questions, question(actor.Local, Event{Messages: []Message{m}}))
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
// hexadecimal digits of the SHA-256 of the local states, by name, with their inboxes, of the
// history, and of what has gone wrong. The order in inboxes counts where channels keep it.
func (r *Run) Digest() string {
	h := sha256.New()
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
		writeBytes(h, []byte(name))
		writeBytes(h, r.actors[name].Local)
		inbox := r.sorted(name)
		binary.Write(h, binary.BigEndian, uint64(len(inbox)))
		for _, m := range inbox {
			writeBytes(h, []byte(m.Sender))
			writeBytes(h, m.Payload)
		}
	}
	if len(r.history) > 0 {
		writeBytes(h, r.history)
	}
	r.digest(h)
	return hex.EncodeToString(h.Sum(nil)[:8])
}
