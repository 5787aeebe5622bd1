package lts

import (
	"slices"

	"harrier/internal/model"
	"harrier/internal/model/space"
)

// A Round is what the next round may do to a component.
type Round struct {
	Ticks []space.Ticks // of the clocks of its actors
	After uint32        // the component state after it
}

// Rounds returns what the next round may do to a component state that is expanded, whether or not something has to come before it.
func (g *Graph) Rounds(component, state uint32) ([]Round, error) {
	var one [1]model.NodeID
	nodes := g.Nodes(state, &one)
	choices := [][]space.Ticks{nil}
	for n := range g.placed(component, state) {
		if by := space.TimeOf(g.actors).TicksOf(n.Node); len(by) > 0 {
			var longer [][]space.Ticks
			for _, ticks := range by {
				for _, of := range choices {
					longer = append(longer, append(slices.Clip(of), space.Ticks{Position: n.Position, By: ticks}))
				}
			}
			choices = longer
		}
	}
	rounds := make([]Round, len(choices))
	for i, ticks := range choices {
		after := slices.Clone(nodes)
		for n := range g.placed(component, state) {
			var by int
			if len(ticks) > 0 && ticks[0].Position == n.Position {
				by, ticks = ticks[0].By, ticks[1:]
			}
			next, err := space.TimeOf(g.actors).Ticked(n.Node, by)
			if err != nil {
				return nil, err
			}
			after[g.Spot(n.Position).Place] = next
		}
		rounds[i] = Round{choices[i], g.Number(after)}
	}
	return rounds, nil
}
