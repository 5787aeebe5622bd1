package main

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"harrier/bench/frame"
	"harrier/compare"
)

var heads = []string{
	"protocol (processes)", "result", "mode", "states, paper", "states, ours", "time, paper", "time, ours",
	"ratio to", "states, paper", "states, ours", "time, paper", "time, ours", "ours ended by",
}

// markdown writes the table.
func markdown(w io.Writer, plans []plan, s settings) error {
	var b bytes.Buffer
	fmt.Fprintln(&b, compare.MarkdownRow(heads))
	fmt.Fprintln(&b, "|---|---|---"+strings.Repeat("|---:", 4)+"|---"+strings.Repeat("|---:", 4)+"|---|")
	missing := 0
	for _, p := range plans {
		for _, mode := range columns {
			if r := p.result(mode); r != nil {
				fmt.Fprintln(&b, compare.MarkdownRow(p.cells(r)))
			}
		}
		missing += len(p.jobs) - len(p.results)
	}
	factors(&b, plans)
	fmt.Fprintf(&b, `
- The paper's figures are those of Table I in Saissi et al., "Efficient Verification of Distributed
  Protocols Using Stateful Model Checking", measured on 2 GHz Xeon machines. It has no figures of the
  stateless search, only how much less time the stateful one took. Its \> mark searches that ended after
  192 hours, ours those that a limit ended.
- Our runs end after %v, stateless ones after %v, or at %s of memory; searches with a
  counterexample (CE) end at the first, as in the paper. Times are of the search, without starting Java
  and compiling, which takes about a second.
- A ratio is to the mode that is named, where both searches went to their end.
- A factor is how many times more states the one column has than the other. Where its search did not end, it is more
  than that. Those of searches with a counterexample depend on where it lies in the order of the search.
`, s.Limits.Time, s.stateless.Time, compare.Size(s.Limits.Memory))
	if missing > 0 {
		fmt.Fprintf(&b, "- %d runs are missing, as all together were to end within %v; the same command makes them.\n", missing, s.Within)
	}
	_, err := b.WriteTo(w)
	return err
}

// bases are the modes that others are put in proportion to, as in the paper.
var bases = map[string]string{
	"dynamic": "stateless", "stateful": "stateless", "dbss-all": "stateful", "dbss": "stateful", "static": "stateful",
	"dbss-static": "static", "macro": "dbss", "dbss-symmetry": "dbss", "static-symmetry": "dbss-static",
	"macro-symmetry": "macro",
}

// cells are the columns of a result with the paper's figures.
func (p *plan) cells(r *compare.Result) []string {
	paper := p.in(r.Mode)
	cells := []string{
		p.protocol + ", " + p.property, frame.Expected{Result: r, Answer: p.expected}.Text(), r.Mode,
		paper.states.Text, "", paper.time.Text, "", "", "", "", "", "", frame.EndedBy(r),
	}
	cells[4], _, cells[6] = frame.Counted(r)
	base := bases[r.Mode]
	if base == "" {
		return cells
	}
	cells[7] = base
	theirs := p.in(base)
	cells[8] = compare.Ratio(paper.states.Ratio(theirs.states))
	cells[10] = compare.Ratio(paper.timeRatio(theirs))
	if ours := p.result(base); ours != nil {
		cells[9], cells[11] = compare.Ratio(r.StatesRatio(ours)), compare.Ratio(r.TimeRatio(ours))
	}
	return cells
}

// timeRatio is the time over that of the base. Where the paper has no time of the base, the reduction
// that it prints tells.
func (l line) timeRatio(base line) (ratio float64, ok bool) {
	var reduction float64
	if base.time.Value == 0 && l.over == "stateless" {
		if _, err := fmt.Sscan(l.reduction, &reduction); err == nil {
			return 1 - reduction/100, true
		}
	}
	return l.time.Ratio(base.time)
}
