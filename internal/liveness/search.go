package liveness

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync/atomic"

	"harrier/internal/liveness/ltl"
	"harrier/internal/lts"
	"harrier/internal/lts/ignored"
	"harrier/internal/model"
	"harrier/internal/model/space"
	"harrier/internal/property"
	"harrier/symmetry"
)

// Options say how to search. The zero value takes single steps and permutes no actors.
type Options struct {
	Macro bool            // take macro steps; only if NeedsSingleSteps has nothing against it
	Group *symmetry.Group // states that differ in one of its permutations are explored once; the formula is the same under all of them
	// Explored counts the states that are explored, for others to look at meanwhile; nil for none.
	Explored *atomic.Uint64
}

// A Search looks for a fair run that violates a property.
type Search struct {
	product
	kind     property.RunKind
	formula  *ltl.Formula
	options  Options
	excluded map[uint32]bool // handlers whose messages stay in inboxes, as they may matter later
	checked  int             // how many states had been explored when a lasso was looked for last
}

// New begins a search. The error is a *model.UsageError if the property's formula cannot be parsed.
func New(actors *space.Actors, checker *property.Checker, of model.Liveness, o Options) (*Search, error) {
	if len(of.Atoms) > ltl.MaxAtoms {
		return nil, &model.UsageError{Text: fmt.Sprintf("%q asks for %d predicates, and may for %d", of.Name, len(of.Atoms), ltl.MaxAtoms)}
	}
	formula, err := ltl.Parse(of.Formula, of.Bit)
	if err != nil {
		return nil, &model.UsageError{Text: fmt.Sprintf("the formula of %q: %v", of.Name, err)}
	}
	s := &Search{kind: property.OfRuns(of), formula: formula, options: o}
	if s.automaton = ltl.Anything(); s.kind.Fair {
		s.automaton = ltl.Violating(formula)
	}
	s.graph = &graph{system: newSystem(actors, of.Atoms, !o.Macro), checker: checker}
	s.renew(nil, nil)
	return s, nil
}

// renew begins anew, with the components that are known to be endless, and the handlers whose messages stay in inboxes.
func (s *Search) renew(endless, excluded map[uint32]bool) {
	old := s.graph
	old.forget()
	generators := generators(old.system.graph, s.options.Group)
	for todo := slices.Collect(maps.Keys(endless)); len(todo) > 0; todo = todo[1:] {
		for _, p := range generators { // what a component can do by itself, its images can
			if to := p.Component(todo[0]); !endless[to] {
				endless[to], todo = true, append(todo, to)
			}
		}
	}
	old.system.endless, s.excluded = endless, excluded
	if s.options.Macro && len(old.atoms) > 0 { // which see who is down: nobody ignores messages then
		old.system.ignored = ignored.New(old.system.graph, old.actors, generators, excluded, old.system.isUnseen)
	}
	s.graph = &graph{system: old.system, checker: old.checker, permutations: newPermutations(old.system.graph, s.options.Group)}
	s.checked = 0
}

// TakesSingleSteps reports whether no step is internal, as options have it or as macro steps turned out to save nothing.
func (s *Search) TakesSingleSteps() bool { return s.single }

// States is how many states are explored, Edges how many edges they have.
func (s *Search) States() int   { return s.explored }
func (s *Search) Edges() uint64 { return uint64(len(s.targets)) }

// IsComplete reports whether all states are explored.
func (s *Search) IsComplete() bool { return len(s.states) > 0 && s.explored == len(s.states) }

// Advance goes on until so many states are explored, or all. It looks for a run at the end, and whenever twice as many states are
// explored as the last time, and returns the first that it finds; nil if these states have none. That run is, of a property
// of the kind Always, a lasso that violates it; of Sometimes, one to a state that has it; of Possible, one to a state from which none
// that has it can be reached without faults.
func (s *Search) Advance(ctx context.Context, states int) (*Lasso, error) {
	for {
		l, err := s.advance(ctx, states)
		var endless lts.EndlessError
		if !errors.As(err, &endless) {
			return l, err
		}
		s.renew(endless.AddTo(s.endless), s.excluded)
	}
}

func (s *Search) advance(ctx context.Context, states int) (*Lasso, error) {
	if len(s.states) == 0 {
		if err := s.start(ctx); err != nil {
			return nil, err
		}
	}
	for s.explored < len(s.states) && s.explored < states {
		if s.explored&1023 == 0 && ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if err := s.explore(ctx); err != nil {
			return nil, err
		}
		if s.options.Explored != nil {
			s.options.Explored.Add(1)
		}
		if s.ignored != nil && len(s.ignored.Contrary()) > 0 {
			excluded := maps.Clone(s.ignored.Contrary())
			maps.Copy(excluded, s.excluded)
			s.renew(s.endless, excluded)
			return s.advance(ctx, states)
		}
		if !s.single && s.isDue() {
			if err := s.growth(); err != nil {
				return nil, err
			}
		}
		if !s.single && s.explored == firstStates && s.savesNothing() {
			s.single = true
			s.renew(s.endless, s.excluded)
			return s.advance(ctx, states)
		}
		if s.explored >= max(firstLook, 2*s.checked) {
			if l, err := s.look(ctx); l != nil || err != nil {
				return l, err
			}
		}
	}
	return s.look(ctx)
}

// firstLook is how many states are explored before a lasso is looked for the first time.
const firstLook = 1 << 10

// look looks for a lasso among the states that are explored, unless it did.
func (s *Search) look(ctx context.Context) (*Lasso, error) {
	if s.checked == s.explored {
		return nil, nil
	}
	s.checked = s.explored
	to := -1
	switch {
	case s.kind.Fair:
		found, err := s.find(ctx)
		if found == nil || err != nil {
			return nil, err
		}
		return s.lasso(ctx, found)
	case s.kind.Wanted:
		to = slices.IndexFunc(s.labels[:s.explored], s.formula.HoldsIn)
	default:
		to = s.hopeless()
	}
	if to < 0 {
		return nil, nil
	}
	w, err := s.walkTo(ctx, to)
	if err != nil {
		return nil, err
	}
	return &Lasso{Stem: w.taken}, nil
}
