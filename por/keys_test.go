package por_test

import "slices"

// A key is the outcomes of an event one of which can be taken before a run that has no event that is followed; it is not known
// which one, if there are several.
type key []edge

// cycle says from which reduced states keys lead to such states for ever.
func (g *graph) cycle(reduced map[int][]key) string {
	stays := func(e edge) bool { return e.fails == "" && reduced[e.to] != nil }
	leaves := func(k key) bool { return !slices.ContainsFunc(k, stays) }
	for isLess := true; isLess; {
		isLess = false
		for n, keys := range reduced {
			if slices.ContainsFunc(keys, leaves) {
				delete(reduced, n)
				isLess = true
			}
		}
	}
	for n, keys := range reduced {
		return g.tell(n, slices.Concat(keys...), "keys lead to reduced states for ever")
	}
	return ""
}

// commuting are the outcomes in a state of followed events, no faults, that commute for themselves: wherever runs without these events
// lead there is one outcome for each of them such that a step from there to elsewhere takes the state after the outcome there to the
// state after the outcome elsewhere. So that outcome can be taken before any such run. As before, a step may absorb it.
func (g *graph) commuting(n int, chosen map[happening]bool) ([]edge, error) {
	left := map[int][]edge{}
	if _, err := g.eachWithout(n, chosen, func(at int, x edge) (string, bool, error) {
		if x != (edge{}) {
			return "", true, nil
		}
		var err error
		left[at], err = g.unseen(at, chosen)
		return "", true, err
	}); err != nil {
		return nil, err
	}
	for isLess := true; isLess; {
		isLess = false
		for at, outcomes := range left {
			some := slices.DeleteFunc(slices.Clone(outcomes), func(t edge) bool {
				return slices.ContainsFunc(g.edges(at), func(x edge) bool { return !chosen[x.event] && !g.swaps(t, x, left[x.to]) })
			})
			if len(some) < len(outcomes) {
				left[at], isLess = some, true
			}
		}
	}
	return left[n], nil
}

// unseen are the outcomes of events in a state, no faults, that do not fail and change what no invariant says. What is enabled after them
// is known then.
func (g *graph) unseen(at int, chosen map[happening]bool) ([]edge, error) {
	here, err := g.judged(at)
	if err != nil {
		return nil, err
	}
	var found []edge
	for _, t := range g.edges(at) {
		if !chosen[t.event] || t.isFault || t.fails != "" {
			continue
		}
		there, err := g.judged(t.to)
		if err != nil {
			return nil, err
		}
		if _, err := g.from(t.to); err != nil {
			return nil, err
		}
		if there == here {
			found = append(found, t)
		}
	}
	return found, nil
}

// swaps says whether a step leads after an outcome to where one of some outcomes of the same event leads after the step, or fails in the
// same way, or absorbs it.
func (g *graph) swaps(t, x edge, after []edge) bool {
	return slices.ContainsFunc(g.edges(t.to), func(e edge) bool {
		if e.event != x.event || e.fails != x.fails {
			return false
		}
		return x.fails != "" || e.to == x.to || slices.ContainsFunc(after, func(l edge) bool { return l.event == t.event && l.to == e.to })
	})
}
