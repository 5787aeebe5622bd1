package twin

import (
	"fmt"
	"slices"
	"strings"

	"harrier/internal/liveness/ltl"
	"harrier/internal/model"
)

// Runs are the runs that a property is asked of.
type Runs int

const (
	// Fair runs are fair as the program says.
	Fair Runs = iota
	// Maximal runs have infinitely many computations, which are events that run a handler, or end where nothing but faults is enabled.
	Maximal
	// Unstuck runs are maximal ones. Under MP they end only where nothing but faults is enabled under M-MP either.
	Unstuck
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
	interrupted []string // constraints that are disabled in the middle of the step
}

// NewGraph explores a program by single steps.
func NewGraph(oracle model.Oracle, o Options) *Graph {
	o.EveryChoice = true
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
	if e.Of != Fair && !e.mayEnd(s) {
		enabled = computation
	}
	var edges []taken
	for _, ev := range e.enabled(s) {
		for _, o := range ev.outcomes {
			var constraints, interrupted []string
			if e.Of == Fair {
				constraints, interrupted = g.constraintsOf(ev, o), interruptedBy(ev, o)
				enabled = append(enabled, constraints...)
			} else if _, computes := e.question(s, ev); computes {
				constraints = computation
			}
			if o.Failure != nil {
				continue
			}
			next, err := e.after(s, ev, o)
			if err != nil {
				e.Err = err
				return
			}
			edges = append(edges, taken{e.meet(next), ev.isFault, constraints, interrupted})
		}
	}
	g.holds, g.enabled, g.edges = append(g.holds, holds), append(g.enabled, enabled), append(g.edges, edges)
}

// computation is the one constraint of maximal runs. It is enabled where a run may not end, and taken by all computations.
var computation = []string{"computation"}

// mayEnd reports whether a run of those that the graph is about may end in a state: nothing but faults is enabled.
func (e *explorer) mayEnd(s state) bool {
	in := *e
	if e.Of == Unstuck && e.program.Delivery == model.MP {
		program := *e.program
		program.Delivery, in.program = model.MMP, &program
	}
	return !slices.ContainsFunc(in.enabled(s), func(ev event) bool { return !ev.isFault })
}

// Next reports whether a predicate holds in each state that a step leads to from the initial one.
func (g *Graph) Next(predicate int) bool {
	return !slices.ContainsFunc(g.edges[0], func(t taken) bool { return !g.holds[t.to][predicate] })
}

// constraintsOf are what an event with an outcome takes of what a fair run must not leave enabled for ever. Those that are strong begin
// with a star.
func (g *Graph) constraintsOf(ev event, o model.Outcome) (all []string) {
	f := g.program.Fairness
	switch {
	case ev.kind == model.Duplicate && o.Handler != "": // a copy is received
		ev.kind = model.Receive
	case ev.kind == model.Duplicate && g.program.Delivery != model.M && g.program.Faults[ev.fault].Budget < 0: // a copy is delivered
		ev.kind = model.Deliver
	}
	switch {
	case ev.kind == model.Heal && f.Heals:
		return []string{fmt.Sprint("heal ", ev.fault)}
	case ev.kind == model.Recover && f.Recovers:
		return []string{ev.actor + " recovers"}
	case isFault(g.program, ev.kind), ev.kind == model.Heal, ev.kind == model.Drop, f.Unfair.Has(ev.actor):
	case ev.kind == model.Internal:
		all = append(all, ofPending(ev.actor, o.Handler, o.Fired))
	default:
		for _, m := range ev.messages {
			c := fmt.Sprintf("%s %s %x", ev.actor, ev.kind, appendMessage(nil, m))
			if f.Strong.Has(ev.actor) {
				c = "*" + c
			}
			all = append(all, c)
		}
	}
	if n := len(o.Choices); n > 0 && f.ByChoice.Has(ev.actor) && ev.kind != model.Recover {
		for _, c := range all {
			all = append(all, fmt.Sprint(c, " choosing ", o.Choices))
		}
	}
	return all
}

// ofPending is the constraint of a timer, or of what an actor does by itself without one.
func ofPending(actor, handler string, timer []byte) string {
	if len(timer) > 0 {
		return fmt.Sprintf("%s has timer %x", actor, timer)
	}
	return fmt.Sprintf("%s does %s", actor, handler)
}

// interruptedBy are the weak constraints that are disabled in the middle of a step: timers that it sets anew, and messages that a
// crash within their handler consumes.
func interruptedBy(ev event, o model.Outcome) (all []string) {
	for _, e := range o.Renewed {
		all = append(all, ofPending(ev.actor, e.Task, e.Timer))
	}
	if ev.within() {
		for _, m := range ev.messages {
			all = append(all, fmt.Sprintf("%s %s %x", ev.actor, model.Receive, appendMessage(nil, m)))
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
	p := &naive{Graph: g, automaton: a, edges: map[vertex][]naiveEdge{}}
	p.explore(of)
	all := map[vertex]bool{}
	for v := range p.edges {
		all[v] = true
	}
	return p.hasFairPart(all), nil
}

// naive is the product of a graph with an automaton.
type naive struct {
	*Graph
	automaton *ltl.Automaton
	edges     map[vertex][]naiveEdge
}

type vertex struct{ state, automaton int }

type naiveEdge struct {
	to vertex
	by taken
	in uint32
}

func (p *naive) explore(of model.Liveness) {
	p.edges[vertex{}] = nil
	for todo := []vertex{{}}; len(todo) > 0; todo = todo[1:] {
		v := todo[0]
		label := ltl.Label(0)
		for i, atom := range of.Atoms {
			if p.holds[v.state][atom.Property] {
				label |= 1 << i
			}
		}
		for _, by := range p.automaton.Edges[v.automaton] {
			if !by.Reads(label) {
				continue
			}
			for _, t := range append([]taken{{to: v.state}}, p.Graph.edges[v.state]...) {
				to := vertex{t.to, by.To}
				p.edges[v] = append(p.edges[v], naiveEdge{to, t, by.In})
				if _, known := p.edges[to]; !known {
					p.edges[to] = nil
					todo = append(todo, to)
				}
			}
		}
	}
}

// hasFairPart reports whether some strongly connected part of some vertices is fair and accepted, or has a part that is.
func (p *naive) hasFairPart(among map[vertex]bool) bool {
	for _, part := range p.parts(among) {
		in, loops := uint32(0), false
		met, interrupted := map[string]bool{}, map[string]bool{}
		for v := range part {
			for _, e := range p.edges[v] {
				if part[e.to] {
					in, loops = in|e.in, true
					for _, c := range e.by.constraints {
						met[c] = true
					}
					for _, c := range e.by.interrupted {
						interrupted[c] = true
					}
				}
			}
		}
		if !loops || !p.automaton.IsEvery(in) {
			continue
		}
		weak, bad := true, map[string]bool{}
		for v := range part {
			for _, c := range p.enabled[v.state] {
				if met[c] {
					continue
				}
				if strings.HasPrefix(c, "*") {
					bad[c] = true
				}
				everywhere := true
				for w := range part {
					everywhere = everywhere && slices.Contains(p.enabled[w.state], c)
				}
				weak = weak && (!everywhere || interrupted[c])
			}
		}
		if !weak {
			continue
		}
		if len(bad) == 0 {
			return true
		}
		rest := map[vertex]bool{}
		for v := range part {
			rest[v] = !slices.ContainsFunc(p.enabled[v.state], func(c string) bool { return bad[c] })
		}
		if p.hasFairPart(rest) {
			return true
		}
	}
	return false
}

// parts are the strongly connected parts, each found as what a vertex leads to and what leads to it.
func (p *naive) parts(among map[vertex]bool) (parts []map[vertex]bool) {
	back := map[vertex][]vertex{}
	for v := range among {
		for _, e := range p.edges[v] {
			back[e.to] = append(back[e.to], v)
		}
	}
	forward := func(v vertex, found func(vertex)) {
		for _, e := range p.edges[v] {
			found(e.to)
		}
	}
	backward := func(v vertex, found func(vertex)) {
		for _, from := range back[v] {
			found(from)
		}
	}
	// Kosaraju's algorithm.
	var order []vertex
	done := map[vertex]bool{}
	var leave func(v vertex)
	leave = func(v vertex) {
		done[v] = true
		forward(v, func(to vertex) {
			if among[to] && !done[to] {
				leave(to)
			}
		})
		order = append(order, v)
	}
	for v, is := range among {
		if is && !done[v] {
			leave(v)
		}
	}
	collected := map[vertex]bool{}
	for _, root := range slices.Backward(order) {
		if collected[root] {
			continue
		}
		part := map[vertex]bool{}
		for todo := []vertex{root}; len(todo) > 0; todo = todo[1:] {
			if collected[todo[0]] {
				continue
			}
			collected[todo[0]], part[todo[0]] = true, true
			backward(todo[0], func(from vertex) {
				if among[from] && !collected[from] {
					todo = append(todo, from)
				}
			})
		}
		parts = append(parts, part)
	}
	return parts
}
