package space

import (
	"context"
	"fmt"
	"slices"

	"harrier/internal/ds/pairs"
	"harrier/internal/ds/slab"
	"harrier/internal/model"
	"harrier/internal/model/network"
)

// A global is what a state holds beside its actors. Its id is State[0]; 0 stands for the empty one.
type global struct {
	history uint32 // of operations
	last    uint32 // an event that stands for the messages processed last
	budgets uint32 // spent budgets and active cuts of faults
	links   uint32 // who watches whom, and who is away
	round   uint32 // how often time went on
}

// A globalUpdate is how a step changes the global, with the guard that the step depends on.
type globalUpdate struct {
	records uint32
	last    uint32
	guard   uint32
	links   uint32
	round   bool // time goes on
	closes  bool // it changes nothing global, but may close connections, which does not commute with what arrives
}

// Globals interns the globals of states, and computes how steps change them.
type Globals struct {
	values *Values
	oracle model.Oracle

	histories *slab.Table[[]byte]
	records   *slab.Table[[]model.Record]
	budgets   *slab.Table[[]network.Budget] // by fault
	guards    *slab.Table[network.BudgetGuard]
	links     *slab.Table[network.Links]
	changes   *slab.Table[network.LinkChange]
	interned  *slab.Table[global]
	updates   *slab.Table[globalUpdate]
	extended  pairs.Map // (history, records) -> history
	updated   pairs.Map // (global, update) -> global, or disabled
}

// disabled stands for no global.
const disabled = 1<<32 - 2

func newGlobals(values *Values, oracle model.Oracle) *Globals {
	return &Globals{
		values: values, oracle: oracle,

		histories: slab.NewTable[[]byte](),
		records:   slab.NewTable[[]model.Record](),
		budgets:   slab.NewTable[[]network.Budget](),
		guards:    slab.NewTable[network.BudgetGuard](),
		links:     slab.NewTable[network.Links](),
		changes:   slab.NewTable[network.LinkChange](),
		interned:  slab.NewTable[global](),
		updates:   slab.NewTable[globalUpdate](),
	}
}

func (g *Globals) history(b []byte) uint32 {
	if len(b) == 0 {
		return 0
	}
	return g.histories.Intern(string(b), func() []byte { return slices.Clone(b) })
}

func (g *Globals) global(v global) uint32 {
	if v == (global{}) {
		return 0
	}
	return g.interned.Intern(slab.Key(v.history, v.last, v.budgets, v.links, v.round), func() global { return v })
}

func (g *Globals) recorded(records []model.Record) uint32 {
	if len(records) == 0 {
		return 0
	}
	return g.records.Intern(recordsKey(records), func() []model.Record { return records })
}

// update is the id of an update; 0 if it neither changes anything nor has a guard. With full hashing every step
// changes which messages were processed last.
func (g *Globals) update(m globalUpdate) uint32 {
	if m == (globalUpdate{}) && g.values.Decomposition.Hashing != Full {
		return 0
	}
	key := slab.Key(m.records, m.last, m.guard, m.links)
	if m.round {
		key += "round"
	}
	if m.closes {
		key += "closes"
	}
	return g.updates.Intern(key, func() globalUpdate { return m })
}

// cloned keeps records without the batch of answers that they came in.
func cloned(records []model.Record) []model.Record {
	kept := slices.Clone(records)
	for i := range kept {
		kept[i].Payload = slices.Clone(kept[i].Payload)
	}
	return kept
}

// After is the global that an update leads to. The error is ErrDisabled if its guard does not hold.
func (g *Globals) After(from, by uint32) (uint32, error) {
	next, ok := g.updated.Get(from, by)
	if !ok {
		var err error
		if next, err = g.workOut(from, by); err != nil {
			return 0, err
		}
	}
	if next == disabled {
		return 0, model.ErrDisabled
	}
	return next, nil
}

func (g *Globals) workOut(from, by uint32) (uint32, error) {
	g.values.mu.Lock()
	defer g.values.mu.Unlock()
	m, before := g.updates.At(by), g.interned.At(from)
	budgets, ok := g.consume(before.budgets, m.guard)
	if !ok {
		g.updated.Put(from, by, disabled)
		return disabled, nil
	}
	links, ok := g.changed(before.links, m.links)
	if !ok {
		g.updated.Put(from, by, disabled)
		return disabled, nil
	}
	after := global{before.history, m.last, g.budget(budgets), links, before.round}
	if m.round {
		after.round++
	}
	if m.records != 0 {
		if after.history, ok = g.extended.Get(before.history, m.records); !ok {
			return 0, fmt.Errorf("the history is extended by operations that it was not asked for")
		}
	}
	next := g.global(after)
	g.updated.Put(from, by, next)
	return next, nil
}

// Prepare asks the oracle how some updates extend the history of the global from.
func (g *Globals) Prepare(ctx context.Context, from uint32, updates []uint32) error {
	before := g.interned.At(from)
	history := before.history
	var asked []uint32
	var questions []model.Extension
	for _, update := range updates {
		m := g.updates.At(update)
		if m.records == 0 {
			continue
		}
		_, consumes := g.consume(before.budgets, m.guard)
		if _, linked := g.changed(before.links, m.links); !consumes || !linked {
			continue // the step is not enabled, so its records need not make sense
		}
		if _, known := g.extended.Get(history, m.records); !known {
			asked = append(asked, m.records)
			questions = append(questions, model.Extension{History: *g.histories.At(history), Records: *g.records.At(m.records)})
		}
	}
	if len(questions) == 0 {
		return nil
	}
	histories, err := g.oracle.Record(ctx, questions)
	if err != nil {
		return err
	}
	if len(histories) != len(questions) {
		return fmt.Errorf("the oracle gave %d histories to %d questions", len(histories), len(questions))
	}
	g.values.mu.Lock()
	defer g.values.mu.Unlock()
	for i, records := range asked {
		g.extended.Put(history, records, g.history(histories[i]))
	}
	return nil
}

// guard returns the id of a guard; 0 for nil.
func (g *Globals) guard(of *network.BudgetGuard) uint32 {
	if of == nil {
		return 0
	}
	ids := []uint32{uint32(of.Kind), uint32(of.Fault + 1)}
	for _, cut := range of.Open {
		ids = append(ids, uint32(cut))
	}
	return g.guards.Intern(slab.Key(ids...), func() network.BudgetGuard { return *of })
}

// consume returns the budgets after a step with a guard, both by id; not ok if the guard does not hold.
func (g *Globals) consume(budgets, by uint32) (next []network.Budget, ok bool) {
	before := *g.budgets.At(budgets)
	if by == 0 {
		return before, true
	}
	next = make([]network.Budget, len(g.values.program.Faults))
	copy(next, before)
	return next, g.values.program.Consume(g.guards.At(by), next)
}

func (g *Globals) budget(vector []uint32) uint32 {
	for _, v := range vector {
		if v != 0 {
			return g.budgets.Intern(slab.Key(vector...), func() []uint32 { return vector })
		}
	}
	return 0
}

// UpdateParts reports whether a global update adds to the history, whether budgets, cuts or links guard it or are changed by it or connections may close,
// and whether states remember that it came last.
func (g *Globals) UpdateParts(update uint32) (records, guarded, last bool) {
	m := g.updates.At(update)
	return m.records != 0, m.guard != 0 || m.links != 0 || m.closes, m.last != 0
}

// Disables reports whether a global disables steps with an update.
func (g *Globals) Disables(global, update uint32) bool {
	_, err := g.After(global, update)
	return err == model.ErrDisabled
}

// HasHistories reports whether some state has another history than the empty one.
func (g *Globals) HasHistories() bool { return g.histories.Len() > 0 }

// HasReturns reports whether an operation ended in some step.
func (g *Globals) HasReturns() bool {
	for id := range g.records.Len() {
		if slices.ContainsFunc(*g.records.At(uint32(id + 1)), func(r model.Record) bool { return r.Kind == model.Returned }) {
			return true
		}
	}
	return false
}

// HistoryID identifies the history of s.
func (g *Globals) HistoryID(s model.State) uint32 { return g.interned.At(s[0]).history }

// Rounds is how often time went on in some state.
func Rounds(g *Globals) (most int) {
	for id := range g.interned.Len() {
		most = max(most, int(g.interned.At(uint32(id+1)).round))
	}
	return most
}

// History is the history of operations in s, in structured bytes; empty if it holds none.
func (g *Globals) History(s model.State) []byte { return *g.histories.At(g.HistoryID(s)) }

// GlobalParts are what a state holds beside its actors.
type GlobalParts struct {
	History []byte      // in structured bytes; empty if it holds no operations
	Last    model.Event // with full hashing, the last event processed; the zero Event if there is none
	HasLast bool        // whether there is a Last
	Budgets uint32      // identifies spent budgets and active cuts
	Links   network.Links
	Round   int // how often time went on
}

// PartsOfGlobal returns the parts of a global: the id at position 0 of states of a.
func PartsOfGlobal(a *Actors, id uint32) GlobalParts {
	g := a.Globals.interned.At(id)
	p := GlobalParts{History: *a.Globals.histories.At(g.history), Budgets: g.budgets, HasLast: g.last != 0, Links: *a.Globals.links.At(g.links), Round: int(g.round)}
	if g.last != 0 {
		p.Last = a.LocalSteps.described(g.last)
	}
	return p
}
