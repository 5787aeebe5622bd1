package dir

import (
	"context"
	"encoding/binary"
	"errors"
	"slices"
	"sync"
	"sync/atomic"

	"harrier/model"
	"harrier/property"
)

// An inside is In of a node, with the macro steps from there.
type inside struct {
	position uint32
	members  []member       // the first is the node itself; each was found from an earlier one
	sorted   []model.NodeID // of the members

	isMet atomic.Bool // the node is one of a state that was met, not only of a target that what is global refused so far

	observed property.Choice // what properties can tell apart of the members
	silent   property.Choice // of the members in which no event is enabled, whatever is global
	// waiting reports that in some member there are events, but what is global may refuse all of them.
	waiting bool

	mu    sync.Mutex  // held while the macro steps are worked out
	isSet atomic.Bool // they are
	steps []macroStep // in the order of the members and of their steps
}

// A member is a node that the first member becomes by internal steps.
type member struct {
	node       model.NodeID
	from, step uint32 // the member that it was found from, and which of its steps led there
}

// A macroStep is a step of a member that is not internal.
type macroStep struct {
	from, step uint32
	facts      model.Facts
	records    bool // it adds to the history
}

func (in *inside) member(k uint32) model.Placed {
	return model.Placed{Position: in.position, Node: in.members[k].node}
}

// has reports whether a node is a member.
func (in *inside) has(n model.NodeID) bool {
	_, ok := slices.BinarySearch(in.sorted, n)
	return ok
}

// all are the insides of the nodes of a state by position, nil where there is no actor.
func (d *System) all(ctx context.Context, s model.State) ([]*inside, error) {
	found, err := d.insidesOf(ctx, s.Placed())
	if err != nil {
		return nil, err
	}
	insides := make([]*inside, len(s))
	for _, in := range found {
		insides[in.position] = in
		if !in.isMet.Load() {
			in.isMet.Store(true)
		}
	}
	return insides, nil
}

// insidesOf are the insides of nodes. What is not known yet is worked out for all of them at once, so that Java is
// asked in batches.
func (d *System) insidesOf(ctx context.Context, nodes []model.Placed) ([]*inside, error) {
	insides := make([]*inside, len(nodes))
	var growing []*inside
	for i, n := range nodes {
		if in, ok := d.insides.Load(n.Node); ok {
			insides[i] = in.(*inside)
			continue
		}
		insides[i] = &inside{position: n.Position, members: []member{{node: n.Node}}}
		growing = append(growing, insides[i])
	}
	if len(growing) == 0 {
		return insides, nil
	}
	if err := d.grow(ctx, growing); err != nil {
		return nil, err
	}
	for i, in := range insides {
		kept, _ := d.insides.LoadOrStore(nodes[i].Node, in)
		insides[i] = kept.(*inside)
	}
	return insides, nil
}

// grow finds the members of insides, breadth-first, and asks for the steps of each level of all of them at once.
func (d *System) grow(ctx context.Context, insides []*inside) error {
	var steps []model.NodeStep
	met := make([]map[model.NodeID]bool, len(insides))
	first := make([]int, len(insides)) // member whose steps are not followed yet
	for i, in := range insides {
		met[i] = map[model.NodeID]bool{in.members[0].node: true}
	}
	for {
		var level []model.Placed
		for i, in := range insides {
			for k := first[i]; k < len(in.members); k++ {
				level = append(level, in.member(uint32(k)))
			}
		}
		if len(level) == 0 {
			break
		}
		if err := d.Expand(ctx, level); err != nil {
			return err
		}
		for i, in := range insides {
			end := len(in.members)
			for ; first[i] < end; first[i]++ {
				from := uint32(first[i])
				steps = d.Steps(in.member(from), steps[:0])
				for n, st := range steps {
					if st.Internal && !met[i][st.Next] {
						met[i][st.Next] = true
						in.members = append(in.members, member{st.Next, from, uint32(n)})
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

// finish works out what is asked of an inside that has all its members.
func (d *System) finish(in *inside) {
	var all, silent []model.NodeID
	var steps []model.NodeStep
	for k, m := range in.members {
		in.sorted = append(in.sorted, m.node)
		steps = d.Steps(in.member(uint32(k)), steps[:0])
		events, certain := 0, 0
		for _, st := range steps {
			if st.Fault == 0 {
				events++
				if !st.Refusable {
					certain++
				}
			}
		}
		all = append(all, m.node)
		if events == 0 {
			silent = append(silent, m.node)
		}
		in.waiting = in.waiting || events > 0 && certain == 0
	}
	slices.Sort(in.sorted)
	in.observed, in.silent = d.choice(all), d.choice(silent)
}

// choice is one of some nodes for each local state.
func (d *System) choice(nodes []model.NodeID) property.Choice {
	var kept []model.NodeID
	var locals []model.LocalID
	for _, n := range nodes {
		l := d.LocalOf(n)
		if at, known := slices.BinarySearch(locals, l); !known {
			locals = slices.Insert(locals, at, l)
			kept = append(kept, n)
		}
	}
	if len(kept) == 0 {
		return property.Choice{}
	}
	number, _ := d.choices.LoadOrStore(string(bytesOf(locals)), d.numbered.Add(1))
	return property.Choice{Nodes: kept, Number: number.(uint32)}
}

func bytesOf(ids []uint32) []byte {
	b := make([]byte, 0, 4*len(ids))
	for _, id := range ids {
		b = binary.LittleEndian.AppendUint32(b, id)
	}
	return b
}

// quiet are the members in which no event is enabled, given what is global.
func (d *System) quiet(in *inside, global uint32) property.Choice {
	if !in.waiting {
		return in.silent
	}
	var nodes []model.NodeID
	var steps []model.NodeStep
	for k, m := range in.members {
		isQuiet := true
		steps = d.Steps(in.member(uint32(k)), steps[:0])
		for n, st := range steps {
			step := model.PlacedStep{Placed: in.member(uint32(k)), Step: uint32(n)}
			isQuiet = isQuiet && (st.Fault != 0 || st.Refusable && d.Refuses(global, step))
		}
		if isQuiet {
			nodes = append(nodes, m.node)
		}
	}
	return d.choice(nodes)
}

// A label is what macro steps show outside: their effect, or how they fail.
type label struct {
	effect, failure uint32
	isRefusable     bool
}

// A target is a macro step with the node that it leads to.
type target struct {
	macroStep
	node  model.NodeID
	order int // of all macro steps
}

// macroSteps are the macro steps of a node.
func (d *System) macroSteps(ctx context.Context, in *inside) ([]macroStep, error) {
	if in.isSet.Load() {
		return in.steps, nil
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.isSet.Load() {
		return in.steps, nil
	}
	labels, targets := d.targets(in)
	var kept []target
	for _, l := range labels {
		most, err := d.largest(ctx, in.position, l, targets[l])
		if err != nil {
			return nil, err
		}
		kept = append(kept, most...)
	}
	slices.SortFunc(kept, func(x, y target) int { return x.order - y.order })
	for _, t := range kept {
		in.steps = append(in.steps, t.macroStep)
	}
	in.isSet.Store(true)
	return in.steps, nil
}

// targets are the different targets of each label, and the labels in the order in which they were met. Of steps that fail
// in the same way one is enough.
func (d *System) targets(in *inside) (labels []label, targets map[label][]target) {
	targets = map[label][]target{}
	var steps []model.NodeStep
	for k := range in.members {
		steps = d.Steps(in.member(uint32(k)), steps[:0])
		for n, st := range steps {
			if st.Internal {
				continue
			}
			l := label{st.Effect, st.Failure, st.Refusable}
			if targets[l] == nil {
				labels = append(labels, l)
			}
			isKnown := slices.ContainsFunc(targets[l], func(t target) bool { return t.node == st.Next })
			if !isKnown {
				t := target{macroStep{uint32(k), uint32(n), st.Facts, st.Records}, st.Next, k<<24 + n}
				targets[l] = append(targets[l], t)
			}
		}
	}
	return labels, targets
}

// largest leaves out the targets that are in In of another one; of targets that are in In of each other, the first stays.
// A label that may be refused was perhaps never taken, so a target that breaks a rule is none of the program's yet: then
// all stay.
func (d *System) largest(ctx context.Context, position uint32, l label, targets []target) ([]target, error) {
	if len(targets) == 1 || l.failure != 0 {
		return targets[:1], nil
	}
	nodes := make([]model.Placed, len(targets))
	for i, t := range targets {
		nodes[i] = model.Placed{Position: position, Node: t.node}
	}
	insides, err := d.insidesOf(ctx, nodes)
	var rule *model.RuleError
	if l.isRefusable && errors.As(err, &rule) {
		return targets, nil
	}
	if err != nil {
		return nil, err
	}
	var most []target
	for i, t := range targets {
		isBelow := false
		for j, other := range insides {
			if j != i && other.has(t.node) && (!insides[i].has(targets[j].node) || j < i) {
				isBelow = true
				break
			}
		}
		if !isBelow {
			most = append(most, t)
		}
	}
	return most, nil
}

// path is the steps from the first member to another one.
func (in *inside) path(to uint32) []uint32 {
	var steps []uint32
	for to != 0 {
		steps = append(steps, in.members[to].step)
		to = in.members[to].from
	}
	slices.Reverse(steps)
	return steps
}

// find is the number of the member that is a node.
func (in *inside) find(n model.NodeID) (uint32, bool) {
	k := slices.IndexFunc(in.members, func(m member) bool { return m.node == n })
	return uint32(max(k, 0)), k >= 0
}
