// Package network passes messages between actors, with the faults that may happen to them: delivery models, channels, quorums and
// faults. It has the messages that events take out of the network, the budgets and cuts that may disable them, and how events change these.
//
// It knows messages by their content, and neither local states nor Java. Package model applies it to interned messages, package
// replay to bytes; reductions ask it which events depend on each other.
package network

import (
	"slices"
	"strings"
)

// Network is the network of a program.
type Network struct {
	Delivery DeliveryModel // how messages pass; the check chooses it
	Roles    []Role        // of the actors that the scenario creates
	Channels []Declared    // the first to a receiver counts
	Faults   []Fault       // as the scenario declares them
	Clocks   Clocks
}

// Message is a message in flight. Payload is structured bytes.
type Message struct {
	Sender   string `json:"sender,omitempty"`
	Receiver string `json:"receiver"`
	Payload  []byte `json:"payload"`
	Age      int    `json:"age,omitempty"` // how many rounds began since it was sent, where that is bounded
}

// Scope is a set of actors.
type Scope struct {
	All bool
	// Names are of no meaning if All. One that ends in a slash stands for all that the actor before the slash creates.
	Names []string
}

// Has reports whether an actor is in the set.
func (s Scope) Has(name string) bool {
	if s.All {
		return true
	}
	slash := strings.IndexByte(name, '/')
	return slices.Contains(s.Names, name) || slash >= 0 && slices.Contains(s.Names, name[:slash+1])
}

// WithChildren is the set together with the actors that those in it create, and these, and so on.
func (s Scope) WithChildren() Scope {
	names := slices.Clone(s.Names)
	for _, name := range s.Names {
		if !strings.HasSuffix(name, "/") {
			names = append(names, name+"/")
		}
	}
	return Scope{All: s.All, Names: names}
}

// Meets reports whether some actor may be in both sets.
func (s Scope) Meets(other Scope) bool {
	if s.All {
		return !other.IsEmpty()
	}
	return slices.ContainsFunc(s.Names, other.Has) || slices.ContainsFunc(other.Names, s.Has) || other.All && len(s.Names) > 0
}

// IsEmpty reports whether the set has no actors.
func (s Scope) IsEmpty() bool { return !s.All && len(s.Names) == 0 }
