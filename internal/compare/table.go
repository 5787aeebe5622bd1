package compare

import (
	"fmt"
	"slices"

	"github.com/dustin/go-humanize"

	"harrier/internal/plan"
	"harrier/internal/report"
)

// Table is what a comparison found.
type Table struct {
	Modes    []plan.Mode
	Baseline string // the mode that others are put in proportion to
	Limits   Limits
	Runs     []Result // each that was made, of one program after another
	Results  []Result // the same, with one for all runs of a program in a mode
	Missing  int      // runs that an interruption left out
	Origin   *Origin  // nil if it is not known
}

// NewTable makes a table of the results of runs, of which there may be several of a program in a mode.
func NewTable(modes []plan.Mode, baseline string, limits Limits, runs []Result, missing int) *Table {
	t := &Table{Modes: modes, Baseline: baseline, Limits: limits, Runs: runs, Results: mergedAll(runs), Missing: missing}
	for _, runs := range programs(t.Results) {
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

// programs divides results by their programs. The parts share memory with them.
func programs(results []Result) [][]Result {
	var parts [][]Result
	from := 0
	for i := range results {
		if i+1 == len(results) || results[i+1].Program != results[i].Program {
			parts = append(parts, results[from:i+1])
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

// settings are those of a mode that is compared.
func (t *Table) settings(mode string) []string {
	i := slices.IndexFunc(t.Modes, func(m plan.Mode) bool { return m.Name == mode })
	if i < 0 {
		return nil
	}
	return t.Modes[i].Settings
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
	for _, r := range t.Runs {
		if r.Reused {
			n++
		}
	}
	return n
}

// notes are what is to be said of a program's runs beside the figures, a line each.
func (t *Table) notes(runs []Result) []string {
	var notes []string
	if len(runs) > 1 && runs[0].Note != "" && sameNotes(runs) {
		return []string{"all modes: " + runs[0].Note}
	}
	for i := range runs {
		r := &runs[i]
		notes = append(notes, demeterNote(r, runs)...)
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
		lines = append(lines, fmt.Sprintf("%d of %d runs are missing", t.Missing, t.Missing+len(t.Runs)))
	}
	if len(t.Results) == 0 {
		return append(lines, t.Origin.lines(t.Results)...)
	}
	return append(append(lines, t.legend()...), t.Origin.lines(t.Results)...)
}

// legend are the lines that say what figures are.
func (t *Table) legend() []string {
	lines := []string{fmt.Sprintf("Ratios are to %s, where both searches went to the same end. CPU: processor time of the whole process. "+
		"Java steps: distinct local steps/executions of handlers.", t.Baseline)}
	has := func(f func(Result) bool) bool { return slices.ContainsFunc(t.Results, f) }
	if has(func(r Result) bool { return r.Figures != nil && r.Terminal > 0 }) {
		lines = append(lines, "Terminal: terminal states; of stateless searches the runs that lead to one.")
	}
	for _, m := range t.Modes {
		if _, ok := plan.FindMode(m.Name); !ok {
			lines = append(lines, fmt.Sprintf("The mode %s is %s.", m.Name, m.Meaning))
		}
	}
	if interval := t.interval(); interval != "" {
		lines = append(lines, interval)
	}
	if has(func(r Result) bool { return r.Verdict == report.Violated }) {
		lines = append(lines, "Figures of violated runs are of the search until the first violation, length is that of the counterexample.")
	}
	if has(func(r Result) bool { return r.Verdict == report.Inconclusive }) {
		lines = append(lines, "> marks figures of a search that did not get to its end.")
	}
	return lines
}

// interval says what times with intervals are, "" if there are none.
func (t *Table) interval() string {
	most := 0
	for _, r := range t.Results {
		most = max(most, len(r.Repeats))
	}
	if most < 2 {
		return ""
	}
	k, coverage := rank(most)
	from := "the least to the largest"
	if k > 0 {
		from = fmt.Sprintf("the %s least to the %s largest", humanize.Ordinal(k+1), humanize.Ordinal(k+1))
	}
	return fmt.Sprintf("Times and memory are medians of %d runs by turns. In brackets: from %s, which has the median in it with a probability of %.3g.",
		most, from, coverage)
}
