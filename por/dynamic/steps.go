package dynamic

import (
	"slices"

	"harrier/internal/model"
	"harrier/internal/model/network"
	"harrier/internal/model/space"
)

// A step is a step of a node: the messages that it takes, and the resources that it touches.
type step struct {
	space.NodeStep
	takes   []model.MessageID // that have to wait for the actor
	keeps   bool              // these stay there
	copies  bool              // and there is one more of each
	touches []resource        // shared with steps of other actors, beside messages
	visible bool              // it may change an observation of invariants
}

// A resource is something that steps of several actors touch. Those that do depend on each other.
type resource uint32

const (
	history  resource = iota
	faults            // their budgets and cuts
	seen              // the observations of invariants, where these include messages in flight
	channels          // and from here on those where arrivals interfere, by the positions of receivers
)

// nodeSteps are the steps of a node.
type nodeSteps struct {
	steps   []step
	touches []resource // of any of the steps, disabled ones included
}

// nodes remembers the steps of nodes.
type nodes struct {
	actors *space.Actors
	known  map[model.NodeID]*nodeSteps
	alone  bool // of Alone
}

func newNodes(actors *space.Actors) *nodes {
	return &nodes{actors: actors, known: map[model.NodeID]*nodeSteps{}}
}

// at is the node in a slot of s, which is expanded.
func (n *nodes) at(s model.State, slot uint32) *nodeSteps {
	id := s[slot+1]
	if found, ok := n.known[id]; ok {
		return found
	}
	made := &nodeSteps{}
	for of := range n.actors.Steps(space.Placed{Position: slot + 1, Node: id}) {
		st := n.step(of)
		made.steps = append(made.steps, st)
		for _, r := range st.touches {
			made.touches = with(made.touches, r)
		}
	}
	n.known[id] = made
	return made
}

func with[T comparable](list []T, element T) []T {
	if slices.Contains(list, element) {
		return list
	}
	return append(list, element)
}

// step works out which messages have to wait for an actor so that it can take a step, whether they stay, and the resources that it shares
// with others. Messages that it takes from its delivered ones, it delivered by steps of its own.
func (n *nodes) step(of space.NodeStep) step {
	p := n.actors.Program()
	st := step{NodeStep: of, keeps: of.Kind == model.Duplicate}
	if st.keeps && !p.DeliversCopies() {
		actor := n.actors.Values.Actor(of.Before)
		st.copies = p.CountsCopies(actor.Name, actor.Class)
	}
	if n.interferes(of.Slot + 1) {
		st.touches = append(st.touches, channels+resource(of.Slot+1))
	} else if p.Source(of.Kind) == network.Waiting {
		st.takes = of.Messages
	}
	for _, e := range of.Effects {
		if e.Message != 0 && n.interferes(e.Position) {
			st.touches = with(st.touches, channels+resource(e.Position))
		}
	}
	if n.alone {
		return st
	}
	if of.Records {
		st.touches = append(st.touches, history)
	}
	if of.Guarded {
		st.touches = append(st.touches, faults)
	}
	st.visible = of.MayBeVisible(n.actors)
	if st.visible && p.SeesNetwork() {
		st.touches = append(st.touches, seen)
	}
	return st
}

// interferes reports whether sending to the actor at a position may not commute with steps of the actor.
func (n *nodes) interferes(position uint32) bool {
	return n.actors.Program().Watches() || n.actors.Program().Channel(n.actors.Values.PositionName(int(position))).ArrivalsInterfere()
}

// shares reports whether two lists have something in common. They are short.
func shares[T comparable](a, b []T) bool {
	for _, element := range a {
		if slices.Contains(b, element) {
			return true
		}
	}
	return false
}
