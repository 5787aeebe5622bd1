package liveness

import (
	"slices"

	"harrier/internal/lts"
	"harrier/internal/model/space"
)

// checkStrong is an lts.EndlessError if an internal step of the component makes a strong constraint enabled, or disables one whose message stays.
// Putting such steps off past arrivals would change which strong constraints are enabled again and again, so they are to be taken one by one.
func (in *inner) checkStrong() error {
	if in.actors.Program().Fairness.Strong.IsEmpty() {
		return nil
	}
	for place, edges := range in.edges {
		for _, e := range edges {
			if !e.internal {
				continue
			}
			to := in.places[e.to]
			for c := range in.all.All {
				before, after := in.needs[place].Has(c), in.needs[to].Has(c)
				if of := in.table.At(uint32(c)); of.strong && before != after && (after || in.has(e.to, arrival{of.position, of.message})) {
					return lts.EndlessError(in.component)
				}
			}
		}
	}
	return nil
}

// strongIn returns the strong constraints that are enabled in an expanded component state, ascending.
func (in *inner) strongIn(state uint32) (strong []uint32, err error) {
	if in.actors.Program().Fairness.Strong.IsEmpty() {
		return nil, nil
	}
	needs, err := in.system.needs(in.component, state)
	for _, n := range needs {
		if in.table.At(n.constraint).strong {
			strong = append(strong, n.constraint)
		}
	}
	slices.Sort(strong)
	return strong, err
}

// has reports whether a message waits for an actor of the component in a component state.
func (in *inner) has(state uint32, of arrival) bool {
	var one [1]uint32
	nodes := in.graph.Nodes(state, &one)
	spot := in.graph.Spot(of.position)
	if int(spot.Place) >= len(nodes) || nodes[spot.Place] == 0 {
		return false
	}
	waiting, delivered := space.Inbox(in.actors.Nodes, nodes[spot.Place])
	for _, list := range []space.Messages{waiting, delivered} {
		for m := range list.Counts {
			if m == of.message {
				return true
			}
		}
	}
	return false
}

// hasAll reports whether messages wait in a member.
func (in *inner) hasAll(place int, all []arrival) bool {
	return !slices.ContainsFunc(all, func(of arrival) bool { return !in.has(in.members[place], of) })
}
