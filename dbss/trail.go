package dbss

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"harrier/internal/model"
	"harrier/internal/property"
)

// has reports whether a level is in a file.
func (k *kept) has(n int) bool { return k != nil && n < len(k.chain.Levels()) }

// at is the state at a place of a level, and the place of the one from which it was met.
func (k *kept) at(n int, place uint32) (s model.State, from uint32, err error) {
	if !k.has(n) { // levels could not be kept any more
		c := k.breadth.all[n].chunks[place>>chunkBits]
		at := place & (chunkStates - 1)
		if c.states == nil {
			return nil, 0, errors.New("it is not kept any more")
		}
		return k.space.state(stateOf(c.states[at])), c.links[at].parent, nil
	}
	run, err := k.chain.OpenRun(n, k.order)
	if err != nil {
		return nil, 0, k.refused(err)
	}
	defer run.Close()
	r, err := run.At(place)
	return k.space.state(r.State), r.From, k.refused(err)
}

// pathTo is the path to the state at a place of a level, and that state.
func (k *kept) pathTo(ctx context.Context, n int, place uint32) (path []model.Transition, end model.State, err error) {
	return k.again().pathTo(ctx, n, place, k.at)
}

// A trail is the state at a place of a level, and the place in the level before of the state from which it was met.
type trail func(level int, place uint32) (s model.State, from uint32, err error)

// pathTo is the path to the state at a place of a level, and that state.
func (a Again) pathTo(ctx context.Context, n int, place uint32, at trail) (path []model.Transition, end model.State, err error) {
	var states []model.State // the last one first
	for ; n >= 0; n-- {
		s, from, err := at(n, place)
		if err != nil {
			return nil, nil, err
		}
		states, place = append(states, s), from
	}
	slices.Reverse(states)
	for i, next := range states[1:] {
		by, _, err := a.Follow(ctx, states[i], next)
		if err != nil {
			return nil, nil, err
		}
		path = append(path, by)
	}
	return path, states[len(states)-1], nil
}

// path is the path from the initial state to where by leads, which q takes or which arrives there.
func (k *kept) path(ctx context.Context, q *queue, by *successor) ([]model.Transition, error) {
	path, last, err := k.pathTo(ctx, len(k.breadth.all)-1, q.link().parent)
	if err != nil || q.arriving == nil {
		return append(path, by.Transition), err
	}
	t, _, err := k.again().Follow(ctx, last, k.space.state(stateOf(by.to)))
	return append(path, t), err
}

// reference is the violation that the transition by leads to, as the files have it.
func (k *kept) reference(q *queue, by *successor, v property.Violation, length int) (*reference, error) {
	r := &reference{Length: length}
	if length > 0 {
		r.From = q.link().parent
	}
	if v.Kind == property.HandlerFailure {
		return r, nil
	}
	var err error
	r.Reached, err = write(k.system, k.space.state(stateOf(q.worker.at)))
	return r, err
}

// trace finds a violation again that a reference is of.
func (a Again) trace(ctx context.Context, v *reference, at trail) (*Counterexample, error) {
	found := &Counterexample{Length: v.Length, reference: v}
	s, err := a.System.Initial(), error(nil)
	if v.Length > 0 {
		found.Path, s, err = a.pathTo(ctx, v.Length-1, v.From, at)
	}
	var to model.State
	if err == nil && v.Reached != nil {
		to, err = a.Read(v.Reached)
	}
	if err == nil && v.Length > 0 {
		var by model.Transition
		var failure *model.StepFailure
		if by, failure, err = a.Follow(ctx, s, to); err == nil && to == nil {
			found.Violation = property.Violation{Kind: property.HandlerFailure, Failure: failure.Failure}
		}
		found.Path = append(found.Path, by)
	}
	if err != nil || v.Length > 0 && to == nil {
		return found, err
	}
	if v.Length == 0 {
		to = s
	}
	violated, err := a.Test(ctx, to)
	if err == nil && violated == nil {
		err = errors.New("the last state of a run violates nothing")
	}
	if err != nil {
		return nil, fmt.Errorf("finding a violation again: %w", err)
	}
	found.Violation = *violated
	return found, nil
}
