package model

import (
	"fmt"
	"slices"

	"harrier/internal/model/network"
)

// AsksEachState reports whether some property is tested in each reachable state.
func (p *Program) AsksEachState() bool {
	return slices.ContainsFunc(p.Properties, func(q Property) bool { return q.Kind.IsOfEachState() })
}

// Bounds are the indices of the properties that say which states a check is about.
func (p *Program) Bounds() (bounds []int) {
	for i, q := range p.Properties {
		if q.Kind.IsBound() {
			bounds = append(bounds, i)
		}
	}
	return bounds
}

// IsBounded reports whether a bound ends runs: one of states, or of timers.
func (p *Program) IsBounded() bool { return len(p.Bounds()) > 0 || p.Timers.IsBounded }

// AsksTerminalStates reports whether some property is tested in terminal states only.
func (p *Program) AsksTerminalStates() bool {
	return slices.ContainsFunc(p.Properties, func(q Property) bool { return q.Kind.IsOfTerminalStates() })
}

// NeverEmpties reports whether receiving takes nothing out of the channel to a receiver. Sets never empty, as a message
// may be received again, unless there is a final condition or a liveness property. Then receiving takes a message out, and
// duplicating is an event of its own: otherwise a state in which all was received would never be terminal, and fairness would force
// duplicates to be received for ever.
func (p *Program) NeverEmpties(receiver string) bool {
	return p.Channel(receiver).IsSet() && !p.EmptiesSets()
}

// RefuseDisplacing returns a *UsageError if messages that arrive may displace others (network.Channel). The search or reduction of a flag
// is not sound then, as it takes a step to be possible still, with the same result, after messages have arrived.
func (p *Program) RefuseDisplacing(flag, instead string) error {
	if !p.Displaces() {
		return nil
	}
	return &UsageError{Text: fmt.Sprintf("%s is for channels in which messages stay when others arrive, and a channel of this program displaces them: take %s",
		flag, instead)}
}

// Displaces reports whether messages that arrive may displace others in some channel.
func (p *Program) Displaces() bool {
	return p.HasChannel(func(c network.Channel) bool { return c.Displaces })
}

// Watches reports whether actors may watch others: some have a handler for the notice that one has gone.
func (p *Program) Watches() bool {
	return slices.ContainsFunc(p.Handlers, func(h Handler) bool { return h.Takes == NoticeClass })
}

// TracksConnections reports whether it makes a difference which connections are open: some may close, or actors handle that one has
// closed. If not, connections are queues.
func (p *Program) TracksConnections() bool {
	return p.HasConnections() && (p.BreaksConnections() || p.Watches() || p.Initial.Open != nil)
}

// HandlesNotices reports whether actors of a class have a handler for the notice that another one has gone.
func (p *Program) HandlesNotices(class string) bool {
	return slices.ContainsFunc(p.Handlers, func(h Handler) bool { return h.Takes == NoticeClass && h.Class == class })
}

// RefuseConnections returns a *UsageError if connections may close. The search or reduction of a flag is not sound then: what it takes for
// granted is that messages which arrive change nothing of what is sent, as the end of a connection does.
func (p *Program) RefuseConnections(flag, instead string) error {
	if !p.TracksConnections() {
		return nil
	}
	return &UsageError{Text: fmt.Sprintf("%s does not go together with connections() that may close: what an actor sends on one is lost once its end has arrived: take %s", flag, instead)}
}

// NoticeClass is the class of the notice that an actor has gone.
const NoticeClass = "harrier.Disconnected"

// RefuseWatching returns a *UsageError if actors may watch others. The search or reduction of a flag is not sound then, as it takes a step to
// be possible still after messages have arrived, and a notice waits for them.
func (p *Program) RefuseWatching(flag, instead string) error {
	if !p.Watches() {
		return nil
	}
	return &UsageError{Text: fmt.Sprintf("%s is for events that go on being possible when messages arrive, and the notice that an actor has gone comes after its messages: take %s",
		flag, instead)}
}

// RefuseRounds returns a *UsageError if time goes on. The search or reduction of a flag is not sound then, as it composes or leaves out
// transitions by what single actors do, and a round depends on all actors at once, and changes all.
func (p *Program) RefuseRounds(flag, instead string) error {
	if !p.Clocks.Run() {
		return nil
	}
	return &UsageError{Text: fmt.Sprintf("%s is for steps of one actor at a time, and clocks() has time go on for all actors at once: take %s", flag, instead)}
}

// RefuseMailboxes returns a *UsageError if a mailbox drops messages when it is full. The search or reduction of a flag is not sound then, as it takes
// events to depend on the messages that they consume, and a drop depends on others.
func (p *Program) RefuseMailboxes(flag, instead string) error {
	if !p.HasMailboxes() {
		return nil
	}
	return &UsageError{Text: fmt.Sprintf("%s is for events that depend on the messages which they are about, and network().mailbox drops one depending on how many others there are: take %s",
		flag, instead)}
}

// RefuseBounds returns a *UsageError if a bound says which states are explored. The search or reduction of a flag is not sound then, as it
// takes steps in another order than a run that stays within the bound.
func (p *Program) RefuseBounds(flag, instead string) error {
	bounds := p.Bounds()
	if len(bounds) == 0 {
		return nil
	}
	return &UsageError{Text: fmt.Sprintf("%s takes steps in another order, which may lead out of the bound %q (@Within): take %s",
		flag, p.Properties[bounds[0]].Name, instead)}
}

// AsksRuns reports whether a property must hold in all fair runs, so that two runs to the same state may differ.
func (p *Program) AsksRuns() bool {
	return slices.ContainsFunc(p.Liveness, func(of Liveness) bool { return of.Kind == Always })
}

// EmptiesSets reports whether receiving takes messages out of channels that are sets.
func (p *Program) EmptiesSets() bool { return p.AsksTerminalStates() || len(p.Liveness) > 0 }

// SeesNetwork reports whether properties may read more than the states of actors that exist and the history.
func (p *Program) SeesNetwork() bool { return p.SeesInFlight || p.SeesStopped }

// VisibleAt returns where an invariant may read a field, or why it may; "" if none can. A step that changes no such field
// changes the answer of no invariant.
func (p *Program) VisibleAt(f Field) string {
	for i, q := range p.Properties {
		if q.Kind.IsOfEachState() && f.Seen[i] != "" {
			return f.Seen[i]
		}
	}
	return ""
}

// AgendaVisible reports whether an invariant may read timers, tasks and clocks.
func (p *Program) AgendaVisible() bool {
	return slices.ContainsFunc(p.Properties, func(q Property) bool { return q.Kind.IsOfEachState() && q.SeesAgenda })
}

// QuorumHandler is the label of a handler of a class of actors that takes several messages, "" if it has none.
func (p *Program) QuorumHandler(class string) string {
	for _, h := range p.Handlers {
		if h.Quorum && h.Class == class {
			return h.Label
		}
	}
	return ""
}

// CountsCopies reports whether it matters how many copies of a message are in flight to an actor of a class, where messages may be
// duplicated: properties read them, a handler may take several at once, or crash with one of them, or they fill a mailbox. Duplicating then adds a copy,
// unless it delivers one (DeliversCopies). Otherwise it receives the message, which stays.
func (p *Program) CountsCopies(name, class string) bool {
	return p.SeesInFlight || p.QuorumHandler(class) != "" || p.CrashesWithin(name) || p.HasMailbox(name)
}

// DeliversCopies reports whether duplicating a message delivers a copy of it.
func (p *Program) DeliversCopies() bool { return p.Delivery != M && !p.SeesInFlight }

// ReachesBehind reports whether messages to an actor of a class may be lost or duplicated behind others in a queue. If not, only the
// head of a queue is, as a message behind it makes no difference before it is the head.
func (p *Program) ReachesBehind(class string) bool {
	return p.SeesInFlight || p.Delivery == M && p.QuorumHandler(class) != ""
}

// A TimerBound is how often timers of each actor fire at most. The oracle keeps to it.
type TimerBound struct {
	IsBounded bool
	Most      int
	HeldBack  string // the label of the event that takes the place of firings beyond the bound, and changes nothing
}
