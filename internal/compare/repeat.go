package compare

import (
	"math"
	"slices"
	"time"

	"harrier/internal/report"
)

// Repeat is one of several runs of a program in a mode.
type Repeat struct {
	Verdict          report.Verdict `json:"verdict"`
	Seconds          float64        `json:"seconds"` // of the search
	ProcessSeconds   float64        `json:"processSeconds"`
	ProcessorSeconds float64        `json:"processorSeconds"`
	PeakMemoryBytes  uint64         `json:"peakMemoryBytes"`
	Started          time.Time      `json:"started"`
	Load             float64        `json:"load"`
	Reused           bool           `json:"reused"`
}

// Intervals are confidence intervals of medians, each the least and the largest value of it.
type Intervals struct {
	// Coverage is the probability that such an interval has the median in it, whatever the distribution of times is.
	Coverage         float64    `json:"coverage"`
	Seconds          [2]float64 `json:"seconds"`
	ProcessSeconds   [2]float64 `json:"processSeconds"`
	ProcessorSeconds [2]float64 `json:"processorSeconds"`
}

// leastCoverage is what intervals have at least, if there are runs enough: 6 or more.
const leastCoverage = 0.95

// rank gives the narrowest confidence interval of a median of n independent samples that has the least coverage: from the sample of
// this rank from below, from 0, to that from above. For fewer than 6 it is from the least to the largest, which has less. See David and
// Nagaraja, "Order Statistics", 3rd edition, section 7.1: the interval misses the median if at most rank samples are below it, or above.
func rank(n int) (rank int, coverage float64) {
	outside := 2 * math.Pow(0.5, float64(n)) // both sides; the probability that no sample is on one side
	term := outside
	for {
		term *= float64(n-rank) / float64(rank+1)
		if outside+term > 1-leastCoverage {
			return rank, max(0, 1-outside)
		}
		rank, outside = rank+1, outside+term
	}
}

// merged makes one result of all runs of a program in a mode: counts are those of one run, times and memory are medians. If some runs
// have no conclusive verdict, the first of these counts.
func merged(runs []Result) Result {
	if len(runs) == 1 {
		return runs[0]
	}
	first := slices.IndexFunc(runs, func(r Result) bool { return !r.Conclusive() })
	m := runs[max(first, 0)]
	m.Repeats, m.Reused = nil, !slices.ContainsFunc(runs, func(r Result) bool { return !r.Reused })
	for _, r := range runs {
		repeat := Repeat{
			Verdict: r.Verdict, ProcessSeconds: r.ProcessSeconds, ProcessorSeconds: r.ProcessorSeconds, PeakMemoryBytes: r.PeakMemoryBytes,
			Started: r.Started, Load: r.Load, Reused: r.Reused,
		}
		if r.Figures != nil {
			repeat.Seconds = r.Seconds
		}
		m.Repeats = append(m.Repeats, repeat)
	}
	m.Interval = &Intervals{}
	_, m.Interval.Coverage = rank(len(runs))
	m.ProcessSeconds, m.Interval.ProcessSeconds = m.median(func(r Repeat) float64 { return r.ProcessSeconds })
	m.ProcessorSeconds, m.Interval.ProcessorSeconds = m.median(func(r Repeat) float64 { return r.ProcessorSeconds })
	peak, _ := m.median(func(r Repeat) float64 { return float64(r.PeakMemoryBytes) })
	m.PeakMemoryBytes = uint64(peak)
	if m.Figures != nil {
		figures := *m.Figures
		figures.Seconds, m.Interval.Seconds = m.median(func(r Repeat) float64 { return r.Seconds })
		m.Figures = &figures
	}
	return m
}

// median is that of a figure of all runs, with its confidence interval.
func (r *Result) median(figure func(Repeat) float64) (median float64, interval [2]float64) {
	var all []float64
	for _, repeat := range r.Repeats {
		all = append(all, figure(repeat))
	}
	slices.Sort(all)
	n := len(all)
	k, _ := rank(n)
	return (all[(n-1)/2] + all[n/2]) / 2, [2]float64{all[k], all[n-1-k]}
}

// mergedAll merges the runs of each program in each mode, in the order of the first of each.
func mergedAll(runs []Result) []Result {
	all := []Result{}
	for i, r := range runs {
		same := func(o Result) bool { return o.Program == r.Program && o.Mode == r.Mode }
		if slices.ContainsFunc(runs[:i], same) {
			continue
		}
		of := slices.DeleteFunc(slices.Clone(runs[i:]), func(o Result) bool { return !same(o) })
		all = append(all, merged(of))
	}
	return all
}
