package model

import (
	"context"
	"fmt"
	"slices"

	"harrier/internal/pairs"
	"harrier/internal/slab"
)

// A global is what a state holds beside its actors. Its id is State[0]; 0 stands for none of it.
type global struct {
	history uint32 // of operations
	last    uint32 // an event that stands for the messages processed last
	budgets uint32 // what faults have spent and cut
}

// A globalUpdate is what a step does to what is global, with the guard that it depends on.
type globalUpdate struct {
	records uint32
	last    uint32
	guard   uint32
}

// globals holds what is global, and how steps change it.
type globals struct {
	histories *slab.Table[[]byte]
	records   *slab.Table[[]Record]
	budgets   *slab.Table[[]uint32]
	guards    *slab.Table[budgetGuard]
	interned  *slab.Table[global]
	updates   *slab.Table[globalUpdate]
	extended  pairs.Map // (history, records) -> history
	updated   pairs.Map // (global, update) -> global, or disabled
}

// disabled stands for no global.
const disabled = 1<<32 - 2

func newGlobals() globals {
	return globals{
		histories: slab.NewTable[[]byte](),
		records:   slab.NewTable[[]Record](),
		budgets:   slab.NewTable[[]uint32](),
		guards:    slab.NewTable[budgetGuard](),
		interned:  slab.NewTable[global](),
		updates:   slab.NewTable[globalUpdate](),
	}
}

func (g *globals) history(b []byte) uint32 {
	if len(b) == 0 {
		return 0
	}
	return g.histories.Intern(string(b), func() []byte { return slices.Clone(b) })
}

func (g *globals) global(v global) uint32 {
	if v == (global{}) {
		return 0
	}
	return g.interned.Intern(slab.Key(v.history, v.last, v.budgets), func() global { return v })
}

func (g *globals) recorded(records []Record) uint32 {
	if len(records) == 0 {
		return 0
	}
	return g.records.Intern(recordsKey(records), func() []Record { return records })
}

// globalUpdate is the id of an update; 0 if it neither changes anything nor has a guard. With full hashing every step
// changes which messages were processed last.
func (a *Actors) globalUpdate(m globalUpdate) uint32 {
	if m == (globalUpdate{}) && a.Hashing != Full {
		return 0
	}
	return a.globals.updates.Intern(slab.Key(m.records, m.last, m.guard), func() globalUpdate { return m })
}

// cloned keeps records without the batch of answers that they came in.
func cloned(records []Record) []Record {
	kept := slices.Clone(records)
	for i := range kept {
		kept[i].Payload = slices.Clone(kept[i].Payload)
	}
	return kept
}

// After is the global that an update leads to. The error is ErrDisabled if its guard does not hold.
func (a *Actors) After(from, by uint32) (uint32, error) {
	g := &a.globals
	next, ok := g.updated.Get(from, by)
	if !ok {
		var err error
		if next, err = a.workOut(from, by); err != nil {
			return 0, err
		}
	}
	if next == disabled {
		return 0, ErrDisabled
	}
	return next, nil
}

func (a *Actors) workOut(from, by uint32) (uint32, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	g := &a.globals
	m, before := g.updates.At(by), g.interned.At(from)
	budgets, ok := a.consume(before.budgets, m.guard)
	if !ok {
		g.updated.Put(from, by, disabled)
		return disabled, nil
	}
	after := global{before.history, m.last, g.budget(budgets)}
	if m.records != 0 {
		if after.history, ok = g.extended.Get(before.history, m.records); !ok {
			return 0, fmt.Errorf("the history is extended by operations that it was not asked for")
		}
	}
	next := g.global(after)
	g.updated.Put(from, by, next)
	return next, nil
}

// Prepare asks the oracle how the history of what is global is extended by some updates.
func (a *Actors) Prepare(ctx context.Context, from uint32, updates []uint32) error {
	before := a.globals.interned.At(from)
	history := before.history
	var asked []uint32
	var questions []Extension
	for _, update := range updates {
		m := a.globals.updates.At(update)
		if m.records == 0 {
			continue
		}
		if _, ok := a.consume(before.budgets, m.guard); !ok {
			continue // the step is not enabled, so its records need not make sense
		}
		if _, known := a.globals.extended.Get(history, m.records); !known {
			asked = append(asked, m.records)
			questions = append(questions, Extension{*a.globals.histories.At(history), *a.globals.records.At(m.records)})
		}
	}
	if len(questions) == 0 {
		return nil
	}
	histories, err := a.oracle.Record(ctx, questions)
	if err != nil {
		return err
	}
	if len(histories) != len(questions) {
		return fmt.Errorf("the oracle gave %d histories to %d questions", len(histories), len(questions))
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	for i, records := range asked {
		a.globals.extended.Put(history, records, a.globals.history(histories[i]))
	}
	return nil
}
