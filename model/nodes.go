package model

import (
	"fmt"
	"sync/atomic"
)

// A node is a local state with an inbox.
type node struct {
	local   LocalID
	inbox   InboxID
	stopped bool // the actor does not exist any more, so there is neither local state nor inbox
	// steps is 0 until the node is expanded, then tells where its steps are. It is written once.
	steps uint64
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
		next = a.node(old.local, a.inbox(a.put(*a.inboxes.at(old.inbox), m)))
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
		return n, fmt.Errorf("actor %s is created twice", *a.names.at(a.locals.at(l).position))
	}
	next := a.node(l, old.inbox)
	a.created.Put(n, l, next)
	return next, nil
}

func (a *Actors) inbox(messages []MessageID) InboxID {
	if len(messages) == 0 {
		return 0
	}
	return a.inboxes.intern(idsKey(messages...), func() []MessageID { return messages })
}

func (a *Actors) node(l LocalID, i InboxID) NodeID {
	if id, ok := a.nodeIDs.Get(l, i); ok {
		return id
	}
	id := a.nodes.Add(node{local: l, inbox: i})
	a.nodeIDs.Put(l, i, id)
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
