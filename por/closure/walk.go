package closure

import (
	"slices"

	"harrier/model"
)

// A walk lists places, each once.
type walk struct {
	*tables
	number uint32
	met    []uint32
}

// newWalk begins with some places. What was said of the one before, place.index, is lost.
func (t *tables) newWalk(starts []uint32) *walk {
	t.walks++
	w := &walk{tables: t, number: t.walks}
	for _, n := range starts {
		w.meet(n)
	}
	return w
}

// follow meets what some events lead to from a place.
func (w *walk) follow(n uint32, isThere func(event uint32) bool) {
	for _, e := range w.edgesOf(n) {
		if e.to >= 0 && w.places.list[e.to].walk != w.number && isThere(e.event) {
			w.meet(uint32(e.to))
		}
	}
}

func (w *walk) meet(n uint32) {
	if p := &w.places.list[n]; p.walk != w.number {
		p.walk, p.index = w.number, int32(len(w.met))
		w.met = append(w.met, n)
	}
}

// from goes to all places that can be reached from some by some events.
func (t *tables) from(starts []uint32, isThere func(event uint32) bool) *walk {
	w := t.newWalk(starts)
	for i := 0; i < len(w.met); i++ {
		w.follow(w.met[i], isThere)
	}
	return w
}

// rows are the edges of some events with indexes instead of places.
func (w *walk) rows(isThere func(event uint32) bool) *rows[edge] {
	var out rows[edge]
	for _, n := range w.met {
		for _, e := range w.edgesOf(n) {
			if isThere(e.event) {
				if e.to >= 0 {
					e.to = w.places.list[e.to].index
				}
				out.add(e)
			}
		}
		out.end()
	}
	return &out
}

// allowed says whether an event takes only what is available. It is for use at once.
func (t *tables) allowed(available setID) func(event uint32) bool {
	t.allowances++
	allow := func(event uint32) {
		for int(event) >= len(t.allowedIn) {
			t.allowedIn = append(t.allowedIn, 0)
		}
		t.allowedIn[event] = t.allowances
	}
	allow(t.internal)
	for _, x := range t.entries[available] {
		switch {
		case x.isMessage():
			allow(t.message(x.id()).reception)
		case x.item == restartItem:
			allow(t.restart)
		}
	}
	isAllowed := func(event uint32) bool { return int(event) < len(t.allowedIn) && t.allowedIn[event] == t.allowances }
	return func(event uint32) bool {
		if isAllowed(event) {
			return true
		}
		messages := t.steps.Messages(event)
		return len(messages) > 1 && !slices.ContainsFunc(messages, func(m model.MessageID) bool { return !isAllowed(t.message(m).reception) })
	}
}

// has says whether an event is left when another one is left out, with what waits behind the messages of that in a queue.
func (t *tables) has(event, without uint32) bool {
	if event == without {
		return false
	}
	own := t.steps.Messages(without)
	return len(own) == 0 || !t.channel(t.message(own[0]).receiver).Queues ||
		!slices.ContainsFunc(t.steps.Messages(event), func(m model.MessageID) bool { return t.isBehind(m, own) })
}

// sentWithout is the most that is sent in a local closure without an event.
func (t *tables) sentWithout(r *reached, event uint32) setID {
	if sends, ok := r.without[event]; ok {
		return sends
	}
	isThere := t.allowedWithout(r, event)
	edges := t.from(r.starts, isThere).rows(isThere)
	if r.without == nil {
		r.without = map[uint32]setID{}
	}
	r.without[event] = t.mostSent(edges, components(edges), len(r.starts))
	return r.without[event]
}

// allowedWithout says of an event whether it is in a local closure without another one. It is for use at once.
func (t *tables) allowedWithout(r *reached, without uint32) func(event uint32) bool {
	isAllowed := t.allowed(r.available)
	return func(event uint32) bool { return isAllowed(event) && t.has(event, without) }
}
