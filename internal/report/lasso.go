package report

import (
	"context"

	"harrier/internal/liveness/ltl"
	"harrier/internal/model"
	"harrier/internal/model/replay"
	"harrier/internal/property"
)

// A lasso follows a run that violates a property of runs: what holds in each of its states.
type lasso struct {
	of      model.Liveness
	kind    property.Kind
	formula *ltl.Formula
	run     *replay.Run
	labels  []ltl.Label
}

// newLasso begins in the run's present state; it is nil if what was found violates no property of runs.
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
// run with the loop again and again violates the property. If the loop has no actions, no event but faults is enabled. Of a property of
// states, it does not hold in the last one; what can be reached from there, one run does not show.
func (l *lasso) confirm(ctx context.Context, loop []model.Action) error {
	if l.kind != property.Liveness {
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
	for i, a := range loop {
		if _, err := l.run.Take(ctx, a); err != nil {
			return departs("step %d of the loop, the second time: %v", i+1, err)
		}
		if err := l.note(ctx); err != nil {
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
	case len(loop) > 0:
		return nil
	}
	enabled, err := l.run.Enabled(ctx)
	if err == nil && enabled {
		err = departs("an event is enabled where the run is to end")
	}
	return err
}
