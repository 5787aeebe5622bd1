package macro

import (
	"context"
	"slices"

	"harrier/internal/model"
)

// WithoutIgnored is a state of the actors without what a search left out in their local states.
func (d *System) WithoutIgnored(nodes model.State) model.State {
	rest := slices.Clone(nodes)
	for i, n := range nodes[1:] {
		if required := d.ignored.Required(d.actors.Nodes.Local(n)); len(required) > 0 {
			waiting := slices.Clone(d.actors.Nodes.Parts(n).Waiting)
			rest[i+1] = d.actors.Nodes.WithInbox(n, slices.DeleteFunc(waiting, func(m model.MessageID) bool { return required[d.actors.Values.Fresh(m)] != 0 }))
		}
	}
	return rest
}

// Excluded is how many handlers are excluded.
func (d *System) Excluded() int { return len(d.excluded) }

// CountsLate reports whether a handler counts as run since it may consume, later on, a message left out.
func (d *System) CountsLate(handler uint32) bool { return d.ignored.late[handler] }

// Again reports whether the search has to begin again, and prepares for that.
func (d *System) Again(ctx context.Context) (bool, error) {
	err := d.verify(ctx)
	if next, ok := d.refined(err); ok {
		d.begin(next)
		return true, nil
	}
	return false, err
}

// SeeFarFirst has properties be evaluated in those members of the first macro state first that are many internal steps away.
func (d *System) SeeFarFirst(ctx context.Context) error {
	insides, err := d.all(ctx, d.Initial(), nil)
	for _, in := range insides {
		if in == nil {
			continue
		}
		for _, member := range slices.Backward(slices.Collect(in.members)) {
			d.seen(member)
		}
	}
	return err
}

// Noted is of how many component states it is noted that a run comes to them, that time goes on from them, and that an arrival leads to them.
func (d *System) Noted() [3]int {
	return [3]int{len(d.ignored.reached), len(d.ignored.ticked), len(d.ignored.arrivals)}
}
