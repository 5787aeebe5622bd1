package lmc

import (
	"context"
	"slices"

	"harrier/internal/model"
	"harrier/internal/property"
)

// combinations goes through the system states that members of the sets make, each time those with something new.
type combinations struct {
	sets    *sets
	finder  *property.Finder
	checker *property.Checker
	done    map[*set]int // how many members of each were there the last time

	general bool // members are not one where properties read the same of them
}

func newCombinations(s *sets, checker *property.Checker, found func(property.Region)) *combinations {
	return &combinations{
		sets: s, finder: checker.NewFinder(found), checker: checker, done: map[*set]int{},
	}
}

// test finds the combinations in which a property does not hold. Final conditions are asked of members that do nothing by
// themselves: a terminal state has no others.
func (c *combinations) test(ctx context.Context, asksFinal bool) error {
	sets := slices.Clone(c.sets.sets)
	for i, of := range sets {
		if c.done[of] == len(of.members) {
			continue
		}
		part := func(silent bool) [][]*property.Choice {
			var lists [][]*property.Choice
			for j, other := range sets {
				first, last := 0, len(other.members)
				switch {
				case j < i:
					last = c.done[other]
				case j == i:
					first = c.done[other]
				}
				lists = append(lists, c.choose(other, other.members[first:last], silent))
			}
			return lists
		}
		if err := c.each(ctx, part(false), func(all property.Combinations) error { return c.finder.Invariants(ctx, all) }); err != nil {
			return err
		}
		if !asksFinal {
			continue
		}
		if err := c.each(ctx, part(true), func(all property.Combinations) error { return c.finder.Final(ctx, all) }); err != nil {
			return err
		}
	}
	for _, of := range sets {
		c.done[of] = len(of.members)
	}
	return nil
}

// choose gives the choices among members, one for those with which the actor exists and one for the others.
func (c *combinations) choose(of *set, members []*member, silent bool) []*property.Choice {
	nodes := map[uint32][]model.NodeID{}
	var order []uint32
	for _, m := range members {
		if silent && c.sets.actsByItself(m) {
			continue
		}
		n := c.sets.node(m)
		presence := c.sets.actors.Nodes.Presence(n)
		if nodes[presence] == nil {
			order = append(order, presence)
		}
		nodes[presence] = append(nodes[presence], n)
	}
	var choices []*property.Choice
	for _, presence := range order {
		if c.general {
			for _, n := range nodes[presence] {
				choices = append(choices, c.checker.Choice([]uint32{of.position}, []model.NodeID{n}))
			}
			continue
		}
		choices = append(choices, c.checker.Choice([]uint32{of.position}, nodes[presence]))
	}
	return choices
}

// each calls test with combinations in which the same actors exist.
func (c *combinations) each(ctx context.Context, lists [][]*property.Choice, test func(property.Combinations) error) error {
	if slices.ContainsFunc(lists, func(l []*property.Choice) bool { return len(l) == 0 }) {
		return nil
	}
	positions := c.sets.actors.Values.Positions() + 1
	all := property.Combinations{State: make(model.State, positions), Choices: make([]*property.Choice, positions)}
	all.State[0] = c.sets.actors.Initial()[0]
	_, err := all.Each(lists, func() (*property.Violation, error) {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		return nil, test(all)
	})
	return err
}

// node is a node with the local state of a member.
func (s *sets) node(m *member) model.NodeID {
	if m.local == 0 {
		return 0
	}
	n, err := s.actors.Nodes.Arrive(0, model.Effect{Local: m.local})
	if err != nil {
		panic(err) // nothing is at the node of no actor
	}
	return n
}

// actsByItself reports that the actor certainly can do something by itself.
func (s *sets) actsByItself(m *member) bool {
	return slices.ContainsFunc(m.events, func(e event) bool { return e.spends[0] == byItself && (len(s.leads(&e)) > 0 || e.fails) })
}
