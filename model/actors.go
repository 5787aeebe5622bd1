package model

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"harrier/internal/pairs"
	"harrier/internal/slab"
)

// Actors is the System of a program of actors with unordered, reliable channels: a message sent is
// in its receiver's inbox at once and may be consumed at any time after.
//
// The position of an actor in a State is the id of its name. Events that a node has are found when
// the node is first met, in one batch of questions; from then on its steps are read from memory.
// Other kinds of event (timers, faults, quorums, other channels) are further events of a node, so
// searches do not change with them.
//
// Several goroutines may use an Actors at once. What is known already is read without locks: ids that
// a goroutine holds name things that do not change any more. What is not known yet is found and interned
// under one lock, which is open while Java is asked.
type Actors struct {
	Decomposition
	oracle  Oracle
	initial State

	mu       sync.Mutex // guards what is interned, but for reading it by ids and looking up pairs
	asking   map[localStep]bool
	answered sync.Cond // some of what is asked was answered, or could not be

	names    *table[string]
	locals   *table[local]
	messages *table[message]
	events   *table[event]
	inboxes  *table[[]MessageID] // each sorted
	handlers *table[string]      // handler numbers are these ids, less one
	globals  globals

	localVariants, messageVariants variants

	nodes    slab.List[node] // the first is that of no actor
	nodeIDs  pairs.Map       // (local state, inbox) -> node
	steps    slab.List[step]
	effects  slab.List[effect]
	spans    *table[span]            // lists of effects, by content
	affected pairs.Map               // (list of effects, mark) -> what identifies both
	failures slab.List[*StepFailure] // the first is nil

	answers   []answer  // of local steps, by number
	numbers   pairs.Map // (local state, event) -> number of its answer
	delivered pairs.Map // (node, message) -> node with the message in its inbox
	created   pairs.Map // (absent node, local state) -> node of the new actor

	presences  *table[struct{}] // that an actor of a class exists under a name
	rosters    pairs.Map        // (roster, presence of a further actor) -> roster
	hasCreated atomic.Bool      // some step creates actors, so states may differ in which actors exist
	hasRecords atomic.Bool      // some step adds to the history

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

// A localStep is what the oracle is asked for.
type localStep struct {
	local LocalID
	event uint32
}

type node struct {
	local LocalID
	inbox InboxID
	// steps is 0 until the node is expanded, then tells where its steps are. It is written once.
	steps uint64
}

// A step is one outcome of one event of a node.
type step struct {
	next    NodeID // of the actor that takes it
	handler uint32
	mark    uint32 // what it does to what is global
	effects span
	effect  uint32 // identifies mark and effects
	failure uint32 // in Actors.failures, 0 if the handler does not fail
	event   uint32
	outcome uint32
}

// An effect is a message delivered or an actor created at another position.
type effect struct {
	position uint32
	message  MessageID // 0 if an actor is created
	local    LocalID
}

// A span is a range of one of the lists.
type span struct{ first, count uint32 }

// An answer is an Answer in ids, with the question.
type answer struct {
	localStep
	outcomes []outcome
}

type outcome struct {
	handler uint32
	local   LocalID
	effects uint32 // in Actors.spans
	records []Record
	failure uint32
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
		handlers:      newTable[string](),
		globals:       newGlobals(),
		presences:     newTable[struct{}](),
		spans:         newTable[span](),
		asking:        map[localStep]bool{},
	}
	a.answered.L = &a.mu
	a.nodes.Add(node{})
	a.failures.Add(nil)
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
		if n != 0 && !a.nodes.At(n).expanded() {
			if err := a.expand(ctx, s); err != nil {
				return into, err
			}
			break
		}
	}
	for slot := len(s) - 2; slot >= 0; slot-- {
		if n := s[slot+1]; n != 0 {
			for k := range a.nodes.At(n).span().count {
				into = append(into, Transition{uint32(slot), k})
			}
		}
	}
	if a.hasRecords.Load() {
		return into, a.prepare(ctx, s, into)
	}
	return into, nil
}

// Apply implements System.
func (a *Actors) Apply(s State, t Transition, undo []Change) (State, []Change, error) {
	position := t.Slot + 1
	step := a.step(s[position], t.Step)
	if step.failure != 0 {
		return s, undo, *a.failures.At(step.failure)
	}
	undo = append(undo, Change{position, s[position]})
	s[position] = step.next
	if step.mark != 0 {
		next, err := a.after(s[0], step.mark)
		if err != nil {
			return s, undo, err
		}
		undo = append(undo, Change{0, s[0]})
		s[0] = next
	}
	return a.affect(s, a.effects.Range(step.effects.first, step.effects.count), undo)
}

// Facts implements System.
func (a *Actors) Facts(s State, t Transition) Facts {
	st := a.step(s[t.Slot+1], t.Step)
	return Facts{st.handler, st.effect}
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
	a.mu.Lock()
	defer a.mu.Unlock()
	old := a.nodes.At(n)
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
	a.mu.Lock()
	defer a.mu.Unlock()
	old := a.nodes.At(n)
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
	if id, ok := a.nodeIDs.Get(l, i); ok {
		return id
	}
	id := a.nodes.Add(node{local: l, inbox: i})
	a.nodeIDs.Put(l, i, id)
	return id
}

func (a *Actors) handler(label string) uint32 {
	id := a.handlers.intern(label, func() string { return label })
	return id - 1
}
