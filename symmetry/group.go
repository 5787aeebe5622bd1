package symmetry

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"

	"harrier/internal/model/space"
)

// A Group is a set of permutations of actors within their roles that map the initial state to itself, and with two
// of them their product.
type Group struct {
	Orbits     []Orbit       // of the actors that are moved
	Generators []Permutation // of which all others are made
	Order      *big.Int      // how many permutations there are, the identity included
	Obstacles  []Obstacle    // of the roles whose actors are not all interchangeable
	// Remark says, in a line, that there are more permutations than the group has; it is empty if there are not.
	Remark string

	actors *space.Actors
	tables *tables
	chain  []*transversal
}

// An Orbit is actors of one role that can come in each other's place.
type Orbit struct {
	Role   string   `json:"role"`
	Actors []string `json:"actors"` // in the order of their numbers
}

// IsTrivial reports whether no actors are symmetric.
func (g *Group) IsTrivial() bool { return len(g.Generators) == 0 }

// FirstObstacle says why no actors are symmetric. The group may be nil.
func (g *Group) FirstObstacle() string {
	if g == nil || len(g.Obstacles) == 0 {
		return "the scenario creates no role of several actors"
	}
	return g.Obstacles[0].Text
}

// maxPoints is how many actors a group may move.
const maxPoints = 255

// Find finds the largest group of permutations that map the program's initial state to itself, and move none of the actors in
// apart.
func Find(actors *space.Actors, apart ...string) (*Group, error) {
	s, err := newStart(actors)
	if err != nil {
		return nil, err
	}
	f := &finder{start: s, images: map[int]string{}, apart: apart}
	if err := f.choosePoints(); err != nil {
		return nil, err
	}
	if len(f.points) > maxPoints {
		remark := fmt.Sprintf("more than %d actors look the same, which are too many to permute", maxPoints)
		return &Group{Order: big.NewInt(1), Remark: remark, actors: actors, tables: newTables(actors, nil)}, nil
	}
	if err := f.find(); err != nil {
		return nil, err
	}
	g := &Group{Generators: f.generators, Order: orderOf(f.chain), actors: actors, chain: f.chain}
	if f.isCut() {
		g.Remark = fmt.Sprintf("the search for interchangeable actors ended after %d attempts, so there may be more", maxAttempts)
	}
	g.setOrbits(s)
	g.Obstacles, err = obstacles(s, g)
	return g, err
}

// Permutations returns the generators, as maps of the program's nodes and messages.
func (g *Group) Permutations() []*space.Permutation {
	var permutations []*space.Permutation
	for _, p := range g.Generators {
		permutations = append(permutations, space.NewPermutation(g.actors, p.renaming()))
	}
	return permutations
}

// Renaming returns the renaming by a permutation of the group that a number draws, with its inverse. It moves some actor.
func (g *Group) Renaming(number uint64) space.RenamingWithBack {
	draw, p := rand.New(rand.NewPCG(number, 0)), Permutation{}
	for _, t := range g.chain {
		p = t.by[t.points[draw.IntN(len(t.points))]].Then(p)
	}
	if len(p) == 0 {
		p = g.Generators[0]
	}
	return space.RenamingWithBack{By: p.renaming(), Back: p.Inverse().renaming()}
}

// Points are the actors that are moved. A permutation of the group may be given by the points that they become.
func (g *Group) Points() []string { return g.tables.points }

// Permutation returns the permutation with these images of points, as a map of nodes and messages.
func (g *Group) Permutation(images []uint8) *space.Permutation {
	p := Permutation{}
	for point, image := range images {
		if int(image) != point {
			p[g.tables.points[point]] = g.tables.points[image]
		}
	}
	return space.NewPermutation(g.actors, p.renaming())
}

// setOrbits finds the orbits, whose actors are the points.
func (g *Group) setOrbits(s *start) {
	done := map[string]bool{}
	for _, name := range s.names {
		if done[name] {
			continue
		}
		orbit := orbitOf(name, g.Generators)
		for _, other := range orbit {
			done[other] = true
		}
		if len(orbit) > 1 {
			inOrder := slices.DeleteFunc(slices.Clone(s.names), func(n string) bool { return !slices.Contains(orbit, n) })
			g.Orbits = append(g.Orbits, Orbit{s.role[name], inOrder})
		}
	}
	g.tables = newTables(g.actors, g.Orbits)
}

// orbitOf is where a point can come by permutations, sorted as it is found.
func orbitOf(point string, by []Permutation) []string {
	orbit := []string{point}
	for i := 0; i < len(orbit); i++ {
		for _, p := range by {
			if to := p.Of(orbit[i]); !slices.Contains(orbit, to) {
				orbit = append(orbit, to)
			}
		}
	}
	return orbit
}
