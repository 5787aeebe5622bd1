package model

// What a state is made of, for those who take it apart without Java.

// NodeParts is what a node is made of.
type NodeParts struct {
	Local     LocalID     // 0 if there is no such actor
	Waiting   []MessageID // in flight to it, in an order of the channel's
	Delivered []MessageID // delivered and not consumed, likewise; none in M
	Stopped   bool        // the actor does not exist any more
}

// Nodes is how many nodes were met. Their ids count them from 1, as they are met.
func (a *Actors) Nodes() int { return a.nodes.Len() - 1 }

// NodeParts takes a node apart.
func (a *Actors) NodeParts(id NodeID) NodeParts {
	n := a.nodes.At(id)
	return NodeParts{n.local, *a.inboxes.At(n.waiting), *a.inboxes.At(n.delivered), n.stopped}
}

// GlobalParts is what a state holds beside its actors.
type GlobalParts struct {
	History []byte // in structured bytes; empty if it holds no operations
	Last    Event  // with full hashing, what was processed last; the zero Event for nothing
	HasLast bool   // whether there is a Last
	Budgets uint32 // identifies what faults have spent and cut
}

// GlobalParts takes what is at position 0 of a state apart.
func (a *Actors) GlobalParts(id uint32) GlobalParts {
	g := a.globals.interned.At(id)
	p := GlobalParts{History: *a.globals.histories.At(g.history), Budgets: g.budgets, HasLast: g.last != 0}
	if g.last != 0 {
		p.Last = a.Event(g.last)
	}
	return p
}

// PositionName is the name of the actor at a position of a State, from 1.
func (a *Actors) PositionName(position int) string { return *a.names.At(uint32(position)) }

// HashedLocal identifies a local state.
func (a *Actors) HashedLocal(l LocalID) ([]byte, error) { return a.hashed(a.locals.At(l).bytes) }

// HashedPayload identifies a payload.
func (a *Actors) HashedPayload(m MessageID) ([]byte, error) {
	return a.hashed(a.messages.At(m).Payload)
}
