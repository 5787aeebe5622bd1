package dbss

import (
	"context"
	"errors"
	"fmt"

	"harrier/internal/model"
	"harrier/internal/property"
)

// figures are those of one worker.
type figures struct{ states, transitions, frontier uint64 }

// worker is one of those who search.
type worker struct {
	*engine
	composer  *composer
	frontier  frontier
	kept      *kept // keeps the levels of the search; nil if nothing does
	counts    Counts
	published figures // what progress shows of this worker

	reduction model.Reduction    // nil if all transitions are followed
	chosen    []model.Transition // of the state that it was asked about last

	canonical Canonical // nil if states are known by themselves
	vector    []uint32  // the canonical one of the state that was looked up last
	classes   classes

	at     compressed  // the current state
	state  model.State // the state that was reached last
	depth  int         // of the state that the frontier's next returned a successor of
	taken  uint64      // successors so far
	due    uint64      // how many there are before the next poll
	later  *candidates // where states are looked up at the end of the level; nil where each is looked up at once
	needed uint64      // bytes of the worker's own tree that the states at hand need
}

func newWorker(e *engine) *worker {
	w := &worker{engine: e, composer: newComposer(e.system, e.store)}
	w.frontier = e.shared.frontier(w)
	if e.Canonical != nil {
		w.canonical = e.Canonical()
	}
	if e.Reduction != nil {
		w.reduction = e.Reduction()
	}
	return w
}

// begin tests the initial state and hands it to the frontier.
func (w *worker) begin(ctx context.Context) {
	var err error
	var key uint64
	if w.at, err = w.composer.compress(w.system.Initial()); err == nil {
		key, err = w.class(w.at, w.store.key(w.composer, w.at))
	}
	if err == nil {
		_, err = w.store.add(key)
	}
	if err == nil && w.admits() {
		err = w.arrive(ctx, nil)
	}
	if err != nil {
		w.fail(ctx, err)
	}
}

// pollMask says how many transitions pass between looks at the context and at the memory: one more than it,
// which is a power of two. It is a variable for tests.
var pollMask uint64 = 1<<10 - 1

// run takes transitions until none is left or the search is stopped.
func (w *worker) run(ctx context.Context) {
	var untaken *successor
	for !w.stopped.Load() {
		if w.taken >= w.due {
			if err := w.economize(); err != nil {
				w.fail(ctx, err)
				break
			}
			if w.canonical != nil {
				w.composer.recent = w.composer.recent.grown(w.taken)
			}
		}
		next, err := w.frontier.next(ctx)
		if err != nil {
			w.fail(ctx, err)
			return
		}
		if next == nil {
			return
		}
		if w.taken > w.due && w.catchUp(ctx) {
			untaken = next
			break
		}
		if err := w.take(ctx, next); err != nil {
			w.fail(ctx, err)
			break
		}
	}
	if err := w.frontier.uncount(ctx, untaken); err != nil {
		w.fail(ctx, err)
	}
}

// catchUp polls once for each poll that is due, and reports whether the worker must end.
func (w *worker) catchUp(ctx context.Context) bool {
	for w.taken > w.due {
		first := w.due == 0
		w.due += pollMask + 1
		if w.poll(ctx, first) {
			return true
		}
	}
	return false
}

// meet counts a transition, and reports whether it is to be taken: it fails, or leads to no state that the worker met lately.
func (w *worker) meet(next *successor) bool {
	w.taken++
	w.counts.Transitions++
	w.counts.count(next.handler, next.fault, 1)
	if next.fails || w.store.forgets {
		return true
	}
	key := w.store.key(w.composer, next.to)
	if w.composer.recent.has(key) {
		return false
	}
	w.composer.recent.note(key)
	return true
}

// uncount takes back that a successor was counted.
func (w *worker) uncount(of *successor) {
	w.counts.Transitions--
	w.counts.count(of.handler, of.fault, ^uint64(0))
}

// take goes to a successor of the current state.
func (w *worker) take(ctx context.Context, next *successor) (err error) {
	if next.fails {
		return w.takeFailing(ctx, next)
	}
	key := w.store.key(w.composer, next.to)
	if w.later != nil {
		return w.later.meet(key, next.to)
	}
	if next.class != 0 {
		key = next.class
	} else if key, err = w.class(next.to, key); err != nil {
		return err
	}
	fresh, err := w.store.add(key)
	if !fresh || err != nil || !w.admits() {
		return err
	}
	w.at = next.to
	return w.arrive(ctx, next)
}

// class returns the visited set's key of a state: that of its canonical vector with symmetry, else its own.
func (w *worker) class(s compressed, key uint64) (uint64, error) {
	if w.canonical == nil {
		return key, nil
	}
	if err := w.makeCanonical(s); err != nil {
		return 0, err
	}
	if w.store.tree == nil {
		return vectorHash(w.vector), nil
	}
	class, err := w.composer.compress(w.vector)
	return w.store.key(w.composer, class), err
}

// makeCanonical puts the canonical vector of a state into w.vector.
func (w *worker) makeCanonical(s compressed) (err error) {
	w.state = w.composer.decompress(w.composer.find(s), w.state)
	w.vector, err = w.canonical(w.state, w.vector[:0])
	return err
}

func (w *worker) takeFailing(ctx context.Context, next *successor) error {
	w.state = w.composer.decompress(w.composer.find(w.at), w.state)
	_, _, err := w.system.Apply(w.state, next.Transition, nil)
	var failed *model.StepFailure
	if !errors.As(err, &failed) {
		return fmt.Errorf("a handler that failed does not fail again: %w", err)
	}
	return w.violate(ctx, property.Violation{Kind: property.HandlerFailure, Failure: failed.Failure}, next)
}

// arrive tests the current state, which is new, and hands it to the frontier. by is what was taken to it,
// nil for the initial state.
func (w *worker) arrive(ctx context.Context, by *successor) error {
	at := w.composer.find(w.at)
	expandable, err := w.test(ctx, at, by)
	if err == nil && w.kept != nil {
		w.kept.noteAsked(w.state)
	}
	if err != nil || w.stopped.Load() {
		return err
	}
	err = w.frontier.push(ctx, at, by, expandable)
	w.counts.Frames = max(w.counts.Frames, w.frontier.size())
	return err
}

// test tests the current state, and reports whether there is something to follow from it.
func (w *worker) test(ctx context.Context, at place, by *successor) (expandable bool, err error) {
	w.counts.States++
	depth := w.depthAfter(by)
	w.counts.Depth = max(w.counts.Depth, depth)
	within, err := w.isWithin(ctx, at)
	if err != nil {
		return false, err
	}
	if !within {
		w.counts.Outside++
		return false, nil
	}
	v, err := w.checker.Invariants(ctx, w.state)
	if err != nil {
		return false, err
	}
	if v != nil {
		err := w.violate(ctx, *v, by)
		if err != nil || w.stopped.Load() {
			return false, err
		}
	}
	follows, err := w.composer.expand(ctx, w.at, at)
	if err != nil {
		return false, err
	}
	if err := w.testTerminal(ctx, follows.terminal, by); err != nil || w.stopped.Load() {
		return false, err
	}
	if !follows.continues {
		return false, nil
	}
	if w.MaxDepth > 0 && depth >= w.MaxDepth {
		w.bounded.Store(true)
		return false, nil
	}
	return true, nil
}

// isWithin reports whether the search is about the state at a place, which it puts into state.
func (w *worker) isWithin(ctx context.Context, at place) (bool, error) {
	w.state = w.composer.decompress(at, w.state)
	return w.checker.IsWithin(ctx, w.state)
}

// testTerminal tests whether terminal states where the current state was met satisfy the final conditions.
func (w *worker) testTerminal(ctx context.Context, isTerminal bool, by *successor) error {
	terminal, v, err := w.checker.Terminal(ctx, w.state, isTerminal, !w.NoDeadlock)
	if terminal == nil || err != nil {
		return err
	}
	w.counts.Terminal++
	if w.system.Pending(terminal) > 0 {
		w.counts.Leftover++
	}
	if v == nil {
		return nil
	}
	return w.violate(ctx, *v, by)
}

// depthAfter is the length of the run to the state that by leads to.
func (w *worker) depthAfter(by *successor) int {
	if by == nil {
		return 0
	}
	return w.depth + 1
}

// violate records a violation that the transition by leads to.
func (w *worker) violate(ctx context.Context, v property.Violation, by *successor) error {
	w.counts.Violations++
	trace := func(found *Counterexample) (err error) {
		if w.kept != nil {
			found.reference, err = w.kept.reference(w.frontier.(*queue), by, v, found.Length)
			if err != nil || found.Length == 0 || w.kept.joint != nil {
				return err
			}
		}
		found.Path, err = w.frontier.path(ctx, by)
		return err
	}
	if err := w.violated(v, w.depthAfter(by), trace); err != nil {
		return err
	}
	if !w.KeepGoing {
		w.stop(func() {})
	}
	return nil
}

// revisit appends the successors of a state that was reached some time ago.
func (w *worker) revisit(ctx context.Context, s compressed, into []successor) ([]successor, error) {
	at := w.composer.find(s)
	if _, err := w.composer.expand(ctx, s, at); err != nil {
		return into, err
	}
	return w.composer.successors(ctx, s, at, into)
}

// choose says which transitions of the current state are followed, if not all are. The state has transitions; at is its place. What
// is chosen holds until choose is called again.
func (w *worker) choose(ctx context.Context, at place) (chosen []model.Transition, reduced bool, err error) {
	if w.reduction == nil {
		return nil, false, nil
	}
	w.state = w.composer.decompress(at, w.state)
	if w.chosen, reduced, err = w.reduction(ctx, w.state, w.chosen[:0]); err != nil || !reduced {
		return nil, false, err
	}
	w.counts.Reduced++
	return w.chosen, true, nil
}

// only keeps those of some successors, in place, that belong to some transitions, which are in the same order.
func only(successors []successor, chosen []model.Transition) []successor {
	kept := successors[:0]
	for _, next := range successors {
		if len(chosen) > 0 && next.Transition == chosen[0] {
			kept, chosen = append(kept, next), chosen[1:]
		}
	}
	return kept
}

// leastMemory is how much a worker may remember in any case, in bytes. It is a variable for tests.
var leastMemory uint64 = 32 << 20

// economize has the workers remember no more than a sixteenth of the visited set: what they looked up lately.
func (w *worker) economize() error {
	limit := max(leastMemory, w.store.bytes()/16/uint64(len(w.workers)))
	if w.kept != nil && w.kept.filed != nil {
		limit = max(limit, w.kept.filed.room/4/uint64(len(w.workers)))
	}
	if w.composer.shared != nil {
		limit *= uint64(len(w.workers)) // for all of them
	}
	if w.store.tree != nil {
		w.composer.economize(limit)
		return nil
	}
	if w.composer.bytes() <= max(limit, 2*w.needed) {
		return nil
	}
	recompress := w.composer.renewTree()
	var err error
	if w.at, err = recompress(w.at); err == nil {
		err = w.frontier.recompress(recompress)
	}
	w.needed = w.composer.tree.Bytes()
	return err
}

// poll publishes the progress, calls Between and Beside when they are due, and reports whether it must end.
func (w *worker) poll(ctx context.Context, first bool) bool {
	w.publish()
	if ctx.Err() != nil {
		w.end(context.Cause(ctx).Error())
		return true
	}
	if first {
		return false
	}
	n := w.polls.Add(1)
	err := w.shared.look(w, n)
	if err == nil && w.Between != nil && n&(n-1) == 0 {
		err = w.Between(ctx)
	}
	if err == nil && w.Beside != nil {
		err = w.Beside(ctx)
	}
	if err != nil {
		w.fail(ctx, err)
	}
	return err != nil
}

func (w *worker) publish() {
	p, size := w.progress, w.frontier.size()
	p.States.Add(w.counts.States - w.published.states)
	p.Transitions.Add(w.counts.Transitions - w.published.transitions)
	p.Frontier.Add(size - w.published.frontier)
	if depth := uint64(w.counts.Depth); depth > p.Depth.Load() {
		p.Depth.Store(depth)
	}
	w.published.states, w.published.transitions, w.published.frontier = w.counts.States, w.counts.Transitions, size
}

// admits makes room for a new state within the bound on states, and ends the search if there is none. So a search is complete if there are no more
// states than the bound, in whatever order they are met.
func (w *worker) admits() bool {
	if w.MaxStates == 0 {
		return true
	}
	for n := w.states.Load(); n < w.MaxStates; n = w.states.Load() {
		if w.states.CompareAndSwap(n, n+1) {
			return true
		}
	}
	w.end(fmt.Sprintf("the search ended after %d states (--max-states)", w.states.Load()))
	return false
}
