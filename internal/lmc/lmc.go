// Package lmc is local model checking (Guerraoui, Yabandeh, "Model Checking a Networked System Without the Network", NSDI 2011),
// complete: it ends with a proof or a run.
//
//	space.Actors -> sets: the abstract reachable set of each actor (sets.go, steps.go, spent.go, bounds.go)
//	sets -> combinations in which a property does not hold: they are suspicious (combinations.go)
//	suspicious -> targets of a search of macro steps (targets.go) -> a run, or none
//
// The local states of each actor are kept apart, and messages sent stay in the network, so each state of a run is a combination of
// members of the sets (docs/soundness.md has the proof). If no combination is bad, no state is. Whether a run reaches a bad one is
// decided by a search of macro steps, which leaves states from which some actor cannot reach its part of any.
//
// The sets grow breadth-first. Each time that they have at least doubled, new members are combined, and runs to suspicious combinations searched
// for, within the known members and an effort as great as their number. Only complete sets refute.
package lmc

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"harrier/dbss"
	"harrier/internal/model"
	"harrier/internal/model/space"
	"harrier/internal/property"
	"harrier/por/macro"
)

// Options say how to check.
type Options struct {
	dbss.Options // of the search for suspicious combinations; MaxStates also limits the sets
	// LocalEvents is how often each actor does something by itself, at most; 0 for no bound. It grows from 1 whenever the sets are
	// complete.
	LocalEvents int
	// Global searches all states of the program, up to so many. It takes turns with sets that have no end, or many members; nil if
	// it does not. With LocalEvents it is not used.
	Global func(ctx context.Context, most uint64) (*dbss.Result, error)
	// General has whole local states be combined (LMC-GEN in the paper), not the observations of them by properties (LMC-OPT).
	General bool
}

// Result is the result of a check. Without a Search nothing was suspicious.
type Result struct {
	Figures
	*dbss.Result
}

// Figures are figures of the sets.
type Figures struct {
	LocalStates  uint64 `json:"localStates"` // members of the sets
	Messages     uint64 `json:"messages"`    // in the network
	LocalSteps   uint64 `json:"localSteps"`
	Combinations uint64 `json:"combinations"` // of observations by properties
	Suspicious   uint64 `json:"suspicious"`   // of these, and local states in which a handler fails
	Rounds       int    `json:"rounds"`
	// Whole says that the sets were not complete, and that a search of the whole program knew first.
	Whole bool `json:"whole,omitempty"`
	// Approximate says that runs of handlers and faults are counted in the sets, so more than runs of the program have.
	Approximate bool `json:"runsOverApproximated,omitempty"`
}

// Check checks a program whose actors nobody asked anything of before.
func Check(ctx context.Context, actors *space.Actors, checker *property.Checker, o Options, p *dbss.Progress) (*Result, error) {
	c := &check{Options: o, actors: actors, checker: checker, progress: p}
	program := actors.Program()
	err := cmp.Or(
		program.RefuseRounds("--search local", "--search bfs --reduction off"), program.RefuseBounds("--search local", "--search bfs"),
		program.RefuseConnections("--search local", "--search bfs"), program.RefuseDisplacing("--search local", "--search bfs --reduction off"),
	)
	if err != nil {
		return &c.result, err
	}
	if c.sets, err = newSets(actors, o.LocalEvents, p); err == nil {
		c.sets.limit = 1
		c.combinations = newCombinations(c.sets, checker, c.suspect)
		c.combinations.general = o.General
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
	actors       *space.Actors
	checker      *property.Checker
	progress     *dbss.Progress
	sets         *sets
	combinations *combinations
	regions      []property.Region // suspicious, the first mostRegions of them
	suspicious   uint64
	exhausted    uint64 // so many were suspicious when a search reached none, as far as members went
	variant      []byte // of the last search of macro steps, whose next one need not find endless components again
	effort       uint64 // bounds evaluations and states in a round; 0 for no bound
	result       Result
}

func (c *check) suspect(r property.Region) {
	if c.suspicious++; len(c.regions) <= mostRegions {
		c.regions = append(c.regions, r)
	}
}

// suspected is how many combinations and local states are suspicious.
func (c *check) suspected() uint64 { return c.suspicious + uint64(c.sets.failing) }

// run has the sets grow in rounds, until they are complete or a search knows. After each round the combinations that are new are
// tested, as in the paper, so that a violation that a few local states show is found when these are there.
func (c *check) run(ctx context.Context) error {
	for {
		c.result.Rounds++
		if err := c.sets.fixpoint(ctx); err != nil {
			return err
		}
		r, err := c.search(ctx)
		if err != nil {
			return err
		}
		if r.Violation != nil || !c.grow(r) {
			c.conclude(r)
			return nil
		}
	}
}

// firstTurn is the limit of the sets from which a search of all states takes turns with them.
const firstTurn = 1 << 18

// takesTurns reports whether a search of all states takes the place of one for suspicious combinations after the round.
func (c *check) takesTurns() bool {
	s := c.sets
	return c.Global != nil && c.LocalEvents == 0 && s.isFull() && (s.limit >= firstTurn || s.limit == c.MaxStates)
}

// isEarly reports whether the sets go on after the round, whatever it finds suspicious.
func (c *check) isEarly() bool { return c.sets.isFull() && c.sets.limit != c.MaxStates }

// grow has there be another round, unless the last one knows or no other can have more members. The limit at least doubles, so that
// all rounds together take little more than the last one.
func (c *check) grow(r *dbss.Result) bool {
	s := c.sets
	switch {
	case !s.isCut(), c.result.Whole && r.Complete, s.isFull() && s.limit == c.MaxStates:
		return false
	case !s.isFull() && (!r.Complete || s.bounds[byItself] == c.LocalEvents):
		return false
	case !s.isFull():
		s.allow(s.bounds[byItself] + 1)
	}
	for s.isFull() && s.limit != c.MaxStates {
		if s.limit *= 2; c.MaxStates > 0 {
			s.limit = min(s.limit, c.MaxStates)
		}
	}
	return true
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
	}
	if r.Violation == nil {
		r.HandlerRuns, r.FaultsTaken, c.result.Approximate = c.sets.runs, c.sets.faults(), true
	}
}

// search searches all states if that takes turns with the sets, else for runs to suspicious combinations.
func (c *check) search(ctx context.Context) (*dbss.Result, error) {
	if c.result.Whole = c.takesTurns(); !c.result.Whole {
		return c.judge(ctx)
	}
	c.progress.Reset()
	return c.Global(ctx, c.sets.limit)
}

// judge finds suspicious combinations, and looks for runs to them. In an early round it evaluates properties in no more combinations than
// there are members, and visits no more states: far fewer than local steps, so most of the time is left to the sets. What a search
// did not reach waits for something new that is suspicious, or for the last round.
func (c *check) judge(ctx context.Context) (*dbss.Result, error) {
	c.effort, c.combinations.most = c.MaxStates, 0
	if c.isEarly() {
		c.effort = uint64(len(c.sets.members))
		c.combinations.most = c.effort
	}
	c.combinations.finder.Most = c.effort
	err := c.combinations.test(ctx, !c.NoDeadlock && !c.sets.isFull())
	if err = c.beyond(err); err != nil {
		return nil, err
	}
	c.result.Combinations = c.combinations.count()
	suspected := c.suspected()
	if suspected == 0 || c.isEarly() && suspected == c.exhausted {
		return &dbss.Result{Complete: true}, nil
	}
	r, err := c.verify(ctx)
	if err == nil && r.Complete {
		c.exhausted = suspected
	}
	return r, err
}

// beyond is err, unless that says that an early round needs more effort: a later one has it.
func (c *check) beyond(err error) error {
	var limit *model.LimitError
	if c.isEarly() && errors.As(err, &limit) {
		return nil
	}
	return err
}

// verify searches for runs to suspicious combinations. Where an actor's own events are bounded it takes single steps, as an actor
// may take endlessly many macro steps.
func (c *check) verify(ctx context.Context) (r *dbss.Result, err error) {
	o, t := c.Options.Options, newTargets(c.sets, c.regions)
	o.MaxStates = c.effort
	c.progress.Reset()
	if c.LocalEvents > 0 {
		o.Reduction = t.reduction(func(s model.State) model.State { return s })
		r, err = dbss.Search(ctx, c.actors, c.checker, o, c.progress)
	} else {
		system := macro.New(c.actors, c.checker)
		if c.variant != nil {
			err = system.Adopt(c.variant)
		}
		if err == nil {
			o.Reduction = t.reduction(system.Graph.Unfold)
			r, err = system.Search(ctx, o, c.progress)
			c.variant = system.Variant()
		}
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
	f.Suspicious = c.suspected()
}
