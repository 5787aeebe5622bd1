package macro

import (
	"context"
	"sync"

	"harrier/dbss"
	"harrier/internal/ds/pairs"
	"harrier/internal/lts"
	"harrier/internal/lts/ignored"
	"harrier/internal/model"
)

// leftOut has the messages that are ignored, and left out of component states: macro steps lead to canonical states. That rests on
// successors: local states that come later have to ignore the message as well, which verify compares.
type leftOut struct {
	*ignored.Messages
	arrived pairs.Map // (component state, 0) -> 1, for those that are not canonical and that an arrival led to

	mu       sync.Mutex   // guards the fields below
	reached  []*inside    // of macro states that were reached
	ticked   []*inside    // of macro states that were reached and from which time went on
	arrivals []lts.Vertex // the keys of arrived

	reportedReached, reportedTicked, reportedArrivals int // how many of them News returned

	verification
}

// ignoring is what is left out in a system, of which nothing is known.
func (d *System) ignoring() *leftOut {
	return &leftOut{
		Messages:     ignored.New(d.Graph, d.actors, d.permutations, d.excluded, d.isInternal),
		verification: verification{late: map[uint32]bool{}},
	}
}

// canonicalAfter returns what a component becomes by a step, canonical.
func (d *System) canonicalAfter(ctx context.Context, component, state uint32, st *lts.Edge) (uint32, error) {
	next, err := d.Graph.After(component, state, st)
	if err != nil || st.Failure != 0 {
		return next, err
	}
	return d.ignored.Canonical(ctx, component, next)
}

// record notes that a run comes to the component state of an inside.
func (g *leftOut) record(in *inside) {
	if in.reached.Load() || in.reached.Swap(true) {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.reached = append(g.reached, in)
}

// recordTicked notes that time goes on from the component state of an inside.
func (g *leftOut) recordTicked(in *inside) {
	if in.ticked.Load() || in.ticked.Swap(true) {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.ticked = append(g.ticked, in)
}

// discards are the steps from a component state to the canonical one in its place.
func (d *System) discards(ctx context.Context, component, state uint32) ([]model.Transition, error) {
	steps, err := d.ignored.Discards(ctx, component, state)
	var path []model.Transition
	for i := range steps {
		path = append(path, steps[i].Transition)
	}
	return path, err
}

// count counts the steps that consume messages left out. A handler that would consume it only in local states that come later
// counts as run once, although perhaps no run consumes it as late as that.
func (g *leftOut) count(c *dbss.Counts) {
	for a := range g.LeftOut() {
		for _, by := range a {
			c.Internal++
			c.Count(by)
		}
	}
	for a := range g.Later() {
		for _, by := range a {
			if !c.Has(by) {
				g.late[by.Handler] = true
				c.Count(by)
			}
		}
	}
}
