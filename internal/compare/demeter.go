package compare

import (
	"fmt"
)

// CostRatio is the cost of a local trace in a run of mode demeter over that of a global trace in another run, which remembers no
// states: the RT-ratio of the paper (section 5.2). It is known of runs that did not end, too.
func (r *Result) CostRatio(single *Result) (ratio float64, ok bool) {
	if r.Figures == nil || r.Demeter == nil || single == nil || single.Figures == nil || r.Demeter.LocalTraces == 0 ||
		single.Terminal == 0 || single.Seconds == 0 {
		return 0, false
	}
	return r.Seconds / float64(r.Demeter.LocalTraces) / (single.Seconds / float64(single.Terminal)), true
}

// demeterNote says what a run of mode demeter counted, nil for other runs. Costs are those over the run of mode dynamic.
func demeterNote(r *Result, runs []Result) []string {
	if r.Figures == nil || r.Demeter == nil {
		return nil
	}
	text := r.Mode + ": " + r.Demeter.String()
	for i := range runs {
		if cost, ok := r.CostRatio(&runs[i]); ok && runs[i].Mode == "dynamic" {
			text += fmt.Sprintf("; a local trace costs %.3g times a trace of dynamic: speedup %.4g", cost, r.Demeter.ReductionRatio/cost)
		}
	}
	return []string{text}
}
