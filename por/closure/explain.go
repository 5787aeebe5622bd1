package closure

import (
	"cmp"
	"context"
	"slices"

	"harrier/model"
)

// Explanation is what is known of a program from its initial state on.
type Explanation struct {
	Actors    []ActorFuture   // by name
	Renewable []model.Message // those that may come again and again
}

// ActorFuture is what an actor may come to do.
type ActorFuture struct {
	Actor                 string
	Silent                bool   // it sends nothing, so it is not followed
	Unknown               string // why the rest is not known; "" if it is
	LocalStates, Messages int    // that it may be in, and be sent
	Pairs                 []Pair // by handlers
}

// A Pair is how often events of one handler can be moved in front of those of another, in the local states in which both may
// happen.
type Pair struct {
	Moved, Over  string // labels of handlers
	Commutes, Of int
	Reason       string      // why not, where it cannot
	Local        model.Actor // such a local state
}

// maxPairs is how many pairs of events are looked at for each actor.
const maxPairs = 20_000

// Explain tells what reductions rest on.
func (c *Closure) Explain(ctx context.Context) (Explanation, error) {
	t := newTables(c)
	t.allowance = maxSpeculative
	f, err := t.beginning(ctx)
	if err != nil {
		return Explanation{}, err
	}
	var out Explanation
	for position := 1; position < len(f.available); position++ {
		of, err := t.explainActor(ctx, f, position)
		if err != nil {
			return out, err
		}
		out.Actors = append(out.Actors, of)
	}
	slices.SortFunc(out.Actors, func(a, b ActorFuture) int { return cmp.Compare(a.Actor, b.Actor) })
	if f.limit != "" {
		return out, nil
	}
	t.findRenewable(f)
	for _, items := range f.renewable {
		for _, x := range t.entries[items] {
			if x.isMessage() {
				out.Renewable = append(out.Renewable, t.steps.Event(t.message(x.id()).reception).Messages[0])
			}
		}
	}
	return out, nil
}

func (t *tables) explainActor(ctx context.Context, f *future, position int) (ActorFuture, error) {
	of := ActorFuture{Actor: t.steps.Name(uint32(position)), Unknown: t.limits[uint32(position)]}
	for _, x := range t.entries[f.available[position]] {
		if x.isMessage() {
			of.Messages++
		}
	}
	r := f.reached[position]
	if r == nil || of.Unknown != "" {
		of.Silent = r == nil && of.Unknown == "" && of.Messages > 0 && f.limit == ""
		return of, nil
	}
	pairs := map[[2]string]*Pair{}
	met := map[model.LocalID]bool{}
	looked := 0
	for _, at := range r.places {
		if met[at.local] {
			continue
		}
		met[at.local] = true
		if looked < maxPairs {
			n, err := t.explainPairs(ctx, at.local, r.key.available, pairs)
			if err != nil {
				return of, err
			}
			looked += n
		}
	}
	of.LocalStates = len(met)
	for _, p := range pairs {
		of.Pairs = append(of.Pairs, *p)
	}
	slices.SortFunc(of.Pairs, func(a, b Pair) int { return cmp.Or(cmp.Compare(a.Moved, b.Moved), cmp.Compare(a.Over, b.Over)) })
	return of, nil
}

// explainPairs adds the pairs of events in a local state, and says how many there are.
func (t *tables) explainPairs(ctx context.Context, l model.LocalID, available setID, pairs map[[2]string]*Pair) (looked int, err error) {
	p, err := t.possible(ctx, l, available)
	if err != nil {
		return 0, err
	}
	for _, e := range p.events {
		for _, x := range p.events {
			if x == e {
				continue
			}
			looked++
			names := [2]string{t.label(l, e), t.label(l, x)}
			pair := pairs[names]
			if pair == nil {
				pair = &Pair{Moved: names[0], Over: names[1]}
				pairs[names] = pair
			}
			reason, err := t.isHarmless(ctx, l, e)
			if err == nil && reason == "" {
				reason, err = t.obstacle(ctx, l, x, e)
			}
			if err != nil {
				return looked, err
			}
			pair.Of++
			if reason == "" {
				pair.Commutes++
			} else if pair.Reason == "" {
				pair.Reason, pair.Local = reason, t.steps.Describe(l)
			}
		}
	}
	return looked, nil
}

// label names the handler that an event runs in a local state.
func (t *tables) label(l model.LocalID, event uint32) string {
	st, _ := t.steps.Step(l, event)
	return t.steps.HandlerLabel(st.Outcomes[0].Handler)
}
