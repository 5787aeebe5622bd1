package por_test

import (
	"fmt"
	"slices"

	"harrier/internal/model"
	"harrier/internal/model/space"
)

// A graph is what there is to know of a program, for the definition that a reduction rests on: for each state that was
// reduced, to a set T of events,
//
//   - T has all outcomes of its events (what an actor does by itself is an event for each handler);
//   - wherever runs without events of T lead, each step of another event there leads, by any outcome of an event of T after it, to where it
//     leads after an outcome of that event: so the first event of T in a run can be moved to its beginning;
//   - T has a key: a transition that is no fault and does not fail, such that its target has steps for all steps of these runs, with the same
//     observations and the same terminal states (simulation_test.go). So where a run has no event of T, a key can be put in front of it;
//   - and it is not put there for ever: from each reduced state keys lead to one that is not reduced.
type graph struct {
	actors *space.Actors
	oracle model.Oracle
	states map[string]int
	nodes  []graphNode
}

type graphNode struct {
	state  model.State
	edges  []edge
	open   bool   // edges are known
	judged string // verdicts of the invariants, to compare
}

// An edge is a transition that is enabled.
type edge struct {
	model.Transition
	event eventKey
	fault bool
	fails string // how
	to    int    // if it does not fail
}

// An eventKey identifies an event of an actor.
type eventKey struct{ slot, event, handler uint32 }

const graphStates = 400

// problem says which of the choices of a search does not satisfy the definition. Some are not compared as that would take long.
func (g *graph) problem(choices []choice) (problem string, compared int) {
	reduced := map[int][]edge{}
	for _, c := range choices {
		n := g.number(c.state)
		keys, why, err := g.keys(n, c.follow)
		switch {
		case err != nil:
			continue
		case why != "":
			return why, compared
		}
		reduced[n] = keys
		compared++
	}
	return g.cycle(reduced), compared
}

// keys returns the key transitions among those chosen in a state, or why the chosen ones cannot stand for the rest.
func (g *graph) keys(n int, chosen []model.Transition) (keys []edge, why string, err error) {
	edges, err := g.from(n)
	if err != nil {
		return nil, "", err
	}
	var follow []edge
	for _, e := range edges {
		if slices.Contains(chosen, e.Transition) {
			follow = append(follow, e)
		}
	}
	if len(follow) != len(chosen) {
		return nil, g.tell(n, follow, "some of what is chosen is not enabled"), nil
	}
	if keys, why, err = g.persistence(n, edges, follow); why != "" {
		why = g.tell(n, follow, why)
	}
	return keys, why, err
}

// persistence says why some transitions of a state cannot stand for the others, or which of them are keys.
func (g *graph) persistence(n int, edges, follow []edge) (keys []edge, why string, err error) {
	chosen := map[eventKey]bool{}
	for _, e := range follow {
		chosen[e.event] = true
	}
	for _, e := range edges {
		if chosen[e.event] && !slices.Contains(follow, e) {
			return nil, "an outcome is left out", nil
		}
	}
	if why, err = g.commuteAll(n, chosen); why != "" || err != nil {
		return nil, why, err
	}
	for _, e := range follow {
		if e.fault || e.fails != "" {
			continue
		}
		simulates, err := g.simulates(n, e.to, chosen)
		if err != nil {
			return nil, "", err
		}
		if simulates {
			keys = append(keys, e)
		}
	}
	if len(keys) == 0 {
		why = "none of it can be put in front of all runs that have none of it"
	}
	return keys, why, nil
}

// commuteAll says why the first of some events cannot be moved before all steps of a run without these events.
func (g *graph) commuteAll(n int, chosen map[eventKey]bool) (string, error) {
	met := map[int]bool{n: true}
	queue := []int{n}
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		edges, err := g.from(at)
		if err != nil {
			return "", err
		}
		for _, x := range edges {
			if chosen[x.event] || x.fails != "" {
				continue
			}
			if why, err := g.commutes(at, x, chosen); why != "" || err != nil {
				return why, err
			}
			if !met[x.to] {
				met[x.to], queue = true, append(queue, x.to)
			}
		}
	}
	return "", nil
}

// commutes says why the first of some events cannot be moved before a step.
func (g *graph) commutes(at int, x edge, chosen map[eventKey]bool) (string, error) {
	after, err := g.from(x.to)
	if err != nil {
		return "", err
	}
	for _, t := range after {
		if !chosen[t.event] {
			continue
		}
		if moved, err := g.isMoved(at, x, t); !moved || err != nil {
			return fmt.Sprintf("after %s in %s it leads where it does not lead before", g.eventText(x), g.text(at)), err
		}
	}
	return "", nil
}

// isMoved reports whether an event leads before a step to where a transition of it leads after the step.
func (g *graph) isMoved(at int, x, t edge) (bool, error) {
	for _, first := range g.nodes[at].edges {
		if first.event != t.event || first.fails != t.fails {
			continue
		}
		if t.fails != "" {
			return true, nil
		}
		later, err := g.from(first.to)
		if err != nil || slices.ContainsFunc(later, func(e edge) bool { return e.event == x.event && e.fails == "" && e.to == t.to }) {
			return true, err
		}
	}
	return false, nil
}

// cycle says from which reduced states keys lead to such states for ever.
func (g *graph) cycle(reduced map[int][]edge) string {
	leaves := func(e edge) bool { return reduced[e.to] == nil }
	for less := true; less; {
		less = false
		for n, keys := range reduced {
			if slices.ContainsFunc(keys, leaves) {
				delete(reduced, n)
				less = true
			}
		}
	}
	for n, keys := range reduced {
		return g.tell(n, keys, "keys lead to reduced states for ever")
	}
	return ""
}
