package symmetry

import "math/big"

// A transversal has, for a point of a base and each point that it may come to while the base's points before it stay, one
// permutation of the group that takes it there (Sims: Computational methods in the study of permutation groups, 1970). Each
// permutation of the group is, in one way, a permutation of the last transversal of a base followed by one of the last but one,
// and so on.
type transversal struct {
	base   string
	points []string               // that the base point may come to, itself first
	by     map[string]Permutation // to each of them
}

func newTransversal(base string) *transversal {
	return &transversal{base, []string{base}, map[string]Permutation{base: {}}}
}

func (t *transversal) add(to string, by Permutation) {
	t.points = append(t.points, to)
	t.by[to] = by
}

// close adds the points that generators lead to. Of a generator that moves the base point elsewhere, or not at all, conjugates are taken:
// so a swap of two actors leads to further swaps.
func (t *transversal) close(generators []Permutation) {
	for i := 0; i < len(t.points); i++ {
		from := t.points[i]
		for _, g := range generators {
			to := g.Of(from)
			if t.by[to] != nil {
				continue
			}
			by := t.by[from].Then(g)
			if g.Of(t.base) == t.base {
				by = g.Inverse().Then(by)
			}
			t.add(to, by)
		}
	}
}

// orderOf is how many permutations a chain of transversals makes.
func orderOf(chain []*transversal) *big.Int {
	order := big.NewInt(1)
	for _, t := range chain {
		order.Mul(order, big.NewInt(int64(len(t.points))))
	}
	return order
}

// Elements lists the permutations of the group. There may be very many.
func (g *Group) Elements() []Permutation {
	all := []Permutation{{}}
	for _, t := range g.chain {
		var longer []Permutation
		for _, p := range all {
			for _, to := range t.points {
				longer = append(longer, t.by[to].Then(p))
			}
		}
		all = longer
	}
	return all
}

// A level is a transversal in numbers of points.
type level struct {
	base uint8
	by   []move
}

// A move is a permutation: the image of each point.
type move struct {
	images []uint8
	mask   uint64 // of the points that it moves: a bit for each, modulo 64

	known, keeps bool // whether it leaves the state at hand as it is
}

func (t *tables) level(of *transversal) level {
	l := level{base: t.index[of.base]}
	for _, to := range of.points {
		m := move{images: t.images(of.by[to])}
		for point, image := range m.images {
			if image != uint8(point) {
				m.mask |= 1 << (point % 64)
			}
		}
		l.by = append(l.by, m)
	}
	return l
}
