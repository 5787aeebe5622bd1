package space

import (
	"cmp"
	"fmt"
	"sync/atomic"

	"harrier/internal/ds/pairs"
	"harrier/internal/ds/slab"
	"harrier/internal/model"
	"harrier/internal/model/network"
)

// Nodes interns the nodes of states, and computes the nodes after messages arrive.
type Nodes struct {
	values       *Values
	messageLists *messageLists
	observations *observations

	list     slab.List[node] // the first is that of no actor
	ids      pairs.Map       // (local state, inbox) -> node
	inboxes  pairs.Map       // (waiting, delivered or open) -> inbox
	ended    pairs.Map       // (position, last local state) -> the node of an actor that does not exist any more
	attempts pairs.Map       // (node of an actor that does not exist any more, open connections) -> node
	enqueued pairs.Map       // (node, message) -> node with the message in its inbox
	created  pairs.Map       // (absent node, local state) -> node of the new actor
	liveSets pairs.Map       // (set, presence of a further actor) -> set
	varies   atomic.Bool     // some step creates or stops actors, so states may differ in which actors exist

	comesOrGoes map[uint32]bool          // positions of actors that a step creates or that stop
	late        map[model.MessageID]bool // that arrived where an actor had stopped
}

// A node is a local state with the messages to it.
type node struct {
	local model.LocalID
	inbox
	stopped bool          // the actor does not exist any more, so there is neither local state nor inbox
	last    model.LocalID // of who has stopped: the local state before that, where the program's properties see it
	gone    uint32        // likewise: identifies the name and class of who has stopped
	// steps is 0 until the node is expanded, then says where its steps are. It is written once.
	steps uint64
}

// An inbox has the messages sent to an actor and not consumed: one list in M, two where delivery is an event.
type inbox struct {
	waiting   model.ListID // in flight; in M handlers consume it as well
	delivered model.ListID // nothing in M
	open      model.ListID // the open connections, as Opened; nothing where connections are not tracked
}

func (n *node) expanded() bool { return atomic.LoadUint64(&n.steps) != 0 }

const countBits = 24

// span is where the node's steps are; it has none until it is expanded.
func (n *node) span() span {
	packed := atomic.LoadUint64(&n.steps)
	return span{uint32(packed >> countBits), uint32(packed) & (1<<countBits - 1)}
}

// expand publishes the node's steps.
func (n *node) expand(s span) {
	const expandedBit = 1 << 63
	atomic.StoreUint64(&n.steps, expandedBit|uint64(s.first)<<countBits|uint64(s.count))
}

// NodeParts are what a node is made of.
type NodeParts struct {
	Local     model.LocalID     // 0 if there is no such actor
	Waiting   []model.MessageID // in flight to it, in an order of the channel's
	Delivered []model.MessageID // delivered and not consumed, likewise; none in M
	Stopped   bool              // the actor does not exist any more
	Last      model.LocalID     // in which it stopped; 0 if it did not, or if no property sees it

	Open []model.MessageID // its open connections, as Opened; nothing where connections are not tracked

	Consumable []model.MessageID // Waiting or Delivered: the messages that handlers may consume
}

func newNodes(values *Values, lists *messageLists, observations *observations) *Nodes {
	t := &Nodes{
		values: values, messageLists: lists, observations: observations,
		comesOrGoes: map[uint32]bool{}, late: map[model.MessageID]bool{},
	}
	t.ids.Put(0, 0, t.list.Add(node{}))
	return t
}

// enqueue returns the node that n becomes when a message arrives. Who has stopped gets none.
func (t *Nodes) enqueue(n model.NodeID, m model.MessageID) model.NodeID {
	if next, ok := t.enqueued.Get(n, m); ok {
		return next
	}
	t.values.mu.Lock()
	defer t.values.mu.Unlock()
	next := t.arrived(n, m)
	t.enqueued.Put(n, m, next)
	return next
}

// arrived is enqueue for who holds the lock.
func (t *Nodes) arrived(n model.NodeID, m model.MessageID) model.NodeID {
	of := t.list.At(n)
	in := t.messageLists.afterArrival(of.inbox, m)
	if !of.stopped {
		return t.node(of.local, in)
	}
	if !network.IsOfNetwork(t.values.messages.At(m).Payload) {
		t.late[m] = true
	}
	return t.attempted(n, in.open)
}

// attempted is the node of an actor that does not exist any more with some open connections.
func (t *Nodes) attempted(n model.NodeID, open model.ListID) model.NodeID {
	of := t.list.At(n)
	switch {
	case of.open == open:
		return n
	case of.open != 0:
		n, _ = t.ended.Get(t.values.messages.At(t.messageLists.at(of.open)[0]).position, of.last)
	}
	if open == 0 {
		return n
	}
	id, _ := t.attempts.GetOrPut(n, open, func() (uint32, error) {
		return t.list.Add(node{stopped: true, last: of.last, gone: of.gone, inbox: inbox{open: open}}), nil
	})
	return id
}

// create returns the node that an absent actor's node becomes when the actor is created. Messages
// may be waiting for it already.
func (t *Nodes) create(n model.NodeID, l model.LocalID) (model.NodeID, error) {
	if next, ok := t.created.Get(n, l); ok {
		return next, nil
	}
	t.values.mu.Lock()
	defer t.values.mu.Unlock()
	old := t.list.At(n)
	if old.local != 0 || old.stopped {
		return n, fmt.Errorf("actor %s is created twice", *t.values.names.At(t.values.locals.At(l).position))
	}
	t.comesOrGoes[t.values.locals.At(l).position] = true
	next := t.node(l, old.inbox)
	t.created.Put(n, l, next)
	return next, nil
}

func (t *Nodes) node(l model.LocalID, m inbox) model.NodeID {
	both := t.inbox(m)
	if id, ok := t.ids.Get(l, both); ok {
		return id
	}
	id := t.list.Add(node{local: l, inbox: m})
	t.ids.Put(l, both, id)
	return id
}

// inbox identifies an inbox. In M it is the list in flight, where connections are not tracked.
func (t *Nodes) inbox(m inbox) uint32 {
	second := m.delivered
	switch {
	case t.values.tracks: // in M only
		second = m.open
	case t.values.program.Delivery == model.M:
		return m.waiting
	}
	id, _ := t.inboxes.GetOrPut(m.waiting, second, func() (uint32, error) { return uint32(t.inboxes.Len()), nil })
	return id
}

// stop is the node of the actor at a position once that has stopped in a local state, 0 if it never had one.
func (t *Nodes) stop(position uint32, in model.LocalID) model.NodeID {
	last := model.LocalID(0)
	if in != 0 && t.values.program.SeesStopped {
		last = cmp.Or(t.values.locals.At(in).last, in)
	}
	t.comesOrGoes[position] = true
	id, _ := t.ended.GetOrPut(position, last, func() (uint32, error) {
		n := node{stopped: true, last: last}
		if last != 0 {
			class := t.values.locals.At(last).class
			n.gone = t.values.presences.Intern(slab.Join(*t.values.names.At(position), class, "stopped"), func() string { return class })
		}
		return t.list.Add(n), nil
	})
	return id
}

// Arrive is what the node at an effect's position becomes by it.
func (t *Nodes) Arrive(n model.NodeID, e Effect) (model.NodeID, error) {
	if e.Message != 0 {
		return t.enqueue(n, e.Message), nil
	}
	return t.create(n, e.Local)
}

// ComesOrGoes reports whether the actor at a position exists in some states and not in others.
func (t *Nodes) ComesOrGoes(position uint32) bool {
	t.values.mu.Lock()
	defer t.values.mu.Unlock()
	return t.comesOrGoes[position]
}

// WithInbox is a node with the local state of another one to whose actor only some messages are in flight.
func (t *Nodes) WithInbox(n model.NodeID, messages []model.MessageID) model.NodeID {
	t.values.mu.Lock()
	defer t.values.mu.Unlock()
	return t.node(t.list.At(n).local, inbox{waiting: t.messageLists.intern(messages)})
}

// Local is the local state of a node, 0 if it is that of no actor.
func (t *Nodes) Local(n model.NodeID) model.LocalID { return t.list.At(n).local }

// Visible is the local state that properties see at a node: that of its actor or, where properties see it, the last one of an actor that has
// stopped; 0 if there is none.
func (t *Nodes) Visible(n model.NodeID) model.LocalID {
	return cmp.Or(t.list.At(n).local, t.list.At(n).last)
}

// Presence identifies the name and class of the actor of a node and, where properties see that, whether it has stopped; 0 if there is
// none.
func (t *Nodes) Presence(n model.NodeID) uint32 {
	of := t.list.At(n)
	return cmp.Or(t.values.locals.At(of.local).presence, of.gone)
}

// TakesSingly reports whether what the actor of a node may do with a message in flight depends on nothing but its local state.
func (t *Nodes) TakesSingly(n model.NodeID) bool {
	return t.values.locals.At(t.list.At(n).local).single
}

// consumable returns the list of the messages that handlers of a node's actor may consume.
func (t *Nodes) consumable(n *node) model.ListID {
	if t.values.program.Source(model.Receive) == network.Waiting {
		return n.waiting
	}
	return n.delivered
}

// Parts takes a node apart. It takes time and memory in proportion to the messages in the inbox.
func (t *Nodes) Parts(id model.NodeID) NodeParts {
	n := t.list.At(id)
	waiting, delivered := t.messageLists.at(n.waiting), t.messageLists.at(n.delivered)
	consumable := waiting
	if t.consumable(n) != n.waiting {
		consumable = delivered
	}
	return NodeParts{n.local, waiting, delivered, n.stopped, n.last, t.messageLists.at(n.open), consumable}
}

// Len is how many nodes were met. Their ids count them from 1, as they are met.
func (t *Nodes) Len() int { return t.list.Len() - 1 }

// Observation is the first local state met that no property can distinguish from the visible local state of a node; 0 if it has none.
func (t *Nodes) Observation(n model.NodeID) model.LocalID { return t.observations.all.Of(t.Visible(n)) }

// Distinguishes reports whether a property may distinguish two local states of an actor. Properties read relevant parts only.
func (t *Nodes) Distinguishes(property int, before, after model.LocalID) bool {
	return t.observations.distinguishes(property, before, after)
}

// LiveActors identifies the actors that exist in s, by name and class, and where properties see that those that have stopped. It is 0 for the actors of the
// initial state as long as no step creates or stops any.
func (t *Nodes) LiveActors(s model.State) uint32 {
	if !t.varies.Load() {
		return 0
	}
	live := uint32(nobody)
	for position := 1; position < len(s); position++ {
		presence := t.Presence(s[position])
		if presence == 0 {
			continue
		}
		live, _ = t.liveSets.GetOrPut(live, presence, func() (uint32, error) {
			return uint32(t.liveSets.Len() + nobody + 1), nil
		})
	}
	return live
}

// nobody is the id of the empty set of actors. (0 stands for the actors of the initial state.)
const nobody = 1
