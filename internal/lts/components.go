package lts

import (
	"slices"

	"harrier/internal/ds/slab"
	"harrier/internal/model"
)

// A layout has the components of all positions that have names so far. It does not change.
type layout struct {
	spots     []Spot     // by position; the first is unused
	positions [][]uint32 // by component
	groups    map[int]uint32
}

// A Spot is where a position is among components.
type Spot struct{ Component, Place uint32 }

// Spot is where a position is.
func (g *Graph) Spot(position uint32) Spot {
	l := g.layout.Load()
	if int(position) >= len(l.spots) {
		l = g.grow()
	}
	return l.spots[position]
}

// grow lays out the positions that got names.
func (g *Graph) grow() *layout {
	g.mu.Lock()
	defer g.mu.Unlock()
	old := g.layout.Load()
	if len(old.spots) > g.actors.Values.Positions() {
		return old
	}
	l := &layout{slices.Clone(old.spots), slices.Clone(old.positions), map[int]uint32{}}
	for group, component := range old.groups {
		l.groups[group] = component
	}
	for position := len(l.spots); position <= g.actors.Values.Positions(); position++ {
		component := g.componentOf(l, position)
		l.spots = append(l.spots, Spot{component, uint32(len(l.positions[component]))})
		l.positions[component] = append(slices.Clip(l.positions[component]), uint32(position))
	}
	g.layout.Store(l)
	return l
}

// componentOf is the component of the next position. An actor that is created is in the group of its creator, whose name
// begins its own.
func (g *Graph) componentOf(l *layout, position int) uint32 {
	origin, _ := model.Origin(g.actors.Values.PositionName(position))
	group, grouped := g.groups[origin]
	if component, ok := l.groups[group]; ok && grouped {
		return component
	}
	component := uint32(len(l.positions))
	l.positions = append(l.positions, nil)
	if grouped {
		l.groups[group] = component
	}
	return component
}

// IsGrouped reports whether a component may have several actors.
func (g *Graph) IsGrouped(component uint32) bool {
	for _, group := range g.layout.Load().groups {
		if group == component {
			return true
		}
	}
	return false
}

// Positions are the positions of all components' actors.
func (g *Graph) Positions() [][]uint32 { return g.layout.Load().positions }

// Nodes are those of a component state, in the order of its positions; the last of them may be left out. They are not to be
// changed. One has room for the only one.
func (g *Graph) Nodes(state uint32, one *[1]model.NodeID) []model.NodeID {
	switch {
	case state == 0:
		return nil
	case state&isVector == 0:
		one[0] = state
		return one[:]
	}
	return *g.vectors.At(state &^ isVector)
}

// Number is the number of a component state.
func (g *Graph) Number(nodes []model.NodeID) uint32 {
	nodes = model.State(nodes).Trimmed()
	switch len(nodes) {
	case 0:
		return 0
	case 1:
		return nodes[0]
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	return isVector | g.vectors.Intern(slab.Key(nodes...), func() []model.NodeID { return slices.Clone(nodes) })
}

// A vector of component states has the global at position 0, and is the state of the actors as long as each actor is a component
// by itself.

// Unfold is the state of the actors of a vector of component states.
func (g *Graph) Unfold(s model.State) model.State {
	l := g.layout.Load()
	if len(l.positions) == len(l.spots)-1 {
		return s
	}
	nodes := make(model.State, len(l.spots))
	nodes[0] = s[0]
	var one [1]model.NodeID
	for component, state := range s[1:] {
		for place, n := range g.Nodes(state, &one) {
			nodes[l.positions[component][place]] = n
		}
	}
	return nodes
}

// Fold is the vector of component states of a state of the actors.
func (g *Graph) Fold(nodes model.State) model.State {
	l := g.grow()
	if len(l.positions) == len(l.spots)-1 {
		return nodes
	}
	s := model.State{nodes[0]}
	var of []model.NodeID
	for _, positions := range l.positions {
		of = of[:0]
		for _, p := range positions {
			of = append(of, nodes.At(p))
		}
		s = append(s, g.Number(of))
	}
	return s
}
