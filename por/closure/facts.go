package closure

import (
	"cmp"
	"context"
	"slices"

	"harrier/model"
)

// Facts are what the closure of the initial state says, for people.
type Facts struct {
	Actors    []ActorFacts
	Pairs     []PairFacts
	Renewable []model.Message // that may be consumed again and again
}

// ActorFacts are those of an actor.
type ActorFacts struct {
	Name        string
	LocalStates int
	Messages    int    // that may ever be available to it
	Events      int    // distinct ones
	IsEndless   bool   // it may go on for ever
	Unknown     string // why its closure is not known; "" if it is
}

// PairFacts say whether events of one handler can be moved to the front of those of another one, in all local states of all actors in
// which both may happen.
type PairFacts struct {
	Early, Late    string // labels; Late is "" for what Early's events do whatever else there is
	Commute, Clash int    // cases
	Why            string // the first reason by the alphabet, where they clash
}

// Facts computes the closure of the initial state.
func (c *Closure) Facts(ctx context.Context) (Facts, error) {
	g := gathering{tables: newTables(c), numbers: map[[2]string]int{}}
	g.allowance = maxSpeculative
	f, err := g.beginning(ctx)
	if err != nil {
		return g.Facts, err
	}
	for _, n := range g.initial.nodes {
		if n == nil {
			continue
		}
		if err := g.actor(ctx, f, n); err != nil {
			return g.Facts, err
		}
	}
	slices.SortFunc(g.Facts.Pairs, func(a, b PairFacts) int { return cmp.Or(cmp.Compare(a.Early, b.Early), cmp.Compare(a.Late, b.Late)) })
	return g.Facts, nil
}

// A gathering collects facts.
type gathering struct {
	*tables
	Facts
	numbers map[[2]string]int // of pairs
}

func (g *gathering) actor(ctx context.Context, f *future, n *nodeFacts) error {
	facts := ActorFacts{Name: g.steps.Name(n.position), Unknown: g.limits[n.position]}
	if facts.Unknown == "" {
		facts.Unknown = f.limit
	}
	if facts.Unknown != "" || n.local == 0 {
		g.Actors = append(g.Actors, facts)
		return nil
	}
	available := g.sum(f.available[n.position], g.hazardsOf(f.faults, n.position).restarts)
	r, err := g.reach(ctx, reachKey{position: n.position, local: n.local, available: available})
	if err != nil {
		return err
	}
	facts.Unknown, facts.LocalStates = r.limit, len(g.byLocal(r))
	for _, x := range g.entries[f.available[n.position]] {
		if x.isMessage() {
			facts.Messages++
		}
	}
	events := map[uint32]bool{}
	g.eachInside(r, func(edge) { facts.IsEndless = true })
	for _, n := range r.places {
		for _, e := range g.edgesOf(n) {
			events[e.event] = true
		}
	}
	facts.Events = len(events)
	g.Actors = append(g.Actors, facts)
	g.renewables(f, n.position)
	return g.pairs(ctx, r)
}

// renewables adds the messages to an actor that come again and again.
func (g *gathering) renewables(f *future, position uint32) {
	for _, x := range g.entries[f.available[position]] {
		if x.isMessage() && x.copies == many && g.isRenewable(f, position, []model.MessageID{x.id()}) {
			g.Renewable = append(g.Renewable, g.steps.Event(g.message(x.id()).reception).Messages[0])
		}
	}
}

// byLocal are the events that may happen in each local state.
func (t *tables) byLocal(r *reached) map[model.LocalID][]uint32 {
	events := map[model.LocalID][]uint32{}
	for _, n := range r.places {
		l := t.places.list[n].local
		happening := events[l]
		for _, number := range t.happeningAt(n) {
			happening = append(happening, t.occasions[number].event)
		}
		events[l] = happening
	}
	for l := range events {
		slices.Sort(events[l])
		events[l] = slices.Compact(events[l])
	}
	return events
}

// pairs compares all events of an actor, in each local state of its closure, with each other.
func (g *gathering) pairs(ctx context.Context, r *reached) error {
	for l, events := range g.byLocal(r) {
		for _, e := range events {
			reason, err := g.isHarmless(ctx, l, e)
			if err != nil {
				return err
			}
			g.note(g.label(l, e), "", reason)
			for _, x := range events {
				if x == e {
					continue
				}
				if reason, err = g.obstacle(ctx, l, x, e); err != nil {
					return err
				}
				g.note(g.label(l, e), g.label(l, x), reason)
			}
		}
	}
	return nil
}

func (g *gathering) note(early, late, reason string) {
	key := [2]string{early, late}
	i, ok := g.numbers[key]
	if !ok {
		i = len(g.Pairs)
		g.numbers[key] = i
		g.Pairs = append(g.Pairs, PairFacts{Early: early, Late: late})
	}
	p := &g.Pairs[i]
	if reason == "" {
		p.Commute++
		return
	}
	if p.Clash++; p.Why == "" || reason < p.Why {
		p.Why = reason
	}
}

// label names the handler that runs, or says what happens.
func (g *gathering) label(l model.LocalID, event uint32) string {
	st, ok := g.steps.Step(l, event)
	if ok && len(st.Outcomes) > 0 && st.Outcomes[0].Handler != 0 {
		return g.steps.HandlerLabel(st.Outcomes[0].Handler)
	}
	return g.steps.Kind(event).String()
}
