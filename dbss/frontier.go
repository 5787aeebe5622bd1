package dbss

import (
	"context"
	"fmt"
	"slices"

	"harrier/model"
)

// Order is the order in which a search explores.
type Order uint8

const (
	// DepthFirst follows one run as far as it goes before it turns to the next alternative.
	DepthFirst Order = iota
	// BreadthFirst explores by distance from the initial state: its counterexamples are shortest.
	BreadthFirst
	// Stateless is depth-first search that remembers no states: it follows every run there is. It
	// ends only if all runs are finite, or bounded by MaxDepth.
	Stateless
)

// values are the frontier and the set of reached states of an order.
func (o Options) values(width int) (frontier, reached) {
	switch o.Order {
	case BreadthFirst:
		v := newVisited(width)
		return &queue{visited: v}, v
	case Stateless:
		return &stack{pushAll: o.PushAll}, forgetful{}
	}
	return &stack{pushAll: o.PushAll}, newVisited(width)
}

// A frontier holds the states that are met and not done with, and decides what is done next.
type frontier interface {
	// push takes over the search's current state, which is new, with the transitions enabled in it.
	// by is the transition that led to it, nil for the initial state.
	push(e *engine, by *model.Transition)
	// next makes current the state to go on from and returns the transition to take there.
	// It returns false when nothing is left.
	next(ctx context.Context, e *engine) (model.Transition, bool, error)
	// path is the path from the initial state to the state to which next returned a transition.
	path(ctx context.Context, e *engine) ([]model.Transition, error)
	// size is the number of states held, bytes the memory they take.
	size() uint64
	bytes() uint64
}

// reached is the set of states met (reached in Algorithm 1).
type reached interface {
	// add puts a state in the set and returns its number and whether it is new.
	add(s model.State) (number uint32, isNew bool)
	// full says whether it can take no more.
	full() bool
	bytes() uint64
}

// forgetful is the set of a stateless search: all that comes is new.
type forgetful struct{}

func (forgetful) add(model.State) (uint32, bool) { return 0, true }
func (forgetful) full() bool                     { return false }
func (forgetful) bytes() uint64                  { return 0 }

// stack is the depth-first search of Saissi et al., Algorithm 1, as it is meant: textbook depth-first
// search with two stacks. (As printed, the algorithm pops states that still have branches, leaves
// states that it does not push unexpanded and untested, and passes over the initial state.)
//
// The search stack has a frame for each state to come back to: a frame keeps its next event, and is
// popped when its events are used up. With selective push-on-stack a state whose only event is single
// enabled gets no frame, nor does an end. There is nothing to come back to, so it is expanded at once, and
// neither the states reached nor the verdict change (Lemma 1 and Theorem 1 of the paper).
//
// The counterexample stack (CE-stack in the paper) holds a transition for each state of the current run
// but the initial one, so it leads through states without frames as well (Theorem 2).
//
// All frames share their arrays, so that nothing is allocated for each.
type stack struct {
	pushAll bool // selective push-on-stack is off
	frames  []frame
	events  []model.Transition // of all frames, one after another
	undos   []model.Change     // what takes the current run back, step after step
	run     []model.Transition // the counterexample stack

	single    model.Transition // the only event of the current state, which has no frame
	hasSingle bool
}

type frame struct {
	next, end uint32 // in events
	undo      uint32 // length of undos where the frame's state is current
	depth     uint32 // length of run there
}

func (k *stack) push(e *engine, by *model.Transition) {
	if by != nil {
		k.undos = append(k.undos, e.undo...)
		k.run = append(k.run, *by)
	}
	e.depth = len(k.run)
	if len(e.enabled) < 2 && !k.pushAll {
		if k.hasSingle = len(e.enabled) == 1; k.hasSingle {
			k.single = e.enabled[0]
		}
		return
	}
	next := uint32(len(k.events))
	k.events = append(k.events, e.enabled...)
	k.frames = append(k.frames, frame{next, uint32(len(k.events)), uint32(len(k.undos)), uint32(len(k.run))})
}

func (k *stack) next(_ context.Context, e *engine) (model.Transition, bool, error) {
	if k.hasSingle {
		k.hasSingle = false
		return k.single, true, nil
	}
	for len(k.frames) > 0 {
		top := &k.frames[len(k.frames)-1]
		k.backtrack(e, top)
		if top.next < top.end {
			top.next++
			return k.events[top.next-1], true, nil
		}
		k.frames = k.frames[:len(k.frames)-1]
		if len(k.frames) > 0 {
			k.events = k.events[:k.frames[len(k.frames)-1].end]
		}
	}
	return model.Transition{}, false, nil
}

// backtrack makes the frame's state current again.
func (k *stack) backtrack(e *engine, f *frame) {
	e.state.Undo(k.undos[f.undo:])
	k.undos, k.run = k.undos[:f.undo], k.run[:f.depth]
	e.depth = len(k.run)
}

func (k *stack) path(context.Context, *engine) ([]model.Transition, error) {
	return slices.Clone(k.run), nil
}

func (k *stack) size() uint64 { return uint64(len(k.frames)) }

func (k *stack) bytes() uint64 {
	return uint64(cap(k.frames))*16 + uint64(cap(k.events)+cap(k.undos)+cap(k.run))*8
}

// queue is breadth-first search. The visited set numbers states in the order in which they are
// met, so the queue is the range of numbers from the state being expanded to the last one met.
// Each state keeps its parent's number.
type queue struct {
	visited  *visited
	parents  []uint32
	current  uint32 // the state being expanded
	started  bool
	levelEnd uint32 // number of the first state of the next level
	events   []model.Transition
	taken    int // how many of events were taken
}

func (q *queue) push(e *engine, _ *model.Transition) {
	q.parents = append(q.parents, q.current)
	e.state.Undo(e.undo)
}

func (q *queue) next(ctx context.Context, e *engine) (model.Transition, bool, error) {
	for q.taken == len(q.events) {
		if ok, err := q.advance(ctx, e); !ok || err != nil {
			return model.Transition{}, false, err
		}
	}
	q.taken++
	return q.events[q.taken-1], true, nil
}

// advance makes the next state in the queue current.
func (q *queue) advance(ctx context.Context, e *engine) (bool, error) {
	if q.started {
		q.current++
	} else {
		q.started, q.levelEnd = true, 1
	}
	if int(q.current) == len(q.parents) {
		return false, nil
	}
	if q.current == q.levelEnd {
		q.levelEnd = uint32(len(q.parents))
		e.depth++
	}
	e.state = q.visited.load(q.current, e.state)
	q.events, q.taken = q.events[:0], 0
	if e.atBound() {
		return true, nil
	}
	var err error
	q.events, err = e.system.Enabled(ctx, e.state, q.events)
	return true, err
}

// path follows the parents back and then steps forward again: at each state it takes the
// transition whose successor has the next number.
func (q *queue) path(ctx context.Context, e *engine) ([]model.Transition, error) {
	var numbers []uint32
	for n := q.current; n != 0; n = q.parents[n] {
		numbers = append(numbers, n)
	}
	var path []model.Transition
	s := e.system.Initial()
	for i := len(numbers) - 1; i >= 0; i-- {
		var t model.Transition
		var err error
		if s, t, err = q.stepTo(ctx, e, s, numbers[i]); err != nil {
			return nil, err
		}
		path = append(path, t)
	}
	return path, nil
}

// stepTo finds the transition of s whose successor has a number in the visited set.
func (q *queue) stepTo(ctx context.Context, e *engine, s model.State, number uint32) (model.State, model.Transition, error) {
	enabled, err := e.system.Enabled(ctx, s, nil)
	if err != nil {
		return s, model.Transition{}, err
	}
	for _, t := range enabled {
		next, undo, err := e.system.Apply(s, t, nil)
		if err == nil {
			if n, isNew := q.visited.add(next); !isNew && n == number {
				return next, t, nil
			}
			s = next
			s.Undo(undo)
		}
	}
	return s, model.Transition{}, fmt.Errorf("state %d cannot be reached from its parent", number)
}

func (q *queue) size() uint64 { return uint64(len(q.parents)) - uint64(q.current) }

func (q *queue) bytes() uint64 { return uint64(cap(q.parents))*4 + uint64(cap(q.events))*8 }
