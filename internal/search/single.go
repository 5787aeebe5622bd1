package search

import (
	"context"
	"errors"
	"fmt"

	"harrier/dbss"
	"harrier/internal/model"
	"harrier/internal/model/space"
	"harrier/por/dynamic"
	"harrier/por/static"
)

// SingleSteps explores states by all transitions (package dbss).
type SingleSteps struct{}

// Fits implements Strategy.
func (SingleSteps) Fits(o Options) (Options, error) {
	if err := o.fitsSingleSteps(); err != nil {
		return o, err
	}
	return o.overSingleSteps(), nil
}

// Search implements Strategy.
func (SingleSteps) Search(ctx context.Context, p Problem) (Finding, error) {
	r, err := dbss.Search(ctx, &space.SharedActors{Actors: p.Actors}, p.Checker, p.Steps, p.Progress)
	return Finding{Result: r, Checker: p.Checker}, err
}

// staticReduction explores states by the transitions that static partial-order reduction leaves (package static).
type staticReduction struct{}

// Fits implements Strategy.
func (staticReduction) Fits(o Options) (Options, error) {
	if err := o.fitsSingleSteps(); err != nil {
		return o, err
	}
	switch {
	case o.Search == "stateless":
		return o, errors.New("--por static is for searches that remember states; --search stateless takes dynamic")
	case o.boundsReduced() != nil:
		return o, o.boundsReduced()
	case o.Hashing == "selective" && o.IsGiven("hashing"):
		return o, errors.New("--por static goes by who sent a message, which --hashing selective may leave out: take --hashing fields")
	case o.Audit && (o.Hashing == "last" || o.Hashing == "full"):
		return o, fmt.Errorf("--audit compares the relevant parts of states with --por static: leave out --hashing %s", o.Hashing)
	case o.Audit && o.IsGiven("checkpoint"):
		return o, errors.New("--audit with --por static looks at all states, which --checkpoint leaves out when it goes on: leave one of them out")
	}
	if o.Hashing == "selective" {
		o.Hashing = "fields"
	}
	return o.overSingleSteps(), nil
}

// Search implements Strategy.
func (staticReduction) Search(ctx context.Context, p Problem) (Finding, error) {
	s, err := static.New(p.Actors, static.Options{})
	if err != nil {
		return Finding{Checker: p.Checker}, fmt.Errorf("finding what handlers depend on: %w", err)
	}
	p.Steps.Reduction = func() model.Reduction { return s.Reduction() }
	if p.AuditReduction != nil {
		p.Steps.Reduction = p.AuditReduction(p.Steps.Reduction)
	}
	return SingleSteps{}.Search(ctx, p)
}

// dynamicReduction follows runs, of those that differ only in the order of commuting steps few (package dynamic).
type dynamicReduction struct{}

// Fits implements Strategy.
func (dynamicReduction) Fits(o Options) (Options, error) {
	if err := o.fitsSingleSteps(); err != nil {
		return o, err
	}
	switch {
	case o.Search != "stateless":
		return o, errors.New("--por dynamic is for --search stateless; searches that remember states take static")
	case o.boundsReduced() != nil:
		return o, o.boundsReduced()
	case o.Workers > 1:
		return o, fmt.Errorf("--por dynamic searches with one worker, not %d", o.Workers)
	}
	return o.overSingleSteps(), nil
}

// Search implements Strategy.
func (dynamicReduction) Search(ctx context.Context, p Problem) (Finding, error) {
	r, err := dynamic.Search(ctx, p.Actors, p.Checker, p.Steps, p.Progress)
	return Finding{Result: r, Checker: p.Checker}, err
}

// fitsSingleSteps refuses options that no search of single steps has.
func (o *Options) fitsSingleSteps() error {
	forStates := func(flag string) error {
		return fmt.Errorf("--%s is for searches that remember states: --search stateless remembers none", flag)
	}
	if stateless := o.Search == "stateless"; stateless && o.Symmetry == "on" {
		return forStates("symmetry")
	} else if stateless && o.IsGiven("store") {
		return forStates("store")
	} else if err := o.fitsOrder(); err != nil {
		return err
	} else if stateless && o.IsGiven("hashing") {
		return forStates("hashing")
	}
	if o.Components != "" {
		return errors.New("--components is for macro steps: leave it out, or what takes single steps")
	}
	return nil
}

// boundsReduced refuses a bound on runs of which some are left out.
func (o *Options) boundsReduced() error {
	if o.MaxDepth == 0 || o.POR == "off" {
		return nil
	}
	return fmt.Errorf("--por %s does not go together with --max-depth: it may leave out what is within the bound; take --por off", o.POR)
}

// overSingleSteps returns the options as a search of single steps takes them.
func (o Options) overSingleSteps() Options {
	o.Reduction = "off"
	if o.Search == "stateless" {
		o.Hashing, o.Store = "", ""
	}
	o.withoutPush()
	return o
}
