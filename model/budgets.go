package model

import "harrier/internal/slab"

// What faults have spent and cut is a vector with a number for each fault of the program: twice how often it
// happened, if its budget is bounded, plus one while its cut is active. It is part of what is global.

// A budgetGuard is what a step needs of budgets and cuts, and does to them.
type budgetGuard struct {
	kind  EventKind
	fault int   // that the event belongs to, -1 if it belongs to none
	open  []int // faults whose cuts must not be active
}

// budgetGuard is the id of a guard; 0 if it always holds and changes nothing.
func (a *Actors) budgetGuard(t budgetGuard) uint32 {
	if len(t.open) == 0 && (t.fault < 0 || a.isFree(t)) {
		return 0
	}
	ids := []uint32{uint32(t.kind), uint32(t.fault + 1)}
	for _, cut := range t.open {
		ids = append(ids, uint32(cut))
	}
	return a.globals.guards.Intern(slab.Key(ids...), func() budgetGuard { return t })
}

// isFree reports whether an event may happen at any time, as far as its fault goes.
func (a *Actors) isFree(t budgetGuard) bool {
	f := a.program.Faults[t.fault]
	return f.Kind != Split && f.Budget == Unbounded
}

// consume returns the budgets after a step with a guard, both by id; not ok if the guard does not hold.
func (a *Actors) consume(budgets, by uint32) (next []uint32, ok bool) {
	before := *a.globals.budgets.At(budgets)
	if by == 0 {
		return before, true
	}
	faults := a.program.Faults
	next = make([]uint32, len(faults))
	copy(next, before)
	t := a.globals.guards.At(by)
	for _, cut := range t.open {
		if next[cut]&1 != 0 {
			return nil, false
		}
	}
	if t.fault < 0 {
		return next, true
	}
	return next, faults[t.fault].consume(t.kind, &next[t.fault])
}

// consume takes what an event of the fault needs from its budget, and reports whether that is there.
func (f Fault) consume(kind EventKind, budget *uint32) bool {
	isCut := *budget&1 != 0
	if f.Kind == Split && kind != Split { // it heals, or something is lost at the cut
		if kind == Heal {
			*budget &^= 1
		}
		return isCut
	}
	if isCut || f.Budget != Unbounded && int(*budget>>1) >= f.Budget {
		return false
	}
	if f.Budget != Unbounded {
		*budget += 2
	}
	if kind == Split {
		*budget |= 1
	}
	return true
}

func (g *globals) budget(vector []uint32) uint32 {
	for _, v := range vector {
		if v != 0 {
			return g.budgets.Intern(slab.Key(vector...), func() []uint32 { return vector })
		}
	}
	return 0
}
