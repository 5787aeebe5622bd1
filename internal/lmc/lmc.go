// Package lmc is local model checking (Guerraoui, Yabandeh, "Model Checking a Networked System Without the Network", NSDI 2011),
// complete: it ends with a proof or a run.
//
//	model.Actors -> sets: the abstract reachable set of each actor (sets.go, steps.go, spent.go, bounds.go)
//	sets -> combinations in which a property does not hold: they are suspicious (combinations.go)
//	suspicious -> targets of a search of macro steps (targets.go) -> a run, or none
//
// The local states of each actor are kept apart, and what is sent stays in the network, so each state of a run is a combination of
// members of the sets (docs/soundness.md has the proof). If no combination is bad, no state is. Whether a run reaches a bad one is
// decided by a search of macro steps, which leaves states from which some actor cannot reach its part of any.
package lmc

import (
	"context"
	"errors"
	"fmt"

	"harrier/dbss"
	"harrier/internal/model"
	"harrier/internal/property"
	"harrier/por/macro"
)

// Options say how to check.
type Options struct {
	dbss.Options // of the search for what is suspicious; MaxStates also limits the sets
	// LocalEvents is how often each actor does something by itself, at most; 0 for no bound. The sets grow in rounds up to it.
	LocalEvents int
	// Global searches all states of the program, up to so many. It takes turns with sets that have no end, or many members; nil if
	// it does not. With LocalEvents and Greedy it is not used.
	Global func(ctx context.Context, most uint64) (*dbss.Result, error)
	// General has whole local states be combined (LMC-GEN in the paper), not what properties read of them (LMC-OPT).
	General bool
	// Greedy has soundness be verified as in the paper (greedy.go), which refutes nothing.
	Greedy bool
}

// Result is what came of a check. Without a Search nothing was suspicious.
type Result struct {
	Figures
	*dbss.Result
}

// Figures are figures of the sets.
type Figures struct {
	LocalStates  uint64 `json:"localStates"` // members of the sets
	Messages     uint64 `json:"messages"`    // in the network
	LocalSteps   uint64 `json:"localSteps"`
	Combinations uint64 `json:"combinations"` // of what properties read
	Suspicious   uint64 `json:"suspicious"`   // of these, and local states in which a handler fails
	Rounds       int    `json:"rounds"`
	// Whole says that the sets were not complete, and that a search of the whole program knew first.
	Whole      bool `json:"whole,omitempty"`
	*Schedules      // of Greedy
}

// Check checks a program whose actors nobody asked anything of before.
func Check(ctx context.Context, actors *model.Actors, checker *property.Checker, o Options, p *dbss.Progress) (*Result, error) {
	c := &check{Options: o, actors: actors, checker: checker, progress: p}
	if o.Greedy {
		c.result.Schedules = &Schedules{Soundness: "greedy"}
	}
	var err error
	if c.sets, err = newSets(actors, o.LocalEvents, p); err == nil {
		c.sets.limit = c.firstLimit()
		c.combinations = newCombinations(c.sets, checker, c.suspect)
		c.combinations.finder.Most, c.combinations.general = o.MaxStates, o.General
		err = c.run(ctx)
	}
	if errors.Is(err, errRecords) {
		err = &model.UsageError{Text: "--search local judges no histories of operations, which this program has: leave out --search local"}
	}
	if err != nil {
		if reason := model.EndReason(ctx, err); reason != "" {
			c.result.Result = &dbss.Result{Reason: reason}
			err = nil
		}
	}
	c.figures()
	return &c.result, err
}

type check struct {
	Options
	actors       *model.Actors
	checker      *property.Checker
	progress     *dbss.Progress
	sets         *sets
	combinations *combinations
	regions      []property.Region // suspicious, the first mostRegions of them
	suspicious   uint64
	result       Result
}

func (c *check) suspect(r property.Region) {
	if c.suspicious++; c.Greedy || len(c.regions) <= mostRegions {
		c.regions = append(c.regions, r)
	}
}

// suspected is how many combinations and local states are suspicious.
func (c *check) suspected() uint64 { return c.suspicious + uint64(c.sets.failing) }

// run has the sets grow in rounds, until they are complete or a search knows.
func (c *check) run(ctx context.Context) error {
	for {
		c.result.Rounds++
		if c.LocalEvents > 0 {
			c.sets.allow(c.result.Rounds)
		}
		if err := c.sets.fixpoint(ctx); err != nil {
			return err
		}
		r, err := c.search(ctx)
		if err != nil {
			return err
		}
		if !c.grow(r) {
			c.conclude(r)
			return nil
		}
	}
}

// takesTurns reports whether the limit of the sets doubles from round to round, with a search of all states at the end of each.
func (c *check) takesTurns() bool { return c.Global != nil && c.LocalEvents == 0 && !c.Greedy }

// firstLimit is the limit in the first round.
func (c *check) firstLimit() uint64 {
	const first = 1 << 18
	if c.takesTurns() && (c.MaxStates == 0 || c.MaxStates > first) {
		return first
	}
	return c.MaxStates
}

// grow has there be another round, unless the last one knows or no other can have more members.
func (c *check) grow(r *dbss.Result) bool {
	s := c.sets
	if r.Violation != nil || !s.isCut() {
		return false
	}
	if s.isFull() {
		if r.Complete || !c.takesTurns() || s.limit == c.MaxStates {
			return false
		}
		if s.limit *= 2; c.MaxStates > 0 {
			s.limit = min(s.limit, c.MaxStates)
		}
		return true
	}
	return r.Complete && c.result.Rounds < c.LocalEvents
}

// conclude makes a result of that of the last round.
func (c *check) conclude(r *dbss.Result) {
	c.result.Result = r
	if c.result.Whole = c.result.Whole && (r.Violation != nil || r.Complete); c.result.Whole {
		return
	}
	switch {
	case r.Violation != nil:
	case c.sets.isFull():
		r.Complete, r.Reason = false, fmt.Sprintf("the abstract sets ended after %d local steps and decision nodes (--max-states)", c.MaxStates)
	case c.sets.isCut():
		r.Complete, r.Reason = false, fmt.Sprintf("local states were left out that an actor reaches by more than %d of its own events (timers and internal ones)", c.LocalEvents)
	case c.Greedy && c.suspected() > 0:
		r.Complete, r.Reason = false, fmt.Sprintf("whether runs reach %d suspicious combinations and local states is open: greedy schedules reach none, and refute none", c.suspected())
	}
	if r.Violation == nil || c.Greedy {
		r.HandlerRuns, r.FaultsTaken = c.sets.runs, c.sets.faults()
	}
}

// search searches all states where the sets are full, else for what is suspicious.
func (c *check) search(ctx context.Context) (*dbss.Result, error) {
	if c.result.Whole = c.sets.isFull() && c.takesTurns(); !c.result.Whole {
		return c.judge(ctx)
	}
	c.progress.Reset()
	return c.Global(ctx, c.sets.limit)
}

// judge finds what is suspicious, and looks for runs to it. Where members were left out it takes single steps, as what an actor
// becomes by macro steps is perhaps without end.
func (c *check) judge(ctx context.Context) (r *dbss.Result, err error) {
	if err := c.combinations.test(ctx, !c.NoDeadlock); err != nil {
		return nil, err
	}
	if c.suspected() == 0 {
		return &dbss.Result{Complete: true}, nil
	}
	if c.Greedy {
		return c.schedule(ctx)
	}
	o, t := c.Options.Options, newTargets(c.sets, c.regions)
	c.progress.Reset()
	if c.sets.isCut() {
		o.Reduction = t.reduction(func(s model.State) model.State { return s })
		r, err = dbss.Search(ctx, c.actors, c.checker, o, c.progress)
	} else {
		system := macro.New(c.actors, c.checker)
		o.Reduction = t.reduction(system.Graph.Unfold)
		r, err = system.Search(ctx, o, c.progress)
	}
	if err != nil {
		return nil, err
	}
	if r.Reduced = 0; r.Violation == nil && !r.Complete {
		r.Reason = fmt.Sprintf("%s; whether runs reach %d suspicious combinations and local states is open", r.Reason, c.suspected())
	}
	return r, nil
}

func (c *check) figures() {
	s, f := c.sets, &c.result.Figures
	if s == nil {
		return
	}
	f.LocalStates, f.Messages, f.LocalSteps = uint64(len(s.members)), uint64(len(s.sent)), s.steps
	f.Combinations = c.combinations.finder.Combinations
	f.Suspicious = c.suspected()
	if f.Schedules != nil {
		f.Left = f.Suspicious - f.Confirmed
	}
}
