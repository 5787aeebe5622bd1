package closure

import (
	"cmp"
	"context"
	"slices"

	"harrier/model"
)

const (
	// maxPlaces bounds a graph.
	maxPlaces = 2000
	// walkedPerExplored is how many places can be walked to in the time that one takes to explore.
	walkedPerExplored = 8
	// maxExplosions is how often graphs of an actor may exceed that before they are made without counting.
	maxExplosions = 4
)

// A reachKey asks for a local closure: what an actor can do from a local state when something is available.
type reachKey struct {
	position  uint32
	local     model.LocalID // 0 if the actor does not exist yet
	available setID         // messages to it, how often it may restart and, if it does not exist yet, creations of it
}

// reached is a local closure: a part of a graph.
type reached struct {
	number    uint32 // of local closures, in the order in which they were made
	available setID
	graph     *graph
	starts    []uint32 // places
	limit     string   // why it is not known; "" if it is

	isListed   bool             // what follows is known
	places     []uint32         // that can be reached
	components []int32          // of these: strongly connected ones; edges lead to lower numbers
	sends      setID            // what is sent and created in one run, at most
	without    map[uint32]setID // by event: what is sent without it, where that was asked for
}

type verdict uint8

const (
	unasked verdict = iota
	yes
	no
)

// reach gives a local closure. It is a part of that of the initial state if that is known, since no run leaves it. Counts of what is
// available are then those of that.
func (t *tables) reach(ctx context.Context, k reachKey) (*reached, error) {
	if r, ok := t.reaches[k]; ok {
		return r, nil
	}
	g, err := t.graphFor(ctx, k)
	if err != nil {
		return nil, err
	}
	r := t.within(g, k)
	if r.limit != postponed {
		t.reaches[k] = r
	}
	return r, nil
}

// graphFor gives a graph that has a local closure. One that becomes too large is made without counting.
func (t *tables) graphFor(ctx context.Context, k reachKey) (*graph, error) {
	if g, err := t.base(ctx, k.position); g != nil || err != nil {
		return g, err
	}
	return t.ownGraph(ctx, k)
}

func (t *tables) ownGraph(ctx context.Context, k reachKey) (*graph, error) {
	uncounted := k
	uncounted.available = t.all(k.available)
	if k != uncounted && t.explosions[k.position] < maxExplosions {
		g, err := t.grow(ctx, k)
		if err != nil || !g.isTooLarge {
			return g, err
		}
		t.explosions[k.position]++
	}
	if g := t.uncounted[uncounted]; g != nil {
		return g, nil
	}
	g, err := t.grow(ctx, uncounted)
	if err == nil && g.limit != postponed {
		t.uncounted[uncounted] = g
	}
	return g, err
}

// within finds a local closure in a graph that has it.
func (t *tables) within(g *graph, k reachKey) *reached {
	t.made++
	r := &reached{number: t.made, available: k.available, graph: g, limit: g.limit}
	if r.limit != "" {
		return r
	}
	locals := t.localsOf(k)
	for _, l := range locals {
		r.starts = append(r.starts, g.placesOf[l]...)
	}
	if len(r.starts) < len(locals) {
		r.limit = t.steps.Name(k.position) + " is not where the initial state can lead"
	}
	return r
}

// listed lists what is in a local closure.
func (t *tables) listed(r *reached) *reached {
	if r.isListed {
		return r
	}
	w := t.from(r.starts, t.allowed(r.available))
	t.explored += uint64(len(w.met)) / walkedPerExplored
	edges := w.rows(t.allowed(r.available))
	r.places, r.components, r.isListed = w.met, components(edges), true
	r.sends = t.mostSent(edges, r.components, len(r.starts))
	return r
}

// mostSent is the most that is sent on a way from one of the first places.
func (t *tables) mostSent(edges *rows[edge], components []int32, starts int) setID {
	sent := t.sent(edges, components)
	var sends setID
	for _, c := range components[:starts] {
		sends = t.most(sends, sent[c])
	}
	return sends
}

// sent is, by component, the most that is sent on a way from there: any number of what is sent within it, and else the most that any
// way has.
func (t *tables) sent(edges *rows[edge], components []int32) []setID {
	order := make([]int32, len(components)) // those that edges lead to come first
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int { return cmp.Compare(components[a], components[b]) })
	var sent []setID
	for i := 0; i < len(order); {
		c := components[order[i]]
		var within, after setID
		for ; i < len(order) && components[order[i]] == c; i++ {
			for _, e := range edges.at(order[i]) {
				switch {
				case e.to < 0:
					after = t.most(after, e.sends)
				case components[e.to] == c:
					within = t.most(within, t.all(e.sends))
				default:
					after = t.most(after, t.sum(e.sends, sent[components[e.to]]))
				}
			}
		}
		sent = append(sent, t.most(after, within))
	}
	return sent
}
