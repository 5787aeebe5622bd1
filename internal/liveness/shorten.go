package liveness

import (
	"context"
	"slices"

	"harrier/internal/model"
	"harrier/internal/model/space"
)

// An occurrence is an event of an actor with its outcome, in whatever state.
type occurrence struct {
	slot uint32
	space.EventID
}

// Shorten leaves out steps of a lasso without which it is still a fair run that violates the property, until none can be left out or
// ctx ends.
func (s *Search) Shorten(ctx context.Context, l *Lasso) (*Lasso, error) {
	stem, loop, err := s.occurrences(l)
	if err != nil {
		return nil, err
	}
	for before := -1; before != len(stem)+len(loop) && ctx.Err() == nil; {
		before = len(stem) + len(loop)
		for size := (before + 1) / 2; size > 0; size /= 2 {
			stem = s.without(ctx, stem, size, &l, func(rest []occurrence) *Lasso { return s.lassoOf(ctx, rest, loop) })
			loop = s.without(ctx, loop, size, &l, func(rest []occurrence) *Lasso { return s.lassoOf(ctx, stem, rest) })
		}
	}
	return l, nil
}

// without leaves out each part of a size without which there is still a lasso, the last one first.
func (s *Search) without(ctx context.Context, of []occurrence, size int, best **Lasso, lasso func([]occurrence) *Lasso) []occurrence {
	for end := len(of); end > 0 && ctx.Err() == nil; end = min(end-size, len(of)) {
		rest := slices.Concat(of[:max(0, end-size)], of[end:])
		if l := lasso(rest); l != nil {
			of, *best = rest, l
		}
	}
	return of
}

// occurrences returns the occurrences of a lasso.
func (s *Search) occurrences(l *Lasso) (stem, loop []occurrence, err error) {
	state := s.actors.Initial()
	for i, t := range slices.Concat(l.Stem, l.Loop) {
		o := occurrence{t.Slot, s.actors.StepOf(state, t).EventID}
		if i < len(l.Stem) {
			stem = append(stem, o)
		} else {
			loop = append(loop, o)
		}
		if state, _, err = s.actors.Apply(state, t, nil); err != nil {
			return nil, nil, err
		}
	}
	return stem, loop, nil
}

// lassoOf is the lasso of some occurrences; nil if it is not one that violates the property.
func (s *Search) lassoOf(ctx context.Context, stem, loop []occurrence) *Lasso {
	l := &Lasso{}
	state := s.actors.Initial()
	for i, o := range slices.Concat(stem, loop) {
		enabled, err := s.actors.Enabled(ctx, state, nil)
		if err != nil {
			return nil
		}
		at := slices.IndexFunc(enabled, func(t model.Transition) bool {
			return t.Slot == o.slot && s.actors.StepOf(state, t).EventID == o.EventID
		})
		if at < 0 {
			return nil
		}
		if i < len(stem) {
			l.Stem = append(l.Stem, enabled[at])
		} else {
			l.Loop = append(l.Loop, enabled[at])
		}
		if state, _, err = s.actors.Apply(state, enabled[at], nil); err != nil {
			return nil
		}
	}
	if s.Confirm(ctx, l) != nil {
		return nil
	}
	return l
}
