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
	"fmt"
	"io"
	"time"

	"harrier/bench/frame"
	"harrier/compare"
)

// settings say how to make the table.
type settings struct {
	frame.Runs
	stateless compare.Limits
}

func main() { frame.Main("table1", run) }

// run makes the table. The exit code is 0 where our results are the paper's as far as they go, 1 where
// not, 2 for wrong use, 3 for what could not be run, and 130 if interrupted.
func run(ctx context.Context, arguments []string, stdout, stderr io.Writer) (int, error) {
	s, err := parse(arguments, stderr)
	if err != nil {
		return frame.Usage, err
	}
	rows, err := readPaper(paperCSV)
	if err != nil {
		return frame.Usage, err
	}
	plans, err := makePlans(rows, s)
	if err != nil {
		return frame.Usage, err
	}
	if err := runPlans(ctx, plans, s, stderr); err != nil {
		return frame.Impossible, err
	}
	if err := markdown(stdout, plans, s); err != nil {
		return frame.Impossible, fmt.Errorf("printing the table: %w", err)
	}
	return verdict(plans)
}

func parse(arguments []string, stderr io.Writer) (settings, error) {
	var s settings
	f := frame.Flags("table1", stderr)
	s.Register(f)
	f.DurationVar(&s.stateless.Time, "stateless-timeout", 30*time.Second, "the same as -timeout for stateless runs, most of which do not end")
	if err := frame.Parse(f, arguments); err != nil {
		return s, err
	}
	if s.stateless.Time <= 0 {
		return s, errors.New("-stateless-timeout must be more than 0")
	}
	err := s.Check()
	s.stateless.Memory = s.Limits.Memory
	return s, err
}

// runPlans makes all runs and puts the results into the plans.
func runPlans(ctx context.Context, plans []plan, s settings, stderr io.Writer) error {
	var jobs []compare.Job
	for _, p := range plans {
		jobs = append(jobs, p.jobs...)
	}
	results, err := s.Make(ctx, jobs, stderr)
	if err != nil {
		return err
	}
	for i := range plans {
		n := len(plans[i].jobs)
		plans[i].results, results = results[:n], results[n:]
	}
	return nil
}
