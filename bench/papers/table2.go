package main

import (
	"fmt"
	"io"
	"strconv"

	"harrier/internal/compare"
	"harrier/internal/report"
)

// application is what the paper on DEMETER says of one: figures as it prints them, where they are large without separators.
type application struct {
	ratio, skeletons, traces, cost, speedup string
}

// traceModes are those in which the programs of Table 2 are run: what it is about, what its costs are put in proportion to, and macro
// steps beside it.
var traceModes = []string{"demeter", "dynamic", "macro"}

// applications are the rows of Table 2: one for each mode, or one without a program.
func applications(records [][]string) (rows []row, err error) {
	for _, fields := range records {
		r := row{program: fields[0], protocol: fields[1], answer: "OK", paper: application{
			ratio: fields[2], skeletons: fields[3], traces: fields[4], cost: fields[5], speedup: fields[6],
		}}
		for _, number := range fields[2:] {
			if _, err := strconv.ParseFloat(number, 64); err != nil {
				return nil, fmt.Errorf("reading the paper's figures of %s: %w", r.protocol, err)
			}
		}
		for _, mode := range traceModes {
			r.mode = mode
			rows = append(rows, r)
			if r.program == "" {
				break
			}
		}
	}
	return rows, nil
}

var traceHeads = []string{
	"application", "ours", "red-ratio, paper", "ours", "global skel, paper", "ours", "local trace, paper", "ours", "RT-ratio, paper", "ours",
	"speedup, paper", "ours", "time of demeter", "macro states", "time of macro", "demeter ended by",
}

// table2 writes a line for each application. What a run counted that a limit ended is marked by >.
func table2(w io.Writer, rows []row) {
	fmt.Fprintln(w, compare.MarkdownHead(traceHeads, "llrrrrrrrrrrrrrl"))
	for i := range rows {
		if rows[i].mode == "demeter" {
			fmt.Fprintln(w, compare.MarkdownRow(rows[i].traceCells(rows)))
		}
	}
}

// traceCells are the columns of an application whose row of mode demeter r is.
func (r *row) traceCells(rows []row) []string {
	p := r.paper
	cells := []string{r.protocol, r.program, p.ratio, "", p.skeletons, "", p.traces, "", p.cost, "", p.speedup, "", "", "", "", ""}
	if r.program == "" {
		cells[15] = "there is no program"
	}
	if r.ours == nil {
		return cells
	}
	cells[15] = r.endedBy()
	if r.ours.Figures == nil || r.ours.Demeter == nil {
		return cells
	}
	_, _, cells[12] = r.ours.Texts()
	d, more := r.ours.Demeter, ""
	if r.ours.Verdict == report.Inconclusive {
		more = ">"
	}
	if d.LocalTraces > 0 {
		cells[3] = more + compare.Ratio(d.ReductionRatio, true)
	}
	cells[5], cells[7] = more+compare.Count(d.GlobalSkeletons), more+compare.Count(d.LocalTraces)
	if single := find(rows, r.protocol, "dynamic"); single != nil {
		if cost, ok := r.ours.CostRatio(single.ours); ok {
			cells[9], cells[11] = compare.Ratio(cost, true), more+compare.Ratio(d.ReductionRatio/cost, true)
		}
	}
	if macro := find(rows, r.protocol, "macro"); macro != nil && macro.ours != nil {
		cells[14] = macro.endedBy()
		if macro.ours.Figures != nil {
			cells[13], _, cells[14] = macro.ours.Texts()
		}
	}
	return cells
}
