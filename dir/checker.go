package dir

import (
	"context"
	"slices"

	"harrier/model"
	"harrier/property"
)

// Checker decides whether properties hold in all the states that a macro state stands for. Which actors exist is the same in
// all of them, since steps that create or stop one are not internal.
type Checker struct {
	*property.Checker
	system *System
}

// NewChecker makes the checker of a search of macro steps.
func NewChecker(system *System, checker *property.Checker) *Checker { return &Checker{checker, system} }

// Invariants implements dbss.Checker.
func (c *Checker) Invariants(ctx context.Context, s model.State) (*property.Violation, error) {
	insides, err := c.system.all(ctx, s)
	if err != nil {
		return nil, err
	}
	of := property.Combinations{State: slices.Clone(c.system.unfold(s))}
	of.Choices = make([]*property.Choice, len(of.State))
	for _, in := range insides {
		if in != nil {
			in.observed.Put(of)
		}
	}
	return c.AllInvariants(ctx, of)
}

// Terminal implements dbss.Checker. The macro state stands for terminal states if each node can become one without events by
// internal steps.
func (c *Checker) Terminal(ctx context.Context, s model.State, _, asksFinal bool) (model.State, *property.Violation, error) {
	insides, err := c.system.all(ctx, s)
	if err != nil {
		return nil, nil, err
	}
	of := property.Combinations{State: slices.Clone(c.system.unfold(s))}
	of.Choices = make([]*property.Choice, len(of.State))
	for _, in := range insides {
		if in == nil {
			continue
		}
		choice := c.system.quiet(in, s[0])
		if choice == nil {
			return nil, nil, nil
		}
		choice.Put(of)
	}
	if !asksFinal {
		return of.State, nil, nil
	}
	v, err := c.AllFinal(ctx, of)
	return of.State, v, err
}
