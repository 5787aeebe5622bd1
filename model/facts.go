package model

import (
	"fmt"
	"sync/atomic"
)

// Program is the program that the system was made from.
func (a *Actors) Program() *Program { return a.program }

// Oracle is what the system asks.
func (a *Actors) Oracle() Oracle { return a.oracle }

// Decomposes reports whether states are told apart by less than all of their bytes.
func (a *Actors) Decomposes() bool { return a.Relevant != nil && a.Hashing == Selective }

// HandlerLabel names the handler with a number that Facts gave.
func (a *Actors) HandlerLabel(number int) string { return *a.handlers.At(uint32(number)) }

// Handlers is how many handlers have numbers so far. These count from 1.
func (a *Actors) Handlers() int { return a.handlers.Len() }

// Local is the local state of the actor at a position of s, 0 if it does not exist there.
func (a *Actors) Local(s State, position int) LocalID { return a.LocalOf(s[position]) }

// LocalOf is the local state of a node, 0 if it is that of no actor.
func (a *Actors) LocalOf(n NodeID) LocalID { return a.nodes.At(n).local }

// Part identifies what a property can read of s at a position: what it observes of an actor, or, at position 0, the history.
func (a *Actors) Part(property int, s State, position int) uint32 {
	if position == 0 {
		return a.historyOf(s)
	}
	return a.Observed(property, a.Local(s, position))
}

func (a *Actors) historyOf(s State) uint32 { return a.globals.interned.At(s[0]).history }

// History is the history of operations in s, in structured bytes; empty if it holds none.
func (a *Actors) History(s State) []byte { return *a.globals.histories.At(a.historyOf(s)) }

// Pending implements System.
func (a *Actors) Pending(s State) int {
	n := 0
	for _, id := range s[1:] {
		n += len(*a.inboxes.At(a.nodes.At(id).waiting)) + len(*a.inboxes.At(a.nodes.At(id).delivered))
	}
	return n
}

// Actor describes the actor that has a local state.
func (a *Actors) Actor(l LocalID) Actor {
	v := a.locals.At(l)
	return Actor{Name: *a.names.At(v.position), Class: v.class, Local: v.bytes, Acts: v.acts}
}

// Event gives an interned event with its messages.
func (a *Actors) Event(id uint32) Event {
	e := a.events.At(id)
	out := Event{Kind: e.kind, Fault: e.fault}
	for _, m := range e.messages {
		out.Messages = append(out.Messages, a.messages.At(m).Message)
	}
	return out
}

// LiveActors identifies the actors that exist in s, by name and class. It is 0 for the actors of the
// initial state as long as no step creates or stops any.
func (a *Actors) LiveActors(s State) uint32 {
	if !a.varies.Load() {
		return 0
	}
	live := uint32(nobody)
	for position := 1; position < len(s); position++ {
		l := a.Local(s, position)
		if l == 0 {
			continue
		}
		live, _ = a.liveSets.GetOrPut(live, a.locals.At(l).presence, func() (uint32, error) {
			return uint32(a.liveSets.Len() + nobody + 1), nil
		})
	}
	return live
}

// nobody stands for no actors. (0 stands for those of the initial state.)
const nobody = 1

// EventID identifies what a transition is, whatever the local state in which its actor takes it: the event, with the messages that it
// consumes, and which of the outcomes.
type EventID struct{ Event, Outcome uint32 }

// Action is a transition in concrete terms: which actor does what, and with which outcome.
type Action struct {
	Actor string
	Event Event
	// Outcome is an index in the answer's outcomes; of a message that is lost or duplicated by no handler, how many equal
	// ones are before it.
	Outcome int
	// Expected is what the step does, as far as it is relevant; nil if that is not known, or follows from the event.
	Expected *Outcome
}

// Actions describes the transitions of a path from the initial state. The last one may fail.
func (a *Actors) Actions(path []Transition) ([]Action, error) {
	s := a.Initial()
	var actions []Action
	for i, t := range path {
		st := a.step(s[t.Slot+1], t.Step)
		expected := a.expected(a.nodes.At(s[t.Slot+1]).local, st)
		actions = append(actions, Action{*a.names.At(t.Slot + 1), a.Event(st.event), int(st.outcome), expected})
		var err error
		if s, _, err = a.Apply(s, t, nil); err != nil && i < len(path)-1 {
			return nil, fmt.Errorf("following the path to its step %d: %w", i+1, err)
		}
	}
	return actions, nil
}

// expected is a step from a local state as an outcome, on the representatives of what is interned. It is nil if no Java runs.
func (a *Actors) expected(from LocalID, st *step) *Outcome {
	if st.handler == 0 {
		return nil
	}
	o := &Outcome{Handler: a.HandlerLabel(int(st.handler))}
	if st.failure != 0 {
		o.Failure = (*a.failures.At(st.failure)).Failure
		return o
	}
	number, _ := a.numbers.Get(from, a.question(st.event))
	o.Fired = a.answers[number].outcomes[st.outcome].fired
	next := a.locals.At(a.nodes.At(st.next).local)
	o.Local, o.Acts, o.Stopped = next.bytes, next.acts, a.nodes.At(st.next).stopped
	o.Creates, o.Sends = a.described(st.effects)
	o.Records = *a.globals.records.At(a.globals.updates.At(st.update).records)
	return o
}

// described gives effects on the representatives of what is interned.
func (a *Actors) described(effects span) (creates []Actor, sends []Message) {
	for _, e := range a.effects.Range(effects.first, effects.count) {
		if e.Message != 0 {
			sends = append(sends, a.messages.At(e.Message).Message)
		} else {
			creates = append(creates, a.Actor(e.Local))
		}
	}
	return creates, sends
}

// Stats says how much is interned and how often the oracle was asked.
type Stats struct {
	LocalStates, Messages uint64
	LocalSteps            uint64 // distinct (local state, event) pairs asked for
	Executions            uint64 // handler executions that answering them took
	Speculative           uint64 // local steps that were asked for ahead of the search, which are perhaps no run's
}

// Stats may be called while a search runs.
func (a *Actors) Stats() Stats {
	var stats Stats
	if s := a.counts.published.Load(); s != nil {
		stats = *s
	}
	stats.Speculative = a.counts.speculative.Load()
	return stats
}

type counts struct {
	executions  uint64
	speculative atomic.Uint64
	published   atomic.Pointer[Stats]
}

func (c *counts) publish(a *Actors) {
	c.published.Store(&Stats{
		LocalStates: uint64(a.locals.Len()),
		Messages:    uint64(a.messages.Len()),
		LocalSteps:  uint64(a.numbers.Len()),
		Executions:  c.executions,
	})
}

// HasActors reports whether any local state of an actor of a class was met.
func (a *Actors) HasActors(class string) bool {
	for id := range a.locals.Len() {
		if a.locals.At(uint32(id)+1).class == class {
			return true
		}
	}
	return false
}
