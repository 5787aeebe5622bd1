package closure

import (
	"harrier/model"
)

// faults say which faults may still happen.
type faults struct {
	number  uint32
	alive   []bool
	forged  setID     // what adversaries may still send
	hazards []hazards // by position
}

// hazards are what may still befall an actor and the messages to it.
type hazards struct {
	isKnown, restart, stop, lose, duplicate bool
}

// faultsOf are those that may still happen in a state with a global part.
func (t *tables) faultsOf(global uint32) *faults {
	for int(global) >= len(t.byGlobal) {
		t.byGlobal = append(t.byGlobal, nil)
	}
	if t.byGlobal[global] == nil {
		alive := make([]bool, len(t.program.Faults))
		for i := range alive {
			alive[i] = t.searched.MayStrike(global, i)
		}
		t.byGlobal[global] = t.faultsWith(alive)
	}
	return t.byGlobal[global]
}

func (t *tables) faultsWith(alive []bool) *faults {
	var key []byte
	for _, is := range alive {
		if is {
			key = append(key, 1)
		} else {
			key = append(key, 0)
		}
	}
	f, ok := t.byAlive[string(key)]
	if !ok {
		f = &faults{number: uint32(len(t.byAlive)), alive: alive}
		var forged []item
		for i, fault := range t.program.Faults {
			if alive[i] && fault.Kind == model.Forge {
				for _, m := range t.steps.Forged(i) {
					forged = append(forged, messageItem(m))
				}
			}
		}
		f.forged = t.of(forged)
		t.byAlive[string(key)] = f
	}
	return f
}

// hazardsOf are those of the actor at a position.
func (t *tables) hazardsOf(f *faults, position uint32) hazards {
	for int(position) >= len(f.hazards) {
		f.hazards = append(f.hazards, hazards{})
	}
	h := &f.hazards[position]
	if h.isKnown {
		return *h
	}
	h.isKnown = true
	name := t.steps.Name(position)
	for i, fault := range t.program.Faults {
		if !f.alive[i] || !fault.Scope.Has(name) {
			continue
		}
		switch fault.Kind {
		case model.Restart:
			h.restart = true
		case model.Stop:
			h.stop = true
		case model.Lose:
			h.lose = true
		case model.Duplicate:
			// Where a set keeps what is received there is no event of duplicating it.
			h.duplicate = h.duplicate || fault.Budget != model.Unbounded || !t.channel(position).Keeps
		}
	}
	return *h
}
