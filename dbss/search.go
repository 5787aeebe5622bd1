// Package dbss is decomposition-based stateful search (Saissi, Bokor, Muftuoglu, Suri, Serafini:
// Efficient Verification of Distributed Protocols Using Stateful Model Checking), and the searches
// that it is compared with.
//
// There is one loop (engine.run). It takes a transition from the frontier, applies it, looks the
// successor up in the set of reached states and, if it is new, tests it and hands it to the frontier.
// What the methods differ in are values handed to the loop:
//
//	frontier       stack (depth-first, stateless) with or without selective push-on-stack, queue (breadth-first)
//	reached        visited (exact), forgetful (stateless)
//	System         what its states tell apart: their relevant part, which is selective hashing, or all
//
// Under selective hashing the System steps on relevant parts altogether. So a search is one of the
// relevant system that Definition 2 of the paper speaks of. Given that the decomposition is one
// (Definition 1), which package audit checks, it misses no violation (Theorem 1), a violation that it
// finds is real (Theorem 2), and it ends if there are finitely many relevant states (Theorem 3).
package dbss

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"harrier/model"
	"harrier/property"
)

// Options say how to search. The zero value searches depth-first to the end or the first violation.
type Options struct {
	Order Order
	// MaxDepth is the longest run that is followed, in transitions; 0 means no bound. Breadth-first
	// search then reaches exactly the states within that distance. Depth-first search may leave out
	// some of them: a state met at the bound is not expanded when it is met again on a shorter run.
	MaxDepth  int
	MaxStates uint64 // number of states after which the search ends; 0 means no bound
	KeepGoing bool   // count violations and go on instead of ending at the first
	// NoDeadlock leaves states without enabled events unchecked.
	NoDeadlock bool
	// PushAll gives every state a frame on the search stack: selective push-on-stack is off.
	PushAll bool
}

// Violation is a violation with the run that leads to it.
type Violation struct {
	Kind     property.Kind
	Property int // index in Program.Properties, for invariants and deadlocks
	Failure  *model.Failure
	Path     []model.Transition // from the initial state; the last one fails of a HandlerFailure
}

// Result is what a search found. It is meaningful for searches that were ended early as well.
type Result struct {
	Complete    bool   // every reachable state was reached and tested
	Reason      string // why not, if not and no violation ended the search
	States      uint64
	Transitions uint64
	Terminal    uint64 // states without enabled events
	Leftover    uint64 // of these, how many have messages left that nobody accepts
	Violations  uint64 // all that were met; more than one only with KeepGoing
	Depth       int    // longest run followed
	Frames      uint64 // most states held by the frontier at once
	HandlerRuns []uint64
	Violation   *Violation // the first that was met

	VisitedBytes, FrontierBytes uint64 // largest memory of the visited set and the frontier
}

// Progress is filled in while a search runs and may be read at any time.
type Progress struct {
	States, Transitions, Depth, Frontier atomic.Uint64
}

// Search explores the states of a system until all are tested, a violation is met, a bound is
// reached or ctx ends; in the last case the reason is the context's cause. The error is that of an
// oracle that could not answer; the result has the figures so far.
func Search(ctx context.Context, system model.System, checker *property.Checker, o Options, p *Progress) (*Result, error) {
	e := &engine{
		Options:  o,
		system:   system,
		checker:  checker,
		progress: p,
		state:    system.Initial(),
	}
	e.frontier, e.reached = o.values(len(e.state))
	err := e.run(ctx)
	var limit *model.LimitError
	switch {
	case ctx.Err() != nil && errors.Is(err, context.Cause(ctx)):
		e.result.Reason, err = context.Cause(ctx).Error(), nil
	case errors.As(err, &limit):
		e.result.Reason, err = limit.Error(), nil
	}
	e.publish()
	e.result.Complete = err == nil && e.result.Reason == "" && !e.stopped
	return &e.result, err
}

// engine is a search in progress.
type engine struct {
	Options
	system   model.System
	checker  *property.Checker
	frontier frontier
	reached  reached
	progress *Progress
	result   Result

	state   model.State        // the current state
	depth   int                // of the state that next returned a transition of
	enabled []model.Transition // in the state reached last
	undo    []model.Change     // what takes back the transition applied last
	stopped bool               // a violation ended the search
}

// pollEvery is how many transitions pass between looks at the context.
const pollEvery = 1024

// run is the search loop.
func (e *engine) run(ctx context.Context) error {
	e.reached.add(e.state)
	if err := e.reach(ctx, nil); err != nil || e.stopped {
		return err
	}
	e.push(nil)
	for !e.stopped {
		t, ok, err := e.frontier.next(ctx, e)
		if !ok || err != nil {
			return err
		}
		if e.result.Transitions%pollEvery == 0 && e.poll(ctx) || e.full() {
			return nil
		}
		if err := e.take(ctx, t); err != nil {
			return err
		}
	}
	return nil
}

// take applies a transition to the current state and deals with where it leads.
func (e *engine) take(ctx context.Context, t model.Transition) error {
	e.result.Transitions++
	e.countHandler(e.system.Handler(e.state, t))
	var err error
	e.state, e.undo, err = e.system.Apply(e.state, t, e.undo[:0])
	if err != nil {
		var failed *model.StepFailure
		if !errors.As(err, &failed) {
			return err
		}
		return e.violate(ctx, Violation{Kind: property.HandlerFailure, Failure: failed.Failure}, &t)
	}
	if _, isNew := e.reached.add(e.state); !isNew {
		e.state.Undo(e.undo)
		return nil
	}
	if err := e.reach(ctx, &t); err != nil || e.stopped {
		return err
	}
	e.push(&t)
	return nil
}

// push hands the current state to the frontier.
func (e *engine) push(by *model.Transition) {
	e.frontier.push(e, by)
	e.result.Frames = max(e.result.Frames, e.frontier.size())
}

// reach tests the current state, which is new, and finds what is enabled in it. by is the
// transition that led to it, nil for the initial state.
func (e *engine) reach(ctx context.Context, by *model.Transition) error {
	e.result.States++
	depth := 0
	if by != nil {
		depth = e.depth + 1
	}
	e.result.Depth = max(e.result.Depth, depth)
	v, err := e.checker.Invariants(ctx, e.state)
	if err != nil {
		return err
	}
	if v != nil {
		err := e.violate(ctx, Violation{Kind: property.InvariantViolation, Property: v.Property, Failure: v.Failure}, by)
		if err != nil || e.stopped {
			return err
		}
	}
	if e.enabled, err = e.system.Enabled(ctx, e.state, e.enabled[:0]); err != nil {
		return err
	}
	if len(e.enabled) == 0 {
		return e.end(ctx, by)
	}
	if e.MaxDepth > 0 && depth >= e.MaxDepth {
		e.enabled = e.enabled[:0]
		e.result.Reason = fmt.Sprintf("runs longer than %d transitions were not followed (--max-depth)", e.MaxDepth)
	}
	return nil
}

// end tests a state in which nothing is enabled.
func (e *engine) end(ctx context.Context, by *model.Transition) error {
	e.result.Terminal++
	if e.system.Pending(e.state) > 0 {
		e.result.Leftover++
	}
	if e.NoDeadlock {
		return nil
	}
	v, err := e.checker.Final(ctx, e.state)
	if v == nil || err != nil {
		return err
	}
	return e.violate(ctx, Violation{Kind: property.Deadlock, Property: v.Property, Failure: v.Failure}, by)
}

// violate records a violation that the transition by leads to.
func (e *engine) violate(ctx context.Context, v Violation, by *model.Transition) error {
	e.result.Violations++
	e.stopped = !e.KeepGoing
	if e.result.Violation != nil {
		return nil
	}
	if by != nil {
		path, err := e.frontier.path(ctx, e)
		if err != nil {
			return fmt.Errorf("following the run to the violation: %w", err)
		}
		v.Path = append(path, *by)
	}
	e.result.Violation = &v
	return nil
}

// poll publishes the progress and says whether the search must end.
func (e *engine) poll(ctx context.Context) bool {
	e.publish()
	if ctx.Err() != nil {
		e.result.Reason = context.Cause(ctx).Error()
		return true
	}
	return false
}

func (e *engine) publish() {
	e.result.VisitedBytes = max(e.result.VisitedBytes, e.reached.bytes())
	e.result.FrontierBytes = max(e.result.FrontierBytes, e.frontier.bytes())
	e.progress.States.Store(e.result.States)
	e.progress.Transitions.Store(e.result.Transitions)
	e.progress.Depth.Store(uint64(e.result.Depth))
	e.progress.Frontier.Store(e.frontier.size())
}

// full says whether a bound on states is reached. It is asked when there is more to explore.
func (e *engine) full() bool {
	switch {
	case e.MaxStates > 0 && e.result.States >= e.MaxStates:
		e.result.Reason = fmt.Sprintf("the search ended after %d states (--max-states)", e.result.States)
	case e.reached.full():
		e.result.Reason = fmt.Sprintf("the visited set is full: it holds %d states", e.result.States)
	default:
		return false
	}
	return true
}

// atBound says whether the current state is not to be expanded.
func (e *engine) atBound() bool { return e.MaxDepth > 0 && e.depth >= e.MaxDepth }

func (e *engine) countHandler(number int) {
	for number >= len(e.result.HandlerRuns) {
		e.result.HandlerRuns = append(e.result.HandlerRuns, 0)
	}
	e.result.HandlerRuns[number]++
}
