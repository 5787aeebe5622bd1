package por_test

import (
	"errors"
	"fmt"
	"slices"

	"harrier/model"
)

// A graph is what there is to know of a program, for the definition that a reduction rests on: for each state that was
// reduced, to a set T of events,
//
//   - T has all outcomes of its events;
//   - wherever runs without events of T lead, each step of another event there leads, by any outcome of an event of T after it, to where it
//     leads after an outcome of that event: so the first event of T in a run can be moved to its beginning;
//   - T has a key, which is no fault: an event that wherever these runs lead has an outcome that does not fail and changes what no invariant
//     says, and for a step that fails there, one after which that fails, too. So where a run has no event of T, the key can be put
//     after it, and moved to its beginning, where it has some outcome. A step may also absorb it: the key is not enabled after that (the actor
//     has stopped), but might as well have been taken before. Or the key is one transition, and what it leads to can do whatever these
//     runs do, with the same to be seen and the same ends (simulation_test.go);
//   - and it is not put there for ever: from each reduced state keys lead to one that is not reduced, by whatever outcome.
type graph struct {
	actors *model.Actors
	oracle model.Oracle
	states map[string]int
	nodes  []graphNode
}

type graphNode struct {
	state model.State
	edges []edge
	// verdicts of the invariants, to compare
	judged string
	isOpen bool // edges are known
}

// An edge is a transition that is enabled.
type edge struct {
	model.Transition
	event   happening
	isFault bool
	fails   string // how
	to      int    // if it does not fail
}

// A happening is an event of an actor.
type happening struct{ slot, event uint32 }

// errTooMany ends a comparison that would take long.
var errTooMany = errors.New("too many states")

const graphStates = 400

// problem says which of the choices of a search does not satisfy the definition. Some are not compared as that would take long.
func (g *graph) problem(choices []choice) (problem string, compared int) {
	reduced := map[int][]key{}
	for _, c := range choices {
		n := g.number(c.state)
		edges, err := g.from(n)
		if err != nil {
			continue
		}
		var follow []edge
		for _, e := range edges {
			if slices.Contains(c.follow, e.Transition) {
				follow = append(follow, e)
			}
		}
		if len(follow) != len(c.follow) {
			return g.tell(n, follow, "some of what is chosen is not enabled"), compared
		}
		keys, why, err := g.persistence(n, edges, follow)
		switch {
		case err != nil:
			continue
		case why != "":
			return g.tell(n, follow, why), compared
		}
		reduced[n] = keys
		compared++
	}
	return g.cycle(reduced), compared
}

// persistence says why some transitions of a state cannot stand for the others, or which of them are of keys.
func (g *graph) persistence(n int, edges, follow []edge) (keys []key, why string, err error) {
	chosen := map[happening]bool{}
	for _, e := range follow {
		chosen[e.event] = true
	}
	for _, e := range edges {
		if chosen[e.event] && !slices.Contains(follow, e) {
			return nil, "an outcome is left out", nil
		}
	}
	if why, err = g.eachWithout(n, chosen, func(at int, x edge) (string, bool, error) {
		why, err := g.commutes(at, x, chosen)
		return why, true, err
	}); why != "" || err != nil {
		return nil, why, err
	}
	whyNot := "there are only faults"
	for of := range chosen {
		why, err := g.eachWithout(n, chosen, func(at int, x edge) (string, bool, error) { return g.stays(at, x, of) })
		if err != nil {
			return nil, "", err
		}
		outcomes := slices.DeleteFunc(slices.Clone(follow), func(e edge) bool { return e.event != of || e.isFault || e.fails != "" })
		if why != "" {
			whyNot = why
		} else if len(outcomes) > 0 {
			keys = append(keys, outcomes)
		}
	}
	for _, e := range follow {
		if !e.isFault && e.fails == "" {
			simulates, err := g.simulates(n, e.to, chosen)
			if err != nil {
				return nil, "", err
			}
			if simulates {
				keys = append(keys, key{e})
			}
		}
	}
	if len(keys) == 0 {
		return nil, whyNot, nil
	}
	return keys, "", nil
}

// eachWithout calls do with all steps of runs without some events, and once in each state with none, until it says what is wrong. It
// also says whether to go on after the step.
func (g *graph) eachWithout(n int, chosen map[happening]bool, do func(at int, x edge) (why string, goesOn bool, err error)) (string, error) {
	met := map[int]bool{n: true}
	queue := []int{n}
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		edges, err := g.from(at)
		if err != nil {
			return "", err
		}
		for _, x := range append([]edge{{}}, edges...) {
			if chosen[x.event] {
				continue
			}
			why, goesOn, err := do(at, x)
			if why != "" || err != nil {
				return why, err
			}
			if x != (edge{}) && x.fails == "" && goesOn && !met[x.to] {
				met[x.to], queue = true, append(queue, x.to)
			}
		}
	}
	return "", nil
}

// commutes says why the first of some events cannot be moved before a step.
func (g *graph) commutes(at int, x edge, chosen map[happening]bool) (string, error) {
	if x == (edge{}) || x.fails != "" {
		return "", nil
	}
	after, err := g.from(x.to)
	if err != nil {
		return "", err
	}
	for _, t := range after {
		if !chosen[t.event] {
			continue
		}
		isMoved, err := g.some(at, t.event, func(first edge, later []edge) bool {
			if t.fails != "" || first.fails != "" {
				return first.fails == t.fails
			}
			return slices.ContainsFunc(later, func(e edge) bool { return e.event == x.event && e.fails == "" && e.to == t.to })
		})
		if !isMoved || err != nil {
			return fmt.Sprintf("after %s in %s it leads where it does not lead before", g.eventText(x), g.text(at)), err
		}
	}
	return "", nil
}

// some says whether some transition of an event in a state has a property, given what is enabled after it.
func (g *graph) some(at int, of happening, has func(t edge, later []edge) bool) (bool, error) {
	for _, t := range g.nodes[at].edges {
		if t.event != of {
			continue
		}
		var later []edge
		if t.fails == "" {
			var err error
			if later, err = g.from(t.to); err != nil {
				return false, err
			}
		}
		if has(t, later) {
			return true, nil
		}
	}
	return false, nil
}

// stays says why an event is no key where a run leads, or by a step there; and whether it still has to be one after that.
func (g *graph) stays(at int, x edge, of happening) (why string, goesOn bool, err error) {
	here, err := g.judged(at)
	if err != nil {
		return "", false, err
	}
	isEnabledAfter := false
	if x != (edge{}) && x.fails == "" {
		after, err := g.from(x.to)
		if err != nil {
			return "", false, err
		}
		isEnabledAfter = slices.ContainsFunc(after, func(e edge) bool { return e.event == of })
	}
	isKey, err := g.some(at, of, func(t edge, later []edge) bool {
		if t.fails != "" {
			return false
		}
		there, err := g.judged(t.to)
		if err != nil || there != here {
			return false
		}
		return x == (edge{}) || isEnabledAfter ||
			slices.ContainsFunc(later, func(e edge) bool { return e.event == x.event && e.fails == x.fails && e.to == x.to })
	})
	switch {
	case err != nil || isKey:
		return "", isEnabledAfter, err
	case x == (edge{}):
		return "it is not enabled, fails, or changes what invariants say in " + g.text(at), false, nil
	}
	return fmt.Sprintf("%s in %s makes that it is not enabled, or fails itself, and not so after it", g.eventText(x), g.text(at)), false, nil
}

// A key is transitions of which one may be put in front of a run; which of them is not known.
type key []edge

// cycle says from which reduced states keys lead to such states for ever.
func (g *graph) cycle(reduced map[int][]key) string {
	stays := func(e edge) bool { return reduced[e.to] != nil }
	for isLess := true; isLess; {
		isLess = false
		for n, keys := range reduced {
			if slices.ContainsFunc(keys, func(k key) bool { return !slices.ContainsFunc(k, stays) }) {
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
