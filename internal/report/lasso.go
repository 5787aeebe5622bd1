package report

import (
	"context"
	"errors"
	"slices"

	"harrier/internal/liveness/ltl"
	"harrier/internal/model"
	"harrier/internal/model/replay"
	"harrier/internal/property"
)

// A lasso follows a run that violates a property of runs, with the label of each of its states.
type lasso struct {
	of      model.Liveness
	kind    property.Kind
	formula *ltl.Formula
	run     *replay.Run
	labels  []ltl.Label
}

// newLasso begins in the run's present state; it is nil if found violates no property of runs.
func newLasso(ctx context.Context, program *model.Program, found property.Violation, run *replay.Run) (*lasso, error) {
	if !found.Kind.IsOfRuns() {
		return nil, nil
	}
	of := program.Liveness[found.Property]
	formula, err := ltl.Parse(of.Formula, of.Bit)
	if err != nil {
		return nil, err
	}
	l := &lasso{of: of, kind: found.Kind, formula: formula, run: run}
	return l, l.note(ctx)
}

// note evaluates the predicates in the run's present state.
func (l *lasso) note(ctx context.Context) error {
	if l == nil {
		return nil
	}
	label := ltl.Label(0)
	for i, a := range l.of.Atoms {
		judgement, err := l.run.Evaluate(ctx, a.Property)
		if err != nil {
			return err
		}
		if judgement.Holds {
			label |= 1 << i
		}
	}
	l.labels = append(l.labels, label)
	return nil
}

// confirm takes the loop, the last actions of a run, once more, and makes sure that it leads back to where it began, and that the
// run with the loop again and again is fair and violates the property. Of a property of states, it does not hold in the last one; what
// can be reached from there, one run does not show.
func (l *lasso) confirm(ctx context.Context, loop []model.Action) error {
	if !l.kind.HasLoop() {
		if l.formula.HoldsIn(l.labels[len(l.labels)-1]) {
			return departs("%q holds at the end of the run", l.of.Title())
		}
		return nil
	}
	start, err := l.run.Relevant()
	if err != nil {
		return err
	}
	begin := len(l.labels) - 1
	unmet := &unmet{}
	if err := unmet.begin(ctx, l.run); err != nil {
		return err
	}
	for i, a := range loop {
		taken, err := l.run.Take(ctx, a)
		if err != nil {
			return departs("step %d of the loop, the second time: %v", i+1, err)
		}
		if err := errors.Join(unmet.after(ctx, l.run, taken), l.note(ctx)); err != nil {
			return err
		}
	}
	again, err := l.run.Relevant()
	switch {
	case err != nil:
		return err
	case again != start:
		return departs("the loop does not lead back to where it began")
	case !l.formula.Violates(l.labels, begin):
		return departs("%q holds in the run", l.of.Title())
	}
	return unmet.problem()
}

// unmet are the constraints that a loop has not met so far.
type unmet struct {
	weak   []replay.Constraint // which were enabled in all states, and not met by a step
	strong []replay.Constraint // which were enabled in some state, and not taken
	taken  []replay.Constraint
}

// begin looks at the first state of the loop.
func (u *unmet) begin(ctx context.Context, run *replay.Run) (err error) {
	u.weak, err = run.Constraints(ctx)
	u.addStrong(u.weak)
	return err
}

// after looks at a step of the loop, and at the state after it.
func (u *unmet) after(ctx context.Context, run *replay.Run, taken replay.Taken) error {
	takes, err := run.Takes(taken)
	if err != nil {
		return err
	}
	meets, err := run.Meets(taken)
	if err != nil {
		return err
	}
	enabled, err := run.Constraints(ctx)
	u.taken = append(u.taken, takes...)
	u.strong = slices.DeleteFunc(u.strong, func(c replay.Constraint) bool { return slices.Contains(takes, c) })
	u.weak = slices.DeleteFunc(u.weak, func(c replay.Constraint) bool { return slices.Contains(meets, c) || !slices.Contains(enabled, c) })
	u.addStrong(enabled)
	return err
}

func (u *unmet) addStrong(enabled []replay.Constraint) {
	for _, c := range enabled {
		if c.Strong && !slices.Contains(u.taken, c) {
			u.strong = append(u.strong, c)
		}
	}
}

// problem is what a fair run would do beside the loop, nil if the loop is fair.
func (u *unmet) problem() error {
	switch {
	case len(u.weak) > 0:
		return departs("the run is not fair: %s is enabled from some state on, and does not happen", u.weak[0])
	case len(u.strong) > 0:
		return departs("the run is not fair: %s is enabled again and again, and does not happen", u.strong[0])
	}
	return nil
}
