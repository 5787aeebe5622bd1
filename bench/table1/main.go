// Command table1 makes Table I of the paper that harrier's search is from with harrier's own examples, and
// prints the paper's figures beside ours as Markdown. `make table1` runs it.
//
//	paper.csv -> row             the paper's figures
//	programs, columns -> plan    what to run of ours
//	compare.Runner -> Result     our figures, kept as those of harrier compare
//	row, Result -> markdown      with the factors between columns (factors.go), and bars
//
// Counts of states compare only within a column: the paper's protocols are others in detail, and its
// states too. What should agree is the result, and that the same mode saves more, or less.
package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"harrier/bench/frame"
	"harrier/compare"
	"harrier/internal/files"
)

// settings say how to make the table.
type settings struct {
	frame.Runs
	stateless compare.Limits
	plot      string // the file that gets the bars, "" for none
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
	if err := draw(plans, s); err != nil {
		return frame.Impossible, err
	}
	return verdict(plans)
}

func parse(arguments []string, stderr io.Writer) (settings, error) {
	var s settings
	f := frame.Flags("table1", stderr)
	s.Register(f)
	f.DurationVar(&s.stateless.Time, "stateless-timeout", 30*time.Second, "the same as -timeout for stateless runs, most of which do not end")
	f.DurationVar(&s.Within, "within", 45*time.Minute, "begin no more runs after this long; those that remember nothing, and the largest, come last")
	f.StringVar(&s.plot, "plot", "", "draw the states into an SVG file")
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

// runPlans makes all runs, one column after another, and puts the results into the plans.
func runPlans(ctx context.Context, plans []plan, s settings, stderr io.Writer) error {
	var jobs []compare.Job
	var of []*plan
	for _, mode := range inOrder {
		for i := range plans {
			if job := plans[i].job(mode); job != nil {
				jobs, of = append(jobs, *job), append(of, &plans[i])
			}
		}
	}
	results, err := s.Make(ctx, jobs, stderr)
	if err != nil {
		return err
	}
	for i, r := range results {
		of[i].results = append(of[i].results, r)
	}
	return nil
}

// draw draws the states of those columns that say something by them.
func draw(plans []plan, s settings) error {
	if s.plot == "" {
		return nil
	}
	var modes []compare.Mode
	for _, name := range drawn {
		mode, _ := compare.FindMode(name)
		modes = append(modes, mode)
	}
	var results []compare.Result
	for _, p := range plans {
		results = append(results, p.results...)
	}
	var svg bytes.Buffer
	if err := compare.NewTable(modes, "stateful", s.Limits, results, 0).SVG(&svg); err != nil {
		return err
	}
	return files.WriteWhole(s.plot, svg.Bytes())
}
