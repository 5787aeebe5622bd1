package closure

import (
	"context"

	"harrier/model"
)

// A way is one to find a choice.
type way struct {
	find      func(context.Context, *choice) error
	needsBase bool // the closure of the initial state has to be known
	patience
}

// ways are from the cheapest to the dearest.
func (r *reducer) allWays() []*way {
	return []*way{
		{find: r.findStart, needsBase: true}, {find: r.findBy(r.remaining), needsBase: true},
		{find: r.findBy(r.present)}, {find: r.findWithout}, {find: r.findWhole},
	}
}

// waysToTry are those that are worth the effort in one more state.
func (r *reducer) waysToTry() []*way {
	r.worth = r.worth[:0]
	if r.start.limit == postponed || !r.isWorth() {
		return r.worth // where it is postponed, others would ask for as many steps
	}
	for _, w := range r.ways {
		if (!w.needsBase || r.bases != nil) && w.tries() {
			r.worth = append(r.worth, w)
		}
	}
	return r.worth
}

// present is the future of the current state.
func (r *reducer) present(ctx context.Context) (*future, error) {
	if r.isFull {
		return &r.full, nil
	}
	_, err := r.future(ctx, &r.full, &r.view, restraint{}, nil)
	r.isFull = err == nil
	return &r.full, err
}

// findStart looks for an event that may be followed alone in every state in which it is enabled.
func (r *reducer) findStart(ctx context.Context, best *choice) error {
	return r.eachSingle(func(n *nodeFacts, e *single) error {
		if e.always == unasked {
			ok, err := r.qualifies(ctx, n, e.eventFacts, r.start)
			if err != nil {
				return err
			}
			e.always = no
			if ok {
				e.always = yes
			}
		}
		if e.always == yes {
			best.offer(n, e.eventFacts)
		}
		return nil
	}, best)
}

// eachSingle calls do with all single events of the current state, until there is one that cannot be bettered.
func (r *reducer) eachSingle(do func(n *nodeFacts, e *single) error, best *choice) error {
	for _, n := range r.nodes {
		if n == nil {
			continue
		}
		for _, e := range n.offers[r.faults.number].singles {
			if best.node != nil && best.size <= len(e.parts) {
				continue
			}
			if err := do(n, e); err != nil {
				return err
			}
		}
	}
	return nil
}

// qualifies says whether an event may be followed alone where the future is part of f.
func (r *reducer) qualifies(ctx context.Context, n *nodeFacts, e *eventFacts, f *future) (bool, error) {
	if e.kind == model.Deliver {
		return r.isOnNoCycle(n, e, f, nil), nil
	}
	available := r.sum(f.available[n.position], r.hazardsOf(f.faults, n.position).restarts)
	local, err := r.reach(ctx, reachKey{n.position, n.local, available})
	if err != nil || local.limit != "" || !r.isOnNoCycle(n, e, f, local) {
		return false, err
	}
	return r.commutes(ctx, local, e.event)
}

// findBy makes a way that looks for one that may be followed alone by a future of the current state.
func (r *reducer) findBy(future func(context.Context) (*future, error)) func(context.Context, *choice) error {
	return func(ctx context.Context, best *choice) error {
		return r.eachSingle(func(n *nodeFacts, e *single) error {
			f, err := future(ctx)
			if err != nil || f.limit != "" {
				return err
			}
			ok, err := r.qualifies(ctx, n, e.eventFacts, f)
			if ok {
				best.offer(n, e.eventFacts)
			}
			return err
		}, best)
	}
}

// findWithout looks for one by the closures of the current state without it.
func (r *reducer) findWithout(ctx context.Context, best *choice) error {
	return r.eachSingle(func(n *nodeFacts, e *single) error {
		f, err := r.present(ctx)
		if err != nil || f.limit != "" || e.kind == model.Deliver {
			return err
		}
		if !r.isOnNoCycle(n, e.eventFacts, f, f.reached[n.position]) {
			return nil
		}
		ok, err := r.future(ctx, &r.other, &r.view, restraint{n.position, e.event}, func(f *future) (bool, error) {
			return r.commutes(ctx, f.reached[n.position], e.event)
		})
		if ok {
			best.offer(n, e.eventFacts)
		}
		return err
	}, best)
}

// findWhole looks for an actor all events of which may be followed alone.
func (r *reducer) findWhole(ctx context.Context, best *choice) error {
	for _, n := range r.nodes {
		if n == nil || n.offers[r.faults.number].whole == nil {
			continue
		}
		o := n.offers[r.faults.number]
		if best.node != nil && best.size <= o.transitions {
			continue
		}
		f, err := r.present(ctx)
		if err != nil || f.limit != "" {
			return err
		}
		ok, err := r.isAlone(ctx, n, o.whole, f)
		if err != nil {
			return err
		}
		if ok {
			best.offer(n, o.whole.events...)
		}
	}
	return nil
}

// isAlone says whether nothing that the others do enables something of an actor, and none of its events is on a cycle.
func (r *reducer) isAlone(ctx context.Context, n *nodeFacts, w *whole, f *future) (bool, error) {
	for _, e := range w.events {
		if !r.isOnNoCycle(n, e, f, f.reached[n.position]) {
			return false, nil
		}
	}
	return r.future(ctx, &r.other, &r.view, restraint{position: n.position}, func(f *future) (bool, error) {
		return r.refusesAll(ctx, n, w, f.available[n.position])
	})
}
