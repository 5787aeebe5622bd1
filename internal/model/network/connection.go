package network

import "slices"

// A connection is between two actors, and opens when one of them sends to the other. It closes when an end crashes or stops, when the
// network breaks it at a cut, and when the program says so. The other end then has a message Closed at the end of its queue of what came
// on the connection: that it takes this message at any moment, with all that is ahead of it, loses messages from some one on. Until then
// whatever it sends is lost, as it is sent on a connection that does not exist any more.

// Connects reports whether two actors send to each other on connections.
func (n *Network) Connects(one, other string) bool {
	return one != "" && other != "" && one != other && n.Channel(one).connects && n.Channel(other).connects
}

// OnConnection reports whether a message is sent on a connection.
func (n *Network) OnConnection(m Message) bool { return n.Connects(m.Sender, m.Receiver) }

// HasConnections reports whether some actors are connected.
func (n *Network) HasConnections() bool {
	return n.HasChannel(func(c Channel) bool { return c.connects })
}

// BreaksConnections reports whether some fault may close a connection.
func (n *Network) BreaksConnections() bool {
	return slices.ContainsFunc(n.Faults, func(f Fault) bool { return f.Kind.IsCrash() || f.Kind == Split })
}

// Closed is a message on a connection that has closed: there are no more from the other end. An actor that closes a connection sends it.
func Closed(to, by string) Message { return Message{Sender: by, Receiver: to, Payload: closed} }

// Opened stands for an open connection of an actor with another one.
func Opened(of, with string) Message { return Message{Sender: with, Receiver: of, Payload: opened} }

// IsClosed reports whether a message is a Closed; IsOpened, whether it is an Opened.
func (m Message) IsClosed() bool { return slices.Equal(m.Payload, closed) }
func (m Message) IsOpened() bool { return slices.Equal(m.Payload, opened) }

// Crossing reports whether a connection between two actors has to cross the cut of a fault, one way at least.
func (f Fault) Crossing(one, other string) bool {
	return f.Crosses(Message{Sender: one, Receiver: other}) || f.Crosses(Message{Sender: other, Receiver: one})
}
