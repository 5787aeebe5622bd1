package main

import (
	"bytes"
	_ "embed"
	"encoding/csv"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
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
	states    figure
	time      figure // in seconds
	reduction string // of time, in per cent, over another mode; - where the paper has none
	over      string
}

// figure is a number, or a lower bound of one.
type figure struct {
	value   float64
	atLeast bool
	text    string
}

// ratio is a figure over another; ok says whether both are known.
func (f figure) ratio(base figure) (ratio float64, ok bool) {
	if f.value == 0 || base.value == 0 || f.atLeast || base.atLeast {
		return 0, false
	}
	return f.value / base.value, true
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
	r := csv.NewReader(bytes.NewReader(content))
	r.Comment = '#'
	records, err := r.ReadAll()
	if err != nil {
		return nil, fmt.Errorf("reading the paper's figures: %w", err)
	}
	var rows []row
	for _, fields := range records[1:] {
		l := line{mode: fields[3], reduction: fields[6], over: fields[7]}
		if l.states, err = readStates(fields[4]); err != nil {
			return nil, fmt.Errorf("reading the paper's figures: %w", err)
		}
		if l.time, err = readTime(fields[5]); err != nil {
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

func readStates(text string) (figure, error) {
	digits, atLeast := strings.CutPrefix(text, ">")
	n, err := strconv.ParseUint(digits, 10, 63)
	shown := humanize.Comma(int64(n))
	if atLeast {
		shown = ">" + shown
	}
	return figure{float64(n), atLeast, shown}, err
}

func readTime(text string) (figure, error) {
	duration, atLeast := strings.CutPrefix(text, ">")
	d, err := time.ParseDuration(duration)
	return figure{d.Seconds(), atLeast, text}, err
}
