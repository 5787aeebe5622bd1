package liveness

// firstStates is how many states are explored before macro steps are compared with single steps, once. That many cost little if they
// are explored again.
var firstStates = 1 << 11

// savesNothing reports whether single steps are expected to be less work than macro steps, by counts of the states explored so far.
//
// The members of In that were found as states of their component are no fewer by macro steps. So the ratio of all members to these, of one
// component after another, is how many times as many states single steps have, and each of them has the steps of its component states. What
// macro steps take more is the edges of a state, where labels have many targets, and the walks for In of component states and of targets.
func (g *graph) savesNothing() bool {
	type counts struct{ members, found map[uint32]bool }
	of := map[uint32]*counts{}
	single := 0.0 // edges of the states explored, by single steps
	for number := range g.states {
		for component, state := range g.components(g.state(number)) {
			c := of[component]
			if c == nil {
				c = &counts{map[uint32]bool{}, map[uint32]bool{}}
				of[component] = c
			}
			c.found[state] = true
			if number >= g.explored {
				continue
			}
			l := g.locals.Get(state)
			single += float64(l.degree)
			for _, m := range l.members {
				c.members[m] = true
			}
		}
	}
	for _, c := range of {
		found := 0
		for m := range c.members {
			if c.found[m] {
				found++
			}
		}
		if found > 0 {
			single *= float64(len(c.members)) / float64(found)
		}
	}
	return float64(uint64(len(g.targets))+g.walked) > single
}
