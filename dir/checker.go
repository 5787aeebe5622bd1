package dir

import (
	"context"

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
	of := property.Combinations{State: c.system.unfold(s), Choices: make([]property.Choice, len(s))}
	for component, in := range insides {
		if in != nil {
			of.Choices[component+1] = in.observed
		}
	}
	return c.AllInvariants(ctx, of)
}

// Terminal implements dbss.Checker: each node has to become one without events by internal steps.
func (c *Checker) Terminal(ctx context.Context, s model.State, _ bool) (model.State, error) {
	terminal, err := c.terminal(ctx, s)
	if terminal == nil || err != nil {
		return nil, err
	}
	return terminal.State, nil
}

// Final implements dbss.Checker.
func (c *Checker) Final(ctx context.Context, s model.State) (*property.Violation, error) {
	terminal, err := c.terminal(ctx, s)
	if err != nil {
		return nil, err
	}
	return c.AllFinal(ctx, *terminal)
}

// terminal are the terminal states that a macro state stands for, nil if there are none.
func (c *Checker) terminal(ctx context.Context, s model.State) (*property.Combinations, error) {
	insides, err := c.system.all(ctx, s)
	if err != nil {
		return nil, err
	}
	of := &property.Combinations{State: make(model.State, len(s)), Choices: make([]property.Choice, len(s))}
	of.State[0] = s[0]
	for component, in := range insides {
		if in == nil {
			continue
		}
		choice := c.system.quiet(in, s[0])
		if len(choice.Nodes) == 0 {
			return nil, nil
		}
		of.State[component+1], of.Choices[component+1] = choice.Nodes[0], choice
	}
	return of, nil
}
