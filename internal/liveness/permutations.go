package liveness

import (
	"harrier/internal/ds/pairs"
	"harrier/internal/ds/slab"
	"harrier/internal/lts"
	"harrier/internal/model"
	"harrier/symmetry"
)

// permutations numbers the permutations of a group that are met. Number 0 is the identity; without a group there are no others.
type permutations struct {
	of        *lts.Graph
	group     *symmetry.Group // nil if no actors are permuted
	canonical func(s model.State, into []uint32) ([]uint32, []uint8, error)
	table     *slab.Table[permutation]
	products  pairs.Map // (p, q) -> p after q
	vector    []uint32  // the canonical one of the last state
}

type permutation struct {
	images      []uint8 // by point
	by          *lts.Permutation
	constraints *pairs.Map
}

func newPermutations(graph *lts.Graph, group *symmetry.Group) *permutations {
	p := &permutations{of: graph, group: group, table: slab.NewTable[permutation]()}
	if group != nil {
		p.canonical = group.Canonicalize()
	}
	return p
}

// generators are those of a group of permutations of component states.
func generators(graph *lts.Graph, group *symmetry.Group) (all []*lts.Permutation) {
	if group == nil {
		return nil
	}
	for _, p := range group.Permutations() {
		all = append(all, lts.NewPermutation(graph, p))
	}
	return all
}

// number is that of the permutation by which each point becomes another.
func (p *permutations) number(images []uint8) uint32 {
	identity := true
	for point, image := range images {
		identity = identity && int(image) == point
	}
	if identity {
		return 0
	}
	return p.table.Intern(string(images), func() permutation {
		images := []uint8(string(images))
		return permutation{images, lts.NewPermutation(p.of, p.group.Permutation(images)), &pairs.Map{}}
	})
}

// place returns the vector that all states of an orbit have in common, and the permutation by which a state becomes that. Without a
// group it is the state itself.
func (p *permutations) place(s model.State) ([]uint32, uint32, error) {
	if p.group == nil {
		return s, 0, nil
	}
	vector, by, err := p.canonical(s, p.vector[:0])
	p.vector = vector
	return vector, p.number(by), err
}

// then is the product of two permutations: first, and after it second.
func (p *permutations) then(first, second uint32) uint32 {
	switch {
	case first == 0:
		return second
	case second == 0:
		return first
	}
	number, _ := p.products.GetOrPut(second, first, func() (uint32, error) {
		one, other := p.table.At(first).images, p.table.At(second).images
		images := make([]uint8, len(one))
		for point, image := range one {
			images[point] = other[image]
		}
		return p.number(images), nil
	})
	return number
}

// inverse undoes a permutation.
func (p *permutations) inverse(number uint32) uint32 {
	if number == 0 {
		return 0
	}
	of := p.table.At(number).images
	images := make([]uint8, len(of))
	for point, image := range of {
		images[image] = uint8(point)
	}
	return p.number(images)
}

// component returns the image of a component.
func (p *permutations) component(by, component uint32) uint32 {
	if by == 0 {
		return component
	}
	return p.table.At(by).by.Component(component)
}

// constraint returns the image of a constraint.
func (p *permutations) constraint(of *constraints, by, number uint32) (uint32, error) {
	if by == 0 {
		return number, nil
	}
	q := p.table.At(by)
	return of.image(number, q.by.Permutation, q.constraints)
}
