package symmetry

import "math/big"

// A shape is how the permutations of a group are gone through: it is a product of symmetric groups of units, or a list.
// Points are numbers of actors that are moved.
type shape struct {
	classes []class
	// inverses are the permutations of a list: by number, where the actor at each point comes from.
	inverses [][]uint8
}

// A class is units that can be exchanged in any way.
type class []unit

// A unit is points that only move together, such as a client and its server. Units of a class are of the same length.
type unit []uint8

// unitsOf groups the orbits of which each has the same actors, but for names: what moves an actor of one moves an
// actor of the other. It gives the units of each group of orbits, by names.
func unitsOf(orbits []Orbit, generators []Permutation) [][][]string {
	var classes [][][]string
next:
	for _, o := range orbits {
		for _, units := range classes {
			if twins := pairing(units, o.Actors, generators); twins != nil {
				for i, u := range units {
					units[i] = append(u, twins[u[0]])
				}
				continue next
			}
		}
		var units [][]string
		for _, name := range o.Actors {
			units = append(units, []string{name})
		}
		classes = append(classes, units)
	}
	return classes
}

// pairing finds an actor for each unit such that all generators move both alike; nil if there is none.
func pairing(units [][]string, actors []string, generators []Permutation) map[string]string {
	if len(units) != len(actors) {
		return nil
	}
	for _, a := range actors {
		if twins := follow(units[0][0], a, generators); twins != nil {
			return twins
		}
	}
	return nil
}

// follow pairs x with y, and what comes of x by the generators with what comes of y by the same ones; nil if one actor
// would have two partners.
func follow(x, y string, generators []Permutation) map[string]string {
	twins, taken := map[string]string{x: y}, map[string]bool{y: true}
	for todo := []string{x}; len(todo) > 0; todo = todo[1:] {
		for _, g := range generators {
			to, twin := g.Of(todo[0]), g.Of(twins[todo[0]])
			if known, ok := twins[to]; ok && known != twin || !ok && taken[twin] {
				return nil
			} else if !ok {
				twins[to], taken[twin] = twin, true
				todo = append(todo, to)
			}
		}
	}
	return twins
}

// orderOf is the number of permutations of a product of the symmetric groups of units.
func orderOf(classes [][][]string) *big.Int {
	order := big.NewInt(1)
	for _, units := range classes {
		order.Mul(order, factorial(len(units)))
	}
	return order
}

// product is the shape of a product of symmetric groups.
func (g *Group) product(classes [][][]string) shape {
	var s shape
	for _, units := range classes {
		var c class
		for _, names := range units {
			var u unit
			for _, name := range names {
				u = append(u, g.tables.index[name])
			}
			c = append(c, u)
		}
		s.classes = append(s.classes, c)
	}
	return s
}

// listed is the shape of a group whose permutations are listed.
func (g *Group) listed() shape {
	var s shape
	for _, p := range g.Elements() {
		s.inverses = append(s.inverses, g.tables.images(p.Inverse()))
	}
	return s
}

// Elements lists the permutations of the group, the one that moves nobody first. There may be very many.
func (g *Group) Elements() []Permutation {
	all := []Permutation{{}}
	known := map[string]bool{string(g.tables.identity()): true}
	for i := 0; i < len(all); i++ {
		for _, by := range g.Generators {
			p := all[i].Then(by)
			if k := string(g.tables.images(p)); !known[k] {
				known[k] = true
				all = append(all, p)
			}
		}
	}
	return all
}
