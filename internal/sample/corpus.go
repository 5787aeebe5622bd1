package sample

import (
	"slices"

	"harrier/internal/model"
)

// An entry is the state in which a run showed something new, with the run to it.
type entry struct {
	before *entry             // where the run began; nil for the initial state
	path   []model.Transition // from there
	depth  int                // from the initial state
	state  model.State
}

// whole is the run from the initial state to an entry, which may be nil, and on along a path.
func (e *entry) whole(path []model.Transition) []model.Transition {
	parts := [][]model.Transition{path}
	for ; e != nil; e = e.before {
		parts = append(parts, e.path)
	}
	slices.Reverse(parts)
	return slices.Concat(parts...)
}

// corpus holds the last entries, with the runs that they go on from, and what runs showed.
type corpus struct {
	entries [1024]*entry
	added   int // entries so far
	fresh   int // the next entry that no run went on from
	turn    int // the next one where there is none, in the table
	shown   [numberOfKinds]map[uint64]struct{}
}

// add adds an entry, in place of the oldest one if there are many.
func (c *corpus) add(e *entry) {
	c.entries[c.added%len(c.entries)] = e
	c.added++
}

// next is the entry to go on from: each once in the order in which they were added, and all in turn while none is new; nil if there is
// none.
func (c *corpus) next() *entry {
	switch {
	case c.added == 0:
		return nil
	case c.fresh < c.added:
		c.fresh = max(c.fresh, c.added-len(c.entries)) + 1 // older ones are gone
		return c.entries[(c.fresh-1)%len(c.entries)]
	}
	c.turn = (c.turn + 1) % min(c.added, len(c.entries))
	return c.entries[c.turn]
}

// isNew reports whether something is shown for the first time.
func (c *corpus) isNew(kind kind, what uint64) bool {
	if c.shown[kind] == nil {
		c.shown[kind] = map[uint64]struct{}{}
	}
	before := len(c.shown[kind])
	c.shown[kind][what] = struct{}{}
	return len(c.shown[kind]) > before
}
