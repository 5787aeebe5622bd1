package main

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/dustin/go-humanize"

	"harrier/internal/compare"
)

// row is what a paper says of one protocol in one mode, with what we run for it.
type row struct {
	program, protocol, answer, mode string
	states, transitions, time       figure // the paper's; zero where it has none
	over                            string // the mode that figures are put in proportion to, "" for none
	saved                           string // per cent of its time, as the paper prints them

	base  *row        // that of the mode over, where only some rows are made
	left  []string    // the modes of the protocol that have no row, where only some rows are made
	paper application // of Table 2 of DEMETER's paper
	job   compare.Job
	ours  *compare.Result // nil before it is run
}

// figure is a number of a paper, or a lower bound of one.
type figure struct {
	value   float64
	atLeast bool
	text    string
}

// ratio is a figure over another; ok reports whether both are known.
func (f figure) ratio(base figure) (ratio float64, ok bool) {
	if f.value == 0 || base.value == 0 || f.atLeast || base.atLeast {
		return 0, false
	}
	return f.value / base.value, true
}

// readFigure reads a number or a time; > before it makes it a lower bound.
func readFigure(text string) (figure, error) {
	if text == "" {
		return figure{}, nil
	}
	bare, atLeast := strings.CutPrefix(text, ">")
	if d, err := time.ParseDuration(bare); err == nil {
		return figure{d.Seconds(), atLeast, text}, nil
	}
	n, err := strconv.ParseUint(bare, 10, 63)
	return figure{float64(n), atLeast, strings.TrimSuffix(text, bare) + humanize.Comma(int64(n))}, err
}

// readPaper reads the figures of a table: comma-separated, with comments behind #, and a line of heads.
func readPaper(table string) ([]row, error) {
	if table == "hashing" {
		return hashedRows()
	}
	content, err := papers.ReadFile(table + ".csv")
	if err != nil {
		return nil, fmt.Errorf("there is no table %q: the tables are table1, hashing, mp-models, fig10 and table2", table)
	}
	r := csv.NewReader(bytes.NewReader(content))
	r.Comment = '#'
	records, err := r.ReadAll()
	if err != nil {
		return nil, fmt.Errorf("reading the paper's figures: %w", err)
	}
	if table == "table2" {
		return applications(records[1:])
	}
	var rows []row
	for _, fields := range records[1:] {
		r := row{program: fields[0], protocol: fields[1], answer: fields[2], mode: fields[3], over: fields[7], saved: fields[8]}
		for i, to := range []*figure{&r.states, &r.transitions, &r.time} {
			if *to, err = readFigure(fields[4+i]); err != nil {
				return nil, fmt.Errorf("reading the paper's figures of %s: %w", r.protocol, err)
			}
		}
		rows = append(rows, r)
	}
	return rows, nil
}

// choose gives the rows that a list asks for, all if it is empty. Its elements are divided by semicolons, as protocols have commas in their
// names, their words by spaces. An element asks for the rows of which each word is the mode or a part of the program's or protocol's name,
// whether in capital letters or not. An element that asks for no row is an error.
func choose(rows []row, list string) ([]row, error) {
	if list == "" {
		return rows, nil
	}
	meant := make([]bool, len(rows))
	for element := range strings.SplitSeq(list, ";") {
		words, found := strings.Fields(strings.ToLower(element)), false
		for i, r := range rows {
			text := strings.ToLower(r.program + " " + r.protocol)
			if len(words) > 0 && !slices.ContainsFunc(words, func(w string) bool { return w != r.mode && !strings.Contains(text, w) }) {
				meant[i], found = true, true
			}
		}
		if !found {
			return nil, fmt.Errorf("-rows: no row has %q; words of one row are, for example, %s %s", element, rows[0].program, rows[0].mode)
		}
	}
	left := map[string][]string{}
	for i, r := range rows {
		if !meant[i] {
			left[r.protocol] = append(left[r.protocol], r.mode)
		}
	}
	var chosen []row
	for i, r := range rows {
		if meant[i] {
			r.base, r.left = find(rows, r.protocol, r.over), left[r.protocol]
			chosen = append(chosen, r)
		}
	}
	return chosen, nil
}

// find is the row of a protocol in a mode, nil if there is none.
func find(rows []row, protocol, mode string) *row {
	for i := range rows {
		if rows[i].protocol == protocol && rows[i].mode == mode {
			return &rows[i]
		}
	}
	return nil
}
