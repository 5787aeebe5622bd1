package space

import (
	"slices"

	"harrier/internal/model"
)

// receptions lists which messages of a node may be consumed together. Lacking are receptions of single messages that the
// oracle has to be asked for before all are known.
func (a *Moves) receptions(n *node) (moves []move, lacking []uint32, err error) {
	list := a.nodes.consumable(n)
	all := a.values.program.Delivery == model.MP
	if !all || a.messageLists.len(list) == 1 {
		for _, m := range a.messageLists.heads(list) {
			if !a.values.messages.At(m.message).IsClosed() {
				moves = append(moves, a.receive([]model.MessageID{m.message}, m.place))
			}
		}
	}
	if a.messageLists.len(list) < 2 || !a.localSteps.Collects(n.local) {
		return moves, nil, nil
	}
	inbox := a.messageLists.at(list)
	shares, lacking := a.shares(n.local, inbox)
	if len(lacking) > 0 {
		return moves, lacking, nil
	}
	if all {
		if a.fits(inbox, shares) {
			moves = append(moves, a.receiveAt(inbox, a.messageLists.arranged(inbox)...))
		}
		return moves, nil, nil
	}
	several, err := a.several(n.local, inbox, shares)
	return append(moves, several...), nil, err
}

// receiveAt is the reception of the messages at places of an inbox.
func (a *Moves) receiveAt(inbox []model.MessageID, places ...int) move {
	var messages []model.MessageID
	for _, place := range places {
		messages = append(messages, inbox[place])
	}
	return a.receive(messages, places...)
}

// receive is the reception of messages that are at places of an inbox.
func (a *Moves) receive(messages []model.MessageID, places ...int) move {
	r := a.move(model.Receive, 0, messages...)
	r.asks = a.localSteps.question(r.event)
	r.last = r.asks
	if a.values.program.Delivery != model.M || !a.values.program.NeverEmpties(a.values.messages.At(messages[0]).Receiver) {
		r.takes = slices.Sorted(slices.Values(places))
	}
	return r
}

// deliveries lists the deliveries to a node's actor, where these are events of their own.
func (a *Moves) deliveries(n *node) []move {
	if a.values.program.Delivery == model.M {
		return nil
	}
	var moves []move
	for _, head := range a.messageLists.heads(n.waiting) {
		m := a.move(model.Deliver, 0, head.message)
		m.next = func() model.NodeID {
			rest := n.waiting
			if !a.values.program.NeverEmpties(a.values.messages.At(head.message).Receiver) {
				rest = a.messageLists.without(rest, head.place)
			}
			return a.nodes.node(n.local, inbox{rest, a.messageLists.with(n.delivered, head.message), n.open})
		}
		moves = append(moves, m)
	}
	return moves
}
