package partition

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"harrier/dbss"
	"harrier/internal/model"
	"harrier/internal/property"
)

// trace follows the run to a violation that a member met, from what the members kept, and tests its last state.
func (r *round) trace(ctx context.Context, v *violated) (*dbss.Counterexample, error) {
	states, err := r.statesTo(ctx, v)
	if err != nil {
		return nil, fmt.Errorf("finding the run to a violation: %w", err)
	}
	s := states[0]
	var path []model.Transition
	for _, next := range states[1:] {
		by, _, err := r.again().Follow(ctx, s, next)
		if err != nil {
			return nil, err
		}
		s, path = next, append(path, by)
	}
	if len(path) < v.Length { // the last transition fails
		by, failure, err := r.again().Follow(ctx, s, nil)
		if err != nil {
			return nil, err
		}
		path = append(path, by)
		return &dbss.Counterexample{Path: path, Length: len(path),
			Violation: property.Violation{Kind: property.HandlerFailure, Failure: failure.Failure}}, nil
	}
	found, err := r.again().Test(ctx, s)
	if err == nil && found == nil {
		err = errors.New("the last state of a run violates nothing here")
	}
	if err != nil {
		return nil, err
	}
	return &dbss.Counterexample{Violation: *found, Path: path, Length: len(path)}, nil
}

// statesTo returns the states of the run to a violation, from the initial state to the one that violates a property or in which a
// transition fails.
func (r *round) statesTo(ctx context.Context, v *violated) ([]model.State, error) {
	if v.Last == nil {
		return []model.State{r.system.Initial()}, nil
	}
	var states []model.State // the last one first
	if v.Reached != nil {
		s, err := r.again().Read(v.Reached)
		if err != nil {
			return nil, err
		}
		states = append(states, s)
	}
	rounds := append(slices.Clone(r.before), r.past)
	at := slices.IndexFunc(rounds, func(p past) bool { return p.round == v.Round })
	pieces := dbss.NewPieceReader(r.system)
	for from, level := v.Last, v.Length-1; from != nil && level >= 0; {
		if at < 0 || level < rounds[at].base {
			return nil, errors.New("a level was kept by no round")
		}
		s, by, err := r.find(ctx, pieces, rounds[at].kept, level, *from)
		if err != nil {
			return nil, err
		}
		if from = &by; level == rounds[at].base && at > 0 {
			at-- // it kept the same state before
			continue
		}
		states, level = append(states, s), level-1
	}
	if len(states) == 0 {
		return nil, fmt.Errorf("it has a length of %d", v.Length)
	}
	slices.Reverse(states)
	return states, nil
}

// find finds the state at a place of a level among the pieces that members kept, and from which one it was met.
func (r *round) find(ctx context.Context, pieces *dbss.PieceReader, of []kept, level int, at dbss.Origin) (model.State, dbss.Origin, error) {
	for _, k := range slices.Backward(of) { // what a worker kept last has the last places
		if k.Level != level || k.Member != at.Member {
			continue
		}
		for number := range k.Pieces {
			b, err := r.Get(ctx, k.name(number))
			if err != nil {
				return nil, at, err
			}
			s, by, ok, err := pieces.Find(dbss.Piece{Bytes: b, First: k.First}, at.Place)
			if ok || err != nil {
				return s, by, err
			}
		}
	}
	return nil, at, fmt.Errorf("member %d kept no state %d of level %d", at.Member, at.Place, level)
}
