package dbss

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"harrier/model"
)

// stack is the depth-first search of Saissi et al., Algorithm 1, as it is meant: textbook depth-first
// search with two stacks. (As printed, the algorithm pops states that still have branches, leaves
// states that it does not push unexpanded and untested, and passes over the initial state.)
//
// The search stack has a frame for each state to come back to: a frame keeps its next successor, and is
// popped when its successors are used up. With selective push-on-stack a state with a single successor
// gets no frame, nor does an end. There is nothing to come back to, so it is expanded at once, and
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
	undos      []model.Change     // what takes the current run back, step after step
	run        []model.Transition // the counterexample stack, from its start on

	single    successor // the only one of the current state, which has no frame
	hasSingle bool
}

type frame struct {
	first, next, end uint32 // in successors
	undo             uint32 // length of undos where the frame's state is current
	depth            uint32 // length of run there
}

func (k *stack) push(by *successor) error {
	if by != nil {
		k.undos = append(k.undos, k.worker.undo...)
		k.run = append(k.run, by.Transition)
	}
	if err := k.worker.follow(); err != nil {
		return err
	}
	k.expand(k.worker.successors)
	return nil
}

// expand makes successors those of the current state.
func (k *stack) expand(successors []successor) {
	k.worker.depth = len(k.start) + len(k.run)
	if len(successors) < 2 && !k.worker.PushAll {
		if k.hasSingle = len(successors) == 1; k.hasSingle {
			k.single = successors[0]
		}
		return
	}
	first := uint32(len(k.successors))
	k.successors = append(k.successors, successors...)
	k.frames = append(k.frames, frame{first, first, uint32(len(k.successors)), uint32(len(k.undos)), uint32(len(k.run))})
}

func (k *stack) next(context.Context) (successor, bool, error) {
	if k.pool.hungry.Load() > 0 && k.worker.counts.Transitions%shareEvery == 0 {
		k.share()
	}
	for {
		if k.hasSingle {
			k.hasSingle = false
			return k.single, true, nil
		}
		if next, ok := k.pop(); ok {
			return next, true, nil
		}
		j := k.pool.take()
		if j == nil {
			return successor{}, false, nil
		}
		if err := k.begin(j); err != nil {
			return successor{}, false, err
		}
	}
}

// pop goes back to the last state that has a successor left.
func (k *stack) pop() (successor, bool) {
	for len(k.frames) > 0 {
		top := &k.frames[len(k.frames)-1]
		k.worker.keys.undo(k.worker.state, k.undos[top.undo:])
		k.undos, k.run = k.undos[:top.undo], k.run[:top.depth]
		k.worker.depth = len(k.start) + len(k.run)
		if top.next < top.end {
			top.next++
			return k.successors[top.next-1], true
		}
		k.successors = k.successors[:top.first]
		k.frames = k.frames[:len(k.frames)-1]
	}
	return successor{}, false
}

// begin goes on with a job of the pool.
func (k *stack) begin(j *job) error {
	k.start, k.run, k.undos = j.path, k.run[:0], k.undos[:0]
	k.worker.state = j.state
	if err := k.worker.keys.reset(j.state); err != nil {
		return err
	}
	k.expand(j.successors)
	return nil
}

// shareEvery is how many transitions pass between attempts to share.
const shareEvery = 16

// share gives the pool half of the successors that are left in the lowest frame that has several, since
// these have most of the work below them. In lower frames the one that is left goes to the pool.
func (k *stack) share() {
	for i := range k.frames {
		f := &k.frames[i]
		left := f.end - f.next
		isTop := i == len(k.frames)-1 && !k.hasSingle
		if left == 0 || left == 1 && isTop {
			continue
		}
		f.end -= (left + 1) / 2
		state := slices.Clone(k.worker.state)
		undoPositions(state, k.undos[f.undo:])
		k.pool.put(&job{
			path:       slices.Concat(k.start, k.run[:f.depth]),
			state:      state,
			successors: slices.Clone(k.successors[f.end : f.end+(left+1)/2]),
		})
		return
	}
}

// undoPositions takes changes of a state back, and leaves those of a keyer alone.
func undoPositions(s model.State, changes []model.Change) {
	for i := len(changes) - 1; i >= 0; i-- {
		if c := changes[i]; c.Position&inner == 0 {
			s[c.Position] = c.Old
		}
	}
}

func (k *stack) path(context.Context) ([]model.Transition, error) {
	return slices.Concat(k.start, k.run), nil
}

func (k *stack) size() uint64 { return uint64(len(k.frames)) }

func (k *stack) bytes() uint64 {
	return uint64(cap(k.frames))*20 + uint64(cap(k.successors))*16 + uint64(cap(k.undos)+cap(k.run)+cap(k.start))*8
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

// A job is a state whose successors are to be explored, the first of them first.
type job struct {
	path       []model.Transition
	state      model.State
	successors []successor
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

func (p *pool) bytes() uint64 { return 0 }
