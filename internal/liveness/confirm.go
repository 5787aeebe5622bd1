package liveness

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"harrier/internal/ds/slab"
	"harrier/internal/liveness/ltl"
	"harrier/internal/model"
)

// ErrNone is the error of Confirm for a run that is not fair, or does not violate the property.
var ErrNone = errors.New("no fair run that violates the property")

// Confirm decides whether a lasso is a fair run that violates the property: its steps are enabled, the loop comes back to where it
// begins, each constraint is taken in the loop or disabled somewhere, perhaps in the middle of a step, and the formula does not hold.
// It follows single steps, and shares nothing with the search but what a constraint is and which ones a step meets.
func (s *Search) Confirm(ctx context.Context, l *Lasso) error {
	r := &rerun{Search: s, constraints: constraints{s.actors, slab.NewTable[constraint]()}, s: s.actors.Initial()}
	if err := r.follow(ctx, l.Stem, false); err != nil {
		return err
	}
	start := slices.Clone(r.s.Trimmed())
	loop := len(r.labels)
	if err := r.follow(ctx, l.Loop, true); err != nil {
		return err
	}
	if !slices.Equal(start, r.s.Trimmed()) {
		return fmt.Errorf("%w: the loop does not come back to where it begins", ErrNone)
	}
	if err := r.enter(ctx, true); err != nil {
		return err
	}
	switch {
	case len(r.unmet) > 0:
		of := r.constraints.table.At(r.unmet[0])
		return fmt.Errorf("%w: the loop is not fair: a constraint of %s is enabled all along, and not taken", ErrNone, s.actors.Values.PositionName(int(of.position)))
	case len(r.strong) > 0:
		of := r.constraints.table.At(r.strong[0])
		return fmt.Errorf("%w: the loop is not fair: a message to %s is deliverable again and again, and not received", ErrNone, s.actors.Values.PositionName(int(of.position)))
	case !s.formula.Violates(r.labels, loop):
		return fmt.Errorf("%w: the run has the property", ErrNone)
	}
	return nil
}

// A rerun follows the steps of a lasso.
type rerun struct {
	*Search
	constraints constraints
	s           model.State
	labels      []ltl.Label
	started     bool     // the loop has
	taken       []uint32 // constraints that were taken in the loop
	strong      []uint32 // strong constraints that were enabled in a state of the loop, and not taken
	unmet       []uint32 // constraints that were enabled in all states of the loop, and that no step met
}

// follow takes steps. Before each it enters the state at hand, of the loop or not.
func (r *rerun) follow(ctx context.Context, steps []model.Transition, inLoop bool) error {
	for _, t := range steps {
		if err := r.enter(ctx, inLoop); err != nil {
			return err
		}
		enabled, err := r.actors.Enabled(ctx, r.s, nil)
		if err != nil {
			return err
		}
		if !slices.Contains(enabled, t) {
			return errors.New("a step is not enabled")
		}
		st := r.actors.StepOf(r.s, t)
		if inLoop {
			taken, err := r.constraints.taken(&st, nil)
			if err != nil {
				return err
			}
			met, err := r.constraints.met(&st)
			if err != nil {
				return err
			}
			r.unmet = slices.DeleteFunc(r.unmet, func(c uint32) bool { return slices.Contains(met, c) })
			r.strong = slices.DeleteFunc(r.strong, func(c uint32) bool { return slices.Contains(taken, c) })
			r.taken = append(r.taken, taken...)
		}
		if r.s, _, err = r.actors.Apply(slices.Clone(r.s), t, nil); err != nil {
			return err
		}
	}
	return nil
}

// enter notes the label of the state at hand and, in the loop, which constraints are enabled there.
func (r *rerun) enter(ctx context.Context, inLoop bool) error {
	label, err := r.label(ctx, r.s)
	if err != nil {
		return err
	}
	r.labels = append(r.labels, label)
	if !inLoop {
		return nil
	}
	transitions, err := r.actors.Enabled(ctx, r.s, nil)
	if err != nil {
		return err
	}
	var enabled []uint32
	for _, t := range transitions {
		st := r.actors.StepOf(r.s, t)
		if st.Guarded && r.actors.Globals.Disables(r.s[0], st.Update) {
			continue
		}
		if enabled, err = r.constraints.taken(&st, enabled); err != nil {
			return err
		}
	}
	for _, c := range enabled {
		if r.constraints.table.At(c).strong && !slices.Contains(r.taken, c) {
			r.strong = append(r.strong, c)
		}
	}
	if !r.started {
		r.started, r.unmet = true, enabled
		return nil
	}
	r.unmet = slices.DeleteFunc(r.unmet, func(c uint32) bool { return !slices.Contains(enabled, c) })
	return nil
}
