package macro

import (
	"slices"
	"sync"
	"sync/atomic"

	"harrier/internal/ds/pairs"
	"harrier/internal/ds/slab"
	"harrier/internal/model"
)

// The components say which actors are one component, and name component states by numbers. The state of a component is the
// vector of its actors' nodes. Its number is the node's where only the first actor has one, so an actor that is a component
// by itself costs nothing more; 0 if there is no node.
type components struct {
	actors *model.Actors
	groups map[string]int // by the name of an actor of the scenario: its group; none if it is alone

	layout atomic.Pointer[layout]

	mu      sync.Mutex // held while the layout grows, and vectors are numbered
	vectors *slab.Table[[]model.NodeID]
	arrived pairs.Map // (vector, message) -> component state with the message in an inbox
}

// isVector is set in the numbers of component states that are no nodes.
const isVector = 1 << 31

// A layout has the components of all positions that have names so far. It does not change.
type layout struct {
	spots     []spot     // by position; the first is unused
	positions [][]uint32 // by component
	groups    map[int]uint32
}

// A spot is where a position is among components.
type spot struct{ component, place uint32 }

func newComponents(actors *model.Actors) *components {
	c := &components{actors: actors, groups: map[string]int{}, vectors: slab.NewTable[[]model.NodeID]()}
	for i, group := range actors.Program().Components {
		for _, name := range group {
			c.groups[name] = i
		}
	}
	c.layout.Store(&layout{spots: make([]spot, 1)})
	return c
}

// at is where a position is.
func (c *components) at(position uint32) spot {
	l := c.layout.Load()
	if int(position) >= len(l.spots) {
		l = c.grow()
	}
	return l.spots[position]
}

// grow lays out the positions that got names.
func (c *components) grow() *layout {
	c.mu.Lock()
	defer c.mu.Unlock()
	old := c.layout.Load()
	if len(old.spots) > c.actors.Values.Positions() {
		return old
	}
	l := &layout{slices.Clone(old.spots), slices.Clone(old.positions), map[int]uint32{}}
	for group, component := range old.groups {
		l.groups[group] = component
	}
	for position := len(l.spots); position <= c.actors.Values.Positions(); position++ {
		component := c.componentOf(l, position)
		l.spots = append(l.spots, spot{component, uint32(len(l.positions[component]))})
		l.positions[component] = append(slices.Clip(l.positions[component]), uint32(position))
	}
	c.layout.Store(l)
	return l
}

// componentOf is the component of the next position. An actor that is created is in the group of its creator, whose name
// begins its own.
func (c *components) componentOf(l *layout, position int) uint32 {
	origin, _ := model.Origin(c.actors.Values.PositionName(position))
	group, grouped := c.groups[origin]
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

// isGrouped reports whether a component may have several actors.
func (c *components) isGrouped(component uint32) bool {
	for _, group := range c.layout.Load().groups {
		if group == component {
			return true
		}
	}
	return false
}

// positionsOf are the positions of a component's actors.
func (c *components) positionsOf(component uint32) []uint32 {
	return c.layout.Load().positions[component]
}

// nodes are those of a component state, in the order of positionsOf; the last of them may be left out. They are not to be
// changed. One has room for the only one.
func (c *components) nodes(state uint32, one *[1]model.NodeID) []model.NodeID {
	switch {
	case state == 0:
		return nil
	case state&isVector == 0:
		one[0] = state
		return one[:]
	}
	return *c.vectors.At(state &^ isVector)
}

// fold is the number of a component state.
func (c *components) fold(nodes []model.NodeID) uint32 {
	nodes = model.State(nodes).Trimmed()
	switch len(nodes) {
	case 0:
		return 0
	case 1:
		return nodes[0]
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return isVector | c.vectors.Intern(slab.Key(nodes...), func() []model.NodeID { return slices.Clone(nodes) })
}

// arrive is what the component state at a spot becomes by an effect.
func (c *components) arrive(state uint32, to spot, e model.Effect) (uint32, error) {
	if state&isVector == 0 && to.place == 0 {
		return c.actors.Nodes.Arrive(state, e)
	}
	if next, ok := c.arrived.Get(state, e.Message); ok && e.Message != 0 {
		return next, nil
	}
	var one [1]model.NodeID
	nodes := slices.Clone(c.nodes(state, &one))
	for int(to.place) >= len(nodes) {
		nodes = append(nodes, 0)
	}
	var err error
	if nodes[to.place], err = c.actors.Nodes.Arrive(nodes[to.place], e); err != nil {
		return 0, err
	}
	next := c.fold(nodes)
	if e.Message != 0 {
		c.arrived.Put(state, e.Message, next)
	}
	return next, nil
}

// after is what a component becomes by a step of one of its actors.
func (c *components) after(component, state uint32, st *model.NodeStep) (uint32, error) {
	if st.Failure != 0 {
		return state, nil
	}
	var err error
	own := c.at(st.Slot + 1)
	if state&isVector == 0 && own.place == 0 {
		state = st.Next
	} else {
		var one [1]model.NodeID
		nodes := slices.Clone(c.nodes(state, &one))
		nodes[own.place] = st.Next
		state = c.fold(nodes)
	}
	for _, e := range st.Effects {
		if to := c.at(e.Position); to.component == component {
			if state, err = c.arrive(state, to, e); err != nil {
				return 0, err
			}
		}
	}
	return state, nil
}

// States of the macro system hold component states, those of the actors hold nodes. They are the same as long as each actor
// is a component by itself.

// Unfold is a state of the actors from one of the macro system.
func (c *components) Unfold(s model.State) model.State {
	l := c.layout.Load()
	if len(l.positions) == len(l.spots)-1 {
		return s
	}
	nodes := make(model.State, len(l.spots))
	nodes[0] = s[0]
	var one [1]model.NodeID
	for component, state := range s[1:] {
		for place, n := range c.nodes(state, &one) {
			nodes[l.positions[component][place]] = n
		}
	}
	return nodes
}

// foldAll is a state of the macro system from one of the actors.
func (c *components) foldAll(nodes model.State) model.State {
	l := c.grow()
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
		s = append(s, c.fold(of))
	}
	return s
}
