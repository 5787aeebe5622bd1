package check

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"

	"harrier/dbss"
	"harrier/internal/liveness"
	"harrier/internal/model"
	"harrier/internal/plan"
	"harrier/internal/property"
	"harrier/internal/report"
	"harrier/internal/sample"
)

// sampling takes random runs, as the search itself or beside an exhaustive one.
type sampling struct {
	mu       sync.Mutex // held by the worker of the search that samples
	samplers []*sample.Sampler
	found    *sample.Sampler // that found the violation; nil if none did
	grounds                  // beside a search
}

// grounds are what a violation was found on.
type grounds struct {
	actors  *model.Actors
	checker *property.Checker
}

// restart forgets all runs, before a search begins anew with other states.
func (s *sampling) restart() { s.samplers, s.found, s.grounds = nil, nil, grounds{} }

// newSampler makes a sampler on some grounds.
func (c *Check) newSampler(on grounds, seed uint64) (*sample.Sampler, error) {
	loop, err := c.decideLoops(on)
	return sample.New(on.actors, on.checker, sample.Options{Seed: seed, Depth: c.PCT, NoDeadlock: !c.AsksFinal(), Loop: loop}), err
}

// decideLoops decides whether a run violates a property that is to hold in all fair runs; nil if there is no such property.
func (c *Check) decideLoops(on grounds) (func(ctx context.Context, stem, loop []model.Transition) (*dbss.Counterexample, error), error) {
	var searches []*runSearch
	for i, of := range on.actors.Program().Liveness {
		if of.Kind != model.Always || !c.asksRuns(of) {
			continue
		}
		s, err := liveness.New(on.actors, on.checker, of, liveness.Options{})
		if err != nil {
			return nil, err
		}
		searches = append(searches, &runSearch{Search: s, of: of, property: i})
	}
	if len(searches) == 0 {
		return nil, nil
	}
	return func(ctx context.Context, stem, loop []model.Transition) (*dbss.Counterexample, error) {
		lasso := &liveness.Lasso{Stem: stem, Loop: loop}
		for _, s := range searches {
			switch err := s.Confirm(ctx, lasso); {
			case err == nil:
				return (&runError{s, lasso}).counterexample(ctx)
			case !errors.Is(err, liveness.ErrNone):
				return nil, err
			}
		}
		return nil, nil
	}, nil
}

// sampled is what a sampler found.
type sampled struct {
	by  *sample.Sampler
	run *dbss.Counterexample // nil if a limit or an error ended it
	err error
}

// Error lets a violation that was found beside a search end it.
func (s *sampled) Error() string { return "a random run violates a property" }

// sample takes random runs until one violates a property or a limit ends it. Each worker has a seed of its own, so that who finds a
// violation finds it alone, too.
func (c *Check) sample(parent context.Context) finding {
	ctx, cancel := context.WithCancel(parent)
	defer cancel()
	on, workers := grounds{c.Actors(), c.Checker}, max(c.Workers, 1)
	ended := make(chan *sampled, workers)
	for i := range workers {
		s, err := c.newSampler(on, c.Seed+uint64(i))
		if err != nil {
			return finding{err: err}
		}
		c.sampling.samplers = append(c.sampling.samplers, s)
		go c.run(ctx, func(ctx context.Context) { ended <- c.takeRuns(ctx, s, workers) })
	}
	first := &sampled{}
	for range workers {
		if e := <-ended; first.run == nil && (first.err == nil || e.run != nil) { // a violation counts beside a limit
			first = e
		}
		if first.run != nil || first.err != nil {
			cancel()
		}
	}
	f := finding{checker: c.Checker, result: &dbss.Result{Violation: first.run}, err: first.err}
	for _, s := range c.sampling.samplers {
		f.result.Add(s.Counts)
		if s.Counts.Transitions > 0 {
			f.result.Busy++
		}
	}
	f.result.Violations = 0
	switch {
	case first.run != nil:
		c.sampling.found, f.result.Violations, f.err = first.by, 1, nil
	case first.err == nil:
		f.result.Reason = fmt.Sprintf("the runs ended after %d states (--max-states)", f.result.States)
	default:
		if f.result.Reason = model.EndReason(parent, f.err); f.result.Reason != "" {
			f.err = nil
		}
	}
	return f
}

// takeRuns takes runs up to the bound on states, which so many workers share.
func (c *Check) takeRuns(ctx context.Context, s *sample.Sampler, workers int) *sampled {
	most := uint64(math.MaxUint64)
	if c.MaxStates > 0 {
		most = (c.MaxStates + uint64(workers) - 1) / uint64(workers)
	}
	for {
		before := s.Counts
		found, err := s.Run(ctx, min(before.States+progressStates, most))
		c.progress.States.Add(s.Counts.States - before.States)
		c.progress.Transitions.Add(s.Counts.Transitions - before.Transitions)
		c.progress.Depth.Store(uint64(s.Counts.Depth))
		if found != nil || err != nil || s.Counts.States >= most {
			return &sampled{s, found, err}
		}
	}
}

// progressStates is how many states pass before the progress shows them.
const progressStates = 1 << 12

// Sampling beside a search begins when the search has done the work of about a second, and does a ninth of its work. It is a variable for
// tests.
var besideAfter uint64 = 1 << 20

const besideShare = 9

// beside samples beside a search, until both have done their share of the work. The sampler has actors and a checker of its own, and
// its executions in Java count for no coverage, so that a search that ends by itself has the same figures without it. The error is a
// *sampled if a run violates a property.
func (c *Check) beside(ctx context.Context) error {
	if !c.sampling.mu.TryLock() {
		return nil // another worker is at it
	}
	defer c.sampling.mu.Unlock()
	searched := c.searched()
	if searched < besideAfter {
		return nil
	}
	if c.sampling.samplers == nil {
		if err := c.beginBeside(); err != nil {
			return err
		}
	}
	s := c.sampling.samplers[0]
	for sample.Cost(s.Counts.States, inJava(c.sampling.actors, c.sampling.checker)) < searched/besideShare {
		if found, err := s.Run(ctx, s.Counts.States+1); found != nil || err != nil {
			if found != nil {
				err = &sampled{by: s, run: found}
			}
			return err
		}
	}
	return nil
}

// searched is the work of the search so far, as of sample.Cost.
func (c *Check) searched() uint64 {
	return sample.Cost(c.progress.TransitionsInAll(), inJava(c.Actors(), c.Checker))
}

// inJava is how often Java executed handlers or evaluated properties.
func inJava(actors *model.Actors, checker *property.Checker) uint64 {
	evaluations, _ := checker.Evaluations(0, 0)
	return actors.LocalSteps.Stats().Executions + evaluations
}

func (c *Check) beginBeside() error {
	oracle := model.Oracle(c.Program)
	if c.loaded != nil {
		oracle = c.loaded.Aside()
	}
	actors, err := model.NewActors(oracle, c.Actors().Decomposition)
	if err != nil {
		return err
	}
	c.sampling.grounds = grounds{actors, property.NewChecker(oracle, actors)}
	s, err := c.newSampler(c.sampling.grounds, c.Seed)
	c.sampling.samplers = append(c.sampling.samplers, s)
	return err
}

// violatedOn are the grounds on which the violation was found.
func (c *Check) violatedOn() grounds {
	if c.sampling.found != nil && c.Search != plan.Random {
		return c.sampling.grounds
	}
	return grounds{c.Actors(), c.Checker}
}

// take makes f the violation that was found beside the search, if its error is a *sampled.
func (s *sampling) take(f *finding) {
	var by *sampled
	if errors.As(f.err, &by) {
		f.result.Violation, f.result.Complete, f.result.Reason, f.err = by.run, false, "", nil
		f.result.Violations++
		s.found = by.by
	}
}

// describeSampling puts into a summary what the random runs came to, unless the search ended by itself.
func (c *Check) describeSampling(s *report.Summary) {
	if s.Verdict == report.Verified || len(c.sampling.samplers) == 0 || s.Verdict == report.Violated && c.sampling.found == nil {
		return
	}
	figures := sample.Together(c.sampling.samplers)
	if c.sampling.found != nil {
		figures.Seed = c.sampling.found.Seed
	}
	s.Sampling = &figures
}
