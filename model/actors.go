package model

import (
	"context"
	"fmt"
	"slices"

	"harrier/internal/pairs"
)

// Actors is the System of a program of actors with unordered, reliable channels: a message sent is
// in its receiver's inbox at once and may be consumed at any time after.
//
// The position of an actor in a State is the id of its name. Events that a node has are found when
// the node is first met, in one batch of questions; from then on its steps are read from memory.
// Other kinds of event (timers, faults, quorums, other channels) are further events of a node, so
// searches do not change with them.
type Actors struct {
	Decomposition
	oracle  Oracle
	initial State

	names    table[string]
	locals   table[local]
	messages table[message]
	events   table[event]
	inboxes  table[[]MessageID] // each sorted
	nodes    table[node]
	handlers table[string] // handler numbers are these ids, less one
	globals  globals

	localVariants, messageVariants variants

	answers   []answer  // of local steps, by number
	steps     pairs.Map // (local state, event) -> number of its answer
	delivered pairs.Map // (node, message) -> node with the message in its inbox
	created   pairs.Map // (absent node, local state) -> node of the new actor

	presences  table[struct{}] // that an actor of a class exists under a name
	rosters    pairs.Map       // (roster, presence of a further actor) -> roster
	hasCreated bool            // some step creates actors, so states may differ in which actors exist
	hasRecords bool            // some step adds to the history

	counts counts
}

type local struct {
	bytes    []byte
	class    string
	position uint32
	presence uint32
}

type message struct {
	Message
	position uint32 // of its receiver
	order    string // its place among other messages: its relevant part, then the rest
}

type event struct {
	kind     EventKind
	messages []MessageID
}

// A node's steps are valid once it is expanded.
type node struct {
	local    LocalID
	inbox    InboxID
	expanded bool
	steps    []step
}

// A step is one outcome of one event of a node.
type step struct {
	next    NodeID // of the actor that takes it
	handler uint32
	mark    uint32 // what it does to what is global
	effects []effect
	failure *StepFailure
	event   uint32
	outcome uint32
}

// An effect is a message delivered or an actor created at another position.
type effect struct {
	position uint32
	message  MessageID // 0 if an actor is created
	local    LocalID
}

// An answer is an Answer in ids, with the question.
type answer struct {
	local    LocalID
	event    uint32
	outcomes []outcome
}

type outcome struct {
	handler uint32
	local   LocalID
	effects []effect
	records []Record
	failure *StepFailure
}

// NewActors interns the initial state of the oracle's program. The decomposition says what makes
// states of it differ.
func NewActors(oracle Oracle, d Decomposition) (*Actors, error) {
	a := &Actors{
		Decomposition: d,
		oracle:        oracle,
		names:         newTable[string](),
		locals:        newTable[local](),
		messages:      newTable[message](),
		events:        newTable[event](),
		inboxes:       newTable[[]MessageID](),
		nodes:         newTable[node](),
		handlers:      newTable[string](),
		globals:       newGlobals(),
		presences:     newTable[struct{}](),
	}
	program := oracle.Program()
	for _, h := range program.Handlers {
		a.handler(h.Label)
	}
	effects, err := a.internEffects(program.Initial.Actors, program.Initial.Messages)
	if err != nil {
		return nil, err
	}
	start := State{a.globals.global(a.globals.history(program.Initial.History), 0)}
	if a.initial, _, err = a.affect(start, effects, nil); err != nil {
		return nil, fmt.Errorf("making the initial state: %w", err)
	}
	a.counts.publish(a)
	return a, nil
}

// Initial implements System.
func (a *Actors) Initial() State { return slices.Clone(a.initial) }

// Enabled implements System. Actors that came to be known last come first: scenarios create servers
// before the clients that drive them, and following the clients' next moves first turns out to meet
// violations sooner in depth-first search.
func (a *Actors) Enabled(ctx context.Context, s State, into []Transition) ([]Transition, error) {
	for _, n := range s[1:] {
		if !a.nodes.items[n].expanded && n != 0 {
			if err := a.expand(ctx, s); err != nil {
				return into, err
			}
			break
		}
	}
	for slot := len(s) - 2; slot >= 0; slot-- {
		for k := range a.nodes.items[s[slot+1]].steps {
			into = append(into, Transition{uint32(slot), uint32(k)})
		}
	}
	if a.hasRecords {
		return into, a.prepare(ctx, s, into)
	}
	return into, nil
}

// Apply implements System.
func (a *Actors) Apply(s State, t Transition, undo []Change) (State, []Change, error) {
	position := t.Slot + 1
	step := &a.nodes.items[s[position]].steps[t.Step]
	if step.failure != nil {
		return s, undo, step.failure
	}
	undo = append(undo, Change{position, s[position]})
	s[position] = step.next
	if step.mark != 0 {
		next, err := a.globals.after(s[0], step.mark)
		if err != nil {
			return s, undo, err
		}
		undo = append(undo, Change{0, s[0]})
		s[0] = next
	}
	return a.affect(s, step.effects, undo)
}

// Handler implements System.
func (a *Actors) Handler(s State, t Transition) int {
	return int(a.nodes.items[s[t.Slot+1]].steps[t.Step].handler)
}

// affect delivers messages and creates actors in place.
func (a *Actors) affect(s State, effects []effect, undo []Change) (State, []Change, error) {
	for i := range effects {
		e := &effects[i]
		for int(e.position) >= len(s) {
			s = append(s, 0)
		}
		old := s[e.position]
		undo = append(undo, Change{e.position, old})
		if e.message != 0 {
			s[e.position] = a.deliver(old, e.message)
			continue
		}
		n, err := a.create(old, e.local)
		if err != nil {
			return s, undo, err
		}
		s[e.position] = n
	}
	return s, undo, nil
}

// deliver returns the node that n becomes when a message arrives.
func (a *Actors) deliver(n NodeID, m MessageID) NodeID {
	if next, ok := a.delivered.Get(n, m); ok {
		return next
	}
	old := a.nodes.at(n)
	inbox := slices.Clone(*a.inboxes.at(old.inbox))
	i, _ := slices.BinarySearch(inbox, m)
	next := a.node(old.local, a.inbox(slices.Insert(inbox, i, m)))
	a.delivered.Put(n, m, next)
	return next
}

// create returns the node that an absent actor's node becomes when the actor is created. Messages
// may be waiting for it already.
func (a *Actors) create(n NodeID, l LocalID) (NodeID, error) {
	if next, ok := a.created.Get(n, l); ok {
		return next, nil
	}
	old := a.nodes.at(n)
	if old.local != 0 {
		return n, fmt.Errorf("actor %s is created twice", *a.names.at(a.locals.at(l).position))
	}
	next := a.node(l, old.inbox)
	a.created.Put(n, l, next)
	return next, nil
}

// without returns an inbox less one copy of each of the messages.
func (a *Actors) without(i InboxID, consumed []MessageID) InboxID {
	inbox := slices.Clone(*a.inboxes.at(i))
	for _, m := range consumed {
		k, _ := slices.BinarySearch(inbox, m)
		inbox = slices.Delete(inbox, k, k+1)
	}
	return a.inbox(inbox)
}

func (a *Actors) inbox(sorted []MessageID) InboxID {
	if len(sorted) == 0 {
		return 0
	}
	return a.inboxes.intern(idsKey(sorted...), func() []MessageID { return sorted })
}

func (a *Actors) node(l LocalID, i InboxID) NodeID {
	return a.nodes.intern(idsKey(l, i), func() node { return node{local: l, inbox: i} })
}

func (a *Actors) handler(label string) uint32 {
	id := a.handlers.intern(label, func() string { return label })
	return id - 1
}
