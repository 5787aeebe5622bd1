// Package check runs one check of a program, as an ordered list of stages. Each goes on from what those before it left in the
// Check.
//
//	Load       the program, and the messages of its adversaries
//	Decompose  states into relevant and auxiliary parts, actors into components
//	Reduce     by symmetry, and prepare the search
//	Search     for a violation: states first and, where all are explored, runs after what the reductions assume of states
//	Confirm    it, by an execution from the initial state, of which a trace is kept
//	Audit      what the reductions assume
//	Report     what the verdict rests on, and what it does not cover
//
// The command line makes a plan.Plan of its flags, and prints the summary. Tests take the stages that they need.
package check

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"harrier/bridge"
	"harrier/dbss"
	"harrier/internal/check/adversary"
	"harrier/internal/check/audit"
	"harrier/internal/checkpoint"
	"harrier/internal/confirm"
	"harrier/internal/distributed/tasks"
	"harrier/internal/model"
	"harrier/internal/model/space"
	"harrier/internal/plan"
	"harrier/internal/process/ending"
	"harrier/internal/process/files"
	"harrier/internal/process/memory"
	"harrier/internal/profile"
	"harrier/internal/property"
	"harrier/internal/report"
	"harrier/internal/search"
	"harrier/symmetry"
)

// Environment has what a process gives a check beside its plan. Every field may be empty.
type Environment struct {
	Keep       files.Keep         // keeps traces
	Checkpoint *checkpoint.Folder // nil for none
	Shared     tasks.Store        // of workers that explore in place of this process; nil for none
	Reproduce  string             // the command line of this check
	JavaFlags  []string           // those of its flags that say how Java is run and which rules are relaxed, which a replay needs as well
	GoOn       string             // the command line that goes on from the checkpoint
	Unreduced  string             // the same over single steps, all of which are followed
	Remark     string             // on how the check is run, "" for none
	Loaded     func()             // called when the program is there, if it is not nil
	// SoFar is called, if it is not nil, with inconclusive summaries: from time to time while a search runs, and when that has ended.
	SoFar func(*report.Summary)
}

// Check is one check: its input, the facts of its program, and the present attempt.
type Check struct {
	plan.Plan // as far as the program allows it: Load and Decompose restrict it
	Environment
	JVM     *bridge.JVM
	Program LoadedProgram // set by Load, unless it is there before
	attempt

	started     time.Time
	grace       *ending.End // of the time after a limit in which the check prints its findings: overtime, less if memory is beyond its limit by a sixteenth
	setUp       time.Duration
	loaded      *bridge.Program // by Load
	relaxed     []string        // rules, each as name=value
	domains     []adversary.MessageDomain
	keptApart   []string // actors that are not permuted, whatever turns out
	toldApartBy string   // the rule by which no actors are permuted, "" if there is none
	isTrial     bool     // nobody is told why it did not end
	unlimited   bool     // no limit was reached until then
	refuted     refuted
	sampling    sampling
	recording   *profile.Recording // of the time in Go; nil if none is asked for

	// Read by Figures and Known while the check runs.
	progress  dbss.Progress
	actors    atomic.Pointer[space.Actors]     // set once they exist
	evaluates atomic.Pointer[property.Checker] // likewise
	runStates atomic.Uint64                    // explored for properties of runs
	openRuns  atomic.Pointer[[]string]         // properties of runs that are left when all others are found to hold; nil before
	begun     atomic.Pointer[report.Summary]   // as in sofar.go
}

// An attempt has the results of Reduce and the stages after it. Where a premise of theirs is refuted, Run makes another one.
type attempt struct {
	search.Problem // set by Reduce
	Result         *dbss.Result
	Summary        *report.Summary
	known          known              // the figures of its sections
	symmetric      *symmetry.Checking // nil if no actors are permuted
	runs           *runs
	audited        bool              // what the reductions assume was compared, with all that Java had executed at auditedAt
	auditedAt      uint64            // as inJava counts
	unaudited      string            // what ended the last comparison; "" if nothing did
	compared       *symmetry.Checked // of the last comparison with images
	reduction      *audit.Reduction  // nil if nothing is executed both ways round
	endless        []string          // components that become new states without end by themselves
	growth         []string          // advice: how to bound fields and inboxes that grew when a limit ended the search
}

// LoadedProgram has the methods of a program that the stages need.
type LoadedProgram interface {
	model.Oracle
	confirm.Program
	Decomposition(space.Hashing) space.Decomposition
	// Coverage returns the code that its steps executed so far.
	Coverage(ctx context.Context) (bridge.Coverage, error)
}

// A Stage is a part of a check. Its context ends, with the reason, when time or memory is used up.
type Stage func(ctx context.Context, c *Check) error

// New begins a check. Its time runs from now on.
func New(p plan.Plan, e Environment) *Check {
	return &Check{Plan: p, Environment: e, started: time.Now(), grace: ending.New()}
}

// Run goes through all stages, the last of them again as long as they refute a premise of theirs.
func (c *Check) Run(parent context.Context) (*report.Summary, error) {
	ctx, cancel := c.limits(parent)
	defer cancel()
	// Most memory of a search has no pointers and stays, so little garbage fills much of a heap; near the limit of memory it is
	// collected sooner. Local search is to stay small: collecting its garbage more often costs little.
	percent := 400
	if c.Search == search.Local {
		percent = 30
	}
	defer memory.LimitGarbage(percent)()
	if err := c.record(); err != nil {
		return nil, err
	}
	if err := c.Do(ctx, Load, Decompose); err != nil {
		return nil, err
	}
	if c.loaded != nil {
		defer c.loaded.Answers.Flush()
	}
	err := c.Do(ctx, Reduce, Search, Confirm, Audit, Report)
	for err != nil {
		if err = c.withoutPremise(ctx, err); err != nil {
			return c.endedBy(err)
		}
		err = c.Do(ctx, Reduce, Search, Confirm, Audit, Report)
	}
	return c.Summary, nil
}

// Do goes through stages, to the first error.
func (c *Check) Do(ctx context.Context, stages ...Stage) error {
	for _, stage := range stages {
		if err := stage(ctx, c); err != nil {
			return err
		}
	}
	return nil
}

// Actors returns the program's actors, nil before Decompose.
func (c *Check) Actors() *space.Actors { return c.actors.Load() }

// Figures may be asked for while the check runs.
func (c *Check) Figures() report.Figures {
	f := report.Figures{
		States:      c.progress.States.Load(),
		Transitions: c.progress.Transitions.Load(),
		Depth:       c.progress.Depth.Load(),
		Frontier:    c.progress.Frontier.Load(),
		GivenUp:     c.progress.StatesGivenUp(),
		RunStates:   c.runStates.Load(),
		OnRuns:      c.openRuns.Load() != nil,
		MemoryBytes: memory.Resident(), MaxMemoryBytes: c.Memory.Bytes,
	}
	if c.JVM != nil {
		f.Slow = c.JVM.Slow()
	}
	if a := c.Actors(); a != nil {
		f.Executions = a.LocalSteps.Stats().Executions
	}
	if checker := c.evaluates.Load(); checker != nil {
		f.Evaluations, _ = checker.Evaluations(f.States, 0)
	}
	return f
}

func (c *Check) remark(lines ...string) { c.Summary.Remarks = append(c.Summary.Remarks, lines...) }

// usage is the error of wrong use.
func usage(format string, args ...any) error {
	return &model.UsageError{Text: fmt.Sprintf(format, args...)}
}
