package por_test

import "slices"

// A pairing is a state after a run without some events, and the state after the same run with one of these events in front.
type pairing struct{ without, with int }

// simulates reports whether one state can do whatever another one can without some events, such that invariants say the same, the same steps
// fail, and terminal states are equal: whether both are in the greatest relation of that kind.
func (g *graph) simulates(without, with int, chosen map[eventKey]bool) (bool, error) {
	first := pairing{without, with}
	needs := map[pairing][][]pairing{first: nil} // for each step of one, the pairings of which one must hold
	queue := []pairing{first}
	wrong := map[pairing]bool{}
	for len(queue) > 0 {
		p := queue[0]
		queue = queue[1:]
		if p.without == p.with {
			continue
		}
		steps, right, err := g.follow(p, chosen)
		if err != nil {
			return false, err
		}
		needs[p], wrong[p] = steps, !right
		for _, next := range slices.Concat(steps...) {
			if _, met := needs[next]; !met {
				needs[next], queue = nil, append(queue, next)
			}
		}
	}
	for more := true; more; {
		more = false
		for p, steps := range needs {
			isLost := func(choices []pairing) bool {
				return !slices.ContainsFunc(choices, func(q pairing) bool { return !wrong[q] })
			}
			if !wrong[p] && slices.ContainsFunc(steps, isLost) {
				wrong[p], more = true, true
			}
		}
	}
	return !wrong[first], nil
}

// follow lists, for each step of the run, the pairings that it may lead to; and reports whether nothing else is wrong with a pairing.
func (g *graph) follow(p pairing, chosen map[eventKey]bool) (steps [][]pairing, right bool, err error) {
	here, err := g.judged(p.without)
	if err != nil {
		return nil, false, err
	}
	there, err := g.judged(p.with)
	if err != nil || here != there {
		return nil, false, err
	}
	edges, err := g.from(p.without)
	if err != nil {
		return nil, false, err
	}
	others, err := g.from(p.with)
	if err != nil || !slices.ContainsFunc(edges, func(e edge) bool { return !e.fault }) {
		return nil, false, err // terminal, and not the same
	}
	for _, x := range edges {
		if chosen[x.event] {
			continue
		}
		var choices []pairing
		fails := false
		for _, y := range others {
			switch {
			case y.event != x.event || y.fails != x.fails:
			case x.fails != "":
				fails = true
			default:
				choices = append(choices, pairing{x.to, y.to})
			}
		}
		if x.fails != "" && !fails {
			return nil, false, nil
		}
		if x.fails == "" {
			steps = append(steps, choices)
		}
	}
	return steps, true, nil
}
