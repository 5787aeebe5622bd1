package macro_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"

	"harrier/dbss"
	"harrier/internal/model"
	"harrier/internal/property"
	"harrier/internal/testkit/reach"
	"harrier/internal/testkit/twin"
	"harrier/por/persistent"
	"harrier/symmetry"
)

// someRead are some positions that invariants may read.
func (s subject) someRead(r *rand.Rand) (seen []uint32) {
	for position := 1; position <= s.actors.Positions(); position++ {
		if r.IntN(6) == 0 {
			seen = append(seen, uint32(position))
		}
	}
	if r.IntN(3) == 0 {
		seen = append(seen, 0)
	}
	return seen
}

// persistentProblem is what is wrong with persistent labels in a program if invariants read some positions, "" if nothing is.
func (s subject) persistentProblem(ctx context.Context, want twin.Result, seen []uint32) (states, left int, problem string) {
	key := s.key()
	if s.symmetries != nil {
		seen = s.permuted(seen)
	}
	s.system = s.newSystem(property.NewChecker(s.Oracle, s.actors))
	macro, err := s.reachMacro(ctx, key)
	if err != nil {
		return 0, 0, err.Error()
	}
	s.system = s.newSystem(property.NewChecker(s.Oracle, s.actors))
	reduced, err := s.reachReduced(ctx, key, seen)
	for s.system.Again(err) {
		reduced, err = s.reachReduced(ctx, key, seen)
	}
	if err != nil {
		return 0, 0, err.Error()
	}
	all, err := s.reach(ctx, key)
	if err != nil {
		return 0, 0, err.Error()
	}
	if !maps.Equal(reduced.Fails, all.Fails) {
		return 0, 0, fmt.Sprintf("handlers fail in these ways: %v, not %v", slices.Sorted(maps.Keys(reduced.Fails)), slices.Sorted(maps.Keys(all.Fails)))
	}
	covered, err := s.cover(ctx, reduced.States, key)
	if err != nil {
		return 0, 0, err.Error()
	}
	got, gotEnds, err := s.observations(ctx, covered, key, seen)
	if err != nil {
		return 0, 0, err.Error()
	}
	wanted, wantedEnds, err := s.observations(ctx, all.States, key, seen)
	switch {
	case err != nil:
		return 0, 0, err.Error()
	case !maps.Equal(got, wanted):
		return 0, 0, fmt.Sprintf("%d combinations of local states at positions %v are seen, not %d", len(got), seen, len(wanted))
	case !maps.Equal(gotEnds, wantedEnds):
		return 0, 0, fmt.Sprintf("%d terminal states are reached, not %d", len(gotEnds), len(wantedEnds))
	}
	return len(macro), len(reduced.States), s.persistentSearchProblem(ctx, want)
}

// reachReduced are the macro states that are reached with persistent labels if invariants read some positions.
func (s subject) reachReduced(ctx context.Context, key func(model.State) string, seen []uint32) (*reach.Found, error) {
	labels := persistent.New(s.system.Components(func() [][]uint32 { return [][]uint32{seen} }))
	labels.Revise()
	w := s.macroWalk(key)
	w.Reduction = labels.Reduction
	fails := map[string]bool{}
	for {
		found, err := w.States(ctx)
		if err != nil {
			return nil, err
		}
		maps.Copy(fails, found.Fails)
		if !labels.Revise() {
			found.Fails = fails
			return found, s.system.HoldAhead(labels)
		}
		w.From = slices.Collect(maps.Values(found.States))
	}
}

// observations are what is at some positions of states of the actors, and the terminal states among these.
func (s subject) observations(ctx context.Context, states map[string]model.State, key func(model.State) string, seen []uint32) (got, ends map[string]bool, err error) {
	got, ends = map[string]bool{}, map[string]bool{}
	for k, m := range states {
		o := make(model.State, s.actors.Positions()+1)
		for _, position := range seen {
			switch {
			case int(position) >= len(m):
			case position == 0 && s.symmetries == nil:
				o[0] = s.actors.HistoryID(m)
			case position == 0:
				o[0] = m[0] // what is global, so that permutations apply
			case s.symmetries == nil:
				o[position] = s.actors.Observation(m[position])
			default: // of which properties can read all
				o[position] = s.actors.Holding(m[position], nil)
			}
		}
		got[key(o)] = true
		terminal, err := reach.IsTerminal(ctx, s.actors, m)
		if err != nil {
			return nil, nil, err
		}
		if terminal {
			ends[k] = true
		}
	}
	return got, ends, nil
}

// persistentSearchProblem compares searches with the twin, with one worker and with several.
func (s subject) persistentSearchProblem(ctx context.Context, want twin.Result) string {
	var states [2]uint64
	for i, workers := range []int{1, 3} {
		checker := property.NewChecker(s.Oracle, s.actors)
		system := s.newSystem(checker)
		o := dbss.Options{Order: dbss.BreadthFirst, KeepGoing: true, Workers: workers}
		if s.symmetries != nil {
			checker.Permute(symmetry.Labels(s.symmetries.Generators))
			o.Canonical = s.symmetries.Canonicalizer
		}
		system.Persistent = true
		r, err := system.Search(ctx, o, &dbss.Progress{})
		switch {
		case err != nil:
			return err.Error()
		case (r.Violation != nil) != (want.Violations > 0):
			return fmt.Sprintf("violation %v, the twin has %d", r.Violation, want.Violations)
		case (r.Terminal > 0) != (want.Terminal > 0):
			return fmt.Sprintf("%d terminal states, the twin has %d", r.Terminal, want.Terminal)
		}
		states[i] = r.States
	}
	if states[0] != states[1] && s.symmetries == nil { // which state of an orbit is met first may make a difference
		return fmt.Sprintf("%d states with one worker, %d with three", states[0], states[1])
	}
	return ""
}
