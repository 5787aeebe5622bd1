package space

import (
	"maps"
	"slices"

	"harrier/internal/model"
	"harrier/internal/model/network"
)

// Vanished returns the messages that vanished in the states that were met, each once: those to actors that had stopped, or stopped
// before they consumed them. An actor that stopped by a fault does not count: that messages to it are lost belongs to the fault. Neither
// does what a channel keeps of a message that was received, where it may be received again.
func Vanished(a *Actors) []model.MessageID {
	a.Values.mu.Lock()
	defer a.Values.mu.Unlock()
	vanished, stops := map[model.MessageID]bool{}, map[uint32]bool{} // stops are positions
	for id := range a.Nodes.Len() {
		n := a.Nodes.list.At(model.NodeID(id + 1))
		for k := range n.span().count {
			next, st := a.step(model.NodeID(id+1), k)
			e := a.LocalSteps.events.At(st.event)
			if n.local == 0 || st.failure != 0 || e.kind.IsFault() || !a.Nodes.list.At(next).stopped {
				continue
			}
			position := a.Values.locals.At(n.local).position
			stops[position] = true
			if a.Values.program.NeverEmpties(*a.Values.names.At(position)) {
				continue
			}
			inbox := slices.Concat(a.messageLists.at(n.waiting), a.messageLists.at(n.delivered))
			for _, m := range without(inbox, e.messages) {
				if !network.IsOfNetwork(a.Values.messages.At(m).Payload) {
					vanished[m] = true
				}
			}
		}
	}
	for m := range a.Nodes.late {
		if stops[a.Values.messages.At(m).position] {
			vanished[m] = true
		}
	}
	return slices.Sorted(maps.Keys(vanished))
}

// without returns messages without some of them, of equal ones as many as there are.
func without(messages, taken []model.MessageID) []model.MessageID {
	rest := slices.Clone(messages)
	for _, m := range taken {
		if i := slices.Index(rest, m); i >= 0 {
			rest = slices.Delete(rest, i, i+1)
		}
	}
	return rest
}
