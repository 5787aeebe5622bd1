package macro

import (
	"cmp"
	"context"
	"slices"

	"harrier/internal/model"
	"harrier/internal/model/space"
	"harrier/internal/property"
)

// A checker decides whether properties hold in all the states that a macro state stands for.
type checker struct {
	*property.Checker
	system *System
}

// IsWithin implements dbss.Checker. It is the same in all states that a macro state stands for, as what bounds read changes by macro steps only.
func (c *checker) IsWithin(ctx context.Context, s model.State) (bool, error) {
	if len(c.system.bounds) == 0 {
		return true, nil
	}
	return c.Checker.IsWithin(ctx, c.system.Graph.Unfold(s))
}

// Invariants implements dbss.Checker.
func (c *checker) Invariants(ctx context.Context, s model.State) (*property.Violation, error) {
	var room room
	insides, err := c.system.all(ctx, s, room[:0])
	if err != nil {
		return nil, err
	}
	var one [len(room) + 1]*property.Choice
	nodes := c.system.Graph.Unfold(s)
	of := property.Combinations{State: nodes, Choices: slices.Grow(one[:0], len(nodes))[:len(nodes)], Origin: nodes}
	known, varies := true, false
	for _, in := range insides {
		if in == nil {
			continue
		}
		if observed := c.system.observed(in); observed != nil {
			of.Choose(observed[0])
			known, varies = false, varies || len(observed) > 1
		}
	}
	if known {
		return c.Checker.Invariants(ctx, nodes)
	}
	if !varies {
		return c.AllInvariants(ctx, of)
	}
	var choices [][]*property.Choice
	for _, in := range insides {
		if in == nil {
			continue
		}
		if observed := c.system.observed(in); observed != nil {
			choices = append(choices, observed)
		}
	}
	of.State = slices.Clone(nodes)
	return c.each(of, choices, func() (*property.Violation, error) { return c.AllInvariants(ctx, of) })
}

// each returns the first violation that test finds for the options of some choices. The other options are tested, too, if the checker
// keeps going.
func (c *checker) each(of property.Combinations, choices [][]*property.Choice,
	test func() (*property.Violation, error)) (*property.Violation, error) {
	var first *property.Violation
	v, err := of.Each(choices, func() (*property.Violation, error) {
		v, err := test()
		if c.KeepsGoing() {
			first, v = cmp.Or(first, v), nil
		}
		return v, err
	})
	return cmp.Or(first, v), err
}

// Terminal implements dbss.Checker. The macro state stands for terminal states if each component can become one without
// events by internal steps. Of these states, the one is returned in which most messages are pending.
func (c *checker) Terminal(ctx context.Context, s model.State, _, asksFinal bool) (model.State, *property.Violation, error) {
	var room room
	insides, err := c.system.all(ctx, s, room[:0])
	if err != nil {
		return nil, nil, err
	}
	for _, in := range insides {
		if in != nil && !in.mayEnd && !in.waiting {
			return nil, nil, nil
		}
	}
	if c.system.IsWhole() && space.TimeOf(c.system.actors).MayTick(s[0]) {
		return nil, nil, nil
	}
	terminal := slices.Clone(s)
	nodes := slices.Clone(c.system.Graph.Unfold(s))
	// Which members are without events follows from the nodes alone: a cut that is active may be healed, so no state is terminal.
	of := property.Combinations{State: nodes, Choices: make([]*property.Choice, len(nodes)), Origin: slices.Clone(nodes)}
	var choices [][]*property.Choice
	for slot, in := range insides {
		if in == nil {
			continue
		}
		silence := c.system.silence(in, s[0])
		if len(silence.members) == 0 {
			return nil, nil, nil
		}
		terminal[slot+1] = silence.fullest
		if asksFinal {
			quiet := c.system.quiet(in, silence)
			choices = append(choices, quiet)
			quiet[0].Put(of.State)
		}
	}
	if !asksFinal {
		return terminal, nil, nil
	}
	v, err := c.each(of, choices, func() (*property.Violation, error) { return c.AllFinal(ctx, of) })
	return terminal, v, err
}
