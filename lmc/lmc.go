// Package lmc is local model checking (Guerraoui, Yabandeh, "Model Checking a Networked System Without the Network", NSDI 2011),
// complete: it ends with a proof or a run.
//
//	model.Actors -> sets: the abstract reachable set of each actor (sets.go, steps.go, bounds.go)
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
	"harrier/dir"
	"harrier/model"
	"harrier/property"
)

// Options say how to check.
type Options struct {
	dbss.Options // of the search for what is suspicious; MaxStates also bounds the sets
	// LocalEvents is how often each actor does something by itself, at most; 0 for no bound. The sets grow in rounds up to it.
	LocalEvents int
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
	Ways         uint64 `json:"ways"`        // to reach them, told apart by the messages consumed
	Messages     uint64 `json:"messages"`    // in the network
	LocalSteps   uint64 `json:"localSteps"`
	Combinations uint64 `json:"combinations"` // of what properties read
	Suspicious   uint64 `json:"suspicious"`   // of these, and local states in which a handler fails
	Rounds       int    `json:"rounds"`       // with LocalEvents
	*Schedules          // of Greedy
}

// Check checks a program whose actors nobody asked anything of before.
func Check(ctx context.Context, actors *model.Actors, checker *property.Checker, o Options, p *dbss.Progress) (*Result, error) {
	c := &check{Options: o, actors: actors, checker: checker, progress: p}
	if o.Greedy {
		c.result.Schedules = &Schedules{Soundness: "greedy"}
	}
	var err error
	if c.sets, err = newSets(actors, o.MaxStates, o.LocalEvents, p); err == nil {
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

// run has the sets grow in rounds, until they are complete or a run is found.
func (c *check) run(ctx context.Context) error {
	for {
		c.result.Rounds++
		if c.LocalEvents > 0 {
			c.sets.allow(c.result.Rounds)
		}
		if err := c.sets.fixpoint(ctx); err != nil {
			return err
		}
		if err := c.combinations.test(ctx, !c.NoDeadlock); err != nil {
			return err
		}
		reason := c.sets.reason
		cut := c.sets.isCut()
		if cut && reason == "" {
			reason = fmt.Sprintf("local states after more than %d timers and internal events of their actor were left out (--max-local-events)", c.LocalEvents)
		}
		r := &dbss.Result{Complete: true}
		if c.suspected() > 0 {
			var err error
			search := c.search
			if c.Greedy {
				search = c.schedule
			}
			if r, err = search(ctx); err != nil {
				return err
			}
		}
		if r.Violation == nil && r.Complete && cut && c.sets.reason == "" && c.result.Rounds < c.LocalEvents {
			continue
		}
		if r.Violation == nil && cut {
			r.Complete, r.Reason = false, reason
		} else if r.Violation == nil && c.Greedy && c.suspected() > 0 {
			r.Complete, r.Reason = false, fmt.Sprintf("whether runs reach %d suspicious combinations and local states is open: greedy schedules reach none, and refute none (--soundness greedy)", c.suspected())
		}
		if r.Violation == nil || c.Greedy {
			r.HandlerRuns, r.FaultsTaken, r.Reduced = c.sets.runs, c.sets.faults(), 0
		}
		c.result.Result = r
		return nil
	}
}

// search looks for runs to what is suspicious. Where members were left out it takes single steps, as what an actor becomes by
// macro steps is perhaps without end.
func (c *check) search(ctx context.Context) (r *dbss.Result, err error) {
	o, t := c.Options.Options, newTargets(c.sets, c.regions)
	c.progress.Reset()
	if c.sets.isCut() {
		o.Reduction = t.reduction(func(s model.State) model.State { return s })
		r, err = dbss.Search(ctx, c.actors, c.checker, o, c.progress)
	} else {
		system := dir.New(c.actors)
		o.Reduction = t.reduction(system.Unfold)
		r, err = system.Search(ctx, c.checker, o, c.progress)
	}
	if err != nil {
		return nil, err
	}
	if r.Violation == nil && !r.Complete {
		r.Reason = fmt.Sprintf("%s; whether runs reach %d suspicious combinations and local states is open", r.Reason, c.suspected())
	}
	return r, nil
}

func (c *check) figures() {
	s, f := c.sets, &c.result.Figures
	if s == nil {
		return
	}
	f.LocalStates, f.Ways, f.Messages, f.LocalSteps = uint64(len(s.members)), s.ways, uint64(len(s.sent)), s.steps
	f.Combinations = c.combinations.finder.Combinations
	f.Suspicious = c.suspected()
	if f.Schedules != nil {
		f.Left = f.Suspicious - f.Confirmed
	}
}
