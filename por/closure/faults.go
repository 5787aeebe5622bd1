package closure

import (
	"fmt"

	"harrier/model"
)

// faults say which faults may still happen.
type faults struct {
	number  uint32
	left    []int     // by fault: how often it may still happen, or model.Unbounded
	forged  setID     // what adversaries may still send
	hazards []hazards // by position
}

// hazards are what may still befall an actor and the messages to it.
type hazards struct {
	isKnown, stop, lose, duplicate bool
	restarts                       setID // how often it may start again
}

// faultsOf are those that may still happen in a state with a global part.
func (t *tables) faultsOf(global uint32) *faults {
	for int(global) >= len(t.byGlobal) {
		t.byGlobal = append(t.byGlobal, nil)
	}
	if t.byGlobal[global] == nil {
		left := make([]int, len(t.program.Faults))
		for i := range left {
			left[i] = t.searched.BudgetLeft(global, i)
		}
		t.byGlobal[global] = t.faultsWith(left)
	}
	return t.byGlobal[global]
}

func (t *tables) faultsWith(left []int) *faults {
	key := fmt.Sprint(left)
	f, ok := t.byBudget[key]
	if !ok {
		f = &faults{number: uint32(len(t.byBudget)), left: left}
		var forged []entry
		for i, fault := range t.program.Faults {
			if left[i] != 0 && fault.Kind == model.Forge {
				for _, m := range t.steps.Forged(i) {
					forged = append(forged, entry{messageItem(m), many})
				}
			}
		}
		f.forged = t.of(forged, copies.plus)
		t.byBudget[key] = f
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
	var restarts copies
	for i, fault := range t.program.Faults {
		if f.left[i] == 0 || !fault.Scope.Has(name) {
			continue
		}
		switch fault.Kind {
		case model.Restart:
			restarts = restarts.plus(copiesLeft(f.left[i]))
		case model.Stop:
			h.stop = true
		case model.Lose:
			h.lose = true
		case model.Duplicate:
			// Where a set keeps what is received there is no event of duplicating it.
			h.duplicate = h.duplicate || fault.Budget != model.Unbounded || !t.channel(position).Keeps
		}
	}
	if restarts > 0 {
		h.restarts = t.intern([]entry{{restartItem, restarts}})
	}
	return *h
}

func copiesLeft(budget int) copies {
	if budget == model.Unbounded || budget > mostCopies {
		return many
	}
	return copies(budget)
}
