package liveness

import (
	"harrier/internal/lts"
	"harrier/internal/model"
)

// firstGrowth is how many states are explored before growth is looked for the first time.
const firstGrowth = 1 << 6

// isDue reports whether growth is to be looked for: whenever twice as many states are explored as the last time.
func (g *graph) isDue() bool { return g.explored >= firstGrowth && g.explored&(g.explored-1) == 0 }

// growth is an lts.EndlessError if a component has more messages in the state that was found last than in one on the way to it, and
// nothing else has changed but such inboxes: then the steps between both can be taken again and again (Karp, Miller: Parallel program
// schemata, 1969), and there are infinitely many states. If the component consumes these messages by itself, no loop would be among
// macro states, which only grow, though there may be loops among states. So its steps are to be taken one by one.
func (g *graph) growth() error {
	last := len(g.states) - 1
	s := g.state(last)
	for at := last; at != 0; {
		at = int(g.parents[at])
		if component, ok := g.grown(g.state(at), s); ok {
			return lts.EndlessError(component)
		}
	}
	return nil
}

// grown returns a component with internal steps that has more messages in a state than in one before; ok is false if there is none,
// or something else than inboxes has changed.
func (g *graph) grown(before, after model.State) (component uint32, ok bool) {
	if len(before) != len(after) || before.At(0) != after.At(0) {
		return 0, false
	}
	for c, state := range g.components(after) {
		switch was := before.At(c + 1); {
		case was == state:
		case !g.graph.HasMore(c, state, was):
			return 0, false
		case !g.endless[c]:
			component, ok = c, true
		}
	}
	return component, ok
}
