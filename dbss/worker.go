package dbss

import (
	"context"
	"errors"
	"fmt"

	"harrier/internal/wordset"
	"harrier/model"
	"harrier/property"
)

// worker is one of those who search. It has a current state, which it changes in place.
type worker struct {
	*engine
	frontier frontier
	keys     keyer
	counts   Counts
	told     Counts // the part of counts that progress shows already, with the frontier's size as Frames

	state      model.State
	depth      int            // of the state that the frontier's next returned a successor of
	taken      successor      // that one
	undo       []model.Change // what takes back the transition applied last
	enabled    []model.Transition
	successors []successor // of the state reached last
}

// A successor is an enabled transition with the key of the state it leads to.
type successor struct {
	model.Transition
	key uint64 // fails if the handler does
}

const fails = wordset.Invalid

func newWorker(e *engine) *worker {
	w := &worker{engine: e, state: e.system.Initial()}
	w.keys = e.store.keyer(len(w.state))
	w.frontier = e.commons.frontier(w)
	return w
}

// begin tests the initial state and hands it to the frontier.
func (w *worker) begin(ctx context.Context) {
	if err := w.arriveAtStart(ctx); err != nil {
		w.fail(ctx, err)
	}
}

func (w *worker) arriveAtStart(ctx context.Context) error {
	if err := w.keys.reset(w.state); err != nil {
		return err
	}
	key, err := w.keys.key()
	if err != nil {
		return err
	}
	if _, err := w.store.add(key); err != nil {
		return err
	}
	return w.arrive(ctx, nil)
}

// pollEvery is how many transitions pass between looks at the context.
const pollEvery = 1024

// run takes transitions until none is left or the search is stopped.
func (w *worker) run(ctx context.Context) {
	for !w.stopped.Load() {
		var ok bool
		var err error
		if w.taken, ok, err = w.frontier.next(ctx); err != nil {
			w.fail(ctx, err)
			return
		}
		if !ok || w.counts.Transitions%pollEvery == 0 && w.poll(ctx) || w.full() {
			return
		}
		if err := w.take(ctx, &w.taken); err != nil {
			w.fail(ctx, err)
			return
		}
	}
}

// take goes to a successor of the current state.
func (w *worker) take(ctx context.Context, next *successor) error {
	w.counts.Transitions++
	w.counts.countHandler(w.system.Handler(w.state, next.Transition), 1)
	if next.key != fails {
		if isNew, err := w.store.add(next.key); !isNew || err != nil {
			return err
		}
	}
	var err error
	w.state, w.undo, err = w.apply(next.Transition)
	if err != nil {
		var failed *model.StepFailure
		if !errors.As(err, &failed) {
			return err
		}
		return w.violate(ctx, Violation{Kind: property.HandlerFailure, Failure: failed.Failure}, next)
	}
	return w.arrive(ctx, next)
}

// apply takes a transition of the current state and keeps what takes it back.
func (w *worker) apply(t model.Transition) (model.State, []model.Change, error) {
	s, undo, err := w.system.Apply(w.state, t, w.undo[:0])
	if err != nil {
		return s, undo, err
	}
	undo, err = w.keys.move(s, undo, 0)
	return s, undo, err
}

// arrive tests the current state, which is new, and hands it to the frontier. by is the transition that
// led to it, nil for the initial state.
func (w *worker) arrive(ctx context.Context, by *successor) error {
	if err := w.test(ctx, by); err != nil || w.stopped.Load() {
		return err
	}
	err := w.frontier.push(by)
	w.counts.Frames = max(w.counts.Frames, w.frontier.size())
	return err
}

// test tests the current state and finds what is enabled in it.
func (w *worker) test(ctx context.Context, by *successor) error {
	w.counts.States++
	if w.MaxStates > 0 {
		w.states.Add(1)
	}
	depth := w.depthAfter(by)
	w.counts.Depth = max(w.counts.Depth, depth)
	v, err := w.checker.Invariants(ctx, w.state)
	if err != nil {
		return err
	}
	if v != nil {
		err := w.violate(ctx, Violation{Kind: property.InvariantViolation, Property: v.Property, Failure: v.Failure}, by)
		if err != nil || w.stopped.Load() {
			return err
		}
	}
	if w.enabled, err = w.system.Enabled(ctx, w.state, w.enabled[:0]); err != nil {
		return err
	}
	if len(w.enabled) == 0 {
		return w.testEnd(ctx, by)
	}
	if w.MaxDepth > 0 && depth >= w.MaxDepth {
		w.enabled = w.enabled[:0]
		w.bounded.Store(true)
	}
	return nil
}

// depthAfter is the length of the run to the state that by leads to.
func (w *worker) depthAfter(by *successor) int {
	if by == nil {
		return 0
	}
	return w.depth + 1
}

// testEnd tests a state in which nothing is enabled.
func (w *worker) testEnd(ctx context.Context, by *successor) error {
	w.counts.Terminal++
	if w.system.Pending(w.state) > 0 {
		w.counts.Leftover++
	}
	if w.NoDeadlock {
		return nil
	}
	v, err := w.checker.Final(ctx, w.state)
	if v == nil || err != nil {
		return err
	}
	return w.violate(ctx, Violation{Kind: property.Deadlock, Property: v.Property, Failure: v.Failure}, by)
}

// violate records a violation that the transition by leads to.
func (w *worker) violate(ctx context.Context, v Violation, by *successor) error {
	w.counts.Violations++
	path := func() ([]model.Transition, error) { return w.frontier.path(ctx) }
	if err := w.violated(v, w.depthAfter(by), path, by); err != nil {
		return err
	}
	if !w.KeepGoing {
		w.stop()
	}
	return nil
}

// follow finds the keys of the successors of the current state, for the transitions that are enabled in it.
// The set of states is asked for them later: by then their places in memory are at hand.
func (w *worker) follow() error {
	w.successors = w.successors[:0]
	for _, t := range w.enabled {
		next := successor{t, fails}
		var err error
		if w.state, w.undo, err = w.apply(t); err == nil {
			next.key, err = w.keys.key()
			w.keys.undo(w.state, w.undo)
			w.store.prefetch(next.key)
		}
		var failed *model.StepFailure
		if err != nil && !errors.As(err, &failed) {
			return err
		}
		w.successors = append(w.successors, next)
	}
	return nil
}

// poll publishes the progress and says whether the search must end.
func (w *worker) poll(ctx context.Context) bool {
	w.publish()
	if ctx.Err() != nil {
		w.end(context.Cause(ctx).Error())
		return true
	}
	return false
}

func (w *worker) publish() {
	p, size := w.progress, w.frontier.size()
	p.States.Add(w.counts.States - w.told.States)
	p.Transitions.Add(w.counts.Transitions - w.told.Transitions)
	p.Frontier.Add(size - w.told.Frames)
	if depth := uint64(w.counts.Depth); depth > p.Depth.Load() {
		p.Depth.Store(depth)
	}
	w.told.States, w.told.Transitions, w.told.Frames = w.counts.States, w.counts.Transitions, size
}

// full says whether the bound on states is reached. It is asked when there is more to explore.
func (w *worker) full() bool {
	if w.MaxStates == 0 || w.states.Load() < w.MaxStates {
		return false
	}
	w.end(fmt.Sprintf("the search ended after %d states (--max-states)", w.states.Load()))
	return true
}
