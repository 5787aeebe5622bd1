package model

import (
	"cmp"
	"context"
	"fmt"
	"slices"
)

// eventsOf lists the events that the node may have; the oracle says which are enabled. Equal
// messages make one event. Their order is that of the messages' relevant parts, not of their ids, so
// that all ways to search take transitions in the same order.
func (a *Actors) eventsOf(n *node) []uint32 {
	if n.local == 0 {
		return nil
	}
	messages := slices.Compact(slices.Clone(*a.inboxes.at(n.inbox)))
	slices.SortFunc(messages, func(x, y MessageID) int {
		return cmp.Compare(a.messages.at(x).order, a.messages.at(y).order)
	})
	var events []uint32
	for _, m := range messages {
		e := event{Receive, []MessageID{m}}
		id := a.events.intern(idsKey(uint32(e.kind), m), func() event { return e })
		events = append(events, id)
	}
	return events
}

// expand finds the steps of all nodes of s that are not expanded yet. It asks the oracle for all
// the local steps that it lacks in one batch, and waits for those that others are asking for.
func (a *Actors) expand(ctx context.Context, s State) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	for {
		unknown, waiting := a.unknown(s)
		switch {
		case len(unknown) > 0:
			if err := a.ask(ctx, unknown); err != nil {
				return err
			}
		case waiting:
			a.answered.Wait()
		default:
			for _, n := range s[1:] {
				if n != 0 && !a.nodes.At(n).expanded() {
					a.connect(a.nodes.At(n))
				}
			}
			a.counts.publish(a)
			return nil
		}
	}
}

// unknown lists the local steps of s that nobody asked for yet, and says whether there are others that
// were not answered yet.
func (a *Actors) unknown(s State) (unknown []localStep, waiting bool) {
	for _, n := range s[1:] {
		if n == 0 || a.nodes.At(n).expanded() {
			continue
		}
		l := a.nodes.At(n).local
		for _, e := range a.eventsOf(a.nodes.At(n)) {
			if _, known := a.numbers.Get(l, e); known {
				continue
			}
			if a.asking[localStep{l, e}] {
				waiting = true
			} else {
				unknown = append(unknown, localStep{l, e})
			}
		}
	}
	return unknown, waiting
}

// ask gets the answers to local steps. Others may use the tables while the oracle works.
func (a *Actors) ask(ctx context.Context, steps []localStep) error {
	var questions []Question
	for _, st := range steps {
		a.asking[st] = true
		questions = append(questions, Question{Local: a.locals.at(st.local).bytes, Event: a.Event(st.event)})
	}
	a.mu.Unlock()
	answers, err := a.oracle.Steps(ctx, questions)
	a.mu.Lock()
	for _, st := range steps {
		delete(a.asking, st)
	}
	defer a.answered.Broadcast()
	if err != nil {
		return err
	}
	if len(answers) != len(questions) {
		return fmt.Errorf("the oracle gave %d answers to %d questions", len(answers), len(questions))
	}
	for i, st := range steps {
		answer, err := a.internAnswer(st, answers[i])
		if err != nil {
			return err
		}
		a.answers = append(a.answers, answer)
		a.numbers.Put(st.local, st.event, uint32(len(a.answers)-1))
		a.counts.executions += uint64(answers[i].Executions)
	}
	return nil
}

// connect turns the answers to a node's events into its steps.
func (a *Actors) connect(n *node) {
	var steps []step
	for _, e := range a.eventsOf(n) {
		number, _ := a.numbers.Get(n.local, e)
		outcomes := a.answers[number].outcomes
		if len(outcomes) == 0 {
			continue
		}
		rest := a.without(n.inbox, a.events.at(e).messages)
		for k, o := range outcomes {
			st := step{handler: o.handler, effects: *a.spans.at(o.effects), failure: o.failure, event: e, outcome: uint32(k)}
			if o.failure == 0 {
				st.next, st.mark = a.node(o.local, rest), a.globals.mark(o.records, a.last(e))
				st.effect, _ = a.affected.GetOrPut(o.effects, st.mark, func() (uint32, error) { return uint32(a.affected.Len() + 1), nil })
			}
			steps = append(steps, st)
		}
	}
	n.expand(span{a.steps.AddAll(steps), uint32(len(steps))})
}

// last is what a state remembers of the event that led to it.
func (a *Actors) last(event uint32) uint32 {
	if a.Hashing == Full {
		return event
	}
	return 0
}

func (a *Actors) internAnswer(st localStep, given Answer) (answer, error) {
	out := answer{localStep: st}
	for _, o := range given.Outcomes {
		interned, err := a.internOutcome(*a.locals.at(st.local), o)
		if err != nil {
			return out, err
		}
		out.outcomes = append(out.outcomes, interned)
	}
	return out, nil
}

func (a *Actors) internOutcome(before local, o Outcome) (outcome, error) {
	out := outcome{handler: a.handler(o.Handler), records: cloned(o.Records)}
	if o.Failure != nil {
		out.failure = a.failures.Add(&StepFailure{Handler: o.Handler, Failure: o.Failure})
		return out, nil
	}
	if len(o.Creates) > 0 {
		a.hasCreated.Store(true)
	}
	if len(o.Records) > 0 {
		a.hasRecords.Store(true)
	}
	var err error
	if out.local, err = a.internLocal(before.position, before.class, o.Local); err != nil {
		return out, err
	}
	effects, err := a.internEffects(o.Creates, o.Sends)
	out.effects = a.spans.intern(effectsKey(effects), func() span {
		return span{a.effects.AddAll(effects), uint32(len(effects))}
	})
	return out, err
}

func effectsKey(effects []effect) string {
	var ids []uint32
	for _, e := range effects {
		ids = append(ids, e.position, e.message, e.local)
	}
	return idsKey(ids...)
}

// internEffects puts creations before deliveries; otherwise the order does not matter, since
// inboxes are multisets.
func (a *Actors) internEffects(creates []Actor, sends []Message) ([]effect, error) {
	var effects []effect
	for _, c := range creates {
		position := a.position(c.Name)
		id, err := a.internLocal(position, c.Class, c.Local)
		if err != nil {
			return nil, err
		}
		effects = append(effects, effect{position: position, local: id})
	}
	for _, m := range sends {
		id, err := a.internMessage(m)
		if err != nil {
			return nil, err
		}
		effects = append(effects, effect{position: a.messages.at(id).position, message: id})
	}
	return effects, nil
}

// internLocal gives local states that are not told apart the same id. The first that is met stands
// for them: Java executes on it.
func (a *Actors) internLocal(position uint32, class string, bytes []byte) (LocalID, error) {
	hashed, err := a.hashed(bytes)
	if err != nil {
		return 0, err
	}
	presence := a.presences.intern(key(*a.names.at(position), class), func() struct{} { return struct{}{} })
	id := a.locals.intern(string(hashed), func() local { return local{slices.Clone(bytes), class, position, presence} })
	a.localVariants.note(id, a.locals.at(id).bytes, bytes)
	return id, nil
}

func (a *Actors) internMessage(m Message) (MessageID, error) {
	relevant, err := a.relevant(m.Payload)
	if err != nil {
		return 0, err
	}
	order := envelopeKey(m, relevant)
	hashed := order
	if a.Hashing == Full {
		hashed = envelopeKey(m, m.Payload)
		order += hashed
	}
	id := a.messages.intern(hashed, func() message {
		m.Payload = slices.Clone(m.Payload) // it is part of a whole batch of answers
		return message{m, a.position(m.Receiver), order}
	})
	a.messageVariants.note(id, a.messages.at(id).Payload, m.Payload)
	return id, nil
}

func (a *Actors) position(name string) uint32 {
	return a.names.intern(name, func() string { return name })
}
