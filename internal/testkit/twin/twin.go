// Package twin is a naive search, to which tests hold all others: it explores a program by asking its oracle
// for every local step of every state again, with states as strings in a Go map. It shares nothing with
// the code that it judges, remembers no answers and interns nothing.
package twin

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"runtime/debug"
	"slices"
	"strconv"

	"harrier/internal/model"
)

// Tests that compare make much garbage and keep little, so it may gather.
func init() { debug.SetGCPercent(1000) }

// Options bound an exploration.
type Options struct {
	MaxStates  int // the exploration is given up when there are more; 0 means no bound
	MaxPending int // it is given up when more messages are in flight or delivered; 0 means no bound
	MaxDepth   int // states at this distance are not expanded; 0 means no bound
	// LastMessages makes the messages that the last transition consumed a part of the state.
	LastMessages bool
	// KeepVectors makes the exploration collect what states are like without their messages.
	KeepVectors bool
	// Permutations are those of a group. States that one of them maps to each other count as one.
	Permutations []Permutation
	// Relevant is the relevant part of a local state or a message; if it is set, Result.Quotient is too.
	Relevant func(b []byte) ([]byte, error)
	// UsesSender reports whether what actors of a class do with a message may depend on who sent it. If it is set, senders of which
	// nothing depends are no part of what Quotient counts.
	UsesSender func(class string, m model.Message) bool
	// EveryChoice leaves out nothing that a search leaves out as another way comes to the same: messages are lost and copied
	// wherever they are in a queue, copies are in flight before they are received, and actors crash at each point of a handler.
	EveryChoice bool
	// Of are the runs that Graph.Violates is about.
	Of Runs
}

// Result is what an exploration found, counted as a search that keeps going counts.
type Result struct {
	TooLarge bool  // there are more states or messages than the bounds; the rest means nothing then
	Cut      bool  // a state at MaxDepth was not expanded
	Err      error // of the oracle, or of a program that creates an actor twice

	States, Transitions uint64
	Terminal            uint64 // states in which no event but faults is enabled
	Leftover            uint64 // of these, how many have messages left
	Violations          uint64 // states that violate an invariant, failing transitions and deadlocks
	Failures            uint64 // of these, how many are failing transitions
	Deadlocks           uint64 // of these, how many are terminal states in which a final condition does not hold
	Outside             uint64 // states outside of a bound
	Shortest            int    // transitions of the shortest counterexample; -1 if there is none
	Depth               int    // largest distance of a state from the initial one
	Runs                map[string]uint64
	Faults              map[int]uint64 // by fault: how many transitions were one
	LocalSteps          uint64         // distinct pairs of local state and event met

	// Quotient counts relevant parts of states instead of states, each as its first state is.
	Quotient *Result
	// With KeepVectors, Vectors has the local states and the history of every state, Terminals those of the terminal ones.
	Vectors, Terminals map[string]bool
	// Broken are the first invariant that each state violates, by name, the first final condition likewise, and the handlers that
	// fail, with their failures.
	Broken map[string]bool

	// What the exploration met.
	Cycle         bool            // a run that comes back to a state
	Duplicates    bool            // two equal messages in flight
	Creation      bool            // an actor that is created
	Early         bool            // a message in flight to an actor that does not exist
	Guard         bool            // an event that is not enabled
	GuardsOpening bool            // a message whose guard opens while it is pending
	Met           map[string]bool // kinds of events, and what else may come with faults and channels
}

// Verdict is "verified" or "violated".
func (r Result) Verdict() string {
	if r.Violations > 0 {
		return "violated"
	}
	return "verified"
}

// state is a global state. Actors are sorted by name, messages by receiver and then by content, or in the
// order of sending.
type state struct {
	actors    []model.Actor
	stopped   []string        // sorted; adversaries are among them from the beginning
	ends      []model.Actor   // who has stopped, in the last local state, sorted by name, where properties read that
	pending   []model.Message // in flight; where delivery is no event of its own they may be consumed
	delivered []model.Message // which may be consumed, where delivery is an event of its own
	taken     []int           // by fault: how often it happened, if that is bounded
	cut       []bool          // by fault: whether it splits the network just now
	history   []byte
	watching  watching
	open      map[pair]bool // connections, by the names of their ends in order
	round     int           // how often time went on
	last      []byte        // the messages consumed last, with LastMessages
	distance  int
}

type explorer struct {
	Options
	Result
	oracle  model.Oracle
	program *model.Program
	numbers map[string]int // of states, by their canonical strings
	queue   []state        // of all states met, by number
	edges   [][]int        // from each state that is expanded
	pairs   map[string]bool
	parts   map[string]bool   // relevant parts met
	owed    map[string]owed   // by the canonical strings of the states that crashes which are left out lead to
	orbits  map[string]string // by the canonical strings of states: those of their orbits
}

// Explore explores all reachable states by levels.
func Explore(oracle model.Oracle, o Options) Result {
	e := newExplorer(oracle, o)
	for i := 0; i < len(e.queue) && e.Err == nil && !e.TooLarge; i++ {
		e.expand(e.queue[i])
		e.queue[i] = state{}
	}
	e.requireOwed()
	e.LocalSteps = uint64(len(e.pairs))
	e.Cycle = !e.TooLarge && cyclic(e.edges)
	return e.Result
}

// newExplorer begins an exploration: the initial state is met.
func newExplorer(oracle model.Oracle, o Options) *explorer {
	e := &explorer{Options: o, oracle: oracle, numbers: map[string]int{}, pairs: map[string]bool{}, parts: map[string]bool{},
		orbits: map[string]string{}, owed: map[string]owed{}}
	e.Shortest, e.Runs, e.Faults, e.Met = -1, map[string]uint64{}, map[int]uint64{}, map[string]bool{}
	e.Vectors, e.Terminals = map[string]bool{}, map[string]bool{}
	e.Broken = map[string]bool{}
	e.program = oracle.Program()
	if o.Relevant != nil || o.UsesSender != nil {
		e.Quotient = &Result{Runs: map[string]uint64{}, Faults: map[int]uint64{}}
	}
	initial := e.program.Initial
	s := state{history: initial.History, open: map[pair]bool{}, taken: make([]int, len(e.program.Faults)), cut: make([]bool, len(e.program.Faults))}
	s.stopped = e.adversaries()
	e.connectFirst(&s, initial.Messages)
	if e.Err = e.add(&s, initial.Actors, initial.Messages); e.Err == nil {
		e.meet(s)
	}
	return e
}

// meet returns the number of a state. A new one is tested and queued.
func (e *explorer) meet(s state) int {
	key := e.key(s)
	if n, ok := e.numbers[key]; ok {
		return n
	}
	n := len(e.queue)
	e.numbers[key] = n
	e.queue = append(e.queue, s)
	e.States++
	e.TooLarge = e.TooLarge || e.MaxStates > 0 && len(e.queue) > e.MaxStates ||
		e.MaxPending > 0 && len(s.pending)+len(s.delivered) > e.MaxPending
	e.Depth = max(e.Depth, s.distance)
	e.note(s)
	if e.KeepVectors && e.isWithin(s) {
		e.Vectors[s.vector()] = true
	}
	if !e.isWithin(s) {
		e.Outside++
		return n
	}
	for i, p := range e.program.Properties {
		if p.Kind.IsOfEachState() && !e.holds(i, s) {
			e.violated(s.distance)
			e.Broken[p.Name] = true
			break
		}
	}
	return n
}

// isWithin reports whether no bound ends runs in a state.
func (e *explorer) isWithin(s state) bool {
	for i, p := range e.program.Properties {
		if p.Kind == model.Within && !e.holds(i, s) {
			return false
		}
	}
	return true
}

func (e *explorer) note(s state) {
	for i, m := range s.pending {
		e.Duplicates = e.Duplicates || i > 0 && compare(m, s.pending[i-1]) == 0
		e.Early = e.Early || s.find(m.Receiver) < 0
	}
	e.Creation = e.Creation || len(s.actors)+len(s.stopped) > len(e.program.Initial.Actors)+len(e.adversaries())
}

func (e *explorer) holds(property int, s state) bool {
	evaluation := model.Evaluation{Property: property, History: s.history, Actors: slices.Clone(s.actors)}
	for _, a := range s.ends {
		a.Stopped = true
		evaluation.Actors = append(evaluation.Actors, a)
	}
	if e.program.SeesInFlight {
		evaluation.InFlight = slices.DeleteFunc(slices.Concat(s.pending, s.delivered), model.Message.IsClosed)
	}
	judgements, err := e.oracle.Evaluate(context.Background(), []model.Evaluation{evaluation})
	if err != nil {
		e.Err = err
		return true
	}
	return judgements[0].Holds
}

func (e *explorer) violated(length int) {
	e.Violations++
	if e.Shortest < 0 || length < e.Shortest {
		e.Shortest = length
	}
}

// expand takes every transition of a state.
func (e *explorer) expand(s state) {
	e.edges = append(e.edges, nil)
	quotient, counted := e.divide(s)
	if !e.isWithin(s) {
		return
	}
	events := e.enabled(s)
	if !slices.ContainsFunc(events, func(ev event) bool { return !ev.isFault }) {
		e.end(s, quotient)
		e.Met["terminal states with faults"] = e.Met["terminal states with faults"] || len(events) > 0
	}
	if len(events) == 0 {
		return
	}
	if e.MaxDepth > 0 && s.distance >= e.MaxDepth {
		e.Cut = true
		return
	}
	for _, ev := range events {
		e.owe(s, ev)
		fresh := quotient != nil && e.isNew(s, ev, counted)
		for i, o := range ev.outcomes {
			e.count(ev, o)
			if fresh && !ev.repeated[i] {
				quotient.count(ev, o)
				if o.Failure != nil {
					quotient.Violations++
				}
			}
			if o.Failure != nil {
				e.violated(s.distance + 1)
				e.Broken[o.Handler+": "+o.Failure.Text] = true
				continue
			}
			next, err := e.after(s, ev, o)
			if err != nil {
				e.Err = err
				return
			}
			last := len(e.edges) - 1
			e.edges[last] = append(e.edges[last], e.meet(next))
			for _, lost := range e.suffixesLost(next) {
				e.edges[last] = append(e.edges[last], e.meet(lost))
			}
			e.noteOpening(s, next, ev)
		}
	}
}

func (e *explorer) isFault(kind model.EventKind) bool { return isFault(e.program, kind) }

func isFault(p *model.Program, kind model.EventKind) bool {
	if kind == model.Recover {
		return !p.Fairness.Recovers
	}
	return kind != model.Receive && kind != model.Internal && kind != model.Heal && kind != model.Deliver && kind != model.Notify && kind != model.Tick &&
		kind != model.Disconnect && kind != model.Refuse && kind != model.Drop
}

// count counts a transition, but not the violation if it fails.
func (r *Result) count(ev event, o model.Outcome) {
	r.Transitions++
	if ev.isFault {
		r.Faults[ev.fault]++
	}
	r.Runs[o.Handler]++
	if o.Failure != nil {
		r.Failures++
	}
}

// end tests a state in which no event but faults is enabled. Under MP an actor may be unable to go on since
// several messages were delivered to it, all of which it must take at once, so there are no final conditions there.
func (e *explorer) end(s state, quotient *Result) {
	results := []*Result{&e.Result}
	if quotient != nil {
		results = append(results, quotient)
	}
	for _, r := range results {
		r.Terminal++
		if len(s.pending)+len(s.delivered) > 0 {
			r.Leftover++
		}
	}
	if e.KeepVectors {
		e.Terminals[s.vector()] = true
	}
	for i, p := range e.program.Properties {
		if p.Kind.IsOfTerminalStates() && e.program.Delivery != model.MP && !e.holds(i, s) {
			e.Deadlocks++
			e.Broken[p.Name] = true
			e.violated(s.distance)
			if quotient != nil {
				quotient.Violations++
			}
			break // a state is violated once
		}
	}
}

// firstStates is how many states are searched for guards that open: it takes as long as the rest.
const firstStates = 300

// noteOpening looks for a message that was pending with a false guard before its receiver took a
// step, and is enabled after it.
func (e *explorer) noteOpening(s, next state, taken event) {
	if e.GuardsOpening || e.States > firstStates || e.program.Delivery != model.M {
		return
	}
	before, after := s.find(taken.actor), next.find(taken.actor)
	if before < 0 || after < 0 || s.actors[before].Down || next.actors[after].Down {
		return
	}
	for i, m := range s.pending {
		if m.Receiver == taken.actor && !m.IsClosed() && !slices.Contains(taken.places, i) {
			e.GuardsOpening = e.GuardsOpening ||
				!e.accepts(s.actors[before], m) && e.accepts(next.actors[after], m)
		}
	}
}

func (e *explorer) accepts(a model.Actor, m model.Message) bool {
	return len(e.ask(model.Question{Local: a.Local, Event: model.Event{Messages: []model.Message{m}}}).Outcomes) > 0
}

func (e *explorer) add(s *state, actors []model.Actor, messages []model.Message) error {
	for _, a := range actors {
		if s.find(a.Name) >= 0 || slices.Contains(s.stopped, a.Name) {
			return fmt.Errorf("%s is created twice", a.Name)
		}
		s.actors = append(s.actors, a)
	}
	for _, m := range s.watching.ask(messages) {
		e.enqueue(s, m)
	}
	slices.SortFunc(s.actors, func(a, b model.Actor) int { return cmp.Compare(a.Name, b.Name) })
	e.sort(s.pending)
	return nil
}

// find returns the index of an actor, -1 if it does not exist.
func (s state) find(name string) int {
	return slices.IndexFunc(s.actors, func(a model.Actor) bool { return a.Name == name })
}

// canonical is the same for equal states only.
func (s state) canonical() string {
	b := []byte(s.vector())
	for _, messages := range [][]model.Message{s.pending, s.delivered} {
		b = binary.AppendUvarint(b, uint64(len(messages)))
		for _, m := range messages {
			b = appendMessage(b, m)
		}
	}
	for f, taken := range s.taken {
		b = binary.AppendVarint(b, int64(taken))
		b = strconv.AppendBool(b, s.cut[f])
	}
	return string(appendBytes(appendBytes(appendBytes(b, s.last), s.watching.links()), s.connections()))
}

// vector is the same for equal local states and histories only.
func (s state) vector() string {
	b := binary.AppendUvarint(binary.AppendVarint(nil, int64(s.round)), uint64(len(s.actors)))
	for _, a := range s.actors {
		b = appendBytes(b, []byte(a.Name))
		b = strconv.AppendBool(appendBytes(b, a.Local), a.Down)
		b = binary.AppendVarint(b, int64(a.Ahead))
	}
	b = binary.AppendUvarint(b, uint64(len(s.stopped)))
	for _, name := range s.stopped {
		b = appendBytes(b, []byte(name))
	}
	for _, a := range s.ends {
		b = appendBytes(b, a.Local)
	}
	return string(appendBytes(b, s.history))
}

func appendMessage(b []byte, m model.Message) []byte {
	b = appendBytes(b, []byte(m.Receiver))
	b = appendBytes(b, []byte(m.Sender))
	return binary.AppendVarint(appendBytes(b, m.Payload), int64(m.Age))
}

func appendBytes(b, item []byte) []byte {
	return append(binary.AppendUvarint(b, uint64(len(item))), item...)
}

func compare(a, b model.Message) int {
	return cmp.Or(cmp.Compare(a.Receiver, b.Receiver), cmp.Compare(a.Sender, b.Sender),
		bytes.Compare(a.Payload, b.Payload), cmp.Compare(a.Age, b.Age))
}

// cyclic reports whether a graph has a cycle: states without predecessors are taken away until there
// are none.
func cyclic(edges [][]int) bool {
	predecessors := make([]int, len(edges))
	for _, successors := range edges {
		for _, n := range successors {
			predecessors[n]++
		}
	}
	var free []int
	for n, count := range predecessors {
		if count == 0 {
			free = append(free, n)
		}
	}
	for i := 0; i < len(free); i++ {
		for _, n := range edges[free[i]] {
			if predecessors[n]--; predecessors[n] == 0 {
				free = append(free, n)
			}
		}
	}
	return len(free) < len(edges)
}
