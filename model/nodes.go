package model

import (
	"fmt"
	"sync/atomic"
)

// A node is a local state with the messages to it.
type node struct {
	local LocalID
	mailbox
	stopped bool // the actor does not exist any more, so there is neither local state nor mailbox
	// steps is 0 until the node is expanded, then says where its steps are. It is written once.
	steps uint64
}

// A mailbox is what was sent to an actor and not consumed.
type mailbox struct {
	waiting   InboxID // in flight; in M handlers consume it as well
	delivered InboxID // nothing in M
}

// step is a step of a node that is expanded.
func (a *Actors) step(n NodeID, k uint32) *step { return a.steps.At(a.nodes.At(n).span().first + k) }

func (n *node) expanded() bool { return atomic.LoadUint64(&n.steps) != 0 }

const countBits = 24

// span is where the node's steps are; it has none until it is expanded.
func (n *node) span() span {
	packed := atomic.LoadUint64(&n.steps)
	return span{uint32(packed >> countBits), uint32(packed) & (1<<countBits - 1)}
}

// expand publishes the node's steps.
func (n *node) expand(s span) {
	const isExpanded = 1 << 63
	atomic.StoreUint64(&n.steps, isExpanded|uint64(s.first)<<countBits|uint64(s.count))
}

// deliver returns the node that n becomes when a message arrives. Who has stopped gets none.
func (a *Actors) deliver(n NodeID, m MessageID) NodeID {
	if next, ok := a.delivered.Get(n, m); ok {
		return next
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	old, next := a.nodes.At(n), n
	if !old.stopped {
		next = a.node(old.local, mailbox{a.with(old.waiting, m), old.delivered})
	}
	a.delivered.Put(n, m, next)
	return next
}

// create returns the node that an absent actor's node becomes when the actor is created. Messages
// may be waiting for it already.
func (a *Actors) create(n NodeID, l LocalID) (NodeID, error) {
	if next, ok := a.created.Get(n, l); ok {
		return next, nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	old := a.nodes.At(n)
	if old.local != 0 || old.stopped {
		return n, fmt.Errorf("actor %s is created twice", *a.names.At(a.locals.At(l).position))
	}
	next := a.node(l, old.mailbox)
	a.created.Put(n, l, next)
	return next, nil
}

func (a *Actors) node(l LocalID, m mailbox) NodeID {
	both := a.mailbox(m)
	if id, ok := a.nodeIDs.Get(l, both); ok {
		return id
	}
	id := a.nodes.Add(node{local: l, mailbox: m})
	a.nodeIDs.Put(l, both, id)
	return id
}

// mailbox identifies a mailbox. In M it is one with what is in flight.
func (a *Actors) mailbox(m mailbox) uint32 {
	if a.program.Delivery == M {
		return m.waiting
	}
	id, _ := a.mailboxes.GetOrPut(m.waiting, m.delivered, func() (uint32, error) { return uint32(a.mailboxes.Len()), nil })
	return id
}

// stop is the node of the actor at a position once that has stopped.
func (a *Actors) stop(position uint32) NodeID {
	id, ok := a.stopped[position]
	if !ok {
		id = a.nodes.Add(node{stopped: true})
		a.stopped[position] = id
	}
	return id
}
