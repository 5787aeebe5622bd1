package compare

import (
	"fmt"
	"slices"

	"github.com/dustin/go-humanize"

	"harrier/internal/report"
)

// Table is what a comparison found.
type Table struct {
	Modes    []Mode
	Baseline string // the mode that others are put in proportion to
	Limits   Limits
	Results  []Result // of one program after another
	Missing  int      // runs that an interruption left out
}

// NewTable makes a table of results.
func NewTable(modes []Mode, baseline string, limits Limits, results []Result, missing int) *Table {
	t := &Table{Modes: modes, Baseline: baseline, Limits: limits, Results: results, Missing: missing}
	for _, runs := range t.programs() {
		if refused(runs) && missing == 0 {
			for i := range runs {
				runs[i].Verdict = Failed
			}
		}
	}
	return t
}

// refused reports whether check refuses a program in every mode with the same words. Then the words are
// about the program, not about a mode.
func refused(runs []Result) bool {
	return sameNotes(runs) && !slices.ContainsFunc(runs, func(r Result) bool { return r.Verdict != NotApplicable })
}

// programs divides the results by their programs. The parts share memory with Results.
func (t *Table) programs() [][]Result {
	var parts [][]Result
	from := 0
	for i := range t.Results {
		if i+1 == len(t.Results) || t.Results[i+1].Program != t.Results[i].Program {
			parts = append(parts, t.Results[from:i+1])
			from = i + 1
		}
	}
	return parts
}

// base is the run of the baseline mode, nil if it is missing.
func (t *Table) base(runs []Result) *Result {
	for i := range runs {
		if runs[i].Mode == t.Baseline {
			return &runs[i]
		}
	}
	return nil
}

// ExitCode is 0 if all runs finished. Else it says the gravest of what happened: verdicts that disagree,
// a program that every mode refuses, a run that broke down or in which the program broke a rule, a run
// without a conclusive verdict.
func (t *Table) ExitCode() int {
	if len(t.Disagreements()) > 0 {
		return report.ExitViolated
	}
	code := 0
	for _, r := range t.Results {
		switch {
		case r.Verdict == report.Inconclusive:
			code = gravest(code, report.ExitInconclusive)
		case r.Verdict == Failed && (r.ExitCode == report.ExitUsage || r.ExitCode == report.ExitRule):
			code = gravest(code, r.ExitCode)
		case r.Verdict == Failed:
			code = gravest(code, report.ExitInternal)
		}
	}
	return code
}

func gravest(a, b int) int {
	order := []int{report.ExitUsage, report.ExitInternal, report.ExitRule, report.ExitInconclusive, 0}
	if slices.Index(order, a) < slices.Index(order, b) {
		return a
	}
	return b
}

// Reused counts the results that were kept from before.
func (t *Table) Reused() int {
	n := 0
	for _, r := range t.Results {
		if r.Reused {
			n++
		}
	}
	return n
}

// heads are the heads of the columns for people.
var heads = []string{"mode", "verdict", "states", "ratio", "transitions", "time", "ratio", "peak memory", "Java steps"}

// alignment says where the cells of each column stand: l to the left, r to the right.
const alignment = "llrrrrrrr"

// cells are the columns of a result for people.
func (t *Table) cells(r, base *Result) []string {
	cells := []string{r.Mode, string(r.Verdict), "", "", "", "", "", "", ""}
	if r.Figures != nil || r.Verdict == report.Inconclusive {
		cells[7] = humanize.IBytes(r.PeakMemoryBytes)
	}
	if r.Figures == nil {
		return cells
	}
	cells[2], cells[4], cells[5] = r.Texts()
	cells[8] = Count(r.LocalSteps) + "/" + Count(r.Executions)
	if base != nil {
		cells[3], cells[6] = Ratio(r.StatesRatio(base)), Ratio(r.TimeRatio(base))
	}
	return cells
}

// Texts writes the figures of a search for people, with > before each where it did not get to its end.
func (r *Result) Texts() (states, transitions, time string) {
	atLeast := ""
	if !r.Conclusive() {
		atLeast = ">"
	}
	return atLeast + Count(r.States), atLeast + Count(r.Transitions), atLeast + report.Seconds(r.Seconds)
}

// notes are what is to be said of a program's runs beside the figures, a line each.
func (t *Table) notes(runs []Result) []string {
	var notes []string
	if len(runs) > 1 && runs[0].Note != "" && sameNotes(runs) {
		return []string{"all modes: " + runs[0].Note}
	}
	for _, r := range runs {
		switch {
		case r.Note != "":
			notes = append(notes, r.Mode+": "+r.Note)
		case r.Verdict == report.Violated && r.Figures != nil:
			notes = append(notes, fmt.Sprintf("%s: violated: %s, in %d steps", r.Mode, r.Property, r.Steps))
		}
	}
	return notes
}

func sameNotes(runs []Result) bool {
	return !slices.ContainsFunc(runs, func(r Result) bool { return r.Note != runs[0].Note })
}

// closing are the lines under all figures.
func (t *Table) closing() []string {
	var lines []string
	for _, d := range t.Disagreements() {
		lines = append(lines, "DISAGREEMENT: "+d.String())
	}
	if t.Missing > 0 {
		lines = append(lines, fmt.Sprintf("%d of %d runs are missing", t.Missing, t.Missing+len(t.Results)))
	}
	if len(t.Results) == 0 {
		return lines
	}
	lines = append(lines, fmt.Sprintf("Ratios are to %s, where both searches went to the same end. Java steps: distinct local steps/executions of handlers.", t.Baseline))
	has := func(v report.Verdict) bool {
		return slices.ContainsFunc(t.Results, func(r Result) bool { return r.Verdict == v })
	}
	if has(report.Violated) {
		lines = append(lines, "Figures of violated runs are of the search until the first violation.")
	}
	if has(report.Inconclusive) {
		lines = append(lines, "> marks figures of a search that did not get to its end.")
	}
	return lines
}

// Count writes a number for people.
func Count(n uint64) string { return humanize.Comma(int64(n)) }

// Ratio writes a proportion for people, and nothing where there is none.
func Ratio(ratio float64, ok bool) string {
	switch {
	case !ok:
		return ""
	case ratio < 0.0995 && ratio > 0:
		return fmt.Sprintf("%.2g", ratio)
	case ratio >= 99.5:
		return humanize.Comma(int64(ratio + 0.5))
	}
	return fmt.Sprintf("%.2f", ratio)
}
