package lmc

import (
	"context"
	"fmt"
	"slices"

	"harrier/internal/model"
	"harrier/internal/property"
)

// combinations goes through the system states that members of the sets make, each time those with something new.
type combinations struct {
	sets    *sets
	finder  *property.Finder
	checker *property.Checker
	options map[*set]*options
	tested  uint64 // products of choices
	most    uint64 // are tested at once; 0 for no bound

	general bool // each member is a choice of its own, and not all of which properties read the same
}

// count is how many combinations were met that are not one to properties; with general, all.
func (c *combinations) count() uint64 {
	if c.general {
		return c.tested
	}
	return c.finder.Combinations()
}

// options are what invariants can be asked of: a node for each observation of the members of a set.
type options struct {
	of     *set
	looked int // so many members were looked at
	known  map[option]bool
	nodes  []model.NodeID
	done   int // so many of the nodes were combined with all others that were there
}

// An option is what properties can read of a node. With general it is the member.
type option struct {
	presence uint32
	observed uint32
}

func newCombinations(s *sets, checker *property.Checker, found func(property.Region)) *combinations {
	return &combinations{
		sets: s, finder: checker.NewFinder(found), checker: checker, options: map[*set]*options{},
	}
}

// test finds the combinations in which a property does not hold. Final conditions are asked of members that do nothing by
// themselves: a terminal state has no others. Which do is known of complete sets only.
func (c *combinations) test(ctx context.Context, asksFinal bool) error {
	var all []*options
	for _, of := range c.sets.sets {
		if c.options[of] == nil {
			c.options[of] = &options{of: of, known: map[option]bool{}}
		}
		all = append(all, c.options[of])
		c.look(c.options[of], func(*member) bool { return true })
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
	isFinal := func(p model.Property) bool { return p.Kind == model.Final }
	if !asksFinal || !slices.ContainsFunc(c.sets.program.Properties, isFinal) {
		return nil
	}
	var lists [][]*property.Choice
	for _, of := range c.sets.sets {
		silent := &options{of: of, known: map[option]bool{}}
		c.look(silent, func(m *member) bool { return !c.sets.actsByItself(m) })
		lists = append(lists, c.choose(of, silent.nodes))
	}
	return c.each(ctx, lists, func(all property.Combinations) error { return c.finder.Final(ctx, all) })
}

// look adds those of the members that were not looked at yet of which properties read something new.
func (c *combinations) look(o *options, isFit func(*member) bool) {
	for _, m := range o.of.members[o.looked:] {
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
	o.looked = len(o.of.members)
}

// choose gives the choices among nodes of a set, one for those with which the actor exists and one for the others.
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

// each calls test with combinations in which the same actors exist.
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
