package macro

import (
	"errors"
	"slices"

	"harrier/internal/model"
)

// Settled is a state of the actors without what a search dropped in their local states.
func (d *System) Settled(nodes model.State) model.State {
	rest := slices.Clone(nodes)
	for i, n := range nodes[1:] {
		if dropped := d.ignored.dropped[d.actors.Nodes.Local(n)]; len(dropped) > 0 {
			waiting := slices.Clone(d.actors.Nodes.Parts(n).Waiting)
			rest[i+1] = d.actors.Nodes.WithInbox(n, slices.DeleteFunc(waiting, func(m model.MessageID) bool { return dropped[m] != 0 }))
		}
	}
	return rest
}

// Kept is of how many handlers nothing is dropped: a search also keeps what it takes to know which handlers run.
func (d *System) Kept() int { return len(d.ignored.kept) }

// Again reports whether a search is to begin again after an error, which it may then.
func (d *System) Again(err error) bool {
	if !errors.Is(err, errNotIgnored) {
		return false
	}
	d.begin(d.ignored.keep)
	return true
}
