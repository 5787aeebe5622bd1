package check

import (
	"context"
	"errors"
	"sync"

	"harrier/dbss"
	"harrier/internal/confirm"
	"harrier/internal/liveness"
	"harrier/internal/model"
	"harrier/internal/model/space"
	"harrier/internal/property"
	"harrier/internal/report"
	"harrier/internal/sample"
	"harrier/internal/search"
)

// sampling is the random runs of a check, which are the search itself or taken beside it.
type sampling struct {
	mu       sync.Mutex // held by the worker of the search that samples
	samplers []*sample.Sampler
	found    *sample.Sampler // that found the violation; nil if none did
	on       confirm.Grounds // beside a search
}

// restart forgets all runs, before a search begins anew with other states.
func (s *sampling) restart() { s.samplers, s.found, s.on = nil, nil, confirm.Grounds{} }

// newSampler makes a sampler on some grounds.
func (c *Check) newSampler(on confirm.Grounds, seed uint64) (*sample.Sampler, error) {
	loop, err := c.decideLoops(on)
	return sample.New(on.Actors, on.Checker, sample.Options{Seed: seed, Depth: c.PCT, NoDeadlock: !c.AsksFinal(), Loop: loop}), err
}

// decideLoops decides whether a run violates a property that is to hold in all fair runs; nil if there is no such property.
func (c *Check) decideLoops(on confirm.Grounds) (func(ctx context.Context, stem, loop []model.Transition) (*dbss.Counterexample, error), error) {
	var searches []*runSearch
	for i, of := range on.Actors.Program().Liveness {
		if !property.OfRuns(of).Fair || !c.asksRuns(of) {
			continue
		}
		s, err := liveness.New(on.Actors, on.Checker, of, liveness.Options{})
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

// sampled is the error of a search beside which a random run violates a property.
type sampled struct {
	by  *sample.Sampler
	run *dbss.Counterexample
}

func (s *sampled) Error() string { return "a random run violates a property" }

// Sampling beside a search begins when the search has done the work of about a second, and does a twelfth of its work. It is a variable for
// tests.
var besideAfter uint64 = 1 << 20

const besideShare = 12

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
	for s.Cost(inJava(c.sampling.on.Actors, c.sampling.on.Checker)) < searched/besideShare {
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
func inJava(actors *space.Actors, checker *property.Checker) uint64 {
	evaluations, _ := checker.Evaluations(0, 0)
	return actors.LocalSteps.Stats().Executions + evaluations
}

func (c *Check) beginBeside() error {
	oracle := model.Oracle(c.Program)
	if c.loaded != nil {
		oracle = c.loaded.Aside()
	}
	actors, err := space.NewActors(oracle, c.Actors().Values.Decomposition)
	if err != nil {
		return err
	}
	c.sampling.on = confirm.Grounds{Actors: actors, Checker: search.NewProblem(actors, dbss.Options{}).Checker}
	s, err := c.newSampler(c.sampling.on, c.Seed)
	c.sampling.samplers = append(c.sampling.samplers, s)
	return err
}

// violatedOn are the grounds on which the violation was found.
func (c *Check) violatedOn() confirm.Grounds {
	if c.sampling.found != nil && c.Search != search.Random {
		return c.sampling.on
	}
	return confirm.Grounds{Actors: c.Actors(), Checker: c.Checker}
}

// take notes which random runs a search took, and makes its finding the violation that was found beside it, if its error is a *sampled.
// It returns other errors.
func (s *sampling) take(f search.Finding, err error) error {
	var by *sampled
	if errors.As(err, &by) {
		f.Result.Violation, f.Result.Complete, f.Result.Reason = by.run, false, ""
		f.Result.Violations++
		s.found = by.by
		return nil
	}
	if f.Samplers != nil {
		s.samplers, s.found = f.Samplers, f.Sampled
	}
	return err
}

// samplingFigures are the figures of the random runs, nil if the search ended by itself.
func (c *Check) samplingFigures(verdict report.Verdict) *sample.Figures {
	if verdict == report.Verified || len(c.sampling.samplers) == 0 || verdict == report.Violated && c.sampling.found == nil {
		return nil
	}
	figures := sample.Together(c.sampling.samplers)
	if c.sampling.found != nil {
		figures.Seed = c.sampling.found.Seed
	}
	return &figures
}
