package network

import "slices"

// A Channel is a discipline of the messages to one receiver. Its methods answer what reductions ask about one; how messages wait is
// Inbox's. A further kind of channel is a further value.
type Channel struct {
	name   string // of the method that declares it; "" if none does
	effect string // what a receiver does then, for people
	queues bool
	set    bool
	// connects says that what two receivers with such channels send to each other is on a connection.
	connects bool
	// Displaces says that a message that arrives may take others out of the inbox, or change their order. Searches and reductions that
	// put steps off past arrivals refuse such a channel (model.Program.RefuseDisplacing).
	Displaces bool
}

var (
	// Unordered is a multiset.
	Unordered = Channel{}
	// Repeating is a set: each message may be received again and again.
	Repeating = Channel{set: true}
	// FIFO is a queue for each sender; the messages of a scenario, which have no sender, are in one. Only the head
	// of a queue can be received, and if its guard is false it blocks the queue. A channel that may duplicate
	// without bound is still FIFO: its copies follow one another.
	FIFO = Channel{name: "fifo", effect: "receives messages in the order in which they were sent", queues: true}
	// Connected is FIFO, and what two actors with it send to each other is lost with their connection.
	Connected = Channel{name: "connections", effect: "has connections", queues: true, connects: true}
)

// String is the name by which scenarios declare the channel.
func (c Channel) String() string { return c.name }

// Effect describes the channel, such as "receives messages in the order in which they were sent".
func (c Channel) Effect() string { return c.effect }

// A Declared channel is one that the scenario asks for.
type Declared struct {
	Channel
	To Scope // receivers
}

// KeepsOrder reports whether messages of one sender are received in the order in which they were sent. So two sends of one actor
// do not commute, nor do two events that take messages of one sender.
func (c Channel) KeepsOrder() bool { return c.queues }

// Connects reports whether two receivers with such channels are connected.
func (c Channel) Connects() bool { return c.connects }

// IsSet reports whether there is each message once at most, however often it is sent.
func (c Channel) IsSet() bool { return c.set }

// ArrivalsInterfere reports whether the arrival of a message may do more than add the message, given the messages there
// already. Where messages are taken out, sending one then does not commute with taking one.
func (c Channel) ArrivalsInterfere() bool { return c.set || c.Displaces }

// IsBounded reports whether an inbox cannot grow without end by equal messages.
func (c Channel) IsBounded() bool { return c.set }

// Channel is the channel to a receiver.
func (n *Network) Channel(receiver string) Channel {
	for _, d := range n.Channels {
		if d.To.Has(receiver) {
			return d.Channel
		}
	}
	if slices.ContainsFunc(n.Faults, func(f Fault) bool { return f.Repeats() && f.Scope.Has(receiver) }) {
		return Repeating
	}
	return Unordered
}

// HasChannel reports whether f holds of the channel to some actor, whichever actors there will be.
func (n *Network) HasChannel(f func(Channel) bool) bool {
	return f(Unordered) || f(Repeating) && slices.ContainsFunc(n.Faults, Fault.Repeats) ||
		slices.ContainsFunc(n.Channels, func(d Declared) bool { return f(d.Channel) && !d.To.IsEmpty() })
}

// crossed lists the faults whose cuts messages have to cross.
func (n *Network) crossed(messages ...Message) []int {
	var cuts []int
	for i, f := range n.Faults {
		if slices.ContainsFunc(messages, f.Crosses) {
			cuts = append(cuts, i)
		}
	}
	return cuts
}
