package search

import (
	"context"
	"fmt"
	"math"

	"harrier/dbss"
	"harrier/internal/model"
	"harrier/internal/sample"
)

// randomRuns takes random runs until one violates a property or a limit ends it (package sample).
type randomRuns struct{}

// Fits implements Strategy.
func (randomRuns) Fits(o Options) (Options, error) {
	fitting := map[string][]string{"por": {"off"}, "reduction": {"off"}, "symmetry": {"auto", "off"}}
	if err := o.unfit(fitting, "por", "reduction", "symmetry", "store", "max-depth", "keep-going", "audit", "components", "mode"); err != nil {
		return o, err
	}
	if err := o.fitsOrder(); err != nil {
		return o, err
	}
	o.Reduction, o.Symmetry, o.Push, o.Store = "off", "off", "", ""
	return o, nil
}

// Search implements Strategy. Each worker has a seed of its own, so that who finds a violation finds it alone, too.
func (randomRuns) Search(parent context.Context, p Problem) (Finding, error) {
	ctx, cancel := context.WithCancel(parent)
	defer cancel()
	workers := max(p.Steps.Workers, 1)
	f := Finding{Checker: p.Checker, Result: &dbss.Result{}}
	ended := make(chan sampled, workers)
	for i := range workers {
		s, err := p.Sampler(p.Options.Seed + uint64(i))
		if err != nil {
			return f, err
		}
		f.Samplers = append(f.Samplers, s)
	}
	for _, s := range f.Samplers {
		go p.run(ctx, func(ctx context.Context) { ended <- p.takeRuns(ctx, s, workers) })
	}
	var first sampled
	for range workers {
		if e := <-ended; first.run == nil && (first.err == nil || e.run != nil) { // a violation counts beside a limit
			first = e
		}
		if first.run != nil || first.err != nil {
			cancel()
		}
	}
	for _, s := range f.Samplers {
		f.Result.Add(s.Counts)
		if s.Counts.Transitions > 0 {
			f.Result.Busy++
		}
	}
	f.Result.Violation, f.Result.Violations = first.run, 0
	switch {
	case first.run != nil:
		f.Sampled, f.Result.Violations, first.err = first.by, 1, nil
	case first.err == nil:
		f.Result.Reason = fmt.Sprintf("the runs ended after %d states (--max-states)", f.Result.States)
	default:
		if f.Result.Reason = model.EndReason(parent, first.err); f.Result.Reason != "" {
			first.err = nil
		}
	}
	return f, first.err
}

// sampled is how the runs of a sampler ended.
type sampled struct {
	by  *sample.Sampler
	run *dbss.Counterexample // nil if a limit or an error ended them
	err error
}

// progressStates is how many states pass before the progress shows them.
const progressStates = 1 << 12

// takeRuns takes runs up to the bound on states, which so many workers share.
func (p *Problem) takeRuns(ctx context.Context, s *sample.Sampler, workers int) sampled {
	most := uint64(math.MaxUint64)
	if p.Steps.MaxStates > 0 {
		most = (p.Steps.MaxStates + uint64(workers) - 1) / uint64(workers)
	}
	for {
		before := s.Counts
		found, err := s.Run(ctx, min(before.States+progressStates, most))
		p.Progress.States.Add(s.Counts.States - before.States)
		p.Progress.Transitions.Add(s.Counts.Transitions - before.Transitions)
		p.Progress.Depth.Store(uint64(s.Counts.Depth))
		if found != nil || err != nil || s.Counts.States >= most {
			return sampled{s, found, err}
		}
	}
}
