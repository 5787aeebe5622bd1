package closure

import "context"

// remaining is what is left of the future of the initial state in the current one.
func (r *reducer) remaining(ctx context.Context) (*future, error) {
	if r.isRest {
		return &r.rest, nil
	}
	err := r.findRest(ctx, &r.rest)
	r.isRest = err == nil
	return &r.rest, err
}

// findRest finds that for the actors that have an event that may be followed alone: what is there, and the most that each actor may send
// from its local state on, as that is on its graph. So what can happen is over-approximated without new local closures.
func (r *reducer) findRest(ctx context.Context, f *future) error {
	r.begin(f, &r.view, restraint{})
	f.of, f.limit = r.start, r.start.limit
	for position, of := range r.start.reached {
		if of == nil {
			continue
		}
		sends, limit, err := r.sentBy(ctx, position)
		if f.limit = limit; limit != "" || err != nil {
			return err
		}
		for _, d := range r.split(sends) {
			if r.hasSingles(d.position) {
				f.start[d.position] = r.sum(f.start[d.position], d.items)
			}
		}
	}
	for position, items := range f.start {
		f.available[position] = r.lift(f, items)
	}
	return nil
}

func (r *reducer) hasSingles(position uint32) bool {
	n := r.at(int(position))
	return n != nil && len(n.offers[r.faults.number].singles) > 0
}

// sentBy is the most that an actor sends from the local state of a node on.
func (r *reducer) sentBy(ctx context.Context, position int) (sends setID, limit string, err error) {
	k := reachKey{position: uint32(position), available: r.start.given[position]}
	if n := r.at(position); n != nil {
		if n.stopped {
			return 0, "", nil
		}
		k.local = n.local
	}
	local, err := r.reach(ctx, k)
	if err != nil {
		return 0, "", err
	}
	if local.limit != "" {
		return 0, local.limit, nil
	}
	return r.listed(local).sends, "", nil
}
