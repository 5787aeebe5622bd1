package closure

import (
	"context"
	"fmt"

	"harrier/internal/pairs"
	"harrier/model"
)

// A place is a local state, with what an actor may still consume.
type place struct {
	local            model.LocalID
	left             setID
	happening, edges span   // numbers of occasions, and what they lead to
	walk             uint32 // that met it last
	index            int32  // in that
}

// An edge is an outcome that leads from one place to another.
type edge struct {
	to    int32 // number of the place; -1 if the actor stops
	event uint32
	sends setID
}

// A span is a part of a list.
type span struct{ first, end uint32 }

// places are those of all graphs, with what they lead to.
type places struct {
	list      []place
	happening []uint32
	edges     []edge
	walks     uint32
}

func (p *places) edgesOf(n uint32) []edge {
	s := p.list[n].edges
	return p.edges[s.first:s.end]
}

func (p *places) happeningAt(n uint32) []uint32 {
	s := p.list[n].happening
	return p.happening[s.first:s.end]
}

// A graph is what an actor can do when something is available.
type graph struct {
	position   uint32
	placesOf   map[model.LocalID][]uint32 // places
	limit      string                     // why it is not known; "" if it is
	isTooLarge bool                       // that is why
}

// A grower makes a graph.
type grower struct {
	*tables
	*graph
	most        setID     // what is left at first
	placed      pairs.Map // (local state, left) -> place
	settled     pairs.Map // (local state, left) -> left
	differences int       // contents that were known to differ when it began
}

// grow makes a graph for a local state, or for an actor that does not exist yet. Messages that turn out to be of different kinds have
// it begin again.
func (t *tables) grow(ctx context.Context, k reachKey) (*graph, error) {
	for {
		g := grower{tables: t, graph: &graph{position: k.position, placesOf: map[model.LocalID][]uint32{}}, differences: len(t.tellsApart)}
		g.most = t.grouped(k.position, k.available)
		if err := g.growFrom(ctx, t.localsOf(k)); err != nil {
			return nil, err
		}
		if g.differences == len(t.tellsApart) {
			return g.graph, nil
		}
		t.forgetKinds()
	}
}

// localsOf are the local states in which an actor may begin.
func (t *tables) localsOf(k reachKey) []model.LocalID {
	if k.local != 0 {
		return []model.LocalID{k.local}
	}
	var locals []model.LocalID
	for _, x := range t.entries[k.available] {
		if !x.isMessage() && x.item != restartItem {
			locals = append(locals, x.id())
		}
	}
	return locals
}

func (g *grower) growFrom(ctx context.Context, locals []model.LocalID) error {
	first := uint32(len(g.places.list))
	for _, l := range locals {
		if _, err := g.meet(ctx, l, g.most); err != nil || g.limit != "" {
			return err
		}
	}
	for n := first; n < uint32(len(g.places.list)); n++ {
		if n-first > maxPlaces {
			g.limit = fmt.Sprintf("%s has more than %d local states", g.steps.Name(g.position), maxPlaces)
			g.isTooLarge = true
			return nil
		}
		if err := g.expand(ctx, n); err != nil || g.limit != "" || g.differences != len(g.tellsApart) {
			return err
		}
	}
	return nil
}

// meet gives the number of a place.
func (g *grower) meet(ctx context.Context, l model.LocalID, left setID) (uint32, error) {
	left, err := g.settle(ctx, l, left)
	if err != nil || g.limit != "" {
		return 0, err
	}
	n, ok := g.placed.Get(l, left)
	if !ok {
		n = uint32(len(g.places.list))
		g.placed.Put(l, left, n)
		g.places.list = append(g.places.list, place{local: l, left: left})
		g.placesOf[l] = append(g.placesOf[l], n)
	}
	return n, nil
}

// expand finds what leads away from a place.
func (g *grower) expand(ctx context.Context, n uint32) error {
	at := g.places.list[n]
	if err := g.try(ctx, at); err != nil || g.limit != "" {
		return err
	}
	g.tellApart(g.position, at)
	happening, edges := uint32(len(g.happening)), uint32(len(g.edges))
	for _, tried := range g.tried {
		number := g.occasion(at.local, tried.event)
		if !g.occasions[number].isKnown {
			g.limit = g.unknown(at.local)
			return nil
		}
		if !g.occasions[number].isEnabled {
			continue
		}
		g.happening = append(g.happening, number)
		for _, m := range g.occasions[number].moves {
			to := int32(-1)
			if m.local != 0 {
				n, err := g.meet(ctx, m.local, tried.left)
				if err != nil || g.limit != "" {
					return err
				}
				to = int32(n)
			}
			g.edges = append(g.edges, edge{to, tried.event, m.sends})
		}
	}
	p := &g.places.list[n]
	p.happening, p.edges = span{happening, uint32(len(g.happening))}, span{edges, uint32(len(g.edges))}
	g.explored++
	return nil
}

// A trial is an event for which there is enough at a place.
type trial struct {
	event uint32
	left  setID // after it
}

// try asks about the events for which there is enough at a place.
func (g *grower) try(ctx context.Context, at place) error {
	facts, err := g.local(at.local)
	if err != nil {
		return err
	}
	g.tried = g.tried[:0]
	for _, x := range g.entries[at.left] {
		event := g.restart
		if x.isMessage() {
			event = g.message(x.id()).reception
		}
		g.tried = append(g.tried, trial{event, g.take(g.position, at.left, x.item)})
	}
	if facts.Acts {
		g.tried = append(g.tried, trial{g.internal, at.left})
	}
	if facts.Collects {
		several, limit, err := g.combinations(ctx, at.local, at.left)
		if g.limit = limit; limit != "" || err != nil {
			return err
		}
		for _, event := range several {
			if left, ok := g.takeAll(g.position, at.left, g.steps.Messages(event)); ok {
				g.tried = append(g.tried, trial{event, left})
			}
		}
	}
	g.asked = g.asked[:0]
	for _, tried := range g.tried {
		g.asked = append(g.asked, tried.event)
	}
	g.limit, err = g.ask(ctx, at.local, g.asked)
	return err
}

// settle makes available as at first what would do nothing in a local state, were it there once more. Where it would do something later it
// may come again, which allows more than can be, never less. Without it late answers make a graph large.
func (g *grower) settle(ctx context.Context, l model.LocalID, left setID) (setID, error) {
	if settled, ok := g.settled.Get(l, left); ok {
		return settled, nil
	}
	var consumed []entry
	g.asked = g.asked[:0]
	for _, x := range g.entries[g.most] {
		if x.isMessage() && g.copiesOf(left, x.item) < x.copies {
			consumed = append(consumed, x)
			g.asked = append(g.asked, g.message(x.id()).reception)
		}
	}
	var err error
	if g.limit, err = g.ask(ctx, l, g.asked); g.limit != "" || err != nil {
		return 0, err
	}
	kept := consumed[:0]
	for _, x := range consumed {
		if g.occasions[g.occasion(l, g.message(x.id()).reception)].isIdle {
			kept = append(kept, x)
		}
	}
	settled := g.tables.most(left, g.intern(kept))
	g.settled.Put(l, left, settled)
	return settled, nil
}
