package closure

import (
	"context"
	"fmt"
	"slices"

	"harrier/model"
)

const (
	// maxPlaces bounds a local closure.
	maxPlaces = 2000
	// maxExplosions is how often the local closures of an actor may exceed that before they are made without counting.
	maxExplosions = 4
)

// A reachKey asks for a local closure: what an actor can do from a local state when something is available.
type reachKey struct {
	position  uint32
	local     model.LocalID // 0 if the actor does not exist yet
	available setID         // messages to it, how often it may restart and, if it does not exist yet, creations of it
	without   uint32        // an event that it does not take, 0 for none
}

// reached is a local closure: a graph of places.
type reached struct {
	number     uint32 // of local closures, in the order in which they were made
	asked      reachKey
	key        reachKey                  // as it was made, perhaps without counting
	kinds      map[model.MessageID]*kind // of the messages that are counted
	places     []place                   // the first are where it begins
	edges      []edge                    // by the places that they are from
	components []int32                   // by place
	sends      setID                     // what is sent and created in one run, at most
	limit      string                    // why it is not known; "" if it is
	isTooLarge bool                      // that is why
	commuting  verdict
}

// A place is a local state after some of what is available, and does not come again for ever, was consumed.
type place struct {
	local    model.LocalID
	consumed setID
}

// An edge is an outcome that leads from one place to another.
type edge struct {
	from, to int32
	event    uint32
	sends    setID
}

type verdict uint8

const (
	unasked verdict = iota
	yes
	no
)

// counting says how exactly a local closure keeps count of what was consumed.
type counting uint8

const (
	exact     counting = iota
	forgetful          // what was consumed is forgotten where it would do nothing
	none               // all that is available is there any number of times
)

// An explosion is an attempt at a local closure that became too large.
type explosion struct {
	position uint32
	counting counting
}

// reach gives a local closure. One that becomes too large is made with less counting.
func (t *tables) reach(ctx context.Context, k reachKey) (*reached, error) {
	if r, ok := t.reaches[k]; ok {
		return r, nil
	}
	uncounted := k
	uncounted.available = t.all(k.available)
	r := &reached{isTooLarge: true}
	var err error
	for c := exact; c < none && r.isTooLarge && k != uncounted; c++ {
		of := explosion{k.position, c}
		if t.explosions[of] >= maxExplosions {
			continue
		}
		if r, err = t.explore(ctx, k, c); err != nil {
			return nil, err
		}
		if r.isTooLarge {
			t.explosions[of]++
		}
	}
	switch {
	case k == uncounted:
		r, err = t.explore(ctx, k, none)
	case r.isTooLarge:
		if r, err = t.reach(ctx, uncounted); err == nil {
			shared := *r
			shared.asked = k
			r = &shared
		}
	}
	if err != nil {
		return nil, err
	}
	if r.limit != postponed {
		t.reaches[k] = r
	}
	return r, nil
}

// explore makes a local closure. Messages that turn out to be of different kinds have it begin again.
func (t *tables) explore(ctx context.Context, k reachKey, c counting) (*reached, error) {
	for {
		x := explorer{tables: t, counting: c, reached: &reached{key: k, kinds: t.kindsOf(k)}, numbers: map[place]int32{}}
		if err := x.explore(ctx); err != nil {
			return nil, err
		}
		if !x.begins {
			t.made++
			x.number, x.asked = t.made, k
			return x.reached, nil
		}
	}
}

// An explorer makes a local closure.
type explorer struct {
	*tables
	*reached
	counting
	numbers map[place]int32
	begins  bool // messages that were taken to be of one kind are not
}

func (x *explorer) explore(ctx context.Context) error {
	if x.key.local != 0 {
		x.meet(place{local: x.key.local})
	} else {
		for _, e := range x.entries[x.key.available] {
			if !e.isMessage() && e.item != restartItem {
				x.meet(place{local: e.id()})
			}
		}
	}
	starts := len(x.places)
	for i := 0; i < len(x.places); i++ {
		if len(x.places) > maxPlaces {
			x.limit = fmt.Sprintf("%s has more than %d local states", x.steps.Name(x.key.position), maxPlaces)
			x.isTooLarge = true
			return nil
		}
		if err := x.expand(ctx, int32(i)); err != nil || x.limit != "" || x.begins {
			return err
		}
	}
	x.components = components(len(x.places), x.edges)
	x.sends = x.sent(starts)
	return nil
}

func (x *explorer) meet(p place) int32 {
	n, ok := x.numbers[p]
	if !ok {
		n = int32(len(x.places))
		x.numbers[p] = n
		x.places = append(x.places, p)
	}
	return n
}

// expand adds the edges from a place.
func (x *explorer) expand(ctx context.Context, from int32) error {
	at := x.places[from]
	p, err := x.possible(ctx, at.local, x.key.available)
	if err != nil {
		return err
	}
	x.limit = p.limit
	if x.begins = x.limit == "" && x.distinguishes(at.local); x.begins {
		return nil
	}
	for _, event := range p.events {
		if event == x.key.without {
			continue
		}
		consumed, ok := x.consume(x.reached, at.consumed, event)
		if !ok {
			continue
		}
		st, _ := x.steps.Step(at.local, event)
		for i := range st.Outcomes {
			o := &st.Outcomes[i]
			if o.Fails || o.Local == at.local && len(o.Effects) == 0 {
				continue // what changes nothing need not be counted as consumed
			}
			to := int32(-1)
			if o.Local != 0 {
				left, err := x.forget(ctx, o.Local, consumed)
				if err != nil || x.limit != "" {
					return err
				}
				to = x.meet(place{o.Local, left})
			}
			x.edges = append(x.edges, edge{from, to, event, x.of(appendEffects(nil, o.Effects), copies.plus)})
		}
	}
	return nil
}

// sent is the most that is sent on a way from one of the first places: any number of what is sent within a component, and
// else the most that any way has.
func (x *explorer) sent(starts int) setID {
	byComponent := slices.Clone(x.edges)
	slices.SortStableFunc(byComponent, func(a, b edge) int { return int(x.components[a.from] - x.components[b.from]) })
	var within, after []setID // by component; those that edges lead to come first
	for range x.places {
		within, after = append(within, 0), append(after, 0)
	}
	for i := 0; i < len(byComponent); {
		c := x.components[byComponent[i].from]
		for ; i < len(byComponent) && x.components[byComponent[i].from] == c; i++ {
			e := &byComponent[i]
			switch {
			case e.to < 0:
				after[c] = x.most(after[c], e.sends)
			case x.components[e.to] == c:
				within[c] = x.most(within[c], x.all(e.sends))
			default:
				after[c] = x.most(after[c], x.tables.sum(e.sends, after[x.components[e.to]]))
			}
		}
		after[c] = x.most(after[c], within[c])
	}
	var all setID
	for i := range starts {
		all = x.most(all, after[x.components[i]])
	}
	return all
}

// components numbers the strongly connected components of a graph of so many places, such that edges lead to lower numbers
// (Tarjan: Depth-First Search and Linear Graph Algorithms, 1972). Edges are sorted by the places that they are from.
func components(places int, edges []edge) []int32 {
	first := make([]int32, places+1)
	for _, e := range edges {
		first[e.from+1]++
	}
	for i := range places {
		first[i+1] += first[i]
	}
	component, index, low := make([]int32, places), make([]int32, places), make([]int32, places)
	for i := range component {
		component[i] = -1
	}
	var stack []int32
	var count, number int32
	var visit func(n int32)
	visit = func(n int32) {
		count++
		index[n], low[n] = count, count
		stack = append(stack, n)
		for _, e := range edges[first[n]:first[n+1]] {
			switch {
			case e.to < 0:
			case index[e.to] == 0:
				visit(e.to)
				low[n] = min(low[n], low[e.to])
			case component[e.to] < 0:
				low[n] = min(low[n], index[e.to])
			}
		}
		if low[n] != index[n] {
			return
		}
		for last := int32(-1); last != n; {
			last = stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			component[last] = number
		}
		number++
	}
	for n := range int32(places) {
		if index[n] == 0 {
			visit(n)
		}
	}
	return component
}
