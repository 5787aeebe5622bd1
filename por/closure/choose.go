package closure

import (
	"context"

	"harrier/model"
)

// A reducer chooses for one worker.
type reducer struct {
	*tables
	view
	start  *future // of the initial state, with all faults; its limit is set if nothing is known
	full   future  // of the current state
	isFull bool    // once it was asked for
	other  future  // of the current state under some restraint
}

// A choice is a set of transitions to follow.
type choice struct {
	node   *nodeFacts
	events []*eventFacts
	size   int
}

func (c *choice) offer(n *nodeFacts, events ...*eventFacts) {
	size := 0
	for _, e := range events {
		size += len(e.parts)
	}
	if c.node == nil || size < c.size {
		*c = choice{n, events, size}
	}
}

// reduce is what a worker calls for a state.
func (r *reducer) reduce(ctx context.Context, s model.State, into []model.Transition) ([]model.Transition, bool, error) {
	isWorth, err := r.prepare(ctx)
	if err != nil {
		return into, false, err
	}
	if !isWorth && r.start.limit != "" {
		return into, false, nil
	}
	transitions, err := r.look(ctx, s)
	if err != nil {
		return into, false, err
	}
	for i, find := range []func(context.Context, *choice) error{r.findStart, r.findInState, r.findWithout, r.findWhole} {
		if i > 0 && !isWorth {
			break
		}
		var best choice
		if err := find(ctx, &best); err != nil {
			return into, false, err
		}
		if best.node != nil && best.size < transitions {
			r.succeed()
			return best.transitions(into), true, nil
		}
	}
	r.fail()
	return into, false, nil
}

// transitions appends those that are chosen, in the order of the node.
func (c *choice) transitions(into []model.Transition) []model.Transition {
	for _, e := range c.events {
		for _, o := range e.parts {
			into = append(into, model.Transition{Slot: c.node.slot, Step: o.step})
		}
	}
	return into
}

// prepare says whether it is worth the effort to compute closures of one more state, and computes that of the initial one.
func (r *reducer) prepare(ctx context.Context) (isWorth bool, err error) {
	r.allowance = min(maxSpeculative, leastSpeculative+r.seen/statesPerStep)
	if r.start == nil || r.start.limit == postponed && r.allowance >= 2*r.startAllowance {
		r.startAllowance = r.allowance
		if r.start, err = r.beginning(ctx); err != nil {
			return false, err
		}
	}
	return r.isWorth(), nil
}

// look makes a state the current one, and says how many transitions are not refused for ever.
func (r *reducer) look(ctx context.Context, s model.State) (transitions int, err error) {
	r.isFull, r.faults, r.nodes = false, r.faultsOf(s[0]), r.nodes[:0]
	for slot, id := range s[1:] {
		if id == 0 {
			continue
		}
		n, err := r.node(s, uint32(slot))
		if err != nil {
			return 0, err
		}
		r.put(n)
		o, err := r.offer(ctx, n, r.faults)
		if err != nil {
			return 0, err
		}
		transitions += o.transitions
	}
	return transitions, nil
}

func (v *view) put(n *nodeFacts) {
	for int(n.position) >= len(v.nodes) {
		v.nodes = append(v.nodes, nil)
	}
	v.nodes[n.position] = n
}

// beginning is the future of the initial state, with all faults that there are. That of every state is part of it.
func (t *tables) beginning(ctx context.Context) (*future, error) {
	var left []int
	for _, fault := range t.program.Faults {
		left = append(left, fault.Budget)
	}
	v := &view{faults: t.faultsWith(left)}
	s := t.searched.Initial()
	for slot, id := range s[1:] {
		if id == 0 {
			continue
		}
		n, err := t.newNode(s, uint32(slot), 0)
		if err != nil {
			return nil, err
		}
		v.put(n)
	}
	f := &future{}
	_, err := t.future(ctx, f, v, restraint{}, nil)
	return f, err
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
	if r.start.limit != "" {
		return nil
	}
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
	if e.kind != model.Deliver {
		local, err := r.reach(ctx, r.without(n, e, f.available[n.position], r.hazardsOf(f.faults, n.position)))
		if err != nil || local.limit != "" {
			return false, err
		}
		if ok, err := r.commutes(ctx, local); !ok || err != nil {
			return false, err
		}
	}
	return r.isOnNoCycle(n, e, f), nil
}

// findInState looks for one that may be followed alone by the closure of the current state.
func (r *reducer) findInState(ctx context.Context, best *choice) error {
	return r.eachSingle(func(n *nodeFacts, e *single) error {
		f, err := r.present(ctx)
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

// findWithout looks for one by the closures of the current state without it.
func (r *reducer) findWithout(ctx context.Context, best *choice) error {
	return r.eachSingle(func(n *nodeFacts, e *single) error {
		f, err := r.present(ctx)
		if err != nil || f.limit != "" || e.kind == model.Deliver {
			return err
		}
		if !r.isOnNoCycle(n, e.eventFacts, f) {
			return nil
		}
		ok, err := r.future(ctx, &r.other, &r.view, restraint{n.position, e.event}, func(f *future) (bool, error) {
			return r.commutes(ctx, f.reached[n.position])
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
		if !r.isOnNoCycle(n, e, f) {
			return false, nil
		}
	}
	return r.future(ctx, &r.other, &r.view, restraint{position: n.position}, func(f *future) (bool, error) {
		return r.refusesAll(ctx, n, w, f.available[n.position])
	})
}
