package model

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"harrier/internal/pairs"
	"harrier/internal/slab"
)

// Actors is the System of a program of actors: a message may be consumed at any time after it was sent, within what the
// delivery model, its channel and the faults of the program allow.
//
// The position of an actor in a State is the id of its name. The steps of a node are found when it is first met, in one
// batch of questions, and read from memory from then on.
//
// Several goroutines may use an Actors at once. Reading takes no lock, since what an id stands for is immutable. What is
// new is interned under one lock, which is released while Java is asked.
type Actors struct {
	Decomposition
	oracle  Oracle
	program *Program
	initial State

	mu       sync.Mutex // guards what is interned, but for reading it by ids and looking up pairs
	asking   map[localStep]bool
	answered sync.Cond // some of what is asked was answered, or could not be

	names    *slab.Table[string]
	locals   *slab.Table[local]
	messages *slab.Table[message]
	events   *slab.Table[event]
	inboxes  *slab.Table[[]MessageID] // what waits, and what was delivered; each in the order that put keeps
	handlers *slab.Table[string]
	globals  globals

	localVariants, messageVariants variants

	nodes     slab.List[node] // the first is that of no actor
	nodeIDs   pairs.Map       // (local state, mailbox) -> node
	mailboxes pairs.Map       // (waiting, delivered) -> mailbox
	steps     slab.List[step]
	effects   slab.List[Effect]
	spans     *slab.Table[span]       // lists of effects, by content
	affected  pairs.Map               // (list of effects, global update) -> what identifies both
	failures  slab.List[*StepFailure] // the first is nil

	answers   []answer  // of local steps, by number
	numbers   pairs.Map // (local state, event) -> number of its answer
	delivered pairs.Map // (node, message) -> node with the message in its inbox
	created   pairs.Map // (absent node, local state) -> node of the new actor

	collectors map[string]string // by class of actors that has quorum handlers: the label of one
	domains    [][]MessageID     // by fault: what its adversaries may send
	splitters  map[int]uint32    // of the program's Split faults: the position whose event it is
	stopped    map[uint32]NodeID // by position: the node of an actor that does not exist any more

	observations observations

	presences  *slab.Table[struct{}] // that an actor of a class exists under a name
	liveSets   pairs.Map             // (set, presence of a further actor) -> set
	varies     atomic.Bool           // some step creates or stops actors, so states may differ in which actors exist
	hasRecords atomic.Bool           // some step adds to the history

	counts counts
}

type local struct {
	bytes    []byte
	class    string
	position uint32
	presence uint32
	acts     bool
}

type message struct {
	Message
	position uint32 // of its receiver
	order    string // its place among other messages: its relevant part, then the rest
}

type event struct {
	kind     EventKind
	fault    int
	messages []MessageID // in the order of arranged
}

// A localStep is what the oracle is asked for.
type localStep struct {
	local LocalID
	event uint32
}

// A step is one outcome of one event of a node.
type step struct {
	next    NodeID // of the actor that takes it
	handler uint32
	update  uint32 // the global update
	effects span
	effect  uint32 // identifies update and effects
	failure uint32 // in Actors.failures, 0 if the handler does not fail
	event   uint32
	outcome uint32
}

// An Effect is a message delivered or an actor created at a position.
type Effect struct {
	Position uint32
	Message  MessageID // 0 if an actor is created
	Local    LocalID   // of the new actor
}

// A span is a range of one of the lists.
type span struct{ first, count uint32 }

// An answer is an Answer in ids, with the question.
type answer struct {
	localStep
	outcomes []outcome
	quorums  []Quorum
}

type outcome struct {
	handler uint32
	local   LocalID // 0 if the actor stops
	effects uint32  // in Actors.spans
	records []Record
	fired   []byte
	failure uint32
}

// NewActors interns the initial state of the oracle's program. The decomposition says what makes
// states of it differ.
func NewActors(oracle Oracle, d Decomposition) (*Actors, error) {
	a := &Actors{
		Decomposition: d,
		oracle:        oracle,
		program:       oracle.Program(),
		names:         slab.NewTable[string](),
		locals:        slab.NewTable[local](),
		messages:      slab.NewTable[message](),
		events:        slab.NewTable[event](),
		inboxes:       slab.NewTable[[]MessageID](),
		handlers:      slab.NewTable[string](),
		globals:       newGlobals(),
		presences:     slab.NewTable[struct{}](),
		spans:         slab.NewTable[span](),
		asking:        map[localStep]bool{},
		collectors:    oracle.Program().collectors(),
		splitters:     map[int]uint32{},
		stopped:       map[uint32]NodeID{},
	}
	a.answered.L = &a.mu
	a.nodeIDs.Put(0, 0, a.nodes.Add(node{}))
	a.failures.Add(nil)
	a.fifo = a.program.FIFO
	for _, h := range a.program.Handlers {
		a.handler(h.Label)
	}
	if err := a.start(); err != nil {
		return nil, err
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
			if err := a.expand(ctx, s.Placed()); err != nil {
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
		updates := make([]uint32, len(into))
		for i, t := range into {
			updates[i] = a.step(s[t.Slot+1], t.Step).update
		}
		return into, a.Prepare(ctx, s[0], updates)
	}
	return into, nil
}

// Apply implements System.
func (a *Actors) Apply(s State, t Transition, undo []Change) (State, []Change, error) {
	position := t.Slot + 1
	step := a.step(s[position], t.Step)
	next := s[0]
	if step.update != 0 {
		var err error
		if next, err = a.After(s[0], step.update); err != nil {
			return s, undo, err
		}
	}
	if step.failure != 0 {
		return s, undo, *a.failures.At(step.failure)
	}
	undo = append(undo, Change{position, s[position]})
	s[position] = step.next
	if step.update != 0 {
		undo = append(undo, Change{0, s[0]})
		s[0] = next
	}
	return a.affect(s, a.effects.Range(step.effects.first, step.effects.count), undo)
}

// Facts implements System.
func (a *Actors) Facts(s State, t Transition) Facts {
	return a.facts(a.step(s[t.Slot+1], t.Step))
}

func (a *Actors) facts(st *step) Facts {
	f := Facts{Handler: st.handler, Effect: st.effect, Guarded: a.globals.updates.At(st.update).guard != 0}
	if e := a.events.At(st.event); e.kind.IsFault() {
		f.Fault = uint16(e.fault) + 1
	}
	return f
}

// affect delivers messages and creates actors in place.
func (a *Actors) affect(s State, effects []Effect, undo []Change) (State, []Change, error) {
	for i := range effects {
		e := &effects[i]
		for int(e.Position) >= len(s) {
			s = append(s, 0)
		}
		old := s[e.Position]
		undo = append(undo, Change{e.Position, old})
		n, err := a.Arrive(old, *e)
		if err != nil {
			return s, undo, err
		}
		s[e.Position] = n
	}
	return s, undo, nil
}

func (a *Actors) handler(label string) uint32 {
	return a.handlers.Intern(label, func() string { return label })
}
