package model

import (
	"slices"

	"harrier/internal/ds/pairs"
)

// A Permutation of actors maps local states, messages and nodes. They are interned, and Java is not asked for
// them. Several goroutines may use it at once.
type Permutation struct {
	actors *Actors
	by     Renaming

	locals, messages pairs.Map // (id, 0) -> id
	nodes            pairs.Map // (node, position) -> node
}

// NewPermutation makes the one by which actors get other names.
func NewPermutation(a *Actors, by Renaming) *Permutation { return &Permutation{actors: a, by: by} }

// Position is what a position becomes.
func (p *Permutation) Position(position uint32) uint32 {
	p.actors.mu.Lock()
	defer p.actors.mu.Unlock()
	return p.actors.position(p.by.Of(*p.actors.names.At(position)))
}

// Message is what a message becomes.
func (p *Permutation) Message(m MessageID) (MessageID, error) {
	if to, ok := p.messages.Get(m, 0); ok {
		return to, nil
	}
	p.actors.mu.Lock()
	defer p.actors.mu.Unlock()
	return p.message(m)
}

// Node is what the node at a position becomes.
func (p *Permutation) Node(position uint32, n NodeID) (NodeID, error) {
	if to, ok := p.nodes.Get(n, position); ok {
		return to, nil
	}
	a := p.actors
	a.mu.Lock()
	defer a.mu.Unlock()
	node := a.nodes.list.At(n)
	if node.stopped {
		return a.stop(a.position(p.by.Of(*a.names.At(position)))), nil
	}
	local, err := p.local(node.local)
	if err != nil {
		return 0, err
	}
	waiting, err := p.list(node.waiting)
	if err != nil {
		return 0, err
	}
	delivered, err := p.list(node.delivered)
	if err != nil {
		return 0, err
	}
	to := a.node(local, inbox{waiting, delivered})
	p.nodes.Put(n, position, to)
	return to, nil
}

func (p *Permutation) local(l LocalID) (LocalID, error) {
	if l == 0 {
		return 0, nil
	}
	if to, ok := p.locals.Get(l, 0); ok {
		return to, nil
	}
	image, err := p.by.Actor(p.actors.Values.Actor(l))
	if err != nil {
		return 0, err
	}
	to, err := p.actors.internLocal(p.actors.position(image.Name), image)
	if err == nil {
		p.locals.Put(l, 0, to)
	}
	return to, err
}

func (p *Permutation) message(m MessageID) (MessageID, error) {
	if to, ok := p.messages.Get(m, 0); ok {
		return to, nil
	}
	image, err := p.by.Message(p.actors.Values.Message(m))
	if err != nil {
		return 0, err
	}
	to, err := p.actors.internMessage(image)
	if err == nil {
		p.messages.Put(m, 0, to)
	}
	return to, err
}

// list is what a list of messages becomes. Those of one sender stay in their order.
func (p *Permutation) list(i ListID) (ListID, error) {
	var messages []MessageID
	for _, m := range p.actors.messageLists.at(i) {
		to, err := p.message(m)
		if err != nil {
			return 0, err
		}
		messages = p.actors.put(messages, to)
	}
	return p.actors.intern(slices.Clone(messages)), nil
}
