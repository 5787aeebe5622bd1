package closure

import (
	"context"
)

// prepare computes the closure of the initial state, if more may be asked for that by now.
func (r *reducer) prepare(ctx context.Context) (err error) {
	r.seen++
	r.allow()
	if r.start == nil || r.start.limit == postponed && 4*r.allowance >= 5*r.startAllowance {
		r.startAllowance = r.allowance
		if r.start, err = r.beginning(ctx); err != nil {
			return err
		}
		r.keepBases()
	}
	return nil
}

// beginning is the future of the initial state, with all faults that there are. That of every state is part of it.
func (t *tables) beginning(ctx context.Context) (*future, error) {
	var left []int
	for _, fault := range t.program.Faults {
		left = append(left, fault.Budget)
	}
	t.initial = &view{faults: t.faultsWith(left)}
	s := t.searched.Initial()
	for slot, id := range s[1:] {
		if id == 0 {
			continue
		}
		n, err := t.newNode(s, uint32(slot), 0)
		if err != nil {
			return nil, err
		}
		t.initial.put(n)
	}
	f := &future{}
	_, err := t.future(ctx, f, t.initial, restraint{}, nil)
	return f, err
}

// keepBases keeps the graphs of the initial state.
func (r *reducer) keepBases() {
	if r.start.limit != "" {
		return
	}
	clear(r.reaches)
	r.bases = map[uint32]*graph{}
	for position, of := range r.start.reached {
		if of != nil {
			r.bases[uint32(position)] = of.graph
		}
	}
}

// base is the graph of the initial state for an actor, whom its future need not follow. It is nil if that is not known.
func (t *tables) base(ctx context.Context, position uint32) (*graph, error) {
	if t.bases == nil || int(position) >= len(t.start.available) {
		return nil, nil
	}
	if g, isKnown := t.bases[position]; isKnown {
		return g, nil
	}
	k := reachKey{position: position, available: t.sum(t.start.available[position], t.hazardsOf(t.start.faults, position).restarts)}
	if n := t.initial.at(int(position)); n != nil {
		k.local = n.local
	}
	g, err := t.ownGraph(ctx, k)
	if err != nil {
		return nil, err
	}
	if g.limit == postponed {
		return nil, nil
	}
	if g.limit != "" {
		g = nil
	}
	t.bases[position] = g
	return g, nil
}
