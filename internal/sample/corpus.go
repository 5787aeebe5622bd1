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

// corpus holds the last entries, and all that runs showed.
type corpus struct {
	entries [1024]*entry
	added   int // entries so far
	used    int // entries that runs went on from so far
	shown   [numberOfKinds]map[uint64]struct{}
}

// add adds an entry, in place of the oldest one if there are many.
func (c *corpus) add(e *entry) {
	c.entries[c.added%len(c.entries)] = e
	c.added++
}

// next is the entry to go on from: each once in the order in which they were added, and then all in turn; nil if there is none.
func (c *corpus) next() *entry {
	if c.added == 0 {
		return nil
	}
	if c.added-c.used > len(c.entries) {
		c.used = c.added - len(c.entries) // the others are gone
	}
	at := c.used
	if c.used++; at >= c.added {
		at %= min(c.added, len(c.entries))
	}
	return c.entries[at%len(c.entries)]
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
