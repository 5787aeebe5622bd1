package dbss

import (
	"cmp"

	"harrier/internal/ds/runs"
	"harrier/internal/ds/wordset"
)

// A candidate is a state that a transition leads to, and that may be new. With the key noState it is something else that is to be
// done in the order of links: a transition that fails, with the state that it is taken in, or, with wholeParent as its transition, a
// link for the log.
type candidate struct {
	key   uint64 // by which the visited set knows the state
	state compressed
	link  Link
}

const noState = wordset.Invalid

func (c candidate) compare(o candidate) int {
	if c.key != o.key {
		return cmp.Compare(c.key, o.key)
	}
	return c.link.plain().compare(o.link.plain())
}

// candidates are those of a worker in a level. Delayed duplicate detection (Stern, Dill: Using Magnetic Disk instead of Main Memory in
// the Murphi Verifier, CAV 1998): which of them are new is decided for all at the end of the level, and only then are these tested.
type candidates struct {
	worker *worker
	queue  *queue
	sorter *runs.Sorter[candidate]
	noted  recent // keys of candidates, of this level and of those before
}

// candidates are those of a worker that begins to have some.
func (d *disk) candidates(w *worker) *candidates {
	c := &candidates{worker: w, queue: w.frontier.(*queue), noted: largestRecent(d.share(d.room / 4))}
	c.sorter = runs.NewSorter(d.open, d.share(d.room/4), candidate.compare)
	w.composer.noted = &c.noted
	return c
}

// meet takes in where a transition leads to, if it may be new.
func (c *candidates) meet(key uint64, s compressed) error {
	isLogged := c.worker.logged == metFirst
	if set := c.worker.store.set; set != nil && set.Has(key) {
		if isLogged {
			return errOtherSearch
		}
		return nil
	}
	link := c.queue.link()
	switch {
	case !isLogged && c.noted.has(key):
		return nil
	case !isLogged:
		c.noted.note(key)
	case c.queue.target:
		link.Transition |= wholeTarget
	}
	return onDisk(c.sorter.Add(candidate{key, s, link}))
}

// fail takes in that the transition fails that is taken in a state.
func (c *candidates) fail(at compressed) error {
	return onDisk(c.sorter.Add(candidate{noState, at, c.queue.link()}))
}

// whole takes in a link for the log.
func (c *candidates) whole(link Link) error {
	return onDisk(c.sorter.Add(candidate{noState, compressed{}, link}))
}
