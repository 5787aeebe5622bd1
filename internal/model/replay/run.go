// Package replay executes programs concretely: every local step is asked of the oracle again, on bytes, with none
// of the tables that a search uses. What a search found is believed once a Run has repeated it.
package replay

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"

	"harrier/internal/model"
	"harrier/internal/model/network"
	"harrier/internal/model/space"
)

// Run executes a program concretely.
//
// A search steps on representatives: local states and messages that stand for all with the same
// hashed part. A Run takes the action on concrete ones, and compares the hashed parts.
type Run struct {
	inboxes
	oracle  model.Oracle
	actors  map[string]model.Actor
	history []byte
	round   int // how often time went on
}

// Taken says what a step of a Run did.
type Taken struct {
	Actor  string
	Event  model.Event
	Before []byte // the actor's local state; empty if it does not exist
	// Outcome of an event that runs no Java has no Handler, and the local state as it was. What an adversary sends is among the sends.
	Outcome model.Outcome
	Lost    []model.Message // with connections that closed, or sent on such
	// Of time that goes on: the number of the round, from 1, and the clocks after it, by actors' names.
	Round  int
	Clocks []Clock
}

// ErrNotEnabled is the error of an action that is not enabled in the run's present state.
var ErrNotEnabled = errors.New("not enabled")

// ErrDiffers is the error of an action with another outcome than expected.
var ErrDiffers = errors.New("it does not do what the search saw it do")

// New starts a run in the initial state.
func New(oracle model.Oracle, d space.Decomposition) (*Run, error) {
	program := oracle.Program()
	r := &Run{
		inboxes: newInboxes(program, d),
		oracle:  oracle,
		actors:  map[string]model.Actor{},
		history: program.Initial.History,
		round:   program.Initial.Round,
	}
	messages, requests := network.Requests(program.Initial.Messages)
	r.links, _ = program.Initial.Links.After(network.LinkChange{Requests: requests})
	for _, m := range append(slices.Clone(program.Initial.Open), messages...) {
		if program.TracksConnections() && program.OnConnection(m) && (program.Initial.Open == nil || m.IsOpened()) {
			r.open[lineOf(m.Sender, m.Receiver)] = true
		}
	}
	if err := r.add(program.Initial.Actors, messages); err != nil {
		return nil, err
	}
	return r, nil
}

// Clone is a run in the same state, which goes on by itself.
func (r *Run) Clone() *Run {
	c := *r
	c.actors, c.stopped, c.budgets, c.open = maps.Clone(r.actors), maps.Clone(r.stopped), slices.Clone(r.budgets), maps.Clone(r.open)
	c.waiting, c.delivered = clonePart(r.waiting), clonePart(r.delivered)
	return &c
}

// Take executes an action. A failing handler is an Outcome with a Failure and changes nothing.
func (r *Run) Take(ctx context.Context, do model.Action) (Taken, error) {
	if do.Event.Kind == model.Tick {
		return r.tick(ctx, do)
	}
	taken, places, err := r.prepare(do)
	if err != nil {
		return Taken{}, fmt.Errorf("%w: actor %s: %w", ErrNotEnabled, do.Actor, err)
	}
	if r.runsJava(do.Event.Kind, do.Actor, r.actors[do.Actor].Class) {
		if taken.Outcome, err = r.step(ctx, taken, do); err != nil {
			return Taken{}, err
		}
	}
	outcome := taken.Outcome
	if outcome.Failure != nil {
		return taken, nil
	}
	if len(outcome.Records) > 0 {
		histories, err := r.oracle.Record(ctx, []model.Extension{{History: r.history, Records: outcome.Records}})
		if err != nil {
			return Taken{}, err
		}
		r.history = histories[0]
	}
	r.spend(taken.Event)
	r.lost = nil
	messages, requests := network.Requests(outcome.Sends)
	if r.program.Watches() {
		r.links, _ = r.links.After(r.program.LinkChange(do.Event.Kind, do.Actor, do.Event.Messages, outcome.Stopped, requests))
	}
	if err := r.take(do.Actor, r.actors[do.Actor].Class, taken.Event, places); err != nil {
		return Taken{}, err
	}
	if messages, err = r.connect(taken.Event, do.Actor, outcome.Stopped, messages); err != nil {
		return Taken{}, err
	}
	taken.Lost = r.lost
	ahead := r.actors[do.Actor].Ahead // of the clock that those have that it creates
	switch actor, ok := r.actors[do.Actor]; {
	case outcome.Stopped:
		delete(r.actors, do.Actor)
		actor.Local, actor.Acts = outcome.Local, outcome.Acts
		r.stop(actor)
	case ok:
		actor.Local, actor.Acts = outcome.Local, outcome.Acts
		actor.Down = do.Event.Kind.GoesDown() || actor.Down && do.Event.Kind != model.Recover
		r.actors[do.Actor] = actor
	}
	created := slices.Clone(outcome.Creates)
	for i := range created {
		created[i].Ahead = ahead
	}
	return taken, r.add(created, messages)
}

// prepare finds the actor and messages of an action, and its outcome if it runs no Java.
func (r *Run) prepare(do model.Action) (taken Taken, places []int, err error) {
	actor, exists := r.actors[do.Actor]
	taken = Taken{Actor: do.Actor, Event: do.Event, Before: actor.Local}
	taken.Outcome = model.Outcome{Local: actor.Local, Acts: actor.Acts, Stopped: do.Event.Kind == model.Stop}
	if !exists && do.Event.Kind.NeedsActor() {
		return taken, nil, errors.New("there is no such actor")
	}
	if actor.Down && do.Event.Kind.NeedsUp() {
		return taken, nil, errors.New("it is down")
	}
	if err := r.admits(actor, do); err != nil {
		return taken, nil, err
	}
	if err := checkCount(do.Event); err != nil {
		return taken, nil, err
	}
	switch k := do.Event.Kind; {
	case k == model.Internal, k.IsWithin() && len(do.Event.Messages) == 0:
		if len(r.delivered[do.Actor]) > 0 && r.program.Delivery == model.MP {
			return taken, nil, errors.New("what was delivered to it has to be consumed first")
		}
	case k == model.Notify:
		err = r.isTold(do.Actor, do.Event.Messages[0])
	case k == model.Disconnect:
		places, taken.Event.Messages, err = r.findDisconnected(do.Actor, do.Event.Messages[0])
	case k == model.Drop:
		if places, taken.Event.Messages, err = r.findDisconnected(do.Actor, do.Event.Messages[0]); err == nil {
			places = places[:len(places)-1]
		}
	case k == model.Break, k == model.Refuse:
		err = r.mayEnd(actor, do)
	case k == model.Byzantine:
		taken.Event.Messages, err = r.byzantineSend(do.Actor, do.Event)
		taken.Outcome.Sends = taken.Event.Messages
	case k == model.Receive, k.IsWithin():
		places, taken.Event.Messages, err = r.findConsumed(do.Actor, do.Event.Messages)
	case k == model.Deliver, k == model.Lose, k == model.Duplicate:
		var place int
		if place, err = r.find(do.Actor, actor.Class, do.Event, do.Outcome); err == nil {
			places, taken.Event.Messages = []int{place}, []model.Message{r.waiting[do.Actor][place]}
		}
	}
	if err == nil {
		err = r.passes(taken.Event)
	}
	return taken, places, err
}

// checkCount reports whether an event has as many messages as events of its kind have.
func checkCount(e model.Event) error {
	count := len(e.Messages)
	switch e.Kind {
	case model.Receive:
		if count == 0 {
			return errors.New("it receives no message")
		}
	case model.RestartWithin, model.StopWithin, model.CrashWithin: // within an internal event, or the reception of any number
	case model.Lose, model.Duplicate, model.Deliver, model.Byzantine, model.Notify, model.Disconnect, model.Break, model.Refuse, model.Drop:
		if count != 1 {
			return fmt.Errorf("an event of the kind %q has one message, not %d", e.Kind, count)
		}
	default:
		if count != 0 {
			return fmt.Errorf("an event of the kind %q has no messages, not %d", e.Kind, count)
		}
	}
	return nil
}

// step asks for the outcome of an action.
func (r *Run) step(ctx context.Context, taken Taken, do model.Action) (model.Outcome, error) {
	answers, err := r.oracle.Steps(ctx, []model.Question{question(taken.Before, taken.Event)})
	if err != nil {
		return model.Outcome{}, err
	}
	outcomes := answers[0].Outcomes
	if do.Outcome >= len(outcomes) {
		return model.Outcome{}, fmt.Errorf("%w: actor %s: the step has %d outcomes, the one wanted is number %d",
			ErrNotEnabled, do.Actor, len(outcomes), do.Outcome+1)
	}
	outcome := outcomes[do.Outcome]
	if err := r.compare(outcome, do.Expected); err != nil {
		return model.Outcome{}, fmt.Errorf("actor %s, %s: %w", do.Actor, outcome.Handler, err)
	}
	return outcome, nil
}

// question is what the oracle is asked for an event that runs Java.
func question(local []byte, e model.Event) model.Question {
	messages := slices.Clone(e.Messages)
	for i := range messages {
		messages[i].Age = 0 // which makes no difference to an actor
	}
	return model.Question{Local: local, Event: model.Event{Kind: e.Kind.Asked(), Messages: messages}}
}

// compare reports whether an outcome is the expected one as far as it is hashed.
func (r *Run) compare(got model.Outcome, expected *model.Outcome) error {
	if expected == nil {
		return nil
	}
	a, err := r.OutcomeKey(got, r.program.Channel)
	if err != nil {
		return err
	}
	b, err := r.OutcomeKey(*expected, r.program.Channel)
	if err == nil && a != b {
		err = ErrDiffers
	}
	return err
}

func (r *Run) add(actors []model.Actor, messages []model.Message) error {
	for _, a := range actors {
		_, exists := r.actors[a.Name]
		if _, stopped := r.stopped[a.Name]; exists || stopped {
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
func (r *Run) Actors() []model.Actor {
	return byName(r.actors)
}

// Visible are the actors that properties may read: those that exist, by name, and where properties see that those that have stopped.
func (r *Run) Visible() []model.Actor {
	all := byName(r.actors)
	if !r.program.SeesStopped {
		return all
	}
	for _, a := range byName(r.stopped) {
		if a.Stopped = true; a.Name != "" { // else an adversary
			all = append(all, a)
		}
	}
	return all
}

func byName(actors map[string]model.Actor) (all []model.Actor) {
	for _, name := range slices.Sorted(maps.Keys(actors)) {
		all = append(all, actors[name])
	}
	return all
}

// Pending are the messages in flight, and those delivered and not consumed, by receiver.
func (r *Run) Pending() []model.Message {
	names := maps.Clone(r.waiting)
	maps.Copy(names, r.delivered)
	var pending []model.Message
	for _, name := range slices.Sorted(maps.Keys(names)) {
		pending = append(append(pending, r.waiting[name]...), r.delivered[name]...)
	}
	return pending
}

// History is the history of operations so far, in structured bytes; empty if it holds none.
func (r *Run) History() []byte { return r.history }

// Evaluate asks for a property in the run's present state.
func (r *Run) Evaluate(ctx context.Context, property int) (model.Judgement, error) {
	e := model.Evaluation{Property: property, History: r.history, Actors: r.Visible()}
	if r.program.SeesInFlight {
		e.InFlight = slices.DeleteFunc(r.Pending(), model.Message.IsClosed)
	}
	judgements, err := r.oracle.Evaluate(ctx, []model.Evaluation{e})
	if err != nil {
		return model.Judgement{}, err
	}
	return judgements[0], nil
}

// Relevant is the Digest of what the search tells states apart by.
func (r *Run) Relevant() (string, error) {
	c := r.Clone()
	for name, a := range c.actors {
		var err error
		if a.Local, err = r.Hashed(a.Local); err != nil {
			return "", err
		}
		c.actors[name] = a
	}
	for _, part := range []map[string][]model.Message{c.waiting, c.delivered} {
		for _, messages := range part {
			for i, m := range messages {
				var err error
				if messages[i].Payload, err = r.Hashed(m.Payload); err != nil {
					return "", err
				}
				messages[i].Sender = r.HashedSender(m)
			}
		}
	}
	return c.Digest(), nil
}

// Digest identifies the present global state, whatever the order in which it came about: 16
// hexadecimal digits of the SHA-256 of the local states, by name, with the messages in flight to them, of the
// history, of messages delivered, and of faults taken. The order of messages counts where channels keep it.
func (r *Run) Digest() string {
	h := sha256.New()
	names := map[string]bool{}
	for name := range r.actors {
		names[name] = true
	}
	for name, waiting := range r.waiting {
		if len(waiting) > 0 {
			names[name] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		writeBytes(h, []byte(name))
		writeBytes(h, r.actors[name].Local)
		if r.actors[name].Down {
			writeBytes(h, []byte("down"))
		}
		if ahead := r.actors[name].Ahead; ahead != 0 {
			writeBytes(h, fmt.Append(nil, "ahead ", ahead))
		}
		writeMessages(h, r.sorted(r.waiting, name))
	}
	if len(r.history) > 0 {
		writeBytes(h, r.history)
	}
	if r.round > 0 {
		writeBytes(h, fmt.Append(nil, "round ", r.round))
	}
	r.digest(h)
	return hex.EncodeToString(h.Sum(nil)[:8])
}
