package liveness

import (
	"context"
	"slices"

	"harrier/internal/ds/slab"
	"harrier/internal/lts"
	"harrier/internal/lts/ignored"
	"harrier/internal/model"
	"harrier/internal/model/space"
)

// A system has the steps of the components of a program, as far as liveness needs them. Its transitions are macro steps, or single steps:
// these are macro steps in which nothing is internal.
type system struct {
	constraints
	actors  *space.Actors
	graph   *lts.Graph
	atoms   []model.Atom      // predicates that the formula reads
	single  bool              // no step is internal
	endless map[uint32]bool   // components that become new states without end by themselves: none of their steps is internal
	ignored *ignored.Messages // left out of component states; nil if none are
	locals  *slab.Pointers[local]
	walked  uint64 // members that walks for In came to
}

// A local has the computed facts of a component state.
type local struct {
	component uint32
	members   []uint32 // In of the component state, itself first
	needs     []need   // constraints enabled in the component state itself
	degree    int      // steps of its actors in the component state itself
	quiet     bool     // the component may do internal steps alone for ever, or nothing, and be fair, if nothing arrives
	steps     []step
}

// A need is a constraint that is enabled, unless the global disables a step with an update.
type need struct{ constraint, update uint32 }

// A step of a component is a labelled step of a member.
type step struct {
	label  uint32
	fault  bool
	target uint32   // the component state after it, without messages of others
	meets  []uint32 // constraints that are disabled in a state of, or taken on, some internal path to the step, or by it; ascending
}

func newSystem(actors *space.Actors, atoms []model.Atom, single bool) *system {
	s := &system{
		constraints: constraints{actors, slab.NewTable[constraint]()}, actors: actors, graph: lts.New(actors),
		atoms: atoms, single: single,
	}
	s.forget()
	return s
}

// forget drops the computed facts of component states.
func (s *system) forget() { s.locals, s.walked = &slab.Pointers[local]{}, 0 }

// isInternal reports whether an edge shows nothing outside of its component, nor to the formula.
func (s *system) isInternal(component uint32, e *lts.Edge) bool {
	return !s.single && !s.endless[component] && !s.isSeen(e)
}

// isSeen reports whether an edge shows something outside of its component, or to the formula.
func (s *system) isSeen(e *lts.Edge) bool {
	if e.Label != 0 {
		return true
	}
	isSeen := func(a model.Atom) bool {
		return e.ChangesActors() || s.actors.Nodes.Distinguishes(a.Property, e.Before, e.Local)
	}
	return slices.ContainsFunc(s.atoms, isSeen)
}

// next is an lts.Next.
func (s *system) next(ctx context.Context, v lts.Vertex, e *lts.Edge) (uint32, bool, error) {
	if !s.isInternal(v.Component, e) {
		return 0, false, nil
	}
	to, err := s.after(ctx, v, e)
	return to, true, err
}

// after is what a component becomes by an edge, without the messages that it ignores from there on.
func (s *system) after(ctx context.Context, v lts.Vertex, e *lts.Edge) (uint32, error) {
	to, err := s.graph.After(v.Component, v.State, e)
	if err != nil || e.Failure != 0 {
		return to, err
	}
	return s.canonical(ctx, v.Component, to)
}

// canonical is a component state that a run comes to, without the messages that it ignores from there on.
func (s *system) canonical(ctx context.Context, component, state uint32) (uint32, error) {
	if s.ignored == nil {
		return state, nil
	}
	if to, ok := s.ignored.Known(component, state); ok {
		return to, nil
	}
	to, err := s.ignored.Canonical(ctx, component, state)
	if err == nil && to != state {
		err = s.ignored.LeaveOut(ctx, lts.Vertex{Component: component, State: state})
	}
	return to, err
}

// isUnseen reports whether a step that changes nothing makes no difference to runs: it meets no constraint except that of the event which it takes.
func (s *system) isUnseen(_ uint32, e *lts.Edge) bool {
	return !s.isSeen(e) && len(e.Renewed(s.actors)) == 0
}

// local computes the facts of a component state.
func (s *system) local(ctx context.Context, v lts.Vertex) (*local, error) {
	if known := s.locals.Get(v.State); known != nil {
		return known, nil
	}
	members, err := s.in(ctx, v)
	if err != nil {
		return nil, err
	}
	l := &local{component: v.Component, members: members[0]}
	if l.needs, err = s.needs(l.component, v.State); err != nil {
		return nil, err
	}
	for range s.graph.Out(v.Component, v.State) {
		l.degree++
	}
	if err := s.complete(ctx, l); err != nil {
		return nil, err
	}
	return s.locals.GetOrPut(v.State, l), nil
}

// in is In of component states.
func (s *system) in(ctx context.Context, of ...lts.Vertex) ([][]uint32, error) {
	if !s.single {
		all, err := lts.In(ctx, s.graph, of, s.next)
		for _, members := range all {
			s.walked += uint64(len(members))
		}
		return all, err
	}
	var alone [][]uint32
	for _, v := range of {
		alone = append(alone, []uint32{v.State})
	}
	return alone, s.graph.Expand(ctx, of...)
}

// needs returns the constraints enabled in an expanded component state.
func (s *system) needs(component, state uint32) ([]need, error) {
	var needs []need
	for e := range s.graph.Out(component, state) {
		taken, err := s.taken(&e.NodeStep, nil)
		if err != nil {
			return nil, err
		}
		update := uint32(0)
		if e.Guarded {
			update = e.Update
		}
		for _, c := range taken {
			if n := (need{c, update}); !slices.Contains(needs, n) {
				needs = append(needs, n)
			}
		}
	}
	return needs, nil
}

// enabled returns the constraints that are enabled in a component state with a global.
func (s *system) enabled(l *local, global uint32) []uint32 {
	var enabled []uint32
	for _, n := range l.needs {
		if n.update == 0 || !s.actors.Globals.Disables(global, n.update) {
			enabled = append(enabled, n.constraint)
		}
	}
	return enabled
}
