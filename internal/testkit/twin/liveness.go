package twin

import (
	"fmt"
	"slices"

	"harrier/internal/liveness/ltl"
	"harrier/internal/model"
)

// A Graph is all states of a program, with what liveness asks of them.
type Graph struct {
	TooLarge bool
	Err      error
	Loops    bool // a run comes back to a state by some step

	program *model.Program
	holds   []map[int]bool // by state: the predicates that hold
	enabled [][]string     // by state: constraints
	edges   [][]taken      // by state
}

// taken is a step to a state, with the constraints that it takes.
type taken struct {
	to          int
	fault       bool
	constraints []string
}

// NewGraph explores a program by single steps.
func NewGraph(oracle model.Oracle, o Options) *Graph {
	e := newExplorer(oracle, o)
	g := &Graph{program: e.program}
	for i := 0; i < len(e.queue) && e.Err == nil && !e.TooLarge; i++ {
		g.expand(e, e.queue[i])
	}
	g.TooLarge, g.Err = e.TooLarge, e.Err
	numbers := make([][]int, len(g.edges))
	for i, edges := range g.edges {
		for _, t := range edges {
			numbers[i] = append(numbers[i], t.to)
		}
	}
	g.Loops = !g.TooLarge && g.Err == nil && cyclic(numbers)
	return g
}

func (g *Graph) expand(e *explorer, s state) {
	holds := map[int]bool{}
	for i, p := range g.program.Properties {
		if p.Kind == model.Predicate {
			holds[i] = e.holds(i, s)
		}
	}
	var enabled []string
	var edges []taken
	for _, ev := range e.enabled(s) {
		for _, o := range ev.outcomes {
			constraints := constraintsOf(ev, o)
			enabled = append(enabled, constraints...)
			if o.Failure != nil {
				continue
			}
			next, err := e.after(s, ev, o)
			if err != nil {
				e.Err = err
				return
			}
			edges = append(edges, taken{e.meet(next), isFault(ev.kind), constraints})
		}
	}
	g.holds, g.enabled, g.edges = append(g.holds, holds), append(g.enabled, enabled), append(g.edges, edges)
}

// constraintsOf are what an event with an outcome takes of what a fair run must not leave enabled for ever.
func constraintsOf(ev event, o model.Outcome) (all []string) {
	switch {
	case isFault(ev.kind) || ev.kind == model.Heal:
	case ev.kind == model.Internal:
		all = append(all, fmt.Sprintf("%s does %s %x", ev.actor, o.Handler, o.Fired))
	default:
		for _, m := range ev.messages {
			all = append(all, fmt.Sprintf("%s %s %x", ev.actor, ev.kind, appendMessage(nil, m)))
		}
	}
	return all
}

// Reaches reports whether a state in which a predicate holds can be reached from another one, perhaps without faults.
func (g *Graph) Reaches(from, predicate int, faults bool) bool {
	met := map[int]bool{from: true}
	for todo := []int{from}; len(todo) > 0; todo = todo[1:] {
		if g.holds[todo[0]][predicate] {
			return true
		}
		for _, t := range g.edges[todo[0]] {
			if !met[t.to] && (faults || !t.fault) {
				met[t.to] = true
				todo = append(todo, t.to)
			}
		}
	}
	return false
}

// Violates reports whether a property of runs is violated.
func (g *Graph) Violates(of model.Liveness) (bool, error) {
	switch of.Kind {
	case model.Sometimes:
		return !g.Reaches(0, of.Atoms[0].Property, true), nil
	case model.Possible:
		for from := range g.edges {
			if !g.Reaches(from, of.Atoms[0].Property, false) {
				return true, nil
			}
		}
		return false, nil
	}
	formula, err := ltl.Parse(of.Formula, func(name string) (int, error) {
		return slices.IndexFunc(of.Atoms, func(a model.Atom) bool { return a.Name == name }), nil
	})
	if err != nil {
		return false, err
	}
	a := ltl.Violating(formula)
	type vertex struct{ state, automaton int }
	type edge struct {
		to          vertex
		constraints []string
		in          uint32
	}
	edges := map[vertex][]edge{}
	back := map[vertex][]vertex{}
	todo := []vertex{{}}
	var all []vertex
	for seen := map[vertex]bool{{}: true}; len(todo) > 0; todo = todo[1:] {
		v := todo[0]
		all = append(all, v)
		label := ltl.Label(0)
		for i, atom := range of.Atoms {
			if g.holds[v.state][atom.Property] {
				label |= 1 << i
			}
		}
		for _, by := range a.Edges[v.automaton] {
			if !by.Reads(label) {
				continue
			}
			for _, t := range append([]taken{{to: v.state}}, g.edges[v.state]...) {
				to := vertex{t.to, by.To}
				edges[v] = append(edges[v], edge{to, t.constraints, by.In})
				back[to] = append(back[to], v)
				if !seen[to] {
					seen[to] = true
					todo = append(todo, to)
				}
			}
		}
	}
	// Kosaraju's algorithm: parts are found backwards, from the vertices that a depth-first search leaves last.
	var order []vertex
	left := map[vertex]bool{}
	var leave func(v vertex)
	leave = func(v vertex) {
		left[v] = true
		for _, e := range edges[v] {
			if !left[e.to] {
				leave(e.to)
			}
		}
		order = append(order, v)
	}
	for _, v := range all {
		if !left[v] {
			leave(v)
		}
	}
	part := map[vertex]int{}
	var collect func(v vertex, number int)
	collect = func(v vertex, number int) {
		part[v] = number
		for _, from := range back[v] {
			if part[from] == 0 {
				collect(from, number)
			}
		}
	}
	number := 0
	for _, v := range slices.Backward(order) {
		if part[v] == 0 {
			number++
			collect(v, number)
		}
	}
	members := map[int][]vertex{}
	for v, n := range part {
		members[n] = append(members[n], v)
	}
	for n, vertices := range members {
		in, loops := uint32(0), false
		met := map[string]bool{}
		for _, v := range vertices {
			for _, e := range edges[v] {
				if part[e.to] == n {
					in, loops = in|e.in, true
					for _, c := range e.constraints {
						met[c] = true
					}
				}
			}
		}
		isUnmet := func(c string) bool {
			return !met[c] && !slices.ContainsFunc(vertices, func(v vertex) bool { return !slices.Contains(g.enabled[v.state], c) })
		}
		if loops && a.IsEvery(in) && !slices.ContainsFunc(g.enabled[vertices[0].state], isUnmet) {
			return true, nil
		}
	}
	return false, nil
}
