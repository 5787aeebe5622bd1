package dbss

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"harrier/internal/model"
)

// stack is the depth-first search of Saissi et al., Algorithm 1, as it is meant: textbook depth-first
// search with two stacks. (As printed, the algorithm pops states that still have branches, leaves
// states that it does not push unexpanded and untested, and passes over the initial state.)
//
// The search stack has a frame for each state to come back to: a frame keeps its next successor, and is
// popped when its successors are used up. With selective push-on-stack a state with a single successor
// gets no frame, nor does a terminal state. There is nothing to come back to, so it is expanded at once, and
// neither the states reached nor the verdict change (Lemma 1 and Theorem 1 of the paper).
//
// The counterexample stack (CE-stack in the paper) holds a transition for each state of the current run
// but the initial one, so it leads through states without frames as well (Theorem 2).
//
// All frames share their arrays, so that nothing is allocated for each. A worker with nothing to do gets
// part of another one's stack from the pool.
type stack struct {
	pool       *pool
	worker     *worker
	start      []model.Transition // from the initial state to where the run begins
	frames     []frame
	successors []successor        // of all frames, one after another
	run        []model.Transition // the counterexample stack, from its start on

	single    successor // the only one of the current state, which has no frame
	hasSingle bool
}

type frame struct {
	at               compressed
	first, next, end uint32 // in successors
	depth            uint32 // length of run there
}

func (k *stack) push(ctx context.Context, at place, by *successor, expandable bool) error {
	if by != nil {
		k.run = append(k.run, by.Transition)
	}
	first := len(k.successors)
	if expandable {
		var err error
		if k.successors, err = k.worker.composer.successors(ctx, k.worker.at, at, k.successors); err != nil {
			return err
		}
		chosen, reduced, err := k.worker.choose(ctx, at)
		if err != nil {
			return err
		}
		if reduced {
			k.successors = append(k.successors[:first], only(k.successors[first:], chosen)...)
		}
	}
	if k.worker.Explorer != nil {
		k.worker.state = k.worker.composer.decompress(at, k.worker.state)
		k.worker.Explorer.Push(k.worker.state, transitions(k.successors[first:]))
	}
	k.expand(first)
	return nil
}

func transitions(successors []successor) []model.Transition {
	var all []model.Transition
	for _, next := range successors {
		all = append(all, next.Transition)
	}
	return all
}

// expand makes the last successors, from first on, those of the current state.
func (k *stack) expand(first int) {
	k.worker.depth = len(k.start) + len(k.run)
	if end := len(k.successors); end-first > 1 || k.worker.PushAll || k.worker.Explorer != nil {
		k.frames = append(k.frames, frame{k.worker.at, uint32(first), uint32(first), uint32(end), uint32(len(k.run))})
		return
	}
	if k.hasSingle = len(k.successors) > first; k.hasSingle {
		k.single = k.successors[first]
	}
	k.successors = k.successors[:first]
}

func (k *stack) next(ctx context.Context) (*successor, error) {
	for {
		by, err := k.step(ctx)
		if by == nil || err != nil || k.worker.meet(by) {
			return by, err
		}
		if w := k.worker; w.taken > w.due && w.catchUp(ctx) {
			return nil, nil // all that was counted was passed over
		}
	}
}

// uncount implements frontier.
func (k *stack) uncount(_ context.Context, untaken *successor) error {
	if untaken != nil {
		k.worker.uncount(untaken)
	}
	return nil
}

// step makes current the state to go on from and returns the successor to go to.
func (k *stack) step(ctx context.Context) (*successor, error) {
	if k.pool.hungry.Load() > 0 && k.worker.counts.Transitions%shareEvery == 0 {
		k.share()
	}
	for {
		if k.hasSingle {
			k.hasSingle = false
			return &k.single, nil
		}
		if next := k.pop(); next != nil {
			return next, nil
		}
		j := k.pool.take()
		if j == nil {
			return nil, nil
		}
		if err := k.begin(ctx, j); err != nil {
			return nil, err
		}
	}
}

// pop goes back to the last state that has a successor left.
func (k *stack) pop() *successor {
	for len(k.frames) > 0 {
		top := &k.frames[len(k.frames)-1]
		if k.worker.Explorer != nil {
			k.explore(top)
		}
		if top.next < top.end {
			k.worker.at = top.at
			k.run = k.run[:top.depth]
			k.worker.depth = len(k.start) + len(k.run)
			top.next++
			return &k.successors[top.next-1]
		}
		k.successors = k.successors[:top.first]
		k.frames = k.frames[:len(k.frames)-1]
	}
	return nil
}

// explore makes the successor of the last frame's state that the explorer chooses the next one.
func (k *stack) explore(top *frame) {
	n, ok := k.worker.Explorer.Next()
	if top.next = top.first + uint32(n); !ok {
		top.next = top.end
		if k.worker.Explorer.Pop() {
			k.worker.counts.Reduced++
		}
	}
}

// begin goes on with a job of the pool.
func (k *stack) begin(ctx context.Context, j *job) error {
	k.start, k.run = j.path, k.run[:0]
	var err error
	if k.worker.at, err = k.worker.composer.compress(j.state); err != nil {
		return err
	}
	if k.successors, err = k.worker.revisit(ctx, k.worker.at, k.successors[:0]); err != nil {
		return err
	}
	k.successors = only(k.successors, j.follow)
	k.expand(0)
	return nil
}

// shareEvery is how many transitions pass between attempts to share.
const shareEvery = 16

// share gives the pool half of the successors that are left in the lowest frame that has any, since
// these have most of the work below them. The last one is kept if there is nothing else to do.
func (k *stack) share() {
	for i := range k.frames {
		f := &k.frames[i]
		left := f.end - f.next
		all := i == len(k.frames)-1 && !k.hasSingle
		if left == 0 || left == 1 && all {
			continue
		}
		given := (left + 1) / 2
		f.end -= given
		j := &job{
			path:  slices.Concat(k.start, k.run[:f.depth]),
			state: k.worker.composer.decompress(k.worker.composer.find(f.at), nil),
		}
		j.follow = transitions(k.successors[f.end : f.end+given])
		k.pool.put(j)
		return
	}
}

func (k *stack) recompress(by func(compressed) (compressed, error)) error {
	var err error
	for i := range k.frames {
		if k.frames[i].at, err = by(k.frames[i].at); err != nil {
			return err
		}
	}
	for i := range k.successors {
		if k.successors[i].to, err = by(k.successors[i].to); err != nil {
			return err
		}
	}
	k.single.to, err = by(k.single.to)
	return err
}

func (k *stack) path(_ context.Context, by *successor) ([]model.Transition, error) {
	return append(slices.Concat(k.start, k.run), by.Transition), nil
}

func (k *stack) size() uint64 { return uint64(len(k.frames)) }

func (k *stack) bytes() uint64 {
	bytes := uint64(cap(k.frames))*24 + uint64(cap(k.successors))*24 + uint64(cap(k.run)+cap(k.start))*8
	if x := k.worker.Explorer; x != nil {
		bytes += x.Bytes()
	}
	return bytes
}

// pool is where stacks share work.
type pool struct {
	engine *engine
	// hungry is how many workers wait for jobs that nobody has put yet.
	hungry atomic.Int32

	mu      sync.Mutex
	changed sync.Cond
	jobs    []*job
	waiting int // workers in take
	over    bool
}

// A job is a state of which some successors are to be explored.
type job struct {
	path   []model.Transition // to the state
	state  model.State
	follow []model.Transition // of the state, in the order of System.Enabled
}

func newPool(e *engine) *pool {
	p := &pool{engine: e}
	p.changed.L = &p.mu
	return p
}

func (p *pool) frontier(w *worker) frontier { return &stack{pool: p, worker: w} }

func (p *pool) put(j *job) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.jobs = append(p.jobs, j)
	p.update()
	p.changed.Signal()
}

// take waits for a job. It returns nil when none will come: all workers wait, or the search is stopped.
func (p *pool) take() *job {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.waiting++
	defer func() { p.waiting--; p.update() }()
	for {
		switch {
		case p.over || p.engine.stopped.Load():
			return nil
		case len(p.jobs) > 0:
			last := len(p.jobs) - 1
			j := p.jobs[last]
			p.jobs = p.jobs[:last]
			return j
		case p.waiting == len(p.engine.workers):
			p.over = true
			p.changed.Broadcast()
			return nil
		}
		p.update()
		p.changed.Wait()
	}
}

func (p *pool) update() { p.hungry.Store(int32(p.waiting - len(p.jobs))) }

func (p *pool) wake() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.changed.Broadcast()
}

func (p *pool) bytes() (memory, disk uint64) { return 0, 0 }

func (p *pool) resume(context.Context) (bool, error) { return false, nil }

func (p *pool) look(*worker, uint64) error { return nil }

func (p *pool) close() error { return nil }
