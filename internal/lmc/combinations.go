package lmc

import (
	"context"
	"fmt"
	"slices"

	"harrier/internal/model"
	"harrier/internal/model/space"
	"harrier/internal/property"
)

// combinations tests properties in the combinations of members, one of each set. Each test covers the combinations with a member whose
// observation by the properties is new.
type combinations struct {
	sets    *sets
	finder  *property.Finder
	checker *property.Checker
	options map[*set]*options
	tested  uint64 // products of choices
	most    uint64 // bounds the products that one pass of each tests; 0 for no bound

	general bool // members of which properties read the same are told apart
}

// count is how many combinations were tested that properties tell apart; with general, how many were tested.
func (c *combinations) count() uint64 {
	if c.general {
		return c.tested
	}
	return c.finder.Combinations()
}

// options are the members of a set that properties tell apart, as one node each.
type options struct {
	of    *set
	seen  int // the first so many members of the set are among the options
	known map[option]bool
	nodes []model.NodeID
	done  int // the first so many nodes were tested in all combinations
}

// An option identifies the observation of a node by the properties; with general, the member.
type option struct {
	presence uint32 // of the actor, 0 where it does not exist
	observed uint32
}

func newCombinations(s *sets, checker *property.Checker, found func(property.Region)) *combinations {
	return &combinations{
		sets: s, finder: checker.NewFinder(found), checker: checker, options: map[*set]*options{},
	}
}

// test finds the combinations in which a property does not hold. Final conditions are asked of members that do nothing by
// themselves, as a terminal state has no others. Only complete sets show which do, so asksFinal is for these.
func (c *combinations) test(ctx context.Context, asksFinal bool) error {
	var all []*options
	for _, of := range c.sets.sets {
		if c.options[of] == nil {
			c.options[of] = &options{of: of, known: map[option]bool{}}
		}
		all = append(all, c.options[of])
		c.addTo(c.options[of], func(*member) bool { return true })
	}
	for i, of := range all {
		if of.done == len(of.nodes) {
			continue
		}
		var lists [][]*property.Choice
		for j, other := range all {
			nodes := other.nodes
			switch {
			case j < i:
				nodes = nodes[:other.done]
			case j == i:
				nodes = nodes[other.done:]
			}
			lists = append(lists, c.choose(other.of, nodes))
		}
		err := c.each(ctx, lists, func(all property.Combinations) error { return c.finder.Invariants(ctx, all) })
		if err != nil {
			return err
		}
	}
	for _, of := range all {
		of.done = len(of.nodes)
	}
	isFinal := func(p model.Property) bool { return p.Kind.IsOfTerminalStates() }
	if !asksFinal || !slices.ContainsFunc(c.sets.program.Properties, isFinal) {
		return nil
	}
	var lists [][]*property.Choice
	for _, of := range c.sets.sets {
		silent := &options{of: of, known: map[option]bool{}}
		c.addTo(silent, func(m *member) bool { return !c.sets.actsByItself(m) })
		lists = append(lists, c.choose(of, silent.nodes))
	}
	return c.each(ctx, lists, func(all property.Combinations) error { return c.finder.Final(ctx, all) })
}

// addTo adds to options the members that have come to the set since the last call and are fit.
func (c *combinations) addTo(o *options, isFit func(*member) bool) {
	for _, m := range o.of.members[o.seen:] {
		if !isFit(m) {
			continue
		}
		n := c.sets.node(m)
		as := option{c.sets.actors.Nodes.Presence(n), uint32(c.sets.actors.Nodes.Observation(n))}
		if c.general {
			as.observed = uint32(m.number)
		}
		if !o.known[as] {
			o.known[as] = true
			o.nodes = append(o.nodes, n)
		}
	}
	o.seen = len(o.of.members)
}

// choose makes choices of the nodes of a set, each of nodes with which the same actors exist; with general, each of one node.
func (c *combinations) choose(of *set, all []model.NodeID) []*property.Choice {
	nodes := map[uint32][]model.NodeID{}
	var order []uint32
	for _, n := range all {
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

// each calls test with the products of choices, one of each list. In all combinations of a product the same actors exist.
func (c *combinations) each(ctx context.Context, lists [][]*property.Choice, test func(property.Combinations) error) error {
	if slices.ContainsFunc(lists, func(l []*property.Choice) bool { return len(l) == 0 }) {
		return nil
	}
	positions := c.sets.actors.Values.Positions() + 1
	all := property.Combinations{State: make(model.State, positions), Choices: make([]*property.Choice, positions)}
	all.State[0] = c.sets.actors.Initial()[0]
	before := c.tested
	_, err := all.Each(lists, func() (*property.Violation, error) {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if c.tested++; c.most > 0 && c.tested > before+c.most {
			c.tested = before
			return nil, &model.LimitError{Text: fmt.Sprintf("%d combinations of local states were tested", c.most)}
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
	n, err := s.actors.Nodes.Arrive(0, space.Effect{Local: m.local})
	if err != nil {
		panic(err) // nothing is at the node of no actor
	}
	return n
}

// actsByItself reports whether the actor can do something by itself, as far as its steps were asked for.
func (s *sets) actsByItself(m *member) bool {
	return slices.ContainsFunc(m.events, func(e event) bool { return e.spends[0] == byItself && (len(s.leads(&e)) > 0 || e.fails) })
}
