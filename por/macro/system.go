// Package dir is dynamic interface reduction (Guo, Wu, Zhou, Hu, Yang, Zhang: Practical Software Model Checking via
// Dynamic Interface Reduction, SOSP 2011) in a stateful form: what a component does by itself is put off until it shows
// something outside, and taken together with that as one transition.
//
//	model.Actors -> components (components.go) -> In of their states (inside.go) -> System of macro steps -> search
//	property.Checker -> checker: properties on the combinations that a macro state stands for (checker.go)
//	Open: a path of macro steps as one of single steps (open.go)
//
// A component is a set of actors, by default one. A single step is internal if nothing outside of its component can notice or
// disable it. In(x) is what a component state x can become by internal steps. A macro step from x is a step of some member of
// In(x) that is not internal; its label is what it does outside. A macro step is left out if its target is in In of the target
// of another one with the same label.
//
// A macro state stands for the product of In over its components. The states that a program can reach are exactly those that
// reachable macro states stand for, so verdicts are those of a search of single steps (docs/soundness.md has the proof).
package macro

import (
	"context"
	"slices"
	"sync/atomic"

	"harrier/internal/ds/pairs"
	"harrier/internal/ds/slab"
	"harrier/internal/model"
	"harrier/internal/property"
)

// System is the system of macro steps. Its states have component states in place of nodes; a transition's Slot is that of a
// component, and Step the number of a macro step there. Several goroutines may use it at once.
type System struct {
	*components
	// Endless says which component became too much by itself, where that ended a search.
	Endless atomic.Pointer[string]
	// Start is a state of the actors to begin in; nil for the initial one.
	Start model.State

	permutations []*permutation // generators; none if states are told apart by all of them

	insides *slab.Pointers[inside] // by component state
	ignored *ignored
	checker *property.Checker
	ctx     context.Context // of the search, for what Apply has to ask

	numbers pairs.Map          // (effect of a step, component), or (failure, update) -> label
	labels  *slab.Table[label] // by number
}

// A label is what macro steps show outside of their component.
type label struct {
	Update  uint32         // the global update; 0 for none
	Failure uint32         // how they fail, 0 if they do not
	Outside []model.Effect // on other components; not to be changed
}

// New makes the system of macro steps of some actors, of which a checker knows the properties.
func New(actors *model.Actors, checker *property.Checker) *System {
	d := &System{
		components: newComponents(actors), checker: checker, labels: slab.NewTable[label](), ctx: context.Background(),
	}
	d.begin(map[uint32]bool{})
	return d
}

// begin forgets what was worked out, as what some handlers take is not left out any more.
func (d *System) begin(excluded map[uint32]bool) {
	d.insides, d.ignored = &slab.Pointers[inside]{}, newIgnored(excluded)
}

// Initial implements model.System.
func (d *System) Initial() model.State {
	if d.Start != nil {
		return d.foldAll(slices.Clone(d.Start))
	}
	return d.foldAll(d.actors.Initial())
}

// Pending implements model.System.
func (d *System) Pending(s model.State) int { return d.actors.Pending(d.Unfold(s)) }

// label is the number of what a step shows outside of its component.
func (d *System) label(component uint32, st *model.NodeStep) uint32 {
	by, in := st.Effect, component
	if st.Failure != 0 {
		by, in = st.Failure|isVector, st.Update
	}
	number, _ := d.numbers.GetOrPut(by, in, func() (uint32, error) {
		l := label{Update: st.Update, Failure: st.Failure}
		ids := []uint32{st.Update, st.Failure}
		for _, f := range st.Effects {
			if d.at(f.Position).component != component {
				l.Outside = append(l.Outside, f)
				ids = append(ids, f.Position, f.Message, f.Local)
			}
		}
		return d.labels.Intern(slab.Key(ids...), func() label { return l }), nil
	})
	return number
}

// Enabled implements model.System. Slots come in the order of model.Actors.
func (d *System) Enabled(ctx context.Context, s model.State, into []model.Transition) ([]model.Transition, error) {
	var room room
	insides, err := d.all(ctx, s, room[:0])
	if err != nil {
		return into, err
	}
	var updates []uint32
	for slot := len(insides) - 1; slot >= 0; slot-- {
		in := insides[slot]
		if in == nil {
			continue
		}
		steps, err := d.macroSteps(ctx, in)
		if err != nil {
			return into, err
		}
		for k := range steps { // not copied, as others set taken meanwhile
			into = append(into, model.Transition{Slot: uint32(slot), Step: uint32(k)})
			if update := d.labels.At(steps[k].facts.Effect).Update; update != 0 {
				updates = append(updates, update)
			}
		}
	}
	if len(updates) > 0 {
		return into, d.actors.Globals.Prepare(ctx, s[0], updates)
	}
	return into, nil
}

// Apply implements model.System.
func (d *System) Apply(s model.State, t model.Transition, undo []model.Change) (model.State, []model.Change, error) {
	m := &d.insides.Get(s[t.Slot+1]).steps[t.Step]
	e := d.labels.At(m.facts.Effect)
	global := s[0]
	if e.Update != 0 {
		var err error
		if global, err = d.actors.Globals.After(s[0], e.Update); err != nil {
			return s, undo, err
		}
	}
	if atomic.LoadUint32(&m.taken) == 0 {
		atomic.StoreUint32(&m.taken, 1)
	}
	if e.Failure != 0 {
		return s, undo, d.actors.Values.Failure(e.Failure)
	}
	s, undo = s.Put(t.Slot+1, m.target, undo)
	if e.Update != 0 {
		s, undo = s.Put(0, global, undo)
	}
	for _, f := range e.Outside {
		to := d.at(f.Position)
		next, err := d.canonicalArrival(s.At(to.component+1), to, f)
		if err != nil {
			return s, undo, err
		}
		s, undo = s.Put(to.component+1, next, undo)
	}
	return s, undo, nil
}

// Facts implements model.System.
func (d *System) Facts(s model.State, t model.Transition) model.Facts {
	return d.insides.Get(s[t.Slot+1]).steps[t.Step].facts
}
