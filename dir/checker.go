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
	var room room
	insides, err := c.system.all(ctx, s, room[:0])
	if err != nil {
		return nil, err
	}
	var choices [len(room) + 1]*property.Choice
	nodes := c.system.Unfold(s)
	of := property.Combinations{State: nodes, Choices: slices.Grow(choices[:0], len(nodes))[:len(nodes)]}
	isOne := true
	for _, in := range insides {
		if in == nil {
			continue
		}
		if !in.isMet.Load() {
			in.isMet.Store(true)
		}
		if in.observed != nil {
			of.Choose(in.observed)
			isOne = false
		}
	}
	if isOne {
		return c.Checker.Invariants(ctx, nodes)
	}
	return c.AllInvariants(ctx, of)
}

// Terminal implements dbss.Checker. The macro state stands for terminal states if each component can become one without
// events by internal steps.
func (c *Checker) Terminal(ctx context.Context, s model.State, _, asksFinal bool) (model.State, *property.Violation, error) {
	var room room
	insides, err := c.system.all(ctx, s, room[:0])
	if err != nil {
		return nil, nil, err
	}
	for _, in := range insides {
		if in != nil && in.silent == nil && !in.waiting {
			return nil, nil, nil
		}
	}
	nodes := slices.Clone(c.system.Unfold(s))
	of := property.Combinations{State: nodes, Choices: make([]*property.Choice, len(nodes))}
	for _, in := range insides {
		if in == nil {
			continue
		}
		choice := c.system.quiet(in, s[0])
		if choice == nil {
			return nil, nil, nil
		}
		of.Choose(choice)
		choice.Put(of.State)
	}
	if !asksFinal {
		return c.system.foldAll(of.State), nil, nil
	}
	v, err := c.AllFinal(ctx, of)
	return c.system.foldAll(of.State), v, err
}
