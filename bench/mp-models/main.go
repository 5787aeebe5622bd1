// Command mp-models makes Table 1 of the paper that harrier's models of message passing are from (paper.csv names it) with
// examples/paxos-quorum, and puts the paper's figures beside ours as Markdown. `make mp-models` runs it.
//
//	paper.csv -> cell                the paper's figures, a cell for each protocol, property and model
//	programs, variants, modes -> job what to run of ours for a cell
//	frame.Runs -> Result             our figures, kept as those of harrier compare
//	cell, Result -> markdown         into docs/results.md
//
// A search that does not end within its limits says how far it came. Counts compare only within a column: the paper does
// not print its protocol, and ours is another in detail. What should agree is the result, and how many times more states
// one model has than another.
package main

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"harrier/bench/frame"
	"harrier/compare"
)

//go:embed paper.csv
var paperCSV []byte

// settings say how to make the table.
type settings struct {
	frame.Runs
	into string // the file that gets the table, "" for standard output
}

func main() { frame.Main("mp-models", run) }

// run makes the table. The exit code is 0 where our results are the paper's as far as they go, 1 where not, 2 for wrong
// use, 3 for what could not be run, and 130 if interrupted.
func run(ctx context.Context, arguments []string, stdout, stderr io.Writer) (int, error) {
	s, err := parse(arguments, stderr)
	if err != nil {
		return frame.Usage, err
	}
	var tables bytes.Buffer
	var results []frame.Expected
	for _, v := range variants {
		cells, err := readPaper(paperCSV)
		if err != nil {
			return frame.Usage, err
		}
		if err := makeRuns(ctx, cells, v, s, stderr); err != nil {
			return frame.Impossible, err
		}
		tables.Write(markdown(cells, v))
		for _, c := range cells {
			results = append(results, c.Expected)
		}
	}
	tables.Write(notes(s))
	if err := write(stdout, tables.Bytes(), s.into); err != nil {
		return frame.Impossible, err
	}
	return frame.Verdict(results)
}

func parse(arguments []string, stderr io.Writer) (settings, error) {
	var s settings
	f := frame.Flags("mp-models", stderr)
	s.Register(f)
	f.StringVar(&s.into, "into", "", "the file that gets the table between its marks, such as docs/results.md (default: print it)")
	if err := frame.Parse(f, arguments); err != nil {
		return s, err
	}
	return s, s.Check()
}

// programs are our programs for the paper's, by protocol and property, as harrier compare takes them.
var programs = map[string]string{
	"Paxos (m=2, n=3), safety":           "paxos-quorum",
	"Paxos (m=2, n=3), erroneous safety": "paxos-quorum:erroneous=true",
	"Faulty Paxos (m=2, n=3), safety":    "paxos-quorum:alwaysAccept=true",
	"Paxos (m=2, n=4), safety":           "paxos-quorum:acceptors=4",
}

// A variant of our programs has a table of its own.
type variant struct {
	title   string
	setting string // of the programs' parameters
}

var variants = []variant{
	{"Leaders may try again, which gives M about as many states as the paper's has", "again=true"},
	{"Leaders try once, which leaves fewer messages that nobody takes", "again=false"},
}

// modes are our modes for the paper's models.
var modes = map[string]string{
	"M": "dbss", "MP": "mp", "M-MP": "m-mp",
	"M symm": "dbss-symmetry", "MP symm": "mp-symmetry", "M-MP symm": "m-mp-symmetry",
}

// job is what to run for a cell.
func (c *cell) job(v variant, s settings) (compare.Job, error) {
	ours, ok := programs[c.protocol+", "+c.property]
	if !ok {
		return compare.Job{}, fmt.Errorf("there is no program for %s, %s", c.protocol, c.property)
	}
	program, err := compare.ParseProgram(filepath.Join(s.Examples, with(ours, v.setting)), "", nil)
	if err != nil {
		return compare.Job{}, fmt.Errorf("the program for %s: %w", c.protocol, err)
	}
	mode, ok := compare.FindMode(modes[c.model])
	if !ok {
		return compare.Job{}, fmt.Errorf("compare has no mode for %s", c.model)
	}
	return compare.Job{Program: program, Mode: mode, Limits: s.Limits}, nil
}

// with is a program with a parameter more.
func with(program, setting string) string {
	if strings.Contains(program, ":") {
		return program + "," + setting
	}
	return program + ":" + setting
}

// makeRuns makes all runs and puts the results into the cells.
func makeRuns(ctx context.Context, cells []cell, v variant, s settings, progress io.Writer) error {
	var jobs []compare.Job
	for i := range cells {
		job, err := cells[i].job(v, s)
		if err != nil {
			return err
		}
		jobs = append(jobs, job)
	}
	results, err := s.Make(ctx, jobs, progress)
	if err != nil {
		return err
	}
	for i := range results {
		cells[i].Result = &results[i]
	}
	return nil
}

// write prints the tables, or puts them into a file.
func write(stdout io.Writer, table []byte, into string) error {
	if into == "" {
		_, err := bytes.NewReader(table).WriteTo(stdout)
		return err
	}
	return frame.Replace(into, "mp-models", table)
}
