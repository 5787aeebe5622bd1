package dynamic

import (
	"slices"

	"harrier/model"
)

// A step is a step of a node: what it needs, and what it does to others.
type step struct {
	event, outcome uint32 // outcome counts the steps of the node with the same event
	handler        uint32
	fault          uint16 // as in model.Facts
	isRefusable    bool   // what faults have spent and cut has a say
	fails          bool
	takes          []model.MessageID // that have to wait for the actor
	keeps          bool              // these stay there
	copies         bool              // and there is one more of each
	sends          []model.MessageID
	creates        []uint32   // positions
	reaches        []uint32   // positions to which it sends or creates
	touches        []resource // what it shares with steps of other actors, beside messages
}

// A resource is something that steps of several actors touch. Those that do depend on each other.
type resource uint32

const (
	history resource = iota
	faults           // their budgets and cuts
	visible          // what invariants read
	sets             // and from here on the channels that are sets, by the positions of receivers
)

// A node is what an actor offers.
type node struct {
	steps   []step
	touches []resource // of any of the steps, those that what is global refuses included
}

// nodes knows what nodes offer.
type nodes struct {
	actors        *model.Actors
	known         map[model.NodeID]*node
	hasInvariants bool
	isSet         []bool // by position
	collectors    map[string]bool
}

func newNodes(actors *model.Actors) *nodes {
	n := &nodes{
		actors: actors, known: map[model.NodeID]*node{}, collectors: map[string]bool{},
		hasInvariants: actors.Program().HasInvariants(),
	}
	for _, h := range actors.Program().Handlers {
		n.collectors[h.Class] = n.collectors[h.Class] || h.Quorum
	}
	return n
}

// at is the node in a slot of s, which offers some transitions. They come in the order of their numbers.
func (n *nodes) at(s model.State, slot uint32, offered []model.Transition) *node {
	id := s[slot+1]
	if found, ok := n.known[id]; ok {
		return found
	}
	made := &node{}
	outcomes := map[uint32]uint32{}
	for _, t := range offered {
		st := n.step(s, t)
		st.outcome = outcomes[st.event]
		outcomes[st.event]++
		made.steps = append(made.steps, st)
		for _, r := range st.touches {
			made.touches = with(made.touches, r)
		}
	}
	n.known[id] = made
	return made
}

func with[T comparable](list []T, item T) []T {
	if slices.Contains(list, item) {
		return list
	}
	return append(list, item)
}

func (n *nodes) step(s model.State, t model.Transition) step {
	p, facts := n.actors.TransitionParts(s, t), n.actors.Facts(s, t)
	st := step{event: p.Event, handler: p.Handler, fault: facts.Fault, isRefusable: facts.Refusable, fails: p.Fails}
	n.needs(s, t, p, &st)
	for _, e := range p.Effects {
		st.reaches = with(st.reaches, e.Position)
		if e.Message == 0 {
			st.creates = append(st.creates, e.Position)
			continue
		}
		st.sends = append(st.sends, e.Message)
		if n.isSetAt(e.Position) {
			st.touches = with(st.touches, sets+resource(e.Position))
		}
	}
	if p.Records {
		st.touches = append(st.touches, history)
	}
	if p.Tolled {
		st.touches = append(st.touches, faults)
	}
	if n.isVisible(s, t, p) {
		st.touches = append(st.touches, visible)
	}
	return st
}

// needs notes which messages have to wait for an actor so that it can take a step, and whether they stay. What it takes of
// that was delivered to it it delivered by a step of its own.
func (n *nodes) needs(s model.State, t model.Transition, p model.TransitionParts, st *step) {
	position := t.Slot + 1
	passing := n.actors.Program().Passing
	switch p.Kind {
	case model.Lose, model.Duplicate, model.Deliver:
		st.takes = p.Messages
	case model.Receive:
		if passing == model.M {
			st.takes = p.Messages
		}
	}
	if n.isSetAt(position) {
		st.takes, st.touches = nil, with(st.touches, sets+resource(position))
	}
	local := n.actors.Local(s, int(position))
	st.keeps = p.Kind == model.Duplicate
	st.copies = st.keeps && passing == model.M && local != 0 && n.collectors[n.actors.Actor(local).Class]
}

// isSetAt says whether the channel to the actor at a position is a set.
func (n *nodes) isSetAt(position uint32) bool {
	for int(position) >= len(n.isSet) {
		name, program := n.actors.PositionName(len(n.isSet)), n.actors.Program()
		n.isSet = append(n.isSet, slices.ContainsFunc(program.Faults, func(f model.Fault) bool {
			return f.Kind == model.Duplicate && f.Budget == model.Unbounded && f.Scope.Has(name) && !program.FIFO.Has(name)
		}))
	}
	return n.isSet[position]
}

// isVisible says whether a transition may change what an invariant says.
func (n *nodes) isVisible(s model.State, t model.Transition, p model.TransitionParts) bool {
	before := n.actors.Local(s, int(t.Slot)+1)
	switch {
	case !n.hasInvariants || p.Fails:
		return false
	case p.Records, p.Stops && before != 0, slices.ContainsFunc(p.Effects, func(e model.Effect) bool { return e.Message == 0 }):
		return true
	}
	return n.actors.IsVisible(before, p.Local)
}

// shares says whether two lists have something in common. They are short.
func shares[T comparable](a, b []T) bool {
	for _, item := range a {
		if slices.Contains(b, item) {
			return true
		}
	}
	return false
}
