package dbss

import (
	"cmp"

	"harrier/internal/ds/runs"
	"harrier/internal/ds/wordset"
)

// A candidate is a state to which a transition leads, and which may be new. A candidate with the key noState is no such state, but has
// to be treated in the order of links as well: it is a transition that fails, with the state in which it is taken, or, if the
// transition of its link is wholeParent, a link for the log.
type candidate struct {
	key   uint64 // of the state in the visited set
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

// candidates are the candidates of a worker in a level, for delayed duplicate detection (Stern, Dill: Using Magnetic Disk instead of Main
// Memory in the Murphi Verifier, CAV 1998): at the end of the level all are looked up, and only then are the new states tested.
type candidates struct {
	worker *worker
	queue  *queue
	sorter *runs.Sorter[candidate]
	noted  recent // a cache of keys of candidates, of this level and of those before
}

// candidates makes the candidates of a worker.
func (d *disk) candidates(w *worker) *candidates {
	c := &candidates{worker: w, queue: w.frontier.(*queue), noted: largestRecent(d.share(d.room / 4))}
	c.sorter = runs.NewSorter(d.open, d.share(d.room/4), candidate.compare)
	w.composer.noted = &c.noted
	return c
}

// meet adds the state to which a transition leads, if it may be new.
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

// fail adds the current transition, which fails in a state.
func (c *candidates) fail(at compressed) error {
	return onDisk(c.sorter.Add(candidate{noState, at, c.queue.link()}))
}

// whole adds a link for the log.
func (c *candidates) whole(link Link) error {
	return onDisk(c.sorter.Add(candidate{noState, compressed{}, link}))
}
