// Package live runs the actors of a program for real: each has a UDP socket, time passes, and what chance decides comes from a
// seed. What a handler does is asked of the same model.Oracle that a check asks, so a live run is one of the runs that a check
// explores.
//
//	Relay (sockets, the control port) <- Frames -> Process (local states, inboxes, checkpoints) -> model.Oracle
//
// A Relay runs where sockets may be opened, a Process beside the oracle, which is confined; they talk over pipes. A
// Snapshot is a state from which a check can begin.
package live

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"harrier/internal/model"
	"harrier/internal/model/network"
	"harrier/internal/model/replay"
	"harrier/serializer"
)

// Options say how a Process runs.
type Options struct {
	Seed uint64
	Drop float64 // the share of the messages to other actors that get lost
	// Delay bounds how long a message waits at its receiver, and how long an actor waits that may do something by itself, unless
	// the program says how long a timer takes.
	Delay time.Duration
	Tell  func(line string) // prints what people should know
}

// Counts counts the actions of a Process.
type Counts struct {
	Steps, Sent, Dropped, Refused, Failed int
}

// Process runs some of a program's actors. It is used by one goroutine.
type Process struct {
	Options
	Counts
	oracle  model.Oracle
	to      func(Frame) error
	random  *rand.Rand
	actors  map[string]*actor
	ordinal uint64            // of the last message that was sent; grows from one process to the next that has the same address
	last    map[string]uint64 // by sender and receiver: the ordinal of the last message that arrived
	checkpoints
}

// An actor is one of the process.
type actor struct {
	model.Actor
	inbox   network.Inbox[arrival]
	waiting []arrival            // in the order of the inbox
	plans   map[string]time.Time // the times of its own events
	next    time.Time            // when to look for its next step; zero for not before a message arrives
}

// An arrival is a message in an inbox, which handlers see from some time on.
type arrival struct {
	model.Message
	ready time.Time
}

var envelopes = network.Envelopes[arrival]{
	Sender: func(a arrival) string { return a.Sender },
	Compare: func(a, b arrival) int {
		return cmp.Or(cmp.Compare(a.Sender, b.Sender), bytes.Compare(a.Payload, b.Payload))
	},
}

const (
	mostWaiting = 10_000 // messages in an inbox
	mostTold    = 20     // refused messages that are printed, and not only counted
)

// NewProcess makes a process of the actors with these names, as they are at the start. The error is a *model.UsageError if the
// program needs more of a network than there is.
func NewProcess(oracle model.Oracle, names []string, to func(Frame) error, o Options) (*Process, error) {
	p := &Process{
		Options: o, oracle: oracle, to: to, random: rand.New(rand.NewPCG(o.Seed, 0)),
		actors: map[string]*actor{}, ordinal: uint64(time.Now().UnixNano()), last: map[string]uint64{},
	}
	program := oracle.Program()
	initial := program.Initial
	if program.Clocks.Run() {
		return nil, &model.UsageError{Text: "clocks() has time go on in rounds, and in a live run it goes on as it does: have the scenario say timers().inOrder() in its place"}
	}
	if program.Timers.IsBounded {
		return nil, &model.UsageError{Text: "timers().atMost bounds a check: leave it out of what runs live"}
	}
	if program.TracksConnections() {
		return nil, &model.UsageError{Text: "network().connections() has ends that are told when a connection closes, and in a live run datagrams have none: have the scenario say network().fifo().lossy() in its place"}
	}
	for _, a := range initial.Actors {
		if program.Channel(a.Name).KeepsOrder() && !mayLose(program, a.Name) {
			return nil, &model.UsageError{Text: fmt.Sprintf("messages to %s are to come in order and none may get lost: datagrams do get lost; have the scenario say network().lossy(%q)", a.Name, a.Name)}
		}
	}
	for _, a := range initial.Actors {
		if slices.Contains(names, a.Name) {
			p.add(a)
		}
	}
	for _, m := range initial.Messages {
		if slices.Contains(names, owner(m.Receiver)) {
			p.arrive(m)
		}
	}
	return p, nil
}

// mayLose reports whether the program is one that may lose any message to an actor. A message that is lost is, for
// invariants, one that comes late; not so where it holds up those behind it.
func mayLose(p *model.Program, name string) bool {
	return slices.ContainsFunc(p.Faults, func(f model.Fault) bool {
		return f.Kind == model.Lose && f.Filling == 0 && f.Budget == model.Unbounded && f.Senders == nil && f.Scope.Has(name)
	})
}

func (p *Process) add(a model.Actor) {
	inbox := network.Inbox[arrival]{Channel: p.oracle.Program().Channel(a.Name), Envelopes: &envelopes}
	p.actors[a.Name] = &actor{Actor: a, inbox: inbox, plans: map[string]time.Time{}, next: time.Now()}
}

// owner is the actor of the start that an actor is, or comes from: its children are in the same process.
func owner(name string) string {
	origin, _ := model.Origin(name)
	return origin
}

// Run runs the actors until the context ends, or there are no more frames.
func (p *Process) Run(ctx context.Context, in <-chan Frame) error {
	for {
		next, err := p.step(ctx)
		if err != nil || ctx.Err() != nil {
			return err
		}
		var due <-chan time.Time
		if !next.IsZero() {
			due = time.After(time.Until(next))
		}
		select {
		case <-ctx.Done():
			return nil
		case <-due:
		case f, ok := <-in:
			if !ok {
				return nil
			}
			if err := p.take(f); err != nil {
				return err
			}
		}
	}
}

// take takes in a frame: a datagram, or a question for a snapshot.
func (p *Process) take(f Frame) error {
	if f.Question != 0 {
		answer := p.answer(f.Number, p.now)
		program := p.oracle.Program()
		answer.Version, answer.Scenario, answer.Parameters = snapshotVersion, program.Scenario, program.Parameters
		return p.to(Frame{Question: f.Question, Answer: answer})
	}
	d, err := readDatagram(f.Datagram)
	switch {
	case err != nil:
		p.refuse(f.From, err)
		return nil
	case f.From == "" || owner(d.Sender) != f.From || owner(d.Receiver) != f.To:
		p.refuse(f.From, fmt.Errorf("it says that it is from %q to %q", d.Sender, d.Receiver))
		return nil
	}
	if err := checkNumber(d.number); err != nil {
		p.refuse(f.From, err)
		return nil
	}
	// Who has taken its part of a snapshot sends nothing that others may receive before theirs.
	p.reach(d.number, p.now)
	// Messages that come twice, or after later ones, are lost.
	channel := d.Sender + " " + d.Receiver
	if d.ordinal <= p.last[channel] {
		p.Dropped++
		return nil
	}
	p.last[channel] = d.ordinal
	p.arrive(d.Message)
	return nil
}

// refuse drops a message that is not the program's.
func (p *Process) refuse(from string, err error) {
	p.Refused++
	if p.Refused <= mostTold {
		reason, _, _ := strings.Cut(err.Error(), "\n")
		if _, format, found := strings.Cut(reason, "FormatException: "); found {
			reason = format
		}
		p.Tell(fmt.Sprintf("refused a message from %s: %s", cmp.Or(from, "somebody else"), reason))
	}
}

// arrive puts a message into its receiver's inbox. The scenario's messages do not wait.
func (p *Process) arrive(m model.Message) {
	a := p.actors[m.Receiver]
	if a == nil {
		return // it stopped
	}
	if len(a.waiting) == mostWaiting {
		p.refuse(m.Sender, fmt.Errorf("%d messages wait for %s", mostWaiting, a.Name))
		return
	}
	ready := time.Now()
	if m.Sender != "" {
		ready = ready.Add(p.upTo(p.Delay))
	}
	for _, other := range a.waiting {
		if a.inbox.SameQueue(other, arrival{Message: m}) && other.ready.After(ready) {
			ready = other.ready
		}
	}
	a.waiting = a.inbox.Put(a.waiting, arrival{m, ready})
	a.wake(ready)
}

func (p *Process) upTo(most time.Duration) time.Duration {
	return time.Duration(p.random.Uint64N(uint64(most) + 1))
}

// wake has the actor looked at when it is time.
func (a *actor) wake(at time.Time) {
	if a.next.IsZero() || at.Before(a.next) {
		a.next = at
	}
}

// step takes one step of each actor for which there is one, and gives the time of the next; zero without one.
func (p *Process) step(ctx context.Context) (next time.Time, err error) {
	for _, name := range slices.Sorted(maps.Keys(p.actors)) {
		a := p.actors[name]
		if !a.next.IsZero() && !a.next.After(time.Now()) {
			if err := p.look(ctx, a); err != nil {
				return next, err
			}
		}
	}
	for _, a := range p.actors {
		if !a.next.IsZero() && (next.IsZero() || a.next.Before(next)) {
			next = a.next
		}
	}
	return next, nil
}

// look has an actor take a step, if one is due.
func (p *Process) look(ctx context.Context, a *actor) error {
	now := time.Now()
	a.next = time.Time{}
	var ready []model.Message
	for _, m := range a.waiting {
		if m.ready.After(now) {
			a.wake(m.ready)
		} else {
			ready = append(ready, m.Message)
		}
	}
	actions, err := replay.Possible(ctx, p.oracle, model.Initial{Actors: []model.Actor{a.Actor}, Messages: ready})
	if err != nil {
		return p.weed(ctx, a, ready, err)
	}
	due := p.due(a, actions, now)
	if len(due) == 0 {
		return nil
	}
	a.next = now // there may be more to do
	outcomes := due[p.random.IntN(len(due))]
	return p.perform(a, outcomes[p.random.IntN(len(outcomes))])
}

// weed takes messages out of an inbox that the program cannot read, or has no handler for. If there is nothing of that kind, err stands.
func (p *Process) weed(ctx context.Context, a *actor, ready []model.Message, err error) error {
	if model.EndReason(ctx, err) != "" {
		return err
	}
	for _, m := range ready {
		alone := model.Initial{Actors: []model.Actor{a.Actor}, Messages: []model.Message{m}}
		if _, cause := replay.Possible(ctx, p.oracle, alone); cause != nil {
			p.refuse(m.Sender, cause)
			a.remove(m)
			a.next, err = time.Now(), nil
		}
	}
	return err
}

// due groups the actions whose time has come by event.
func (p *Process) due(a *actor, actions []model.Action, now time.Time) [][]model.Action {
	var due [][]model.Action
	places, plans := map[string]int{}, map[string]time.Time{}
	for _, action := range actions {
		key := eventKey(action)
		if action.Event.Kind == model.Internal {
			at, planned := a.plans[key]
			if !planned {
				at = now.Add(p.untilFiring(a, action.Expected.Fired))
			}
			if plans[key] = at; at.After(now) {
				a.wake(at)
				continue
			}
		}
		place, ok := places[key]
		if !ok {
			place, places[key] = len(due), len(due)
			due = append(due, nil)
		}
		due[place] = append(due[place], action)
	}
	a.plans = plans
	return due
}

// eventKey tells the events of an actor apart.
func eventKey(action model.Action) string {
	if action.Event.Kind == model.Internal {
		return pendingKey(action.Expected.Handler, action.Expected.Fired)
	}
	key := ""
	for _, m := range action.Event.Messages {
		key += fmt.Sprintf("%s\x00%x\x00", m.Sender, m.Payload)
	}
	return key
}

// pendingKey identifies a timer of an actor, or the handler of another event of its own.
func pendingKey(handler string, timer []byte) string {
	if len(timer) > 0 {
		handler = ""
	}
	return handler + "\x00" + string(timer)
}

// untilFiring is how long an actor waits with an event of its own: as long as the timer takes, where its duration is
// part of the local state.
func (p *Process) untilFiring(a *actor, fired []byte) time.Duration {
	if least, most, ok := serializer.Durations(a.Local, fired); ok {
		return time.Duration(least) + p.upTo(time.Duration(most-least))
	}
	return p.upTo(p.Delay)
}

// perform carries out the effects of an action.
func (p *Process) perform(a *actor, action model.Action) error {
	o := action.Expected
	p.Steps++
	if o.Failure != nil {
		p.Failed++
		p.Tell(fmt.Sprintf("%s is gone: %s fails: %s", a.Name, o.Handler, o.Failure.Text))
		delete(p.actors, a.Name)
		return nil
	}
	if len(o.Records) > 0 {
		return &model.UsageError{Text: "the scenario keeps a history of operations, and nobody sees all of them in a live run: leave it out of the properties"}
	}
	for _, m := range action.Event.Messages {
		a.remove(m)
	}
	delete(a.plans, eventKey(action))
	for _, e := range o.Renewed {
		delete(a.plans, pendingKey(e.Task, e.Timer))
	}
	a.Local, a.Acts = slices.Clone(o.Local), o.Acts
	if o.Stopped {
		delete(p.actors, a.Name)
	}
	for _, c := range o.Creates {
		p.add(c)
	}
	if _, requests := network.Requests(o.Sends); len(requests) > 0 {
		return &model.UsageError{Text: fmt.Sprintf("%s watches %s, and in a live run nobody tells it when that has gone: run it without watch", requests[0].Sender, requests[0].Receiver)}
	}
	var err error
	for _, m := range o.Sends {
		err = errors.Join(err, p.send(m))
	}
	return err
}

// remove takes one message out of the inbox.
func (a *actor) remove(m model.Message) {
	place := slices.IndexFunc(a.waiting, func(b arrival) bool { return envelopes.Compare(b, arrival{Message: m}) == 0 })
	a.waiting = a.inbox.Take(a.waiting, place)
}

// send puts a message on its way.
func (p *Process) send(m model.Message) error {
	p.Sent++
	if owner(m.Sender) == owner(m.Receiver) {
		p.arrive(m)
		return nil
	}
	if p.random.Float64() < p.Drop {
		p.Dropped++
		return nil
	}
	p.ordinal++
	d := datagram{number: p.number, ordinal: p.ordinal, Message: m}
	b, err := d.write()
	if err != nil {
		p.Dropped++
		p.Tell(err.Error())
		return nil
	}
	return p.to(Frame{From: owner(m.Sender), To: owner(m.Receiver), Datagram: b})
}

// now is the present state of the process.
func (p *Process) now() model.Initial {
	var s model.Initial
	for _, name := range slices.Sorted(maps.Keys(p.actors)) {
		a := p.actors[name]
		s.Actors = append(s.Actors, a.Actor)
		for _, m := range a.waiting {
			s.Messages = append(s.Messages, m.Message)
		}
	}
	return s
}
