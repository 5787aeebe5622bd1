package check

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"harrier/dbss"
	"harrier/internal/liveness"
	"harrier/internal/model"
	"harrier/internal/property"
	"harrier/internal/report"
	"harrier/symmetry"
)

// runs decides the program's properties of runs, beside the search of states and after it.
type runs struct {
	mu       sync.Mutex
	searches []*runSearch
}

// A runSearch decides one property; those for the other actors of its orbit hold where it does.
type runSearch struct {
	*liveness.Search
	property int    // index in Program.Liveness
	single   string // why it takes single steps, "" if it does not
	decided  bool
}

// lassoError is the error of a search of states beside which a run was found that violates a property of runs.
type lassoError struct {
	by    *runSearch
	lasso *liveness.Lasso
}

func (e *lassoError) Error() string { return "a run violates a property of runs" }

// prepareRuns begins the searches for runs. Where actors are symmetric, a property that is asked for each of them is decided for one,
// and the search for it permutes the others.
func (c *Check) prepareRuns(ctx context.Context, actors *model.Actors) error {
	c.runs = &runs{}
	program := actors.Program()
	single := liveness.NeedsSingleSteps(program)
	if single == "" && c.Reduction != "macro" {
		single = "macro steps are not taken"
	}
	for i, of := range program.Liveness {
		if c.isRepresented(program, i) {
			continue
		}
		group := c.Group
		if of.Actor != "" && group != nil && !group.IsTrivial() {
			var err error
			if group, err = symmetry.Find(actors, append(c.apart(), of.Actor)...); err != nil {
				return err
			}
		}
		if group != nil && group.IsTrivial() {
			group = nil
		}
		s, err := liveness.New(ctx, actors, c.Checker, of, liveness.Options{Macro: single == "", Group: group})
		if err != nil {
			return err
		}
		c.runs.searches = append(c.runs.searches, &runSearch{Search: s, property: i, single: single})
	}
	return nil
}

// isRepresented reports whether a property is the image of one before it under a permutation of actors.
func (c *Check) isRepresented(program *model.Program, property int) bool {
	of := program.Liveness[property]
	if of.Actor == "" || c.Group == nil {
		return false
	}
	return slices.ContainsFunc(c.Group.Orbits, func(o symmetry.Orbit) bool {
		return slices.Contains(o.Actors, of.Actor) && slices.ContainsFunc(program.Liveness[:property], func(before model.Liveness) bool {
			return before.Name == of.Name && before.Formula == of.Formula && slices.Contains(o.Actors, before.Actor)
		})
	})
}

// advance explores as many states for each property as the search of states has. The error is a *lassoError if a property is
// violated.
func (r *runs) advance(ctx context.Context, states uint64) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, s := range r.searches {
		if s.decided {
			continue
		}
		l, err := s.Advance(ctx, int(min(states, math.MaxInt32)))
		if l != nil {
			return &lassoError{s, l}
		}
		if err != nil {
			return err
		}
		s.decided = s.IsComplete()
	}
	return nil
}

// decideRuns goes on until all properties of runs are decided, and puts what it finds into the result of the search of states.
func (c *Check) decideRuns(ctx context.Context, r *dbss.Result, err error) error {
	if err == nil && r.Violation == nil && len(c.runs.searches) > 0 {
		states := uint64(math.MaxInt32)
		if c.MaxStates > 0 {
			states = c.MaxStates
		}
		c.run(ctx, func(ctx context.Context) { err = c.runs.advance(ctx, states) })
	}
	var found *lassoError
	if errors.As(err, &found) {
		l, err := found.by.Shorten(ctx, found.lasso)
		if err != nil {
			return fmt.Errorf("making the counterexample shorter: %w", err)
		}
		r.Violation = &dbss.Counterexample{
			Violation: property.Violation{Kind: property.Liveness, Property: found.by.property, Loop: len(l.Loop)},
			Path:      slices.Concat(l.Stem, l.Loop),
		}
		r.Violations, r.Complete, r.Reason = r.Violations+1, false, ""
		return nil
	}
	if err != nil {
		reason := model.EndReason(ctx, err)
		if reason == "" {
			return err
		}
		r.Complete, r.Reason = false, reason
	}
	undecided := slices.ContainsFunc(c.runs.searches, func(s *runSearch) bool { return !s.decided })
	if r.Violation == nil && r.Complete && undecided {
		r.Complete, r.Reason = false, fmt.Sprintf("%d states were explored for a property of runs (--max-states)", c.MaxStates)
	}
	return nil
}

// describeRuns puts into a summary how the properties of runs were decided.
func (c *Check) describeRuns(s *report.Summary) {
	for _, of := range c.runs.searches {
		s.Liveness = append(s.Liveness, report.Liveness{
			Property: c.Actors().Program().Liveness[of.property].Title(), Decided: of.decided, SingleSteps: of.single,
			States: uint64(of.States()), Edges: of.Edges(),
		})
	}
}

// livenessNames are the properties of runs, each once with the actors that it is asked for.
func livenessNames(program *model.Program) []string {
	var names []string
	for i, of := range program.Liveness {
		if slices.ContainsFunc(program.Liveness[:i], func(before model.Liveness) bool { return before.Name == of.Name }) {
			continue
		}
		name := of.Name
		if of.Actor != "" {
			name += " (for each actor)"
		}
		names = append(names, name)
	}
	return names
}
