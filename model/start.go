package model

import "fmt"

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
	a.forged = make([][]MessageID, len(faults))
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
		case Forge:
			var err error
			if s, err = a.admit(s, i); err != nil {
				return s, err
			}
		case Restart, Lose, Duplicate:
		default:
			return s, fmt.Errorf("the fault %q is of the kind %q, which is none of a fault", f.Label, f.Kind)
		}
	}
	return s, nil
}
