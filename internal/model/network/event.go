package network

import (
	"fmt"
	"slices"
)

// EventKind says what kind of event it is.
type EventKind uint8

// Receive, Internal, Restart, Crash and the crashes within handlers run Java; an oracle is asked for no others.
const (
	// Receive consumes one message by one handler, or several by a quorum handler.
	Receive EventKind = iota
	// Internal is what an actor does by itself: a timer fires, a task runs, or an internal handler. Each
	// of these that may happen now is an outcome of its own.
	Internal
	// Restart is a crash: the actor keeps only its durable fields, and starts again.
	Restart
	// Stop is a crash for good: the actor does not exist any more.
	Stop
	// Lose takes a message that is in flight away.
	Lose
	// Duplicate is Receive of a message that stays in the inbox. Where delivery is an event of its own it is a Deliver
	// of a message that stays in flight, and at a receiver with a quorum handler it adds a copy to the inbox.
	Duplicate
	// Split cuts off one side of the network. Messages that cross the cut are not received; they may be lost.
	Split
	// Heal ends a Split.
	Heal
	// Deliver makes a message that is on its way one that the receiver may consume, where that is an event of its own
	// (DeliveryModel).
	Deliver
	// Byzantine sends a message of an adversary's choice. The adversary is in the place of an actor.
	Byzantine
	// RestartWithin is a Restart in the middle of a Receive of the same messages, or of an Internal event if it has none: what the
	// handler sent, created, recorded and made durable so far stays, and the messages are consumed. An outcome is a point in an
	// execution of a handler.
	RestartWithin
	// StopWithin is a Stop in the middle of these.
	StopWithin
	// Crash is a crash after which the actor is down: it keeps only its durable fields, and nothing of it happens until it starts again.
	Crash
	// CrashWithin is a Crash in the middle of these.
	CrashWithin
	// Recover has an actor that is down start again. To the actor it is a Restart.
	Recover
	// Notify gives an actor the Notice that one which it watches has gone. To the actor it is a Receive.
	Notify
	// Tick has time go on for all actors: a round. To an actor it is its clock that goes on, by one tick in the first outcome and by two
	// in the second.
	Tick
	// Disconnect gives an actor the Closed in a queue, after which there are no more messages on a connection, or passes it by if the
	// actor handles none. The messages ahead of it are lost. To the actor it is a Receive.
	Disconnect
	// Break closes a connection that crosses a cut, at both ends.
	Break
	// Refuse closes a connection that another actor opened to the event's actor, which is down or has stopped.
	Refuse
	// Drop loses the messages that are ahead of a Closed in a queue, where their receiver does not take that.
	Drop
)

var eventKinds = []string{"receive", "internal", "restart", "stop", "lose", "duplicate", "split", "heal", "deliver", "byzantine",
	"restart-within", "stop-within", "crash", "crash-within", "recover", "notify", "tick", "disconnect", "break", "refuse", "drop"}

// String names the kind, as in traces.
func (k EventKind) String() string {
	if int(k) < len(eventKinds) {
		return eventKinds[k]
	}
	return fmt.Sprintf("event kind %d", uint8(k))
}

// ParseEventKind is the kind that String named.
func ParseEventKind(name string) (EventKind, error) {
	k := slices.Index(eventKinds, name)
	if k < 0 {
		return 0, fmt.Errorf("there is no kind of event %q", name)
	}
	return EventKind(k), nil
}

// IsFault reports whether an event of the kind is a fault, which need not happen: a state in which nothing
// but faults is enabled is terminal. (Heal, Deliver, Notify, Tick, Disconnect, Refuse and Drop are no faults: they do happen.)
func (k EventKind) IsFault() bool {
	return k >= Restart && !slices.Contains([]EventKind{Heal, Deliver, Notify, Tick, Disconnect, Refuse, Drop}, k)
}

// HasFault reports whether an event of the kind belongs to a fault of the program.
func (k EventKind) HasFault() bool { return k.IsFault() || k == Heal }

// NeedsActor reports whether an event of the kind needs an actor that exists. Messages may be lost on their way to others, the
// network splits without them, and adversaries are no actors.
func (k EventKind) NeedsActor() bool {
	return k == Receive || k == Internal || k == Duplicate || k == Deliver || k.IsCrash() || k == Recover || k == Notify || k == Disconnect || k == Drop
}

// IsCrash reports whether an event of the kind is a crash of an actor, whether that starts again or not.
func (k EventKind) IsCrash() bool {
	return k == Restart || k == Stop || k == Crash || k.IsWithin()
}

// GoesDown reports whether the actor is down after an event of the kind.
func (k EventKind) GoesDown() bool { return k == Crash || k == CrashWithin }

// NeedsUp reports whether an actor that is down has no events of the kind.
func (k EventKind) NeedsUp() bool { return k.NeedsActor() && k != Recover }

// IsWithin reports whether an event of the kind is a crash within a handler.
func (k EventKind) IsWithin() bool { return k == RestartWithin || k == StopWithin || k == CrashWithin }

// Asked is the kind of the event that the oracle is asked for to know what an event of the kind does that runs Java: to an actor it
// makes no difference whether a message stays in its inbox, or how long it was down.
func (k EventKind) Asked() EventKind {
	switch k {
	case Duplicate, Notify, Disconnect:
		return Receive
	case Recover:
		return Restart
	}
	return k
}

// An InboxPart is where messages to an actor are.
type InboxPart uint8

const (
	// nowhere is where the messages of events are that take none. A Byzantine event sends its message.
	nowhere InboxPart = iota
	// Waiting has those in flight. Under the model M handlers consume them.
	Waiting
	// Delivered has the messages delivered and not consumed. It is empty under the model M.
	Delivered
)

// Source is the part of the inbox of an event's actor where its messages have to be.
func (n *Network) Source(k EventKind) InboxPart {
	switch {
	case k == Lose, k == Duplicate, k == Deliver:
		return Waiting
	case k == Receive, k.IsWithin():
		if n.Delivery == M {
			return Waiting
		}
		return Delivered
	}
	return nowhere
}

// A BudgetGuard is what an event needs of budgets and cuts, and does to them.
type BudgetGuard struct {
	Kind  EventKind
	Fault int   // that the event belongs to, or -1
	Open  []int // faults whose cuts must not be active
}

// BudgetGuard returns the budget guard of an event; nil if budgets and cuts neither disable it nor are changed by it. Messages
// that are lost or sent by an adversary, restarts and stops pass no cut.
func (n *Network) BudgetGuard(k EventKind, fault int, messages ...Message) *BudgetGuard {
	g := &BudgetGuard{Kind: k, Fault: -1}
	if k.HasFault() {
		g.Fault = fault
	}
	if k != Lose && n.Source(k) == Waiting {
		g.Open = n.crossed(messages...)
	}
	free := g.Fault < 0 || n.Faults[fault].IsFree(k)
	if free && len(g.Open) == 0 {
		return nil
	}
	return g
}

// Consume takes what a guard needs from budgets, one for each fault, and reports whether that is there.
func (n *Network) Consume(g *BudgetGuard, budgets []Budget) bool {
	if g == nil {
		return true
	}
	for _, cut := range g.Open {
		if IsCut(budgets[cut]) {
			return false
		}
	}
	return g.Fault < 0 || n.Faults[g.Fault].consume(g.Kind, &budgets[g.Fault])
}
