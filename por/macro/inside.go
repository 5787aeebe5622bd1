package macro

import (
	"context"
	"slices"
	"sync/atomic"

	"harrier/internal/ds/slab"
	"harrier/internal/lts"
	"harrier/internal/model"
	"harrier/internal/property"
)

// An inside is In of a component state, with its computed facts.
type inside struct {
	component uint32
	reached   atomic.Bool // it is one of a macro state, not only of a target that the global disabled so far
	mayEnd    bool        // there is a member without events
	waiting   bool        // in some member there are events, but the global may disable all of them
	members   []uint32    // component states: first that whose In this is, each further one found from an earlier one

	// Of members in which different actors exist there is a choice each.
	observed lazy[[]*property.Choice] // the members that properties can tell apart; nil if they can tell none apart
	silent   lazy[silence]
	steps    lazy[[]macroStep] // in the order of the members and of their steps
}

// lazy is a value computed at the first get.
type lazy[T any] struct{ known atomic.Pointer[T] }

// get returns the value, made by make at first. If several callers make it at once, the first to finish wins.
func (l *lazy[T]) get(make func() (T, error)) (T, error) {
	if known := l.known.Load(); known != nil {
		return *known, nil
	}
	made, err := make()
	if err != nil {
		return made, err
	}
	l.known.CompareAndSwap(nil, &made)
	return *l.known.Load(), nil
}

// A macroStep is a step of a member that is not internal.
type macroStep struct {
	from   uint32 // number of the member
	by     model.Transition
	target uint32
	facts  model.Facts // the effect is the label
	taken  uint32      // 1 once the search took it, which atomic operations set
}

// all appends the insides of the component states of a macro state, nil where the component has no state.
func (d *System) all(ctx context.Context, s model.State, into []*inside) ([]*inside, error) {
	known := true
	for _, state := range s[1:] {
		in := d.insides.Get(state)
		if in != nil {
			d.ignored.record(in)
		}
		known = known && (state == 0 || in != nil)
		into = append(into, in)
	}
	if known {
		return into, nil
	}
	var states []lts.Vertex
	for component, state := range s[1:] {
		if state != 0 {
			states = append(states, lts.Vertex{Component: uint32(component), State: state})
		}
	}
	found, err := d.insidesOf(ctx, states)
	if err != nil {
		return nil, err
	}
	for _, in := range found {
		d.ignored.record(in)
		into[in.component] = in
	}
	return into, nil
}

// room holds the insides of a macro state of up to 32 components without allocating.
type room [32]*inside

// insidesOf are the insides of component states. Unknown ones are computed all at once, so that
// Java is asked in batches.
func (d *System) insidesOf(ctx context.Context, states []lts.Vertex) ([]*inside, error) {
	insides := make([]*inside, len(states))
	var unknown []lts.Vertex
	for i, v := range states {
		if insides[i] = d.insides.Get(v.State); insides[i] == nil {
			unknown = append(unknown, v)
		}
	}
	if len(unknown) == 0 {
		return insides, nil
	}
	found, err := lts.In(ctx, d.Graph, unknown, d.canonicalNext)
	if err != nil {
		return nil, err
	}
	for i, v := range states {
		if insides[i] == nil {
			in := &inside{component: v.Component, members: found[0]}
			d.finish(in)
			insides[i], found = d.insides.GetOrPut(v.State, in), found[1:]
		}
	}
	return insides, nil
}

// ahead returns the error of a question about the state after a step: where the global may disable the step, perhaps no run
// comes there.
func ahead(by model.Facts, err error) error {
	if by.Guarded {
		return model.Doubted(err)
	}
	return err
}

// isInternal reports whether an edge shows nothing outside of its component, and is put off. Endless components have no internal steps.
func (d *System) isInternal(component uint32, e *lts.Edge) bool {
	return e.Label == 0 && !d.endless[component]
}

// canonicalNext returns the canonical component state that an edge leads to, if the edge is internal.
func (d *System) canonicalNext(ctx context.Context, v lts.Vertex, e *lts.Edge) (to uint32, isInternal bool, err error) {
	if !d.isInternal(v.Component, e) {
		return 0, false, nil
	}
	to, err = d.canonicalAfter(ctx, v.Component, v.State, e)
	return to, true, err
}

// finish works out whether an inside that has all its members may end.
func (d *System) finish(in *inside) {
	for _, m := range in.members {
		events, certain := 0, 0
		for st := range d.Graph.Out(in.component, m) {
			if st.Fault == 0 {
				events++
				if !st.Guarded {
					certain++
				}
			}
		}
		in.mayEnd = in.mayEnd || events == 0
		in.waiting = in.waiting || events > 0 && certain == 0
	}
}

// observed returns the choices among members of an inside that properties can tell apart, nil if they can tell none apart.
func (d *System) observed(in *inside) []*property.Choice {
	choices, _ := in.observed.get(func() ([]*property.Choice, error) {
		choices := d.choose(in.component, in.members)
		if len(choices) == 1 && choices[0].Len() == 1 {
			return nil, nil
		}
		return choices, nil
	})
	return choices
}

// choose gives the choices among some component states, one for each set of actors that exist, which have classes.
func (d *System) choose(component uint32, states []uint32) []*property.Choice {
	var one [1]model.NodeID
	width := 1
	for _, s := range states {
		width = max(width, len(d.Graph.Nodes(s, &one)))
	}
	which := map[string]int{} // of the parts, by who exists
	var parts [][]model.NodeID
	exist := make([]uint32, width)
	for _, s := range states {
		nodes := d.Graph.Nodes(s, &one)
		clear(exist)
		for i, n := range nodes {
			exist[i] = d.actors.Nodes.Presence(n)
		}
		key := slab.Key(exist...)
		part, ok := which[key]
		if !ok {
			part = len(parts)
			which[key] = part
			parts = append(parts, nil)
		}
		parts[part] = append(append(parts[part], nodes...), make([]model.NodeID, width-len(nodes))...)
	}
	var choices []*property.Choice
	for _, nodes := range parts {
		choices = append(choices, d.checker.Choice(d.Graph.Positions()[component][:width], nodes))
	}
	return choices
}

// A silence is the members in which no event is enabled.
type silence struct {
	choices []*property.Choice // among them; nil without such members
	fullest uint32             // the member in which most messages are pending
}

// silence finds the members in which no event is enabled with a global.
func (d *System) silence(in *inside, global uint32) silence {
	find := func() (silence, error) {
		var s silence
		var states []uint32
		most := -1
		for _, m := range in.members {
			quiet := true
			for st := range d.Graph.Out(in.component, m) {
				quiet = quiet && (st.Fault != 0 || st.Guarded && d.actors.Globals.Disables(global, st.Update))
			}
			if !quiet {
				continue
			}
			if n := d.pending(m); n > most {
				s.fullest, most = m, n
			}
			states = append(states, m)
		}
		s.choices = d.choose(in.component, states)
		return s, nil
	}
	if in.waiting {
		s, _ := find()
		return s
	}
	s, _ := in.silent.get(find)
	return s
}

// pending is how many messages are pending in a component state.
func (d *System) pending(state uint32) int {
	var one [1]model.NodeID
	return d.actors.Pending(append(model.State{0}, d.Graph.Nodes(state, &one)...))
}

// A target is a macro step with its place among all.
type target struct {
	macroStep
	order int
}

// macroSteps are the macro steps of a component state.
func (d *System) macroSteps(ctx context.Context, in *inside) ([]macroStep, error) {
	return in.steps.get(func() ([]macroStep, error) {
		labels, targets, err := d.targets(ctx, in)
		if err != nil {
			return nil, err
		}
		var largest []target
		for _, l := range labels {
			most, err := d.largest(ctx, in.component, targets[l])
			if err != nil {
				return nil, err
			}
			largest = append(largest, most...)
		}
		slices.SortFunc(largest, func(x, y target) int { return x.order - y.order })
		steps := make([]macroStep, 0, len(largest))
		for _, t := range largest {
			steps = append(steps, t.macroStep)
		}
		return steps, nil
	})
}

// targets are the different targets of each label, and the labels in the order in which they come. Of steps that fail
// in the same way one is enough.
func (d *System) targets(ctx context.Context, in *inside) (labels []uint32, targets map[uint32][]target, err error) {
	targets = map[uint32][]target{}
	known := map[[2]uint32]bool{} // labels with targets
	order := 0
	for k, m := range in.members {
		if ctx.Err() != nil { // there may be very many
			return nil, nil, context.Cause(ctx)
		}
		for st := range d.Graph.Out(in.component, m) {
			if d.isInternal(in.component, &st) {
				continue
			}
			order++
			t := target{macroStep{from: uint32(k), by: st.Transition, facts: st.Facts}, order}
			if t.target, err = d.canonicalAfter(ctx, in.component, m, &st); err != nil {
				return nil, nil, ahead(st.Facts, err)
			}
			l := st.Label
			t.facts.Effect = l
			if targets[l] == nil {
				labels = append(labels, l)
			}
			if key := [2]uint32{l, t.target}; !known[key] {
				known[key] = true
				targets[l] = append(targets[l], t)
			}
		}
	}
	return labels, targets, nil
}

// largest leaves out the targets of a label that are in In of another one; of targets that are in In of each other, the first
// stays. A label that may be disabled was perhaps never taken, so perhaps no run comes to a target that breaks a rule:
// then all stay.
func (d *System) largest(ctx context.Context, component uint32, targets []target) ([]target, error) {
	if len(targets) == 1 || d.Graph.Label(targets[0].facts.Effect).Failure != 0 {
		return targets[:1], nil
	}
	states := make([]lts.Vertex, len(targets))
	for i, t := range targets {
		states[i] = lts.Vertex{Component: component, State: t.target}
	}
	insides, err := d.insidesOf(ctx, states)
	if targets[0].facts.Guarded && err != nil && model.IsOfStep(ctx, err) {
		return targets, nil
	}
	if err != nil {
		return nil, ahead(targets[0].facts, err)
	}
	number := map[uint32]int{}
	for i, t := range targets {
		number[t.target] = i
	}
	type pair struct{ in, target int }
	has := map[pair]bool{}
	for i, in := range insides {
		for _, m := range in.members {
			if j, ok := number[m]; ok && j != i {
				has[pair{i, j}] = true
			}
		}
	}
	below := make([]bool, len(targets))
	for p := range has {
		below[p.target] = below[p.target] || !has[pair{p.target, p.in}] || p.in < p.target
	}
	var most []target
	for i, t := range targets {
		if !below[i] {
			most = append(most, t)
		}
	}
	return most, nil
}
