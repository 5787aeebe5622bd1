package main

import (
	"fmt"
	"io"

	"harrier/bench/frame"
	"harrier/compare"
)

// withoutSymmetry are the columns of which the best counts as what reductions other than symmetry come to.
var withoutSymmetry = []string{"dbss", "static", "dbss-static", "macro"}

var factorHeads = []string{
	"protocol (processes)", "result", "stateful over DBSS + POR, paper", "ours", "stateful over our best without symmetry", "which is",
	"stateful over our best", "which is", "DBSS over DBSS + POR, paper", "DBSS over our best without symmetry",
}

// factors writes how many times fewer states the columns with reductions have, a line for each row.
func factors(w io.Writer, plans []plan) {
	fmt.Fprintln(w)
	fmt.Fprintln(w, compare.MarkdownRow(factorHeads))
	fmt.Fprintln(w, "|---|---|---:|---:|---:|---|---:|---|---:|---:|")
	for _, p := range plans {
		stateful, best := p.result("stateful"), p.best(withoutSymmetry)
		most := p.best(append([]string{"dbss-symmetry", "static-symmetry", "macro-symmetry"}, withoutSymmetry...))
		fmt.Fprintln(w, compare.MarkdownRow([]string{
			p.protocol + ", " + p.property, p.expected,
			paperFactor(p.in("stateful"), p.in("dbss-static")), factor(stateful, p.result("dbss-static")),
			factor(stateful, best), modeOf(best), factor(stateful, most), modeOf(most),
			paperFactor(p.in("dbss"), p.in("dbss-static")), factor(p.result("dbss"), best),
		}))
	}
}

// best is the result with the fewest states of those in some modes, nil if none came to an end.
func (p *plan) best(modes []string) *compare.Result {
	var best *compare.Result
	for _, mode := range modes {
		if r := p.result(mode); r != nil && r.Conclusive() && r.Figures != nil && (best == nil || r.States < best.States) {
			best = r
		}
	}
	return best
}

func modeOf(r *compare.Result) string {
	if r == nil {
		return ""
	}
	return r.Mode
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
	case more.Verdict == compare.Inconclusive:
		return ">" + ratio
	}
	return ""
}

// paperFactor is the same of the paper's figures.
func paperFactor(more, fewer line) string {
	if fewer.states.AtLeast || fewer.states.Value == 0 {
		return ""
	}
	whole := frame.Figure{Value: more.states.Value}
	text := compare.Ratio(whole.Ratio(fewer.states))
	if more.states.AtLeast {
		text = ">" + text
	}
	return text
}
