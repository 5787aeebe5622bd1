package sample

import (
	"context"
	"math/bits"
	"slices"

	"harrier/dbss"
	"harrier/internal/model"
	"harrier/internal/model/space"
	"harrier/internal/property"
)

// Options say which runs to take.
type Options struct {
	Seed       uint64
	Depth      int  // of bugs for PCT: one more than how often it changes priorities in a run
	NoDeadlock bool // leave out final conditions
	// Loop decides whether a run that ends in a terminal state, or comes back to the state after its stem, violates a property of
	// runs. Nil if the program has no such property.
	Loop func(ctx context.Context, stem, loop []model.Transition) (*dbss.Counterexample, error)
}

// Sampler takes random runs. One goroutine may use it at a time; several samplers may share actors and a checker.
type Sampler struct {
	Options
	Counts dbss.Counts // States are those that runs began in or came to, each as often as they did

	actors  *space.Actors
	checker *property.Checker
	choices *choices
	corpus  corpus
	unseen  *unseen

	began uint64 // runs
	lanes [16]*walk
	lane  int // the next one

	scratch struct {
		undo     []model.Change
		observed []uint64
		missing  []space.Placed
		enabled  []model.Transition
		round    choice
	}
}

// New makes a sampler, which has taken no run.
func New(actors *space.Actors, checker *property.Checker, o Options) *Sampler {
	return &Sampler{Options: o, actors: actors, checker: checker, choices: newChoices(actors), unseen: newUnseen()}
}

// The costs of work in transitions of a search that are remembered: about what it takes. Time itself must not decide.
const (
	stepCost = 4   // of a step of a random run, which is chosen among those that are enabled
	javaCost = 100 // of one execution in Java
)

// Cost is the work of a search that took some transitions, and for which Java executed handlers or evaluated properties.
func Cost(transitions, inJava uint64) uint64 { return transitions + javaCost*inJava }

// Cost is the work of the runs so far, for which Java executed handlers or evaluated properties.
func (s *Sampler) Cost(inJava uint64) uint64 { return Cost(stepCost*s.Counts.States, inJava) }

// Run takes runs until they came to so many states since the sampler was made, and returns a violation if it finds one. ctx ends it with
// its cause. A run that is not at its end goes on when Run is called again.
func (s *Sampler) Run(ctx context.Context, states uint64) (*dbss.Counterexample, error) {
	for s.Counts.States < states {
		if s.lane == len(s.lanes) {
			if ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			if err := s.learn(ctx); err != nil {
				return nil, err
			}
			s.lane = 0
		}
		at := &s.lanes[s.lane]
		s.lane++
		if *at == nil {
			w, found, err := s.begin(ctx)
			if found != nil || err != nil {
				return found, err
			}
			*at = w
		}
		found, err := s.advance(ctx, *at, states-min(s.Counts.States, states))
		if found != nil || err != nil {
			return found, err
		}
		if (*at).over {
			*at = nil
		}
	}
	return nil, nil
}

// learn asks Java in one batch for what the runs side by side lack.
func (s *Sampler) learn(ctx context.Context) error {
	missing := s.scratch.missing[:0]
	for _, w := range s.lanes {
		if w != nil {
			missing = s.choices.missing(w.state, missing)
		}
	}
	s.scratch.missing = missing
	if len(missing) == 0 {
		return nil
	}
	if err := s.actors.Expand(ctx, missing); err != nil {
		return err
	}
	return s.choices.add(missing)
}

// begin begins a run, from the initial state or where an earlier one showed something new.
func (s *Sampler) begin(ctx context.Context) (*walk, *dbss.Counterexample, error) {
	w := newWalk(s.Options, s.actors, s.began)
	s.began++
	s.Counts.States++
	if w.continues {
		w.origin = s.corpus.next()
	}
	if w.origin != nil {
		w.state = slices.Clone(w.origin.state)
		return w, nil, nil
	}
	w.state = s.actors.Initial()
	if w.isIndependent() {
		w.number = s.unseen.begin()
	}
	v, err := s.test(ctx, w)
	if v == nil || err != nil {
		return w, nil, err
	}
	return w, s.violation(w, *v), nil
}

// advance takes steps of a run to at most so many states, until it ends or lacks an answer of Java's, but no more than short runs have,
// so that a long one does not keep others waiting.
func (s *Sampler) advance(ctx context.Context, w *walk, states uint64) (*dbss.Counterexample, error) {
	for range min(shortestBound, states) {
		if w.leaves {
			return s.end(ctx, w, false)
		}
		if s.choices.isMissing(w.state) {
			return nil, nil
		}
		if len(w.path) == w.bound {
			return s.end(ctx, w, false)
		}
		c, err := s.choose(ctx, w)
		if err != nil {
			return nil, err
		}
		if c == nil {
			return s.end(ctx, w, true)
		}
		v, err := s.take(ctx, w, c)
		if err != nil {
			return nil, err
		}
		if v != nil {
			return s.violation(w, *v), nil
		}
	}
	return nil, nil
}

// take takes a step, and tests the state that it leads to.
func (s *Sampler) take(ctx context.Context, w *walk, c *choice) (*property.Violation, error) {
	t := c.at
	s.Counts.Transitions++
	s.Counts.Count(c.facts)
	w.path = append(w.path, t)
	if t.Slot == model.Rounds {
		return s.goOn(ctx, w, t)
	}
	before := s.actors.Nodes.Local(w.state[t.Slot+1])
	if c.local && s.isNew(w, localStep, uint64(before)<<32|uint64(c.event)) {
		w.novel = len(w.path)
	}
	if c.failure != 0 {
		return &property.Violation{Kind: property.HandlerFailure, Failure: s.actors.Values.Failure(c.failure).Failure}, nil
	}
	var err error
	if w.state, s.scratch.undo, err = s.actors.Apply(w.state, t, s.scratch.undo[:0]); err != nil {
		return nil, err
	}
	w.took(t.Slot + 1)
	s.Counts.States++
	s.Counts.Depth = max(s.Counts.Depth, w.depth())
	if l := s.actors.Nodes.Local(w.state[t.Slot+1]); l != before {
		s.isNew(w, localState, uint64(l))
	}
	return s.test(ctx, w)
}

// goOn has time go on, and tests the state after the round.
func (s *Sampler) goOn(ctx context.Context, w *walk, t model.Transition) (v *property.Violation, err error) {
	if w.state, s.scratch.undo, err = s.actors.Apply(w.state, t, s.scratch.undo[:0]); err != nil {
		return nil, err
	}
	w.took(0)
	s.Counts.States++
	s.Counts.Depth = max(s.Counts.Depth, w.depth())
	for _, n := range w.state[1:] {
		if l := s.actors.Nodes.Local(n); l != 0 {
			s.isNew(w, localState, uint64(l))
		}
	}
	return s.test(ctx, w)
}

// test decides the invariants in the state of a run, unless the run ends there as it leaves a bound.
func (s *Sampler) test(ctx context.Context, w *walk) (*property.Violation, error) {
	within, err := s.checker.IsWithin(ctx, w.state)
	if !within || err != nil {
		w.leaves, w.novel = true, min(w.novel, max(0, len(w.path)-1)) // no run goes on from there
		s.Counts.Outside++
		return nil, err
	}
	observed, v, err := s.checker.Observe(ctx, w.state, s.scratch.observed[:0])
	s.scratch.observed = observed
	for _, o := range observed {
		if s.isNew(w, observation, o) {
			w.novel = len(w.path)
		}
	}
	return v, err
}

// isNew reports whether no run showed something before. What an independent run shows is recorded for the estimates.
func (s *Sampler) isNew(w *walk, kind kind, what uint64) bool {
	if w.isIndependent() {
		w.shown[kind] = append(w.shown[kind], what)
	}
	return s.corpus.isNew(kind, what)
}

// end ends a run, in a terminal state or at its bound, and keeps it for others to go on from if it showed something new.
func (s *Sampler) end(ctx context.Context, w *walk, terminal bool) (*dbss.Counterexample, error) {
	w.over = true
	if w.isIndependent() {
		s.unseen.end(w.number, &w.shown)
	}
	if terminal {
		if found, err := s.terminal(ctx, w); found != nil || err != nil {
			return found, err
		}
	}
	if s.Loop != nil && w.isIndependent() { // others favour some steps, and are seldom fair
		if found, err := s.loop(ctx, w, terminal); found != nil || err != nil {
			return found, err
		}
	}
	if w.novel == 0 {
		return nil, nil
	}
	e := &entry{before: w.origin, path: slices.Clone(w.path[:w.novel]), depth: w.from() + w.novel}
	err := s.retrace(w, func(steps int, at model.State) bool {
		if steps == w.novel {
			e.state = slices.Clone(at)
		}
		return steps < w.novel
	})
	s.corpus.add(e)
	return nil, err
}

// terminal decides the final conditions where a run ended.
func (s *Sampler) terminal(ctx context.Context, w *walk) (*dbss.Counterexample, error) {
	s.Counts.Terminal++
	_, v, err := s.checker.Terminal(ctx, w.state, true, !s.NoDeadlock)
	if v == nil || err != nil {
		return nil, err
	}
	return s.violation(w, *v), nil
}

// loop has the run decided for properties of runs if it is over or came back to an earlier state: to the first such one, as the longest
// loop leaves the fewest constraints without their turn.
func (s *Sampler) loop(ctx context.Context, w *walk, terminal bool) (*dbss.Counterexample, error) {
	path := w.whole()
	if terminal {
		return s.Loop(ctx, path, nil)
	}
	back := -1
	err := s.retrace(w, func(steps int, at model.State) bool {
		if slices.Equal(at.Trimmed(), w.state.Trimmed()) {
			back = steps
		}
		return back < 0
	})
	if err != nil || back == len(w.path) {
		return nil, err
	}
	stem := len(path) - len(w.path) + back
	return s.Loop(ctx, path[:stem], path[stem:])
}

// retrace calls visit with the states of a run, from where it began to where it is, until visit returns false.
func (s *Sampler) retrace(w *walk, visit func(steps int, at model.State) bool) error {
	at := s.actors.Initial()
	if w.origin != nil {
		at = slices.Clone(w.origin.state)
	}
	for steps := 0; visit(steps, at) && steps < len(w.path); steps++ {
		var err error
		if at, s.scratch.undo, err = s.actors.Apply(at, w.path[steps], s.scratch.undo[:0]); err != nil {
			return err
		}
	}
	return nil
}

// violation is the counterexample that a run is.
func (s *Sampler) violation(w *walk, v property.Violation) *dbss.Counterexample {
	s.Counts.Violations++
	return &dbss.Counterexample{Violation: v, Path: w.whole()}
}

// mix makes one number of two, each bit of which depends on all of both.
func mix(a, b uint64) uint64 {
	high, low := bits.Mul64(a^0x9e3779b97f4a7c15, b^0xd1b54a32d192ed03)
	return high ^ low
}
