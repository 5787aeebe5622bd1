package model

import (
	"context"
	"fmt"
	"slices"

	"harrier/internal/pairs"
)

// A global is what a state holds beside its actors. Its id is State[0]; 0 stands for none of it.
type global struct {
	history uint32 // of operations
	last    uint32 // the event taken last, which stands for the messages it processed
}

// A mark is what a step does to what is global.
type mark struct {
	records uint32
	last    uint32
}

// globals holds what is global, and how steps change it.
type globals struct {
	histories *table[[]byte]
	records   *table[[]Record]
	items     *table[global]
	marks     *table[mark]
	extended  pairs.Map // (history, records) -> history
	marked    pairs.Map // (global, mark) -> global
}

func newGlobals() globals {
	return globals{
		histories: newTable[[]byte](),
		records:   newTable[[]Record](),
		items:     newTable[global](),
		marks:     newTable[mark](),
	}
}

func (g *globals) history(b []byte) uint32 {
	if len(b) == 0 {
		return 0
	}
	return g.histories.intern(string(b), func() []byte { return slices.Clone(b) })
}

func (g *globals) global(history, last uint32) uint32 {
	if history == 0 && last == 0 {
		return 0
	}
	return g.items.intern(idsKey(history, last), func() global { return global{history, last} })
}

// mark is 0 for a step that changes nothing of what is global.
func (g *globals) mark(records []Record, last uint32) uint32 {
	if len(records) == 0 && last == 0 {
		return 0
	}
	m := mark{last: last}
	if len(records) > 0 {
		m.records = g.records.intern(recordsKey(records), func() []Record { return records })
	}
	return g.marks.intern(idsKey(m.records, m.last), func() mark { return m })
}

// cloned keeps records without the batch of answers that they came in.
func cloned(records []Record) []Record {
	kept := slices.Clone(records)
	for i := range kept {
		kept[i].Payload = slices.Clone(kept[i].Payload)
	}
	return kept
}

// after is the global that a mark leads to.
func (a *Actors) after(from, by uint32) (uint32, error) {
	g := &a.globals
	if next, ok := g.marked.Get(from, by); ok {
		return next, nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	m, history := g.marks.at(by), g.items.at(from).history
	if m.records != 0 {
		next, ok := g.extended.Get(history, m.records)
		if !ok {
			return 0, fmt.Errorf("the history is extended by operations that it was not asked for")
		}
		history = next
	}
	next := g.global(history, m.last)
	g.marked.Put(from, by, next)
	return next, nil
}

// prepare asks the oracle how the history of a state is extended by the steps that are enabled in it.
func (a *Actors) prepare(ctx context.Context, s State, enabled []Transition) error {
	history := a.globals.items.at(s[0]).history
	var asked []uint32
	var questions []Extension
	for _, t := range enabled {
		m := a.globals.marks.at(a.step(s[t.Slot+1], t.Step).mark)
		if m.records == 0 {
			continue
		}
		if _, known := a.globals.extended.Get(history, m.records); !known {
			asked = append(asked, m.records)
			questions = append(questions, Extension{*a.globals.histories.at(history), *a.globals.records.at(m.records)})
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
