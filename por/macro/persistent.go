package macro

import (
	"context"
	"slices"

	"harrier/internal/model"
	"harrier/internal/property"
	"harrier/por/persistent"
)

// behind shows the components of a system to those who look for persistent labels: what they show outside, and what arrives.
type behind struct {
	*System
	reads func() [][]uint32
}

// Components shows the components of the system. reads are the positions that each invariant has read so far.
func (d *System) Components(reads func() [][]uint32) persistent.Components { return behind{d, reads} }

// inside is In of a component state.
func (d *System) inside(ctx context.Context, component, state uint32) (*inside, error) {
	if in := d.insides.Get(state); in != nil {
		return in, nil
	}
	found, err := d.insidesOf(ctx, []placed{{component, state}})
	if err != nil {
		return nil, err
	}
	return found[0], nil
}

// Steps implements persistent.Components.
func (b behind) Steps(ctx context.Context, component, state uint32) ([]persistent.Step, error) {
	in, err := b.inside(ctx, component, state)
	if err != nil {
		return nil, err
	}
	macro, err := b.macroSteps(ctx, in)
	var steps []persistent.Step
	for i := range macro { // not copied, as others set taken meanwhile
		steps = append(steps, persistent.Step{Label: macro[i].facts.Effect, Target: macro[i].target})
	}
	return steps, err
}

// Label implements persistent.Components.
func (b behind) Label(label uint32) persistent.Label {
	e := b.labels.At(label)
	records, guarded, last := b.actors.UpdateParts(e.Update)
	l := persistent.Label{Records: records, Alone: !guarded && !last && e.Failure == 0}
	for _, f := range e.Outside {
		if f.Message == 0 {
			l.Creates = true
			continue
		}
		l.Sends = append(l.Sends, persistent.Arrival{
			Component: b.at(f.Position).component, Message: f.Message,
			InOrder: b.actors.Program().InOrder(b.actors.PositionName(int(f.Position))),
		})
	}
	return l
}

// Arrive implements persistent.Components.
func (b behind) Arrive(ctx context.Context, state, message uint32) (uint32, error) {
	position := b.actors.ReceiverOf(message)
	return b.arriveSettled(ctx, state, b.at(position), model.Effect{Position: position, Message: message})
}

// Covers implements persistent.Components.
func (b behind) Covers(ctx context.Context, component, state, below uint32) (bool, error) {
	in, err := b.inside(ctx, component, state)
	return err == nil && in.has(below), err
}

// MayEnd implements persistent.Components.
func (b behind) MayEnd(state uint32) bool {
	in := b.insides.Get(state)
	return in.silent != nil || in.waiting
}

// Shows implements persistent.Components.
func (b behind) Shows(ctx context.Context, component, state uint32, others []uint32, read bool) (bool, error) {
	in, err := b.inside(ctx, component, state)
	if err != nil {
		return false, err
	}
	var options []*property.Choice
	for _, o := range others {
		other, err := b.inside(ctx, component, o)
		if err != nil {
			return false, err
		}
		options = append(options, b.observed(other)...)
	}
	return !slices.ContainsFunc(b.observed(in), func(c *property.Choice) bool {
		actors := b.exist(component, c)
		hasActors := slices.ContainsFunc(options, func(o *property.Choice) bool { return slices.Equal(b.exist(component, o), actors) })
		return !hasActors || read && !c.IsWithin(options)
	}), nil
}

// observed is what properties can tell apart of In of a component state.
func (b behind) observed(in *inside) []*property.Choice {
	if in.observed != nil {
		return in.observed
	}
	return b.choose(in.component, []uint32{in.members[0].state})
}

// exist identifies the actors that exist in the options of a choice, in which they are the same.
func (b behind) exist(component uint32, c *property.Choice) (presences []uint32) {
	s := make(model.State, b.actors.Positions()+1)
	c.Put(s)
	for _, position := range b.positionsOf(component) {
		if p := b.actors.Presence(s[position]); p != 0 {
			presences = append(presences, p)
		}
	}
	return presences
}

// Visible implements persistent.Components.
func (b behind) Visible() (v persistent.Visible) {
	for _, reads := range b.reads() {
		history := false
		for _, position := range reads {
			if position == 0 {
				history = true
				continue
			}
			component := b.at(position).component
			for len(v.Components) <= int(component) {
				v.Components = append(v.Components, false)
			}
			v.Components[component] = true
		}
		v.HistoryWithMore = v.HistoryWithMore || history && len(reads) > 1
	}
	return v
}

// Permutations implements persistent.Components.
func (b behind) Permutations() int { return len(b.permutations) }

// Permute implements persistent.Components.
func (b behind) Permute(by int, component, state uint32) (imageComponent, image uint32, err error) {
	p := b.permutations[by]
	image, err = p.state(component, state)
	return p.component(component), image, err
}

// PermuteMessage implements persistent.Components.
func (b behind) PermuteMessage(by int, component, message uint32) (imageComponent, image uint32, err error) {
	p := b.permutations[by]
	image, err = p.Message(message)
	return p.component(component), image, err
}
