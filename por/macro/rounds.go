package macro

import (
	"context"
	"slices"

	"harrier/internal/lts"
	"harrier/internal/model"
	"harrier/internal/model/space"
)

// Macro steps end where time goes on. A round begins in a member of In of each component that is settled: nothing there has to come before
// it. What it does to a component depends on that component alone, so each has targets of rounds of its own, without those that are in In of
// another one, and a macro state has a round for each choice among them.

// IsWhole implements model.Whole.
func (d *System) IsWhole() bool { return d.actors.IsWhole() }

// rounds appends the rounds that may come next. Where there are too many, the steps of the component that may begin them in most members
// are to be taken one by one.
func (d *System) rounds(ctx context.Context, s model.State, insides []*inside, into []model.Transition) ([]model.Transition, error) {
	if !space.TimeOf(d.actors).MayTick(s[0]) {
		return into, nil
	}
	for _, in := range insides {
		if in != nil && !d.maySettle(in, s[0]) {
			return into, nil
		}
	}
	if err := space.TimeOf(d.actors).CheckChoices(d.Graph.Unfold(s)); err != nil {
		return into, err
	}
	for _, in := range insides {
		if in == nil {
			continue
		}
		d.ignored.recordTicked(in)
		if _, err := d.largest(ctx, in, ticksOf, d.ownTicks); err != nil {
			return into, err
		}
	}
	rounds := d.roundsOf(s)
	if rounds.count > d.actors.Program().Clocks.MostRounds() {
		most := rounds.largest()
		if most.begins() < 2 { // its steps are taken one by one, or it has none
			return into, &model.UsageError{Text: "clocks().within: a macro state has more rounds than a check can list: take --reduction off, or fewer actors"}
		}
		return into, lts.EndlessError(most.component)
	}
	for i := range rounds.count {
		into = append(into, model.Transition{Slot: model.Rounds, Step: uint32(i)})
	}
	return into, nil
}

func ticksOf(in *inside) *lazy[exits] { return &in.ticks }

// maySettle reports whether a component has a settled member of In with a global.
func (d *System) maySettle(in *inside, global uint32) bool {
	if in.settles || !in.held {
		return in.settles
	}
	for m := range in.members {
		if unless, ok := d.unless(in.component, m); ok && d.disablesAll(global, unless) {
			return true
		}
	}
	return false
}

// unless are the updates of the urgent steps of a member: it is settled where the global disables all of them. It is not ok if that
// cannot be.
func (d *System) unless(component, state uint32) (updates []uint32, ok bool) {
	for st := range d.Graph.Out(component, state) {
		if !st.Urgent {
			continue
		}
		if !st.Guarded {
			return nil, false
		}
		updates = append(updates, st.Update)
	}
	slices.Sort(updates)
	return slices.Compact(updates), true
}

func (d *System) disablesAll(global uint32, updates []uint32) bool {
	return !slices.ContainsFunc(updates, func(update uint32) bool { return !d.actors.Globals.Disables(global, update) })
}

// ownTicks are the targets of rounds that begin in an inside's own states.
func (d *System) ownTicks(ctx context.Context, in *inside) (targets []target, err error) {
	for _, m := range in.states {
		unless, ok := d.unless(in.component, m)
		if !ok {
			continue
		}
		facts := model.Facts{Effect: d.Graph.RoundLabel(unless), Guarded: len(unless) > 0}
		rounds, err := d.Graph.Rounds(in.component, m)
		if err != nil {
			return nil, err
		}
		for k, r := range rounds {
			t := target{macroStep: macroStep{from: m, by: model.Transition{Slot: model.Rounds, Step: uint32(k)}, facts: facts}}
			if t.target, err = d.ignored.Canonical(ctx, in.component, r.After); err != nil {
				return nil, ahead(facts, err)
			}
			targets = append(targets, t)
		}
	}
	return targets, nil
}

// rounds are those that may come next after a macro state.
type rounds struct {
	parts []part
	count uint64 // of rounds; one more than there may be if there are too many
}

// A part of a round is what it may do to a component that has a state.
type part struct {
	component uint32
	targets   []macroStep
}

func (d *System) roundsOf(s model.State) rounds {
	all, most := rounds{count: 1}, d.actors.Program().Clocks.MostRounds()
	for component, state := range s[1:] {
		if state == 0 {
			continue
		}
		of := part{component: uint32(component)}
		for _, m := range d.insides.Get(state).ticks.known.Load().steps {
			if d.disablesAll(s[0], d.Graph.Label(m.facts.Effect).Unless) {
				of.targets = append(of.targets, m)
			}
		}
		all.parts = append(all.parts, of)
		all.count = min(all.count*uint64(len(of.targets)), most+1)
	}
	return all
}

// largest is the part with most members in which the round may begin.
func (r *rounds) largest() part {
	return slices.MaxFunc(r.parts, func(x, y part) int { return x.begins() - y.begins() })
}

// begins is the number of members of In in which the round may begin.
func (p part) begins() int {
	from := map[uint32]bool{}
	for _, m := range p.targets {
		from[m.from] = true
	}
	return len(from)
}

// chosen yields the parts of the round with a number, each with its target.
func (r *rounds) chosen(number uint32) func(yield func(part, macroStep) bool) {
	return func(yield func(part, macroStep) bool) {
		for _, p := range r.parts {
			n := uint32(len(p.targets))
			if !yield(p, p.targets[number%n]) {
				return
			}
			number /= n
		}
	}
}

// tick takes a round.
func (d *System) tick(s model.State, t model.Transition, undo []model.Change) (model.State, []model.Change, error) {
	global, err := space.TimeOf(d.actors).GlobalAfter(s[0])
	if err != nil {
		return s, undo, err
	}
	all := d.roundsOf(s)
	for p, m := range all.chosen(t.Step) {
		s, undo = s.Put(p.component+1, m.target, undo)
	}
	s, undo = s.Put(0, global, undo)
	return s, undo, nil
}

// openRound is a round as single steps: those before it, the round itself, and those that consume the ignored messages afterwards.
func (d *System) openRound(ctx context.Context, s model.State, t model.Transition) (opened []model.Transition, err error) {
	var after []model.Transition
	var ticks []space.Ticks
	all := d.roundsOf(s)
	for p, m := range all.chosen(t.Step) {
		steps, err := d.path(ctx, p.component, s[p.component+1], m.from)
		if err != nil {
			return nil, err
		}
		opened = append(opened, steps...)
		rounds, err := d.Graph.Rounds(p.component, m.from)
		if err != nil {
			return nil, err
		}
		r := rounds[m.by.Step]
		if steps, err = d.discards(ctx, p.component, r.After); err != nil {
			return nil, err
		}
		after, ticks = append(after, steps...), append(ticks, r.Ticks...)
	}
	return slices.Concat(opened, []model.Transition{space.TimeOf(d.actors).Round(ticks)}, after), nil
}
