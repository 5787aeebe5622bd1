package model

import (
	"fmt"
	"slices"
)

// start makes the initial state.
func (a *Actors) start() error {
	initial := a.program.Initial
	effects, err := a.internEffects(initial.Actors, initial.Messages)
	if err != nil {
		return err
	}
	s := State{a.globals.global(global{history: a.globals.history(initial.History)})}
	if s, err = a.declare(s, a.program.Faults); err != nil {
		return err
	}
	if a.initial, _, err = a.affect(s, effects, nil); err != nil {
		return fmt.Errorf("making the initial state: %w", err)
	}
	return nil
}

// maxFaults bounds what searches make room for.
const maxFaults = 1<<16 - 1

// declare prepares for faults that may happen, and puts adversaries in their places.
func (a *Actors) declare(s State, faults []Fault) (State, error) {
	if len(faults) > maxFaults {
		return s, fmt.Errorf("the program declares %d faults, and may %d", len(faults), maxFaults)
	}
	a.domains = make([][]MessageID, len(faults))
	for i, f := range faults {
		switch f.Kind {
		case Stop:
			a.varies.Store(true)
		case Split:
			name, err := a.program.splitter(f)
			if err != nil {
				return s, err
			}
			a.splitters[i] = a.position(name)
		case Byzantine:
			var err error
			if s, err = a.admit(s, i); err != nil {
				return s, err
			}
		case Duplicate:
			if err := a.program.mayRepeat(f); err != nil {
				return s, err
			}
		case Restart, Lose:
		default:
			return s, fmt.Errorf("the fault %q is of the kind %q, which is none of a fault", f.Label, f.Kind)
		}
	}
	return s, nil
}

// mayRepeat refuses a Duplicate without bound of what is delivered in order: there would always be one more copy
// to deliver, and so no end of states.
func (p *Program) mayRepeat(f Fault) error {
	if p.Delivery == M || f.Budget != Unbounded {
		return nil
	}
	names := f.Scope.Names
	if f.Scope.All {
		names = p.FIFO.Names
	}
	if f.Scope.All && p.FIFO.All || slices.ContainsFunc(names, p.FIFO.Has) {
		return &UsageError{fmt.Sprintf("%q without a bound has no end of states in a FIFO channel under the model %s: give it a budget, or use the model M",
			f.Label, p.Delivery)}
	}
	return nil
}
