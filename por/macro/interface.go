package macro

import "harrier/internal/lts"

// An Interface has the labels and the internal steps of a component, in the macro states of a search.
type Interface struct {
	Positions []uint32
	States    int    // of the component, in macro states
	Members   uint64 // of In of these, added up
	Largest   int    // In of one of them
	Exits     []Exit
	Internal  map[Event]uint64 // how many internal steps events took
}

// An Exit is a way in which macro steps end.
type Exit struct {
	Event
	lts.Label
}

// An Event is a handler by its number or, as in model.Facts, a fault; neither for a delivery.
type Event struct {
	Handler uint32
	Fault   uint16
}

// Interfaces returns the interfaces of all components, in their order.
func (d *System) Interfaces() []Interface {
	var all []Interface
	for _, positions := range d.Graph.Positions() {
		all = append(all, Interface{Positions: positions, Internal: map[Event]uint64{}})
	}
	for _, in := range d.ignored.reached {
		c := &all[in.component]
		c.States++
		members := 0
		for range in.members {
			members++
		}
		c.Members += uint64(members)
		c.Largest = max(c.Largest, members)
	}
	type exit struct {
		Event
		component, label uint32
	}
	exits := map[exit]bool{}
	for st := range d.stepsReached {
		c, e := &all[st.component], Event{st.Handler, st.Fault}
		if st.internal {
			c.Internal[e]++
			continue
		}
		x := exit{e, st.component, st.Label}
		if !exits[x] {
			exits[x] = true
			c.Exits = append(c.Exits, Exit{e, *d.Graph.Label(x.label)})
		}
	}
	return all
}
