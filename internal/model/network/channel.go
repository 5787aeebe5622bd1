package network

import "slices"

// A Channel is how the messages to one receiver wait for it.
type Channel uint8

const (
	// Unordered is a multiset.
	Unordered Channel = iota
	// Repeating is a set: each message may be received again and again.
	Repeating
	// FIFO is a queue for each sender; the messages of a scenario, which have no sender, are in one. Only the head
	// of a queue can be received, and if its guard is false it blocks the queue. A channel that may duplicate
	// without bound is still FIFO: its copies follow one another.
	FIFO
)

// Channel is that to a receiver. Reductions rely on it that an arrival takes nothing away and leaves the order of what is there.
func (n *Network) Channel(receiver string) Channel {
	switch {
	case n.InOrder(receiver):
		return FIFO
	case slices.ContainsFunc(n.Faults, func(f Fault) bool { return f.Repeats() && f.Scope.Has(receiver) }):
		return Repeating
	}
	return Unordered
}

// InOrder reports whether the channel to a receiver keeps the order in which each sender sent.
func (n *Network) InOrder(receiver string) bool { return n.FIFO.Has(receiver) }

// Repeats reports whether the channel to a receiver is a set.
func (n *Network) Repeats(receiver string) bool { return n.Channel(receiver) == Repeating }

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
