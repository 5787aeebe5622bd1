package demeter

import (
	"cmp"
	"slices"

	"harrier/internal/ds/slab"
	"harrier/internal/lts"
	"harrier/internal/model"
	"harrier/internal/model/space"
)

// A skeleton is the local skeleton of a component: its interface events, and the messages and creations from others.
type skeleton struct {
	component uint32
	events    []uint32       // ascending
	arrivals  []space.Effect // in an order that is the same for all that make no difference to the component
	local     *local         // nil before it is explored
}

// has reports whether an event is one of the skeleton's.
func (k *skeleton) has(event uint32) bool {
	_, has := slices.BinarySearch(k.events, event)
	return has
}

// An event identifies an interface event of a component by all that is visible outside of it: who does it, which messages from
// outside it takes and how, its label, the observations of invariants afterwards, and the interface events of the component that come before
// it. So a set of events has its partial order in it, and equal sets are equal skeletons.
type event struct {
	slot  uint32
	label uint32
}

// skeletons numbers the events and the local skeletons that were met.
type skeletons struct {
	graph  *lts.Graph
	actors *space.Actors
	events *slab.Table[event]
	all    *slab.Table[*skeleton] // numbers from 1
	of     map[string]uint32      // components of senders, by name
}

func newSkeletons(graph *lts.Graph, actors *space.Actors) *skeletons {
	t := &skeletons{
		graph: graph, actors: actors, events: slab.NewTable[event](), all: slab.NewTable[*skeleton](), of: map[string]uint32{},
	}
	t.events.Intern("", func() event { return event{} })
	t.all.Intern("", func() *skeleton { return nil })
	return t
}

// number is that of the skeleton of a component with some events and arrivals.
func (t *skeletons) number(component uint32, events []uint32, arrivals []space.Effect) uint32 {
	ids := append([]uint32{component, uint32(len(events))}, events...)
	for _, e := range arrivals {
		ids = append(ids, e.Position, e.Message, e.Local)
	}
	return t.all.Intern(slab.Key(ids...), func() *skeleton {
		return &skeleton{component: component, events: events, arrivals: arrivals}
	})
}

// with is a skeleton with one more event.
func (t *skeletons) with(number, event uint32) uint32 {
	k := *t.all.At(number)
	at, _ := slices.BinarySearch(k.events, event)
	return t.number(k.component, slices.Insert(slices.Clone(k.events), at, event), k.arrivals)
}

// arrive is a skeleton of a component, 0 if it did not exist, after an effect of another one on it.
func (t *skeletons) arrive(number, component uint32, e space.Effect) uint32 {
	k := &skeleton{component: component}
	if number != 0 {
		k = *t.all.At(number)
	}
	at := len(k.arrivals)
	for at > 0 && t.compare(e, k.arrivals[at-1]) < 0 {
		at--
	}
	return t.number(component, k.events, slices.Insert(slices.Clone(k.arrivals), at, e))
}

// compare orders arrivals: a component can tell apart in which order two of them came only if one channel keeps the order of both.
func (t *skeletons) compare(a, b space.Effect) int {
	if c := cmp.Or(cmp.Compare(a.Position, b.Position), cmp.Compare(min(a.Message, 1), min(b.Message, 1))); c != 0 || a.Message == 0 {
		return c
	}
	if t.actors.Program().Channel(t.actors.Values.PositionName(int(a.Position))).KeepsOrder() {
		return cmp.Compare(t.actors.Values.Message(a.Message).Sender, t.actors.Values.Message(b.Message).Sender)
	}
	return cmp.Compare(a.Message, b.Message)
}

// isFrom reports whether a message was sent by an actor of a component, or by nobody.
func (t *skeletons) isFrom(component uint32, m model.MessageID) bool {
	sender := t.actors.Values.Message(m).Sender
	if sender == "" {
		return true
	}
	of, known := t.of[sender]
	if !known {
		of = t.graph.Spot(space.PositionOf(t.actors.Values, sender)).Component
		t.of[sender] = of
	}
	return of == component
}

// event is the number of the interface event that an edge of a component is, given by slot which of the component's events come
// before it; 0 if the edge is internal.
func (t *skeletons) event(component uint32, e *lts.Edge, past []uint32) uint32 {
	var ids []uint32
	for _, m := range e.Messages {
		if !t.isFrom(component, m) {
			ids = append(ids, m)
		}
	}
	isVisible := e.NodeStep.MayBeVisible(t.actors)
	if e.Label == 0 && len(ids) == 0 && !isVisible {
		return 0
	}
	ids = append(ids, 0)
	if isVisible {
		ids = append(ids, t.actors.Nodes.Observation(e.Next), 0)
		for _, f := range e.Effects {
			if f.Message == 0 {
				ids = append(ids, f.Position, f.Local)
			}
		}
	}
	ids = append(append(ids, 0, uint32(e.Kind), uint32(e.Of), e.Slot, e.Label), model.State(past).Trimmed()...)
	return t.events.Intern(slab.Key(ids...), func() event { return event{e.Slot, e.Label} })
}
