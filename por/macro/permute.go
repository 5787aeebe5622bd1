package macro

import (
	"harrier/internal/ds/pairs"
	"harrier/internal/model"
)

// A permutation is a generator of the group of permutations with which a search tells states apart, on component states. What is
// required of component states is required of what they become by it, too: the search comes to one state of each orbit only.
type permutation struct {
	*model.Permutation
	of         *components
	components pairs.Map // (component, 0) -> component
	states     pairs.Map // (component state, component) -> component state
}

// Permute has the system be searched with states told apart up to the permutations that some generate.
func (d *System) Permute(generators []*model.Permutation) {
	for _, g := range generators {
		d.permutations = append(d.permutations, &permutation{Permutation: g, of: d.components})
	}
}

// component is what a component becomes.
func (p *permutation) component(component uint32) uint32 {
	to, _ := p.components.GetOrPut(component, 0, func() (uint32, error) {
		return p.of.at(p.Position(p.of.positionsOf(component)[0])).component, nil
	})
	return to
}

// state is what a component state becomes.
func (p *permutation) state(component, state uint32) (uint32, error) {
	if to, ok := p.states.Get(state, component); ok {
		return to, nil
	}
	var one [1]model.NodeID
	var nodes []model.NodeID
	for place, n := range p.of.nodes(state, &one) {
		if n == 0 {
			continue
		}
		position := p.of.positionsOf(component)[place]
		image, err := p.Node(position, n)
		if err != nil {
			return 0, err
		}
		to := p.of.at(p.Position(position))
		for int(to.place) >= len(nodes) {
			nodes = append(nodes, 0)
		}
		nodes[to.place] = image
	}
	to := p.of.fold(nodes)
	p.states.Put(state, component, to)
	return to, nil
}
