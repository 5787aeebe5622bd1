package check

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"harrier/dbss"
	"harrier/internal/confirm"
	"harrier/internal/liveness"
	"harrier/internal/model"
	"harrier/internal/model/space"
	"harrier/internal/property"
	"harrier/internal/report"
	"harrier/internal/search"
	"harrier/symmetry"
)

// runs decides the program's properties of runs, beside the search of states and after it.
type runs struct {
	mu        sync.Mutex
	searches  []*runSearch
	keepGoing bool        // a violation does not end the others
	inSweep   bool        // plan.Options.InSweep
	violated  []*runError // with keepGoing
}

// A runSearch decides one property; those for the other actors of its orbit hold where it does.
type runSearch struct {
	*liveness.Search
	of       model.Liveness
	property int    // index in Program.Liveness
	single   string // why it takes single steps, "" if it does not
	decided  bool   // all states were explored, or a witness was found
	witness  *liveness.Lasso
}

// runError is the error of a search of states beside which a property of runs turned out to be violated.
type runError struct {
	by  *runSearch
	run *liveness.Lasso // that shows it; nil of one that is to hold in some state
}

func (e *runError) Error() string { return "a property of runs is violated" }

// prepareRuns begins the searches for runs. Where actors are symmetric, a property that is asked for each of them is decided for one,
// and the search for it permutes the others.
func (c *Check) prepareRuns(actors *space.Actors) error {
	c.runs = &runs{keepGoing: c.KeepGoing, inSweep: c.InSweep}
	c.runStates.Store(0)
	c.openRuns.Store(nil)
	program := actors.Program()
	apart := c.toldApart(program)
	whole, err := c.groupApart(actors, apart)
	if err != nil {
		return err
	}
	for i, of := range program.Liveness {
		if !c.asksRuns(of) || isRepresented(whole, program, i) || c.Search == search.Random { // which looks for lassos itself
			continue
		}
		group := whole
		if of.Actor != "" {
			if group, err = c.groupApart(actors, append(apart, of.Actor)); err != nil {
				return err
			}
		}
		single := c.needsSingleSteps(program, of)
		s, err := liveness.New(actors, c.Checker, of, liveness.Options{Macro: single == "", Group: group, Explored: &c.runStates})
		if err != nil {
			return err
		}
		c.runs.searches = append(c.runs.searches, &runSearch{Search: s, of: of, property: i, single: single})
	}
	return nil
}

// toldApart are the symmetric actors of which some and not others are fair.
func (c *Check) toldApart(program *model.Program) (apart []string) {
	if c.Group == nil {
		return nil
	}
	if !program.Fairness.ByChoice.IsEmpty() { // a choice may be that of an actor, which no permutation changes
		for _, o := range c.Group.Orbits {
			apart = append(apart, o.Actors...)
		}
		return apart
	}
	for _, scope := range []model.Scope{program.Fairness.Strong, program.Fairness.Unfair} {
		for _, o := range c.Group.Orbits {
			differs := func(name string) bool {
				return scope.Has(name) != scope.Has(o.Actors[0]) || scope.Has(name+"/") != scope.Has(o.Actors[0]+"/") // children
			}
			if slices.ContainsFunc(o.Actors, differs) {
				apart = append(apart, o.Actors...)
			}
		}
	}
	return slices.Clip(apart)
}

// groupApart is the group of the search of states, without the permutations that move some actors; nil if none are left.
func (c *Check) groupApart(actors *space.Actors, apart []string) (*symmetry.Group, error) {
	if c.Group == nil || c.Group.IsTrivial() {
		return nil, nil
	}
	if len(apart) == 0 {
		return c.Group, nil
	}
	group, err := symmetry.Find(actors, slices.Concat(c.apart(), apart)...)
	if err != nil || group.IsTrivial() {
		return nil, err
	}
	return group, nil
}

// isRepresented reports whether a property is the image of one before it under a permutation of a group.
func isRepresented(group *symmetry.Group, program *model.Program, property int) bool {
	of := program.Liveness[property]
	if of.Actor == "" || group == nil {
		return false
	}
	return slices.ContainsFunc(group.Orbits, func(o symmetry.Orbit) bool {
		return slices.Contains(o.Actors, of.Actor) && slices.ContainsFunc(program.Liveness[:property], func(before model.Liveness) bool {
			return before.Name == of.Name && before.Formula == of.Formula && slices.Contains(o.Actors, before.Actor)
		})
	})
}

// asksRuns reports whether a property of runs is checked. Under MP runs get stuck that do not under M and M-MP, and messages in flight
// when a snapshot was taken may be lost; neither shows an error of the program. A property that some state is reached is checked
// in all delivery models.
func (c *Check) asksRuns(of model.Liveness) bool {
	return property.OfRuns(of).Always || c.Source.Delivery != model.MP && c.From == ""
}

// needsSingleSteps returns why a property is not decided by macro steps; "" if it is.
func (c *Check) needsSingleSteps(program *model.Program, of model.Liveness) string {
	if c.Reduction != "macro" {
		return "macro steps are not taken"
	}
	return liveness.NeedsSingleSteps(program, of)
}

// advance explores as many states for each property as the search of states has. The error is a *runError if a property is
// violated, unless the others are to be decided as well.
func (r *runs) advance(ctx context.Context, states uint64) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, s := range r.searches {
		if s.decided {
			continue
		}
		found, err := s.Advance(ctx, int(min(states, math.MaxInt32)))
		if err != nil {
			return err
		}
		isWanted := property.OfRuns(s.of).Wanted
		if found != nil != isWanted && (found != nil || s.IsComplete()) && !(isWanted && r.inSweep) {
			violated := &runError{s, found}
			if !r.keepGoing {
				return violated
			}
			r.violated, s.decided = append(r.violated, violated), true
			continue
		}
		s.witness, s.decided = found, found != nil || s.IsComplete()
	}
	return nil
}

// decideRuns searches until all properties of runs are decided, and puts its findings into the result of the search of states, whose
// error err is. If that explored all states, it audits the reductions first: whatever ends the search for runs,
// the other properties hold then.
func (c *Check) decideRuns(ctx context.Context, err error) error {
	r, safe := c.Result, false
	if err == nil && (r.Violation == nil || c.KeepGoing) && c.runs.areOpen() {
		if r.Complete && r.Violation == nil && len(c.runs.violated) == 0 {
			if err := c.audit(ctx); err != nil {
				return err
			}
			if safe = c.isAudited(); safe {
				open := c.undecided()
				c.openRuns.Store(&open)
			}
		}
		states := uint64(math.MaxInt32)
		if c.MaxStates > 0 {
			states = c.MaxStates
		}
		c.run(ctx, func(ctx context.Context) { err = c.runs.advance(ctx, states) })
	}
	if safe && ctx.Err() == nil && err == nil { // the search for runs evaluated more
		err = c.audit(ctx)
	}
	var violated *runError
	if isEnd := err == nil || model.EndReason(ctx, err) != ""; isEnd && r != nil && r.Violation == nil && len(c.runs.violated) > 0 {
		err = c.runs.violated[0] // whatever ended the searches for others
	}
	if errors.As(err, &violated) {
		r.Violation, err = violated.counterexample(ctx)
		r.Violations, r.Complete, r.Reason = r.Violations+1, false, ""
		return err
	}
	reason := ""
	if err != nil {
		if reason = model.EndReason(ctx, err); reason == "" || r == nil { // a search that could not begin has no result
			return err
		}
	} else if r.Violation == nil && r.Complete && c.runs.areOpen() {
		reason = fmt.Sprintf("%d states were explored for a property of runs (--max-states)", c.MaxStates)
	}
	if reason != "" {
		r.Complete, r.Reason = safe, reason
	}
	return nil
}

// areOpen reports whether some property of runs is not decided.
func (r *runs) areOpen() bool {
	return slices.ContainsFunc(r.searches, func(s *runSearch) bool { return !s.decided })
}

// undecided are the properties of runs that are not decided, as livenessNames has them.
func (c *Check) undecided() []string {
	var names []string
	for _, s := range c.runs.searches {
		if name := livenessName(s.of); !s.decided && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// counterexample returns the counterexample; it has no run for a property that is to hold in some state.
func (e *runError) counterexample(ctx context.Context) (*dbss.Counterexample, error) {
	found := &dbss.Counterexample{Violation: property.Violation{Kind: property.OfRuns(e.by.of).Violation, Property: e.by.property}}
	run := e.run
	if property.OfRuns(e.by.of).Fair {
		switch shorter, err := e.by.Shorten(ctx, run); {
		case err == nil:
			run = shorter
		case model.EndReason(ctx, err) == "":
			return nil, fmt.Errorf("making the counterexample shorter: %w", err)
		}
	}
	if run != nil {
		found.Loop, found.Path = len(run.Loop), slices.Concat(run.Stem, run.Loop)
	}
	return found, nil
}

// runsFigures say how the properties of runs were decided, as far as they were looked at.
func (c *Check) runsFigures(verdict report.Verdict) (all []liveness.Figures) {
	for _, of := range c.runs.searches {
		kind := property.OfRuns(of.of)
		if of.States() == 0 && (!kind.Wanted || verdict == report.Violated) {
			continue
		}
		single := of.single
		if single == "" && of.TakesSingleSteps() {
			single = "macro steps would save nothing"
		}
		all = append(all, liveness.Figures{
			Property: of.of.Title(), Kind: kind.Name, Decided: of.decided, SingleSteps: single,
			States: uint64(of.States()), Edges: of.Edges(), Found: kind.Wanted && of.witness != nil,
		})
	}
	return all
}

// keepWitnesses executes the runs to states in which properties hold that are to hold in some, and writes their traces.
func (c *Check) keepWitnesses(ctx context.Context) error {
	if !c.Witness {
		return nil
	}
	for i := range c.known.runs {
		l := &c.known.runs[i]
		of := c.runs.searches[slices.IndexFunc(c.runs.searches, func(s *runSearch) bool { return s.of.Title() == l.Property })]
		if of.witness == nil {
			continue
		}
		trace, err := confirm.Run(ctx, c.Program, c.Source, c.Actors(), property.Violation{Kind: property.None}, of.witness.Stem)
		if err != nil {
			return err
		}
		if l.Witness, err = trace.Keep(c.Keep, nil); err != nil {
			c.remark(err.Error() + "; --out names another folder")
		}
	}
	return nil
}

// livenessNames are the properties of runs, each once with the actors that it is asked for.
func (c *Check) livenessNames(program *model.Program) []string {
	var names []string
	for i, of := range program.Liveness {
		if !c.asksRuns(of) || slices.ContainsFunc(program.Liveness[:i], func(before model.Liveness) bool { return before.Name == of.Name }) {
			continue
		}
		names = append(names, livenessName(of))
	}
	return names
}

// livenessName is the name of a property of runs, one for all actors that it is asked for.
func livenessName(of model.Liveness) string {
	if of.Actor != "" {
		return of.Name + " (for each actor)"
	}
	return of.Name
}
