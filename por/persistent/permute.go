package persistent

import (
	"errors"
	"slices"
)

// A search with symmetry meets one state of each orbit, so what it saw of one component others may do as well. The graph is closed
// under the permutations: it has what nodes and arrivals become by them. What a label becomes is not asked for, as steps commute
// with permutations.

// maxNodes bounds the graph where actors are permuted: an orbit may be as large as the group. That many take some seconds.
const maxNodes = 100_000

var errTooMany = errors.New("component states become too many others by permutations")

// permute adds what nodes and arrivals become by permutations.
func (l *Labels) permute() error {
	g := &l.graph
	for ; g.permuted < len(g.nodes); g.permuted++ {
		n := g.nodes[g.permuted]
		if len(g.nodes) > maxNodes && l.of.Permutations() > 0 {
			return errTooMany
		}
		for by := range l.of.Permutations() {
			component, id, err := l.of.Permute(by, n.component, n.id)
			if err != nil {
				return err
			}
			image, ok := g.numbers.Get(id, 0)
			if !ok {
				image = g.add(&vertex{component: component, id: id, of: uint32(g.permuted), by: by})
			}
			n.images = append(n.images, image)
		}
	}
	for len(g.fresh) > 0 {
		a := g.fresh[len(g.fresh)-1]
		g.fresh = g.fresh[:len(g.fresh)-1]
		n := g.nodes[a.at]
		for by, image := range n.images {
			_, to, err := l.of.Permute(by, n.component, a.to)
			if err != nil {
				return err
			}
			g.arrive(image, to)
		}
	}
	return nil
}

// permuteSet is what a set of messages becomes.
func (l *Labels) permuteSet(by int, x uint32) (uint32, error) {
	if x == 0 {
		return 0, nil
	}
	return l.sets.images.GetOrPut(x, uint32(by), func() (uint32, error) {
		image := slices.Clone(l.sets.at(x))
		for i, c := range image {
			var err error
			if image[i].component, image[i].message, err = l.of.PermuteMessage(by, c.component, c.message); err != nil {
				return 0, err
			}
		}
		slices.SortFunc(image, counted.compare)
		return l.sets.number(image), nil
	})
}
