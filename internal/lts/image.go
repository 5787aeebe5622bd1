package lts

import (
	"harrier/internal/ds/pairs"
	"harrier/internal/model"
	"harrier/internal/model/space"
)

// A Permutation maps component states to what they become when actors change places.
type Permutation struct {
	*space.Permutation
	of         *Graph
	components pairs.Map // (component, 0) -> component
	states     pairs.Map // (component state, component) -> component state
}

// NewPermutation makes that of the component states of a graph of one of nodes.
func NewPermutation(g *Graph, p *space.Permutation) *Permutation {
	return &Permutation{Permutation: p, of: g}
}

// Component is what a component becomes.
func (p *Permutation) Component(component uint32) uint32 {
	to, _ := p.components.GetOrPut(component, 0, func() (uint32, error) {
		return p.of.Spot(p.Position(p.of.Positions()[component][0])).Component, nil
	})
	return to
}

// Image is what a component state becomes.
func (p *Permutation) Image(component, state uint32) (uint32, error) {
	if to, ok := p.states.Get(state, component); ok {
		return to, nil
	}
	var one [1]model.NodeID
	var nodes []model.NodeID
	for place, n := range p.of.Nodes(state, &one) {
		if n == 0 {
			continue
		}
		position := p.of.Positions()[component][place]
		image, err := p.Node(position, n)
		if err != nil {
			return 0, err
		}
		to := p.of.Spot(p.Position(position))
		for int(to.Place) >= len(nodes) {
			nodes = append(nodes, 0)
		}
		nodes[to.Place] = image
	}
	to := p.of.Number(nodes)
	p.states.Put(state, component, to)
	return to, nil
}
