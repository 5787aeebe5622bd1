package macro

import (
	"cmp"
	"context"
	"slices"

	"harrier/internal/lts"
	"harrier/internal/model"
)

// A macroStep is a step of a member that is not internal.
type macroStep struct {
	from   uint32 // the member
	by     model.Transition
	target uint32
	far    uint32      // how many internal steps away the member is, at least
	facts  model.Facts // the effect is the label
}

// exits are the macro steps of an inside, those of near members first. Another inside may have the same, all of them nearer.
type exits struct {
	steps   []macroStep
	further uint32 // what to add to far
}

// macroSteps are the macro steps of a component state. The largest targets of a label are those among the ones of its own states and the
// largest ones of the states that internal steps lead to.
func (d *System) macroSteps(ctx context.Context, in *inside) ([]macroStep, error) {
	return d.largest(ctx, in, func(part *inside) *lazy[exits] { return &part.steps }, d.ownTargets)
}

// largest are the largest targets of an inside, where own gives those of the own states of one.
func (d *System) largest(ctx context.Context, in *inside, exitsOf func(*inside) *lazy[exits], own func(context.Context, *inside) ([]target, error)) ([]macroStep, error) {
	for _, part := range in.lacking(func(part *inside) bool { return exitsOf(part).known.Load() == nil }) {
		if ctx.Err() != nil { // there may be very many
			return nil, context.Cause(ctx)
		}
		if _, err := exitsOf(part).get(func() (exits, error) {
			targets, err := own(ctx, part)
			if err != nil {
				return exits{}, err
			}
			return d.largestSteps(ctx, part, targets, exitsOf)
		}); err != nil {
			return nil, err
		}
	}
	return exitsOf(in).known.Load().steps, nil
}

// takenSteps says which macro steps of a component state the search took.
func (in *inside) takenSteps() []uint32 {
	taken, _ := in.taken.get(func() ([]uint32, error) { return make([]uint32, len(in.steps.known.Load().steps)), nil })
	return taken
}

// A target is a macro step that may be left out for another one of its label.
type target struct {
	macroStep
	source int // 0 for one of the inside's own states, else one more than the place in next of the inside that has it
	isLess bool
}

// largestSteps returns the macro steps of an inside with some targets of its own, when those of the insides that are part of it are known.
func (d *System) largestSteps(ctx context.Context, in *inside, targets []target, exitsOf func(*inside) *lazy[exits]) (exits, error) {
	for i, next := range in.next {
		known := exitsOf(next).known.Load()
		for _, m := range known.steps {
			m.far += known.further + 1
			targets = append(targets, target{macroStep: m, source: i + 1})
		}
	}
	slices.SortStableFunc(targets, func(x, y target) int { return cmp.Compare(x.far, y.far) })
	byLabel, order := map[uint32][]*target{}, []uint32{}
	known := map[[2]uint32]bool{} // labels with targets
	for i := range targets {
		t := &targets[i]
		l := t.facts.Effect
		if byLabel[l] == nil {
			order = append(order, l)
		}
		// Of steps that fail in the same way one is enough.
		if key := [2]uint32{l, t.target}; known[key] || len(byLabel[l]) > 0 && d.Graph.Label(l).Failure != 0 {
			t.isLess = true
		} else {
			known[key] = true
			byLabel[l] = append(byLabel[l], t)
		}
	}
	for _, l := range order {
		if err := d.leaveOut(ctx, in.component, byLabel[l]); err != nil {
			return exits{}, err
		}
	}
	var steps []macroStep
	for _, t := range targets {
		if !t.isLess {
			steps = append(steps, t.macroStep)
		}
	}
	for _, next := range in.next { // most have the macro steps of another one
		known := exitsOf(next).known.Load()
		isSame := func(m, n macroStep) bool {
			n.far += known.further + 1
			return m == n
		}
		if slices.EqualFunc(steps, known.steps, isSame) {
			return exits{known.steps, known.further + 1}, nil
		}
	}
	return exits{slices.Clip(steps), 0}, nil
}

// ownTargets are the targets of the steps of an inside's own states, in the order of these.
func (d *System) ownTargets(ctx context.Context, in *inside) (targets []target, err error) {
	for _, m := range in.states {
		for st := range d.Graph.Out(in.component, m) {
			if d.isInternal(in.component, &st) {
				continue
			}
			t := target{macroStep: macroStep{from: m, by: st.Transition, facts: st.Facts}}
			if t.target, err = d.canonicalAfter(ctx, in.component, m, &st); err != nil {
				return nil, ahead(st.Facts, err)
			}
			t.facts.Effect = st.Label
			targets = append(targets, t)
		}
	}
	return targets, nil
}

// leaveOut marks the targets of a label that are in In of another one; of targets that are in In of each other, the first stays. A label
// that may be disabled was perhaps never taken, so perhaps no run comes to a target that breaks a rule: then all stay.
func (d *System) leaveOut(ctx context.Context, component uint32, targets []*target) error {
	isGuarded, source := targets[0].facts.Guarded, targets[0].source
	if len(targets) == 1 || !isGuarded && source > 0 && !slices.ContainsFunc(targets, func(t *target) bool { return t.source != source }) {
		return nil
	}
	states := make([]lts.Vertex, len(targets))
	for i, t := range targets {
		states[i] = lts.Vertex{Component: component, State: t.target}
	}
	insides, err := d.insidesOf(ctx, states)
	if isGuarded && err != nil && model.IsOfStep(ctx, err) {
		return nil
	}
	if err != nil {
		return ahead(targets[0].facts, err)
	}
	for i, t := range targets {
		for j, other := range targets[:i] {
			switch {
			case t.isLess || other.isLess:
			case !isGuarded && t.source > 0 && t.source == other.source: // neither is less
			case insides[j].has(insides[i]):
				t.isLess = true
			case insides[i].has(insides[j]):
				other.isLess = true
			}
		}
	}
	return nil
}
