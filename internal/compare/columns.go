package compare

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/dustin/go-humanize"

	"harrier/internal/report"
	"harrier/internal/section"
)

// column is one of a table for people.
type column struct {
	head  string
	align byte // l to the left, r to the right
	cell  func(r, base *Result) string
}

// columns are all that a table may have.
var columns = []column{
	{"mode", 'l', func(r, _ *Result) string { return r.Mode }},
	{"verdict", 'l', func(r, _ *Result) string { return string(r.Verdict) }},
	{"states", 'r', figure(func(r, _ *Result) string { return r.atLeast() + Count(r.States) })},
	{"ratio", 'r', ratio((*Result).StatesRatio)},
	{"transitions", 'r', figure(func(r, _ *Result) string { return r.atLeast() + Count(r.Transitions) })},
	{"terminal", 'r', figure(func(r, _ *Result) string { return positive(r.Terminal) })},
	{"length", 'r', figure(func(r, _ *Result) string { return positive(uint64(r.Steps)) })},
	{"time", 'r', figure(func(r, _ *Result) string {
		return r.atLeast() + section.Seconds(r.Seconds) + r.interval(func(i *Intervals) [2]float64 { return i.Seconds })
	})},
	{"ratio", 'r', ratio((*Result).TimeRatio)},
	{"CPU", 'r', figure(func(r, _ *Result) string {
		return r.atLeast() + section.Seconds(r.ProcessorSeconds) + r.interval(func(i *Intervals) [2]float64 { return i.ProcessorSeconds })
	})},
	{"ratio", 'r', ratio((*Result).ProcessorRatio)},
	{"peak memory", 'r', func(r, _ *Result) string {
		if r.Figures == nil && r.Verdict != report.Inconclusive {
			return ""
		}
		return humanize.IBytes(r.PeakMemoryBytes)
	}},
	{"Java steps", 'r', figure(func(r, _ *Result) string { return Count(r.LocalSteps) + "/" + Count(r.Executions) })},
}

// figure is empty where a result has no figures.
func figure(cell func(r, base *Result) string) func(r, base *Result) string {
	return func(r, base *Result) string {
		if r.Figures == nil {
			return ""
		}
		return cell(r, base)
	}
}

// ratio is empty where two results have none.
func ratio(of func(r, base *Result) (float64, bool)) func(r, base *Result) string {
	return figure(func(r, base *Result) string {
		if base == nil {
			return ""
		}
		return Ratio(of(r, base))
	})
}

// cells are those of all results for people: by program, mode and column. Columns whose cells are all empty are left out.
func (t *Table) cells() (heads []string, alignment string, cells [][][]string) {
	parts := programs(t.Results)
	cells = make([][][]string, len(parts))
	for i, runs := range parts {
		cells[i] = make([][]string, len(runs))
	}
	for _, c := range columns {
		var all []string
		for _, runs := range parts {
			for i := range runs {
				all = append(all, c.cell(&runs[i], t.base(runs)))
			}
		}
		if !slices.ContainsFunc(all, func(text string) bool { return text != "" }) {
			continue
		}
		heads, alignment = append(heads, c.head), alignment+string(c.align)
		for i := range cells {
			for j := range cells[i] {
				cells[i][j] = append(cells[i][j], all[0])
				all = all[1:]
			}
		}
	}
	return heads, alignment, cells
}

// atLeast marks figures of a search that did not get to its end.
func (r *Result) atLeast() string {
	if r.Conclusive() {
		return ""
	}
	return ">"
}

// Texts writes the figures of a search for people, with > before each where it did not get to its end.
func (r *Result) Texts() (states, transitions, time string) {
	return r.atLeast() + Count(r.States), r.atLeast() + Count(r.Transitions), r.atLeast() + section.Seconds(r.Seconds)
}

// interval writes one of the intervals of a result, "" if it has none.
func (r *Result) interval(of func(*Intervals) [2]float64) string {
	if r.Interval == nil {
		return ""
	}
	ends := of(r.Interval)
	return fmt.Sprintf(" [%s, %s]", section.Seconds(ends[0]), section.Seconds(ends[1]))
}

func positive(n uint64) string {
	if n == 0 {
		return ""
	}
	return Count(n)
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
	return strconv.FormatFloat(ratio, 'f', 2, 64)
}
