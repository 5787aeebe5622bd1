package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"time"

	"harrier/bridge"
	"harrier/internal/compare"
	"harrier/internal/process/launch/codebase"
	"harrier/internal/process/memory"
)

// runs say how runs are made.
type runs struct {
	harrier   string // the command
	examples  string // the folder
	out       string
	fresh     bool
	limits    compare.Limits // of each
	stateless time.Duration  // of each that remembers no states
	within    time.Duration  // of all together; 0 for no limit
	maxMemory string
}

// register adds the flags.
func (r *runs) register(f *flag.FlagSet) {
	f.StringVar(&r.harrier, "harrier", "bin/harrier", "the harrier to run")
	f.StringVar(&r.examples, "examples", "examples", "folder of the examples")
	f.StringVar(&r.out, "out", "harrier-out/compare", "folder in which results are kept, as those of harrier compare are")
	f.BoolVar(&r.fresh, "fresh", false, "make all runs again, also those that were kept")
	f.DurationVar(&r.limits.Time, "timeout", 10*time.Minute, "end the search of a run after this long")
	f.DurationVar(&r.stateless, "stateless-timeout", 30*time.Second, "the same for stateless runs, most of which do not end")
	f.DurationVar(&r.within, "within", 0,
		"begin no more runs after this long; those that remember nothing, and the largest, come last")
	f.StringVar(&r.maxMemory, "max-memory", "20g", "end a run that takes this much memory")
}

// check refuses values that there are not, once flags are parsed.
func (r *runs) check() error {
	var err error
	if r.limits.Memory, err = memory.Parse(r.maxMemory); err != nil {
		return fmt.Errorf("-max-memory: %w", err)
	}
	if r.limits.Time <= 0 || r.stateless <= 0 {
		return errors.New("-timeout and -stateless-timeout must be more than 0")
	}
	return nil
}

// plan gives each row its job.
func (r *runs) plan(rows []row) error {
	for i := range rows {
		if rows[i].program == "" { // there is none
			continue
		}
		program, err := compare.ParseProgram(filepath.Join(r.examples, rows[i].program), "", nil)
		if err != nil {
			return fmt.Errorf("the program for %s: %w", rows[i].protocol, err)
		}
		mode, ok := findMode(rows[i].mode)
		if !ok {
			return fmt.Errorf("%s: compare has no mode %s", rows[i].protocol, rows[i].mode)
		}
		limits := r.limits
		if remembersNothing(mode.Name) {
			limits.Time = r.stateless
		}
		rows[i].job = compare.Job{Program: program, Mode: mode, Limits: limits}
	}
	return nil
}

// remembersNothing reports whether a mode is one of stateless search.
func remembersNothing(mode string) bool { return mode == "stateless" || mode == "dynamic" }

// errUsedUp ends runs that take too long together.
var errUsedUp = errors.New("the time of all runs is used up")

// make makes the runs of rows, or finds them where they are kept, and reports each that it makes: one mode after another, the last
// ones first, as they meet few states. Where their time is used up some rows have no results; the same again goes on.
func (r *runs) make(ctx context.Context, rows []row, progress io.Writer) error {
	jdk, err := bridge.FindJDK("")
	if err != nil {
		return err
	}
	identity, err := codebase.Identity(r.harrier, jdk.Version)
	if err != nil {
		return err
	}
	var jobs []compare.Job
	ordered := slices.DeleteFunc(inOrder(rows), func(r *row) bool { return r.program == "" })
	for _, row := range ordered {
		jobs = append(jobs, row.job)
	}
	runner := compare.Runner{
		Executable: r.harrier, Name: r.harrier, Identity: identity, Flags: checkFlags(rows),
		Store: compare.Store{Dir: r.out}, Fresh: r.fresh,
		Starting: func(i int) {
			fmt.Fprintf(progress, "run %d of %d: %s %s, at most %v\n", i+1, len(jobs), jobs[i].Program, jobs[i].Mode.Name,
				jobs[i].Limits.Time)
		},
	}
	limited := ctx
	if r.within > 0 {
		var cancel context.CancelFunc
		limited, cancel = context.WithTimeoutCause(ctx, r.within, errUsedUp)
		defer cancel()
	}
	results, err := runner.Run(limited, jobs)
	for i := range results {
		ordered[i].ours = &results[i]
	}
	switch {
	case ctx.Err() != nil && err != nil:
		return errors.New("interrupted; what is finished is kept, the same command goes on")
	case errors.Is(err, errUsedUp):
		return nil
	}
	return err
}

// checkFlags are flags of check for the runs of some rows. Table 2 compares counts, also of runs that a limit ends: with --keep-going,
// mode demeter composes all skeletons from the start, so complete ones are among those that it counts.
func checkFlags(rows []row) []string {
	if slices.ContainsFunc(rows, func(r row) bool { return r.mode == "demeter" }) {
		return []string{"--keep-going"}
	}
	return []string{}
}

// inOrder are rows in the order in which they are run.
func inOrder(rows []row) []*row {
	number := map[string]int{}
	var ordered []*row
	for i := range rows {
		if _, ok := number[rows[i].mode]; !ok {
			number[rows[i].mode] = len(number)
		}
		ordered = append(ordered, &rows[i])
	}
	slices.SortStableFunc(ordered, func(a, b *row) int { return number[b.mode] - number[a.mode] })
	return ordered
}
