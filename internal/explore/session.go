// Package explore lets somebody walk through the states of a program with a browser.
//
// A Session (session.go) has the runs taken, as a tree of states, and the operations on a state: take an event, search
// from it (search.go), keep the run to it as a trace; view.go describes a state for the page. A Server (server.go) answers the
// page, and nobody else. It is in a process that has a socket, the session in the one that runs Java: a request goes from one to
// the other over pipes.
package explore

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"harrier/dbss"
	"harrier/internal/model"
	"harrier/internal/model/replay"
	"harrier/internal/model/space"
	"harrier/internal/property"
	"harrier/internal/report"
)

// Options are the options of a session.
type Options struct {
	Decomposition space.Decomposition
	MaxStates     uint64 // after which a search ends; 0 for no bound
	// Save keeps a trace, and says how it is replayed.
	Save func(ctx context.Context, trace *report.Trace) (string, error)
}

// Session is the exploration of a program.
type Session struct {
	Options
	oracle model.Oracle
	actors *space.Actors
	start  *report.Trace // of no steps

	mu       sync.Mutex // guards the fields below; held while a request is answered
	nodes    []node     // a tree, of which the first is the root; a node's number is its index
	children map[edge]int
	first    map[string]int // by digest: the first node with that state
	uuids    report.UUIDs   // of all that the page was shown

	searching atomic.Pointer[context.CancelCauseFunc] // ends the running search, nil without one
	progress  dbss.Progress
}

// node is a state with the run that leads there. The actors know which events are enabled, on representatives of local states and
// messages; the run has the concrete ones.
type node struct {
	parent   int // -1 of the root
	by       model.Transition
	step     report.Step // that leads here
	run      *replay.Run
	state    model.State // if the step failed, as run, that in which it did
	failed   bool
	enabled  []model.Transition // faults last; empty if the step failed
	terminal bool
	violated []violated
}

// violated is a violation in a state, by the step that leads there, or by the run, with a loop at its end.
type violated struct {
	found property.Violation
	report.Violation
}

type edge struct {
	parent int
	by     model.Transition
}

// NewSession begins in the initial state of the oracle's program.
func NewSession(ctx context.Context, oracle model.Oracle, o Options) (*Session, error) {
	s := &Session{Options: o, oracle: oracle, children: map[edge]int{}, first: map[string]int{}}
	var err error
	if s.actors, err = space.NewActors(oracle, o.Decomposition); err != nil {
		return nil, err
	}
	if s.start, err = report.Record(ctx, oracle, o.Decomposition, property.Violation{Kind: property.None}, nil); err != nil {
		return nil, err
	}
	root := node{parent: -1, state: s.actors.Initial()}
	if root.run, err = replay.New(oracle, o.Decomposition); err == nil {
		err = s.look(ctx, &root)
	}
	if err != nil {
		return nil, err
	}
	s.add(root)
	return s, nil
}

// Follow takes the events of a run from the initial state. The error is a *report.Departure if one is not enabled. A violation found
// on the run counts if it is of a property of runs; violations in states are looked for anyway.
func (s *Session) Follow(ctx context.Context, found property.Violation, actions []model.Action) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := 0
	for i, do := range actions {
		from := &s.nodes[at]
		k := slices.IndexFunc(from.enabled, func(t model.Transition) bool { return s.isSame(s.actors.Action(from.state, t), do) })
		if k < 0 {
			return &report.Departure{Text: fmt.Sprintf("step %d, of %s, is not enabled", i+1, do.Actor)}
		}
		var err error
		if at, err = s.take(ctx, at, from.enabled[k]); err != nil {
			return fmt.Errorf("step %d: %w", i+1, err)
		}
	}
	if found.Kind.IsOfRuns() {
		return s.confirm(ctx, at, found, actions)
	}
	return nil
}

// confirm notes at the end of a run that it violates a property of runs, unless it does not: the program may be another one than that
// in which it was found.
func (s *Session) confirm(ctx context.Context, at int, found property.Violation, actions []model.Action) error {
	_, err := report.Record(ctx, s.oracle, s.Decomposition, found, actions)
	var departure *report.Departure
	if errors.As(err, &departure) {
		return nil
	}
	if n := &s.nodes[at]; err == nil {
		n.violated = slices.Insert(n.violated, 0, violated{found, report.NewViolation(s.oracle.Program(), found, "")})
	}
	return err
}

// isSame reports whether two actions are the same event, as far as it is relevant, with the same outcome.
func (s *Session) isSame(a, b model.Action) bool {
	if a.Actor != b.Actor || a.Event.Kind != b.Event.Kind || a.Event.Fault != b.Event.Fault || a.Outcome != b.Outcome {
		return false
	}
	left := slices.Clone(b.Event.Messages)
	for _, m := range a.Event.Messages {
		i := slices.IndexFunc(left, func(o model.Message) bool {
			return m.Age == o.Age && s.Decomposition.HashedSender(m) == s.Decomposition.HashedSender(o) && m.Receiver == o.Receiver && string(s.relevant(m.Payload)) == string(s.relevant(o.Payload))
		})
		if i < 0 {
			return false
		}
		left = slices.Delete(left, i, i+1)
	}
	return len(left) == 0
}

// relevant is the relevant part of a payload, all of it where that cannot be found.
func (s *Session) relevant(b []byte) []byte {
	if s.Decomposition.Relevant != nil {
		if part, err := s.Decomposition.Relevant(b); err == nil {
			return part
		}
	}
	return b
}

// take takes a transition that is enabled at a node, and returns the node that it leads to.
func (s *Session) take(ctx context.Context, at int, by model.Transition) (int, error) {
	if n, ok := s.children[edge{at, by}]; ok {
		return n, nil
	}
	n := node{parent: at, by: by}
	var err error
	if n.run, n.step, err = s.execute(ctx, &s.nodes[at], by); err != nil {
		return 0, err
	}
	n.state, _, err = s.actors.Apply(slices.Clone(s.nodes[at].state), by, nil)
	var failure *model.StepFailure
	if n.failed = errors.As(err, &failure); n.failed {
		n.violate(s.oracle.Program(), property.Violation{Kind: property.HandlerFailure, Failure: n.step.Failure}, n.step.Handler)
		return s.add(n), nil
	}
	if err == nil {
		err = s.look(ctx, &n)
	}
	if err != nil {
		return 0, err
	}
	return s.add(n), nil
}

// execute executes a transition of a node.
func (s *Session) execute(ctx context.Context, from *node, by model.Transition) (*replay.Run, report.Step, error) {
	run, do := from.run.Clone(), s.actors.Action(from.state, by)
	taken, err := run.Take(ctx, do)
	if err != nil {
		return nil, report.Step{}, err
	}
	step, err := report.Describe(ctx, s.oracle.Program(), taken, do.Outcome)
	step.Digest = run.Digest()
	return run, report.Escaped(step), err
}

// look finds the enabled events of a state, and the properties violated there.
func (s *Session) look(ctx context.Context, n *node) error {
	all, err := s.actors.Enabled(ctx, n.state, nil)
	if err != nil {
		return err
	}
	var faults []model.Transition
	for _, t := range all {
		_, _, err := s.actors.Apply(slices.Clone(n.state), t, nil)
		var failure *model.StepFailure
		if errors.Is(err, model.ErrDisabled) {
			continue
		}
		if err != nil && !errors.As(err, &failure) {
			return err
		}
		if s.isFault(n.state, t) {
			faults = append(faults, t)
		} else {
			n.enabled = append(n.enabled, t)
		}
	}
	n.terminal, n.enabled = len(n.enabled) == 0, append(n.enabled, faults...)
	program := s.oracle.Program()
	for i, p := range program.Properties {
		if !p.Kind.IsOfStates() || p.Kind.IsOfTerminalStates() && (!n.terminal || program.Live || program.Delivery == model.MP) {
			continue
		}
		found := property.Violation{Kind: property.ViolationOf(p), Property: i}
		if p.Kind.IsOfTerminalStates() {
			found.Kind = report.FinalKind(n.run)
		}
		judgement, err := n.run.Evaluate(ctx, i)
		if err != nil {
			return err
		}
		if !judgement.Holds {
			found.Failure = judgement.Failure
			n.violate(program, found, "")
		}
	}
	return nil
}

func (n *node) violate(program *model.Program, found property.Violation, handler string) {
	n.violated = append(n.violated, violated{found, report.NewViolation(program, found, handler)})
}

func (s *Session) add(n node) int {
	number := len(s.nodes)
	s.nodes = append(s.nodes, n)
	if n.parent >= 0 {
		s.children[edge{n.parent, n.by}] = number
	}
	if _, ok := s.first[n.run.Digest()]; !ok && !n.failed {
		s.first[n.run.Digest()] = number
	}
	return number
}

// path is the numbers of the nodes that lead to one, itself included, and the root not.
func (s *Session) path(at int) []int {
	var path []int
	for ; at > 0; at = s.nodes[at].parent {
		path = append(path, at)
	}
	slices.Reverse(path)
	return path
}

// save keeps the run to a node as a trace, once it was executed again from the initial state.
func (s *Session) save(ctx context.Context, at int) (string, error) {
	found := property.Violation{Kind: property.None}
	if v := s.nodes[at].violated; len(v) > 0 {
		found = v[0].found
	}
	var actions []model.Action
	for _, n := range s.path(at) {
		actions = append(actions, s.actors.Action(s.nodes[s.nodes[n].parent].state, s.nodes[n].by))
	}
	trace, err := report.Record(ctx, s.oracle, s.Decomposition, found, actions)
	if err != nil {
		return "", fmt.Errorf("the run could not be executed again: %w", err)
	}
	return s.Save(ctx, trace)
}
