// Command table1 makes Table I of the paper that harrier's search is from with harrier's own examples, and
// prints the paper's figures beside ours as Markdown. `make table1` runs it.
//
//	paper.csv -> row             the paper's figures
//	programs, modes -> plan      what to run of ours
//	compare.Runner -> Result     our figures, kept as those of harrier compare
//	row, Result -> markdown
//
// Counts of states compare only within a column: the paper's protocols are others in detail, and its
// states too. What should agree is the result, and that the same mode saves more, or less.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"harrier/bridge"
	"harrier/compare"
	"harrier/internal/memory"
)

// settings say how to make the table.
type settings struct {
	harrier   string // the command
	examples  string // the folder
	out       string
	fresh     bool
	limits    compare.Limits
	stateless compare.Limits
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	code, err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "table1:", err)
	}
	os.Exit(code)
}

// run makes the table. The exit code is 0 where our results are the paper's as far as they go, 1 where
// not, 2 for wrong use, 3 for what could not be run, and 130 if interrupted.
func run(ctx context.Context, arguments []string, stdout, stderr io.Writer) (int, error) {
	s, err := parse(arguments, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return 0, nil
	}
	if err != nil {
		return 2, err
	}
	rows, err := readPaper(paperCSV)
	if err != nil {
		return 2, err
	}
	plans, err := makePlans(rows, s)
	if err != nil {
		return 2, err
	}
	if err := runPlans(ctx, plans, s, stderr); err != nil {
		if ctx.Err() != nil {
			return 130, errors.New("interrupted; what is finished is kept, the same command goes on")
		}
		return 3, err
	}
	if err := markdown(stdout, plans, s); err != nil {
		return 3, fmt.Errorf("printing the table: %w", err)
	}
	return verdict(plans)
}

func parse(arguments []string, stderr io.Writer) (settings, error) {
	var s settings
	f := flag.NewFlagSet("table1", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.StringVar(&s.harrier, "harrier", "bin/harrier", "the harrier to run")
	f.StringVar(&s.examples, "examples", "examples", "folder of the examples")
	f.StringVar(&s.out, "out", "harrier-out/compare", "folder in which results are kept, as those of harrier compare are")
	f.BoolVar(&s.fresh, "fresh", false, "make all runs again, also those that were kept")
	f.DurationVar(&s.limits.Time, "timeout", 10*time.Minute, "end the search of a run after this long")
	f.DurationVar(&s.stateless.Time, "stateless-timeout", 30*time.Second, "the same for stateless runs, most of which do not end")
	maxMemory := f.String("max-memory", "20g", "end a run that takes this much memory")
	if err := f.Parse(arguments); err != nil {
		return s, err
	}
	var err error
	if s.limits.Memory, err = memory.Parse(*maxMemory); err != nil {
		return s, fmt.Errorf("-max-memory: %w", err)
	}
	if s.limits.Time <= 0 || s.stateless.Time <= 0 {
		return s, errors.New("-timeout and -stateless-timeout must be more than 0")
	}
	s.stateless.Memory = s.limits.Memory
	if f.NArg() > 0 {
		return s, fmt.Errorf("there are no arguments, only flags: %q", f.Args())
	}
	return s, nil
}

// runPlans makes all runs and puts the results into the plans.
func runPlans(ctx context.Context, plans []plan, s settings, stderr io.Writer) error {
	jdk, err := bridge.FindJDK("")
	if err != nil {
		return err
	}
	identity, err := compare.Identity(s.harrier, jdk.Version)
	if err != nil {
		return err
	}
	var jobs []compare.Job
	for _, p := range plans {
		jobs = append(jobs, p.jobs...)
	}
	runner := compare.Runner{
		Executable: s.harrier, Name: s.harrier, Identity: identity, Flags: []string{},
		Store: compare.Store{Dir: s.out}, Fresh: s.fresh,
		Starting: func(i int) {
			fmt.Fprintf(stderr, "run %d of %d: %s %s, at most %v\n", i+1, len(jobs), jobs[i].Program, jobs[i].Mode.Name, jobs[i].Limits.Time)
		},
	}
	results, err := runner.Run(ctx, jobs)
	if err != nil {
		return err
	}
	for i := range plans {
		n := len(plans[i].jobs)
		plans[i].results, results = results[:n], results[n:]
	}
	return nil
}
