package model

import (
	"context"
	"fmt"
	"slices"
)

// eventsOf lists the events that the node may have; the oracle says which are enabled. Equal
// messages make one event.
func (a *Actors) eventsOf(n NodeID) []uint32 {
	nd := a.nodes.at(n)
	if nd.local == 0 {
		return nil
	}
	var events []uint32
	for _, m := range slices.Compact(slices.Clone(*a.inboxes.at(nd.inbox))) {
		e := event{Receive, []MessageID{m}}
		id := a.events.intern(idsKey(uint32(e.kind), m), func() event { return e })
		events = append(events, id)
	}
	return events
}

// expand finds the steps of all nodes of s that are not expanded yet. It asks the oracle for all
// the local steps that it lacks in one batch.
func (a *Actors) expand(ctx context.Context, s State) error {
	var fresh []NodeID
	for _, n := range s[1:] {
		if n != 0 && !a.nodes.at(n).expanded {
			fresh = append(fresh, n)
		}
	}
	if err := a.ask(ctx, fresh); err != nil {
		return err
	}
	for _, n := range fresh {
		a.connect(n)
	}
	a.counts.publish(a)
	return nil
}

// ask gets the answers to the local steps of the nodes that are not known yet.
func (a *Actors) ask(ctx context.Context, fresh []NodeID) error {
	type pair struct {
		local LocalID
		event uint32
	}
	var asked []pair
	var questions []Question
	for _, n := range fresh {
		l := a.nodes.at(n).local
		for _, e := range a.eventsOf(n) {
			if _, known := a.steps.Get(l, e); known {
				continue
			}
			asked = append(asked, pair{l, e})
			questions = append(questions, Question{Local: a.locals.at(l).bytes, Event: a.Event(e)})
		}
	}
	if len(questions) == 0 {
		return nil
	}
	answers, err := a.oracle.Steps(ctx, questions)
	if err != nil {
		return err
	}
	if len(answers) != len(questions) {
		return fmt.Errorf("the oracle gave %d answers to %d questions", len(answers), len(questions))
	}
	for i, p := range asked {
		a.steps.Put(p.local, p.event, uint32(len(a.answers)))
		a.answers = append(a.answers, a.internAnswer(p.local, answers[i]))
		a.counts.executions += uint64(answers[i].Executions)
	}
	return nil
}

// connect turns the answers to a node's events into its steps.
func (a *Actors) connect(n NodeID) {
	var steps []step
	l, inbox := a.nodes.at(n).local, a.nodes.at(n).inbox
	for _, e := range a.eventsOf(n) {
		number, _ := a.steps.Get(l, e)
		outcomes := a.answers[number].outcomes
		if len(outcomes) == 0 {
			continue
		}
		rest := a.without(inbox, a.events.at(e).messages)
		for k, o := range outcomes {
			st := step{handler: o.handler, effects: o.effects, failure: o.failure, event: e, outcome: uint32(k)}
			if o.failure == nil {
				st.next = a.node(o.local, rest)
			}
			steps = append(steps, st)
		}
	}
	nd := a.nodes.at(n)
	nd.steps, nd.expanded = steps, true
}

func (a *Actors) internAnswer(l LocalID, given Answer) answer {
	before := *a.locals.at(l)
	var out answer
	for _, o := range given.Outcomes {
		if o.Failure != nil {
			out.outcomes = append(out.outcomes, outcome{
				handler: a.handler(o.Handler),
				failure: &StepFailure{Handler: o.Handler, Failure: o.Failure},
			})
			continue
		}
		if len(o.Creates) > 0 {
			a.hasCreated = true
		}
		out.outcomes = append(out.outcomes, outcome{
			handler: a.handler(o.Handler),
			local:   a.internLocal(before.position, before.class, o.Local),
			effects: a.internEffects(o.Creates, o.Sends),
		})
	}
	return out
}

// internEffects puts creations before deliveries; otherwise the order does not matter, since
// inboxes are multisets.
func (a *Actors) internEffects(creates []Actor, sends []Message) []effect {
	var effects []effect
	for _, c := range creates {
		position := a.position(c.Name)
		effects = append(effects, effect{
			position: position,
			local:    a.internLocal(position, c.Class, c.Local),
		})
	}
	for _, m := range sends {
		id := a.internMessage(m)
		effects = append(effects, effect{position: a.messages.at(id).position, message: id})
	}
	return effects
}

func (a *Actors) internLocal(position uint32, class string, bytes []byte) LocalID {
	presence := a.presences.intern(key(*a.names.at(position), class), func() struct{} { return struct{}{} })
	return a.locals.intern(string(bytes), func() local { return local{slices.Clone(bytes), class, position, presence} })
}

func (a *Actors) internMessage(m Message) MessageID {
	return a.messages.intern(key(m.Sender, m.Receiver, string(m.Payload)), func() message {
		m.Payload = slices.Clone(m.Payload) // it is part of a whole batch of answers
		return message{m, a.position(m.Receiver)}
	})
}

func (a *Actors) position(name string) uint32 {
	return a.names.intern(name, func() string { return name })
}
