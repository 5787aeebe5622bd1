// Package reach finds the states of systems one by one, for tests that compare systems state by state. It has nothing of the
// searches that these tests judge.
package reach

import (
	"context"
	"encoding/binary"
	"errors"
	"maps"
	"slices"

	"harrier/dbss"
	"harrier/internal/model"
	"harrier/internal/model/space"
	"harrier/internal/property"
	"harrier/internal/testkit/must"
)

// A Walk says what is found.
type Walk struct {
	System model.System
	Key    func(model.State) string // tells states apart
	Most   int                      // states
	// From is where it begins: in the initial state, if it is nil.
	From []model.State
	// Reduction chooses which transitions are followed; nil for all.
	Reduction model.Reduction
	// Follows, if it is set, reports whether a transition that can be taken is followed.
	Follows func(s model.State, t model.Transition, undo []model.Change) bool
	// Within, if it is set, reports whether a state counts. Others are left out.
	Within func(s model.State) bool
}

// Found is what was found.
type Found struct {
	States map[string]model.State // by key
	Fails  map[string]bool        // handlers that fail, with how they do
}

// ErrTooMany is the error of a walk that finds more states than it may.
var ErrTooMany = errors.New("too many states")

// States finds all states, breadth-first.
func (w Walk) States(ctx context.Context) (*Found, error) {
	f := &Found{map[string]model.State{}, map[string]bool{}}
	queue := w.From
	if queue == nil {
		queue = []model.State{w.System.Initial()}
	}
	queue = slices.DeleteFunc(slices.Clone(queue), w.isOutside)
	for _, s := range queue {
		f.States[w.Key(s)] = s
	}
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		transitions, err := w.followed(ctx, at)
		if err != nil {
			return nil, err
		}
		for _, t := range transitions {
			next, undo, err := w.System.Apply(slices.Clone(at), t, nil)
			var failure *model.StepFailure
			switch {
			case errors.As(err, &failure):
				f.Fails[failure.Error()] = true
				continue
			case errors.Is(err, model.ErrDisabled):
				continue
			case err != nil:
				return nil, err
			case w.Follows != nil && !w.Follows(at, t, undo), w.isOutside(next):
				continue
			}
			if k := w.Key(next); f.States[k] == nil {
				if len(f.States) >= w.Most {
					return nil, ErrTooMany
				}
				f.States[k] = next
				queue = append(queue, next)
			}
		}
	}
	return f, nil
}

func (w Walk) isOutside(s model.State) bool { return w.Within != nil && !w.Within(s) }

// followed are the transitions of a state that are followed.
func (w Walk) followed(ctx context.Context, s model.State) ([]model.Transition, error) {
	transitions, err := w.System.Enabled(ctx, s, nil)
	if err != nil || w.Reduction == nil || len(transitions) == 0 {
		return transitions, err
	}
	chosen, reduced, err := w.Reduction(ctx, s, nil)
	if reduced {
		return chosen, err
	}
	return transitions, err
}

// Judged is what was found, with what there is to see of it.
type Judged struct {
	*Found
	Terminal map[string]model.State // by key
	Broken   map[string]bool        // properties that do not hold, the first invariant or final condition of each state, and handlers that fail
}

// Judge finds all states of a system of the actors, and evaluates properties there.
func (w Walk) Judge(ctx context.Context, actors *space.Actors, checker *property.Checker) (*Judged, error) {
	found, err := w.States(ctx)
	if err != nil {
		return nil, err
	}
	j := &Judged{found, map[string]model.State{}, maps.Clone(found.Fails)}
	for k, s := range found.States {
		terminal, err := IsTerminal(ctx, actors, s)
		if err != nil {
			return nil, err
		}
		var final *property.Violation
		if terminal {
			j.Terminal[k] = s
			if final, err = checker.Final(ctx, s); err != nil {
				return nil, err
			}
		}
		invariant, err := checker.Invariants(ctx, s)
		if err != nil {
			return nil, err
		}
		for _, v := range []*property.Violation{invariant, final} {
			if v != nil {
				j.Broken[actors.Program().Properties[v.Property].Name] = true
			}
		}
	}
	return j, nil
}

// IsTerminal reports whether no event but faults is enabled in a state.
func IsTerminal(ctx context.Context, actors *space.Actors, s model.State) (bool, error) {
	transitions, err := actors.Enabled(ctx, s, nil)
	return !slices.ContainsFunc(transitions, func(t model.Transition) bool {
		_, _, err := actors.Apply(slices.Clone(s), t, nil)
		return actors.Facts(s, t).Fault == 0 && !errors.Is(err, model.ErrDisabled)
	}), err
}

// Exact is a key that tells all states apart.
func Exact(s model.State) string {
	var b []byte
	for _, id := range s.Trimmed() {
		b = binary.LittleEndian.AppendUint32(b, id)
	}
	return string(b)
}

// Orbits is a key that tells orbits apart.
func Orbits(canonical dbss.Canonical) func(model.State) string {
	return func(s model.State) string {
		vector := must.Get(canonical(s, nil))
		return Exact(vector)
	}
}
