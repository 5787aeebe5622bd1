package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"harrier/bench/frame"
	"harrier/internal/compare"
	"harrier/internal/report"
)

var heads = []string{
	"protocol", "answer", "mode", "states, paper", "ours", "transitions, paper", "ours", "time, paper", "ours",
	"ratio to", "states, paper", "ours", "time, paper", "ours", "ours ended by",
}

// table writes the rows that were run.
func table(w io.Writer, rows []row) {
	fmt.Fprintln(w, compare.MarkdownHead(heads, "lllrrrrrrlrrrrl"))
	for i := range rows {
		if rows[i].ours != nil {
			base := cmp.Or(find(rows, rows[i].protocol, rows[i].over), rows[i].base)
			fmt.Fprintln(w, compare.MarkdownRow(rows[i].cells(base)))
		}
	}
}

// cells are the columns of a row, in proportion to another one; nil for none.
func (r *row) cells(base *row) []string {
	cells := []string{r.protocol, r.answer, r.mode, r.states.text, "", r.transitions.text, "", r.time.text, "", r.over, "", "",
		"", "", r.endedBy()}
	if r.differs() {
		cells[1] += ", OURS IS " + answer(r.ours)
	}
	if r.ours.Figures != nil {
		cells[4], cells[6], cells[8] = r.ours.Texts()
	}
	if base == nil {
		return cells
	}
	cells[10], cells[12] = compare.Ratio(r.states.ratio(base.states)), compare.Ratio(r.timeRatio(base))
	if base.ours != nil {
		cells[11], cells[13] = compare.Ratio(r.ours.StatesRatio(base.ours)), compare.Ratio(r.ours.TimeRatio(base.ours))
	}
	return cells
}

// timeRatio is the paper's time over that of the base. Where it has none of the base, it is worked out from what it saved.
func (r *row) timeRatio(base *row) (ratio float64, ok bool) {
	if saved, err := strconv.ParseFloat(r.saved, 64); err == nil && base.time.value == 0 {
		return 1 - saved/100, true
	}
	return r.time.ratio(base.time)
}

// answer is a verdict in a paper's words, OK or CE (there is a counterexample), and "" where there is none.
func answer(r *compare.Result) string {
	return map[report.Verdict]string{report.Verified: "OK", report.Violated: "CE"}[r.Verdict]
}

// differs reports whether our answer is another one than the paper's.
func (r *row) differs() bool {
	return r.ours != nil && r.ours.Conclusive() && answer(r.ours) != r.answer
}

// endedBy says why our search ended.
func (r *row) endedBy() string {
	switch r.ours.Verdict {
	case report.Verified:
		return "all states"
	case report.Violated:
		return "the first violation"
	case report.Inconclusive:
		return r.ours.Note
	}
	return string(r.ours.Verdict) + ": " + r.ours.Note
}

// verdict is the exit code with what is wrong: answers that are not the paper's, runs that broke down.
func verdict(rows []row) (int, error) {
	var other, broken []string
	for _, r := range rows {
		switch {
		case r.ours == nil:
		case r.differs():
			other = append(other, fmt.Sprintf("%s in mode %s is %s, in the paper %s", r.program, r.mode, answer(r.ours), r.answer))
		case r.ours.Verdict == compare.Failed || r.ours.Verdict == compare.NotApplicable:
			broken = append(broken, fmt.Sprintf("%s in mode %s: %s", r.program, r.mode, r.ours.Note))
		}
	}
	switch {
	case other != nil:
		return frame.Different, fmt.Errorf("answers are not the paper's: %s", strings.Join(other, "; "))
	case broken != nil:
		return frame.Impossible, fmt.Errorf("%d runs could not be made, the first: %s", len(broken), broken[0])
	}
	return frame.OK, nil
}

// factors writes how many times more states the stateful search has than that with the fewest, a line for each protocol of a table
// with such a search. Where that did not end, it is more; where not all modes were run, our best is that of those which
// were.
func factors(w io.Writer, rows []row) {
	if !slices.ContainsFunc(rows, func(r row) bool { return r.mode == "stateful" }) {
		return
	}
	heads := []string{"protocol", "answer", "stateful over DBSS + POR, paper", "ours",
		"stateful over our best without symmetry", "which is", "stateful over our best", "which is"}
	fmt.Fprintln(w, "\n"+compare.MarkdownHead(heads, "llrrrlrl"))
	for _, stateful := range rows {
		if stateful.mode != "stateful" {
			continue
		}
		cells := []string{stateful.protocol, stateful.answer, "", ""}
		if static := find(rows, stateful.protocol, "dbss-static"); static != nil {
			cells[2], cells[3] = paperFactor(stateful.states, static.states), factor(stateful.ours, static.ours)
		}
		for _, symmetric := range []bool{false, true} {
			best, all := fewest(rows, stateful, symmetric)
			if !all && best.mode != "" {
				best.mode += ", of those that were run"
			}
			cells = append(cells, factor(stateful.ours, best.ours), best.mode)
		}
		fmt.Fprintln(w, compare.MarkdownRow(cells))
	}
}

// fewest is the row of a protocol, beside its stateful one, whose search, of those that remember states, met the fewest before it came to
// an end; all reports whether each of them was run.
func fewest(rows []row, stateful row, symmetric bool) (best row, all bool) {
	competes := func(mode string) bool {
		return mode != "stateful" && !remembersNothing(mode) && (symmetric || !strings.HasSuffix(mode, "-symmetry"))
	}
	all = !slices.ContainsFunc(stateful.left, competes)
	for _, r := range rows {
		switch {
		case r.protocol != stateful.protocol || !competes(r.mode):
		case r.ours == nil:
			all = false
		case r.ours.Conclusive() && r.ours.Figures != nil && (best.ours == nil || r.ours.States < best.ours.States):
			best = r
		}
	}
	return best, all
}

// factor is how many times more states one result has than another, which must have come to an end; "" if nothing is known.
func factor(more, fewer *compare.Result) string {
	if more == nil || fewer == nil || more.Figures == nil || !fewer.Conclusive() || fewer.States == 0 {
		return ""
	}
	ratio := compare.Ratio(float64(more.States)/float64(fewer.States), true)
	switch {
	case more.Verdict == fewer.Verdict:
		return ratio
	case more.Verdict == report.Inconclusive:
		return ">" + ratio
	}
	return ""
}

// paperFactor is the same of the paper's figures.
func paperFactor(more, fewer figure) string {
	text := compare.Ratio(figure{value: more.value}.ratio(fewer))
	if text != "" && more.atLeast {
		text = ">" + text
	}
	return text
}
