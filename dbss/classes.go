package dbss

import "harrier/internal/ds/vectors"

// classes finds the keys of the canonical vectors of a batch's successors together, before the first of them is taken: so the processor
// waits for the memory of many of them at once.
type classes struct {
	halves vectors.Batch
	ids    []uint32
	of     []*successor // by pair of halves
}

// classify notes the classes of successors, and has the visited set begin to load what it will be asked for. Where that fails, none is noted, and take
// meets the error when it comes to the successor.
func (w *worker) classify(successors []successor) {
	if w.canonical == nil || w.store.tree == nil || w.later != nil {
		return
	}
	c := &w.classes
	c.halves.Clear()
	c.of = c.of[:0]
	for i := range successors {
		next := &successors[i]
		if next.fails {
			continue
		}
		if err := w.makeCanonical(next.to); err != nil {
			return
		}
		lower, upper := w.composer.halves(w.vector)
		c.halves.Add(lower)
		c.halves.Add(upper)
		c.of = append(c.of, next)
	}
	var ok bool
	if c.ids, ok = w.store.tree.CompressAll(&c.halves, c.ids[:0]); !ok {
		return
	}
	for i, next := range c.of {
		next.class = w.store.key(w.composer, compressed{lower: c.ids[2*i], upper: c.ids[2*i+1]})
		w.store.set.Prefetch(next.class)
	}
}
