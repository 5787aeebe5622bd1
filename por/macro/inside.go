package macro

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"harrier/internal/ds/slab"
	"harrier/internal/lts"
	"harrier/internal/model"
	"harrier/internal/property"
)

// An inside is In of a component state, with the macro steps from there.
type inside struct {
	component uint32
	members   []member // the first is the component state itself; each was found from an earlier one
	sorted    []uint32 // the component states that are members

	reached atomic.Bool // it is one of a macro state, not only of a target that what is global disabled so far

	// Of members in which different actors exist there is a choice each.
	observed []*property.Choice // what properties can tell apart of the members; nil if nothing
	silent   []*property.Choice // of the members in which no event is enabled, whatever is global
	// waiting reports that in some member there are events, but what is global may disable all of them.
	waiting bool

	mu    sync.Mutex  // held while the macro steps are worked out
	ready atomic.Bool // they are
	steps []macroStep // in the order of the members and of their steps
}

// A member is a component state that the first member becomes by internal steps.
type member struct {
	state uint32
	from  uint32           // the member that it was found from
	by    model.Transition // which step led there
}

// A macroStep is a step of a member that is not internal.
type macroStep struct {
	from   uint32
	by     model.Transition
	target uint32
	facts  model.Facts // the effect is the label
	taken  uint32      // 1 once the search took it, which atomic operations set
}

// has reports whether a component state is a member.
func (in *inside) has(state uint32) bool {
	_, ok := slices.BinarySearch(in.sorted, state)
	return ok
}

// all appends the insides of the component states of a macro state, nil where there is none.
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

// insidesOf are the insides of component states. What is not known yet is worked out for all of them at once, so that
// Java is asked in batches.
func (d *System) insidesOf(ctx context.Context, states []lts.Vertex) ([]*inside, error) {
	insides := make([]*inside, len(states))
	var growing []*inside
	for i, s := range states {
		if insides[i] = d.insides.Get(s.State); insides[i] == nil {
			insides[i] = &inside{component: s.Component, members: []member{{state: s.State}}}
			growing = append(growing, insides[i])
		}
	}
	if len(growing) == 0 {
		return insides, nil
	}
	if err := d.grow(ctx, growing); err != nil {
		return nil, err
	}
	for i, in := range insides {
		insides[i] = d.insides.GetOrPut(states[i].State, in)
	}
	return insides, nil
}

// mostMembers is how much a component may become by itself before it is taken to become that without end. No example's becomes 512
// states, and a step of a library may take half a millisecond.
const mostMembers = 1 << 12

// grow finds the members of insides, breadth-first, and asks for the steps of each level of all of them at once.
func (d *System) grow(ctx context.Context, insides []*inside) error {
	met := make([]map[uint32]bool, len(insides))
	first := make([]int, len(insides)) // member whose steps are not followed yet
	for i, in := range insides {
		met[i] = map[uint32]bool{in.members[0].state: true}
	}
	for {
		var level []lts.Vertex
		for i, in := range insides {
			for _, m := range in.members[first[i]:] {
				level = append(level, lts.Vertex{Component: in.component, State: m.state})
			}
		}
		if len(level) == 0 {
			break
		}
		if ctx.Err() != nil { // what a component can become by itself may have no end, and need no questions
			return context.Cause(ctx)
		}
		if err := d.Graph.Expand(ctx, level...); err != nil {
			return err
		}
		for i, in := range insides {
			for end := len(in.members); first[i] < end; first[i]++ {
				from := in.members[first[i]].state
				for st := range d.Graph.Out(in.component, from) {
					if st.Label != 0 {
						continue
					}
					next, err := d.canonicalAfter(ctx, in.component, from, &st)
					if err != nil {
						return err
					}
					if !met[i][next] {
						met[i][next] = true
						in.members = append(in.members, member{next, uint32(first[i]), st.Transition})
					}
					if len(in.members) > mostMembers {
						return d.endless(in.component)
					}
				}
			}
		}
	}
	for _, in := range insides {
		d.finish(in)
	}
	return nil
}

func (d *System) endless(component uint32) error {
	var names []string
	for _, position := range d.Graph.Positions()[component] {
		names = append(names, d.actors.Values.PositionName(int(position)))
	}
	text := fmt.Sprintf("%s can become more than %d states without the others", strings.Join(names, "+"), mostMembers)
	d.Endless.Store(&text)
	return &model.LimitError{Text: text + " (--reduction off takes single steps)"}
}

// ahead is for questions about what comes after a step: where what is global may disable it, perhaps no run takes them.
func ahead(ctx context.Context, by model.Facts) context.Context {
	if by.Guarded {
		return model.Speculate(ctx)
	}
	return ctx
}

// finish works out what is asked of an inside that has all its members.
func (d *System) finish(in *inside) {
	var all, silent []uint32
	for _, m := range in.members {
		events, certain := 0, 0
		for st := range d.Graph.Out(in.component, m.state) {
			if st.Fault == 0 {
				events++
				if !st.Guarded {
					certain++
				}
			}
		}
		all = append(all, m.state)
		if events == 0 {
			silent = append(silent, m.state)
		}
		in.waiting = in.waiting || events > 0 && certain == 0
	}
	in.silent = d.choose(in.component, silent)
	if observed := d.choose(in.component, all); len(observed) > 1 || observed[0].Len() > 1 {
		in.observed = observed
	}
	slices.Sort(all)
	in.sorted = all
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

// quiet are the members in which no event is enabled, given what is global.
func (d *System) quiet(in *inside, global uint32) []*property.Choice {
	if !in.waiting {
		return in.silent
	}
	var states []uint32
	for _, m := range in.members {
		quiet := true
		for st := range d.Graph.Out(in.component, m.state) {
			quiet = quiet && (st.Fault != 0 || st.Guarded && d.actors.Globals.Disables(global, st.Update))
		}
		if quiet {
			states = append(states, m.state)
		}
	}
	return d.choose(in.component, states)
}

// A target is a macro step with its place among all.
type target struct {
	macroStep
	order int
}

// macroSteps are the macro steps of a component state.
func (d *System) macroSteps(ctx context.Context, in *inside) ([]macroStep, error) {
	if in.ready.Load() {
		return in.steps, nil
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.ready.Load() {
		return in.steps, nil
	}
	labels, targets, err := d.targets(ctx, in)
	if err != nil {
		return nil, err
	}
	var kept []target
	for _, l := range labels {
		most, err := d.largest(ctx, in.component, targets[l])
		if err != nil {
			return nil, err
		}
		kept = append(kept, most...)
	}
	slices.SortFunc(kept, func(x, y target) int { return x.order - y.order })
	for _, t := range kept {
		in.steps = append(in.steps, t.macroStep)
	}
	in.ready.Store(true)
	return in.steps, nil
}

// targets are the different targets of each label, and the labels in the order in which they were met. Of steps that fail
// in the same way one is enough.
func (d *System) targets(ctx context.Context, in *inside) (labels []uint32, targets map[uint32][]target, err error) {
	targets = map[uint32][]target{}
	order := 0
	for k, m := range in.members {
		for st := range d.Graph.Out(in.component, m.state) {
			if st.Label == 0 {
				continue
			}
			order++
			t := target{macroStep{from: uint32(k), by: st.Transition, facts: st.Facts}, order}
			if t.target, err = d.canonicalAfter(ahead(ctx, st.Facts), in.component, m.state, &st); err != nil {
				return nil, nil, err
			}
			l := st.Label
			t.facts.Effect = l
			if targets[l] == nil {
				labels = append(labels, l)
			}
			if !slices.ContainsFunc(targets[l], func(known target) bool { return known.target == t.target }) {
				targets[l] = append(targets[l], t)
			}
		}
	}
	return labels, targets, nil
}

// largest leaves out the targets of a label that are in In of another one; of targets that are in In of each other, the first
// stays. A label that may be disabled was perhaps never taken, so a target that breaks a rule is none of the program's yet:
// then all stay.
func (d *System) largest(ctx context.Context, component uint32, targets []target) ([]target, error) {
	if len(targets) == 1 || d.Graph.Label(targets[0].facts.Effect).Failure != 0 {
		return targets[:1], nil
	}
	states := make([]lts.Vertex, len(targets))
	for i, t := range targets {
		states[i] = lts.Vertex{Component: component, State: t.target}
	}
	insides, err := d.insidesOf(ahead(ctx, targets[0].facts), states)
	if targets[0].facts.Guarded && err != nil && model.IsOfStep(err) {
		return targets, nil
	}
	if err != nil {
		return nil, err
	}
	var most []target
	for i, t := range targets {
		below := false
		for j, other := range insides {
			if j != i && other.has(t.target) && (!insides[i].has(targets[j].target) || j < i) {
				below = true
				break
			}
		}
		if !below {
			most = append(most, t)
		}
	}
	return most, nil
}
