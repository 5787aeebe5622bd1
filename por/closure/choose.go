package closure

import (
	"context"

	"harrier/model"
)

// A reducer chooses for one worker.
type reducer struct {
	*tables
	view
	full   future // of the current state
	isFull bool   // once it was asked for
	rest   future // what is left of that of the initial state
	isRest bool   // once it was asked for
	other  future // of the current state under some restraint
	ways   []*way
	worth  []*way
}

func newReducer(c *Closure) *reducer {
	r := &reducer{tables: newTables(c)}
	r.ways = r.allWays()
	return r
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
	if err := r.prepare(ctx); err != nil {
		return into, false, err
	}
	ways := r.waysToTry()
	if len(ways) == 0 {
		return into, false, nil
	}
	transitions, err := r.look(ctx, s)
	if err != nil {
		return into, false, err
	}
	for _, w := range ways {
		var best choice
		if err := w.find(ctx, &best); err != nil {
			return into, false, err
		}
		isFound := best.node != nil && best.size < transitions
		w.patience.found(isFound)
		if isFound {
			r.found++
			return best.transitions(into), true, nil
		}
	}
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

// look makes a state the current one, and says how many transitions are not refused for ever.
func (r *reducer) look(ctx context.Context, s model.State) (transitions int, err error) {
	r.isFull, r.isRest, r.faults, r.nodes = false, false, r.faultsOf(s[0]), r.nodes[:0]
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
