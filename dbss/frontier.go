package dbss

import (
	"context"

	"harrier/model"
)

// Order is the order in which a search explores.
type Order uint8

const (
	// DepthFirst follows one run as far as it goes before it turns to the next alternative.
	DepthFirst Order = iota
	// BreadthFirst explores by distance from the initial state: its counterexamples are shortest.
	BreadthFirst
)

func (o Order) frontier() frontier {
	if o == BreadthFirst {
		return &queue{}
	}
	return &stack{}
}

// A frontier holds the states that are met and not done with, and decides what is done next. All
// that differs between the search orders is here.
type frontier interface {
	// push takes over the search's current state, which is new, with the transitions enabled in it.
	push(e *engine)
	// next makes current the state to go on from and returns the transition to take there.
	// It returns false when nothing is left.
	next(ctx context.Context, e *engine) (model.Transition, bool, error)
	// path is the path from the initial state to the state to which next returned a transition.
	path(ctx context.Context, e *engine) ([]model.Transition, error)
	// size is the number of states held, bytes the memory they take.
	size() uint64
	bytes() uint64
}

// stack is textbook depth-first search: the frames are the current run. A frame keeps its next
// event and what undoes the step that led to it; it is popped when its events are used up. Frames
// share two growing arrays, so that nothing is allocated for each.
type stack struct {
	frames []frame
	events []model.Transition // of all frames, one after another
	undos  []model.Change     // likewise
}

type frame struct {
	next, end uint32 // in events
	undo      uint32 // where its changes start in undos
}

func (k *stack) push(e *engine) {
	next := uint32(len(k.events))
	k.events = append(k.events, e.enabled...)
	k.frames = append(k.frames, frame{next, uint32(len(k.events)), uint32(len(k.undos))})
	k.undos = append(k.undos, e.undo...)
	e.depth = len(k.frames) - 1
}

func (k *stack) next(_ context.Context, e *engine) (model.Transition, bool, error) {
	for len(k.frames) > 0 {
		top := &k.frames[len(k.frames)-1]
		if top.next < top.end {
			top.next++
			return k.events[top.next-1], true, nil
		}
		k.pop(e)
	}
	return model.Transition{}, false, nil
}

func (k *stack) pop(e *engine) {
	last := len(k.frames) - 1
	top := k.frames[last]
	e.state.Undo(k.undos[top.undo:])
	k.undos = k.undos[:top.undo]
	k.frames = k.frames[:last]
	if last > 0 {
		k.events = k.events[:k.frames[last-1].end]
	}
	e.depth = last - 1
}

func (k *stack) path(context.Context, *engine) ([]model.Transition, error) {
	var path []model.Transition
	for _, f := range k.frames[:len(k.frames)-1] {
		path = append(path, k.events[f.next-1])
	}
	return path, nil
}

func (k *stack) size() uint64 { return uint64(len(k.frames)) }

func (k *stack) bytes() uint64 {
	return uint64(cap(k.frames))*12 + uint64(cap(k.events)+cap(k.undos))*8
}

// queue is breadth-first search. The visited set numbers states in the order in which they are
// met, so the queue is the range of numbers from the state being expanded to the last one met.
// Each state keeps its parent's number.
type queue struct {
	parents  []uint32
	current  uint32 // the state being expanded
	started  bool
	levelEnd uint32 // number of the first state of the next level
	events   []model.Transition
	taken    int // how many of events were taken
}

func (q *queue) push(e *engine) {
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
	e.state = e.visited.load(q.current, e.state)
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
		if s, t, err = stepTo(ctx, e, s, numbers[i]); err != nil {
			return nil, err
		}
		path = append(path, t)
	}
	return path, nil
}

func (q *queue) size() uint64 { return uint64(len(q.parents)) - uint64(q.current) }

func (q *queue) bytes() uint64 { return uint64(cap(q.parents))*4 + uint64(cap(q.events))*8 }
