package liveness

import (
	"context"
	"errors"
	"iter"
	"slices"

	"harrier/internal/ds/bitset"
	"harrier/internal/ds/pairs"
	"harrier/internal/ds/vectors"
	"harrier/internal/liveness/ltl"
	"harrier/internal/lts"
	"harrier/internal/model"
	"harrier/internal/property"
)

// A graph is the global states that are known, one of each orbit, by number, as they are found breadth-first. The edges of the first
// of them can be followed; those of the others lead to states that are not known yet.
type graph struct {
	*system
	*permutations
	checker  *property.Checker
	tree     vectors.Tree // of states
	orbits   vectors.Tree // of the canonical states, if there is a group
	numbers  pairs.Map    // (id of an orbit, 0) -> number
	states   []uint32     // ids
	frames   []uint32     // the permutations that map states to their canonical states
	labels   []ltl.Label
	parents  []uint32 // the numbers of the states from which states were found; 0 of the first
	explored int      // so many states may be followed

	// The edges' targets, by number, and where those of each state that was explored begin. The other facts of an edge are
	// worked out again.
	targets []uint32
	begin   []uint64
	faults  bitset.Set // the edges that are faults, by place among targets
}

// An edge is a step of a component in a state.
type edge struct {
	to        int // number
	component uint32
	of        *local
	step      *step
	by        uint32 // the permutation by which the state to becomes where the step leads
}

var errTreeFull = &model.LimitError{Text: "the tree that compresses the states of the search for liveness is full"}

// start makes the initial state known.
func (g *graph) start(ctx context.Context) error {
	s := slices.Clone(g.graph.Fold(g.actors.Initial()))
	for component, state := range g.components(s) {
		var err error
		if s[component+1], err = g.system.canonical(ctx, component, state); err != nil {
			return err
		}
	}
	_, _, err := g.number(ctx, s)
	return err
}

// number is the number of the orbit of a state, a vector of component states, and the permutation by which the state that is kept of
// it becomes this one.
func (g *graph) number(ctx context.Context, s model.State) (number int, by uint32, err error) {
	id, ok := g.tree.Compress(s)
	orbit, frame := id, uint32(0)
	if g.group != nil && ok {
		var vector []uint32
		if vector, frame, err = g.place(g.graph.Unfold(s)); err != nil {
			return 0, 0, err
		}
		orbit, ok = g.orbits.Compress(vector)
	}
	if !ok {
		return 0, 0, errTreeFull
	}
	known, err := g.numbers.GetOrPut(orbit, 0, func() (uint32, error) {
		label, err := g.label(ctx, g.graph.Unfold(s))
		g.states, g.frames, g.labels = append(g.states, id), append(g.frames, frame), append(g.labels, label)
		return uint32(len(g.states) - 1), err
	})
	if err != nil || frame == g.frames[known] {
		return int(known), 0, err
	}
	return int(known), g.then(g.frames[known], g.inverse(frame)), nil
}

// label is which atoms hold in a state of the actors.
func (g *graph) label(ctx context.Context, s model.State) (ltl.Label, error) {
	label := ltl.Label(0)
	for i, a := range g.atoms {
		holds, err := g.checker.Holds(ctx, a.Property, s)
		if err != nil {
			return 0, err
		}
		if holds {
			label |= 1 << i
		}
	}
	return label, nil
}

// state is the state with a number, in memory of its own.
func (g *graph) state(number int) model.State {
	return model.State(g.tree.Decompress(g.states[number], nil)).Trimmed()
}

// explore finds the successors of the next state.
func (g *graph) explore(ctx context.Context) error {
	s := g.state(g.explored)
	var updates []uint32
	for component, state := range g.components(s) {
		l, err := g.local(ctx, lts.Vertex{Component: component, State: state})
		if err != nil {
			return err
		}
		for i := range l.steps {
			if update := g.graph.Label(l.steps[i].label).Update; update != 0 {
				updates = append(updates, update)
			}
		}
	}
	if len(updates) > 0 {
		if err := g.actors.Globals.Prepare(ctx, s.At(0), updates); err != nil {
			return err
		}
	}
	g.begin = append(g.begin, uint64(len(g.targets)))
	err := g.follow(ctx, g.explored, func(e edge) {
		if e.step.fault {
			g.faults.Put(len(g.targets))
		}
		g.targets = append(g.targets, uint32(e.to))
	})
	for len(g.parents) < len(g.states) {
		g.parents = append(g.parents, uint32(g.explored))
	}
	g.explored++
	return err
}

// successors are the targets of a state's edges, in the order of follow.
func (g *graph) successors(number int) []uint32 {
	end := uint64(len(g.targets))
	if number+1 < len(g.begin) {
		end = g.begin[number+1]
	}
	return g.targets[g.begin[number]:end]
}

// components yields the states of the components in a state.
func (g *graph) components(s model.State) iter.Seq2[uint32, uint32] {
	return func(yield func(uint32, uint32) bool) {
		for component, state := range s[min(1, len(s)):] {
			if state != 0 && !yield(uint32(component), state) {
				return
			}
		}
	}
}

// follow calls found for each edge of a state.
func (g *graph) follow(ctx context.Context, number int, found func(edge)) error {
	from := g.state(number)
	s := slices.Clone(from)
	var undo []model.Change
	for component, state := range g.components(from) {
		l := g.system.locals.Get(state)
		for i := range l.steps {
			st := &l.steps[i]
			var err error
			s, undo, err = g.apply(ctx, s, component, st, undo[:0])
			if errors.Is(err, model.ErrDisabled) {
				continue
			}
			if err != nil {
				return err
			}
			e := edge{component: component, of: l, step: st}
			e.to, e.by, err = g.number(ctx, s)
			s.Undo(undo)
			if err != nil {
				return err
			}
			found(e)
		}
	}
	return nil
}

// apply takes a step of a component in place.
func (g *graph) apply(ctx context.Context, s model.State, component uint32, st *step, undo []model.Change) (model.State, []model.Change, error) {
	label := g.graph.Label(st.label)
	if label.Update != 0 {
		global, err := g.actors.Globals.After(s.At(0), label.Update)
		if err != nil {
			return s, undo, err
		}
		s, undo = s.Put(0, global, undo)
	}
	s, undo = s.Put(component+1, st.target, undo)
	for _, e := range label.Outside {
		to := g.graph.Spot(e.Position)
		next, err := g.graph.Arrive(s.At(to.Component+1), to, e)
		if err == nil {
			next, err = g.system.canonical(ctx, to.Component, next)
		}
		if err != nil {
			return s, undo, err
		}
		s, undo = s.Put(to.Component+1, next, undo)
	}
	return s, undo, nil
}
