package main

import (
	_ "embed"
	"fmt"

	"harrier/bench/frame"
)

//go:embed paper.csv
var paperCSV []byte

// row is a row of the table: a protocol and a property, and what came of them in each mode.
type row struct {
	protocol, property string
	expected           string // OK or CE
	lines              []line
}

// line is a row's figures in one mode, as the paper has them.
type line struct {
	mode      string
	states    frame.Figure
	time      frame.Figure // in seconds
	reduction string       // of time, in per cent, over another mode; - where the paper has none
	over      string
}

// in finds the line of a mode; without one, there are no figures.
func (r *row) in(mode string) line {
	for _, l := range r.lines {
		if l.mode == mode {
			return l
		}
	}
	return line{mode: mode}
}

// readPaper reads the paper's figures.
func readPaper(content []byte) ([]row, error) {
	records, err := frame.ReadPaper(content)
	if err != nil {
		return nil, err
	}
	var rows []row
	for _, fields := range records {
		l := line{mode: fields[3], reduction: fields[6], over: fields[7]}
		if l.states, err = frame.ReadCount(fields[4]); err != nil {
			return nil, fmt.Errorf("reading the paper's figures: %w", err)
		}
		if l.time, err = frame.ReadTime(fields[5]); err != nil {
			return nil, fmt.Errorf("reading the paper's figures: %w", err)
		}
		if n := len(rows); n == 0 || rows[n-1].protocol != fields[0] || rows[n-1].property != fields[1] {
			rows = append(rows, row{protocol: fields[0], property: fields[1], expected: fields[2]})
		}
		last := &rows[len(rows)-1]
		last.lines = append(last.lines, l)
	}
	return rows, nil
}
