package macro

import (
	"cmp"
	"slices"

	"harrier/internal/ds/pairs"
	"harrier/internal/ds/slab"
	"harrier/internal/model"
	"harrier/internal/property"
)

// distinct is component states of which properties can tell each from the others, by what they see of them.
type distinct []member

// A member is a component state, with a number for what properties see of it.
type member struct{ seen, state uint32 }

// with returns the union with others. One of the two is returned where it has what the other one has.
func (s distinct) with(others distinct) distinct {
	bySeen := func(m, n member) int { return cmp.Compare(m.seen, n.seen) }
	lacks := func(some, all distinct) bool {
		return slices.ContainsFunc(some, func(m member) bool { _, has := slices.BinarySearchFunc(all, m, bySeen); return !has })
	}
	switch {
	case !lacks(others, s):
		return s
	case !lacks(s, others):
		return others
	}
	all := slices.Concat(s, others)
	slices.SortStableFunc(all, bySeen)
	return slices.Clip(slices.CompactFunc(all, func(m, n member) bool { return m.seen == n.seen }))
}

// states are the component states.
func (s distinct) states() []uint32 {
	all := make([]uint32, len(s))
	for i, m := range s {
		all[i] = m.state
	}
	return all
}

// distinct returns some component states without those that properties cannot tell from others.
func (d *System) distinct(states []uint32) (all distinct) {
	for _, state := range states {
		all = all.with(distinct{{d.seen(state), state}})
	}
	return all
}

// seen numbers component states by who exists in them, and what properties see of these.
func (d *System) seen(state uint32) uint32 {
	number := func(m *pairs.Map, a, b uint32) uint32 {
		n, _ := m.GetOrPut(a, b, func() (uint32, error) { return uint32(m.Len()) + 1, nil })
		return n
	}
	var one [1]model.NodeID
	seen := uint32(0)
	for _, n := range d.Graph.Nodes(state, &one) {
		seen = number(&d.seenStates, seen, number(&d.seenNodes, d.actors.Nodes.Presence(n), d.actors.Nodes.Observation(n)))
	}
	return seen
}

// distinctOf returns the members of an inside that properties can tell apart. Near ones are numbered first, so that properties are tested
// in them first: then counterexamples are short.
func (d *System) distinctOf(in *inside) distinct {
	lacks := func(part *inside) bool { return part.seen.known.Load() == nil }
	for part := range in.walk(func(part *inside) bool { return !lacks(part) }) {
		for _, state := range part.states {
			d.seen(state)
		}
	}
	for _, part := range in.lacking(lacks) {
		_, _ = part.seen.get(func() (distinct, error) {
			all := d.distinct(part.states)
			for _, next := range part.next {
				all = all.with(*next.seen.known.Load())
			}
			return all, nil
		})
	}
	return *in.seen.known.Load()
}

// observed returns the choices among members of an inside that properties can tell apart, nil if they can tell none apart.
func (d *System) observed(in *inside) []*property.Choice {
	choices, _ := in.observed.get(func() ([]*property.Choice, error) {
		members := d.distinctOf(in)
		if len(members) == 1 {
			return nil, nil
		}
		return d.choose(in.component, members.states()), nil
	})
	return choices
}

// choose gives the choices among some component states, one for each set of actors that exist, which have classes.
func (d *System) choose(component uint32, states []uint32) []*property.Choice {
	var one [1]model.NodeID
	width := 1
	for _, s := range states {
		width = max(width, len(d.Graph.Nodes(s, &one)))
	}
	which := map[string]int{} // of the parts, by who exists
	var parts [][]model.NodeID
	exist := make([]uint32, width)
	for _, s := range states {
		nodes := d.Graph.Nodes(s, &one)
		clear(exist)
		for i, n := range nodes {
			exist[i] = d.actors.Nodes.Presence(n)
		}
		key := slab.Key(exist...)
		part, ok := which[key]
		if !ok {
			part = len(parts)
			which[key] = part
			parts = append(parts, nil)
		}
		parts[part] = append(append(parts[part], nodes...), make([]model.NodeID, width-len(nodes))...)
	}
	var choices []*property.Choice
	for _, nodes := range parts {
		choices = append(choices, d.checker.Choice(d.Graph.Positions()[component][:width], nodes))
	}
	return choices
}

// A silence is the members in which no event is enabled.
type silence struct {
	members distinct // those that properties can tell apart
	fullest uint32   // the one in which most messages are pending
	most    int      // how many; -1 without such members
}

// with returns the silence with another one.
func (s silence) with(other silence) silence {
	s.members = s.members.with(other.members)
	if other.most > s.most {
		s.fullest, s.most = other.fullest, other.most
	}
	return s
}

// silence finds the members in which no event is enabled with a global.
func (d *System) silence(in *inside, global uint32) silence {
	silent := func(states []uint32) silence {
		s := silence{most: -1}
		for _, m := range states {
			quiet := true
			for st := range d.Graph.Out(in.component, m) {
				quiet = quiet && (st.Fault != 0 || st.Guarded && d.actors.Globals.Disables(global, st.Update))
			}
			if quiet {
				s = s.with(silence{d.distinct([]uint32{m}), m, d.pending(m)})
			}
		}
		return s
	}
	if in.waiting {
		return silent(slices.Collect(in.members))
	}
	for _, part := range in.lacking(func(part *inside) bool { return part.silent.known.Load() == nil }) {
		_, _ = part.silent.get(func() (silence, error) {
			s := silent(part.states)
			for _, next := range part.next {
				s = s.with(*next.silent.known.Load())
			}
			return s, nil
		})
	}
	return *in.silent.known.Load()
}

// quiet returns the choices among the members of a silence of an inside.
func (d *System) quiet(in *inside, s silence) []*property.Choice {
	choose := func() ([]*property.Choice, error) { return d.choose(in.component, s.members.states()), nil }
	if in.waiting {
		choices, _ := choose()
		return choices
	}
	choices, _ := in.quiet.get(choose)
	return choices
}

// pending is how many messages are pending in a component state.
func (d *System) pending(state uint32) int {
	var one [1]model.NodeID
	return d.actors.Pending(append(model.State{0}, d.Graph.Nodes(state, &one)...))
}
