package dbss

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"runtime/debug"

	"harrier/internal/ds/runs"
	"harrier/internal/model"
)

// A disk holds in files what a breadth-first search cannot hold in memory: the keys of the visited states, the links of all levels, the
// states of the level that is explored and of the next one, and the candidates for that. Once a search has a disk, it looks up states at
// the end of each level: transitions lead to candidates, and the new ones among these become arrivals. At the end of the first such level,
// the visited set and the links are moved from memory to the disk.
//
// Buffers and caches of the disk take no more memory than these did: the visited set, and about as much for the links.
type disk struct {
	levels *levels
	open   runs.Open
	room   uint64 // for a cache of keys, in bytes: what the visited set took when memory was used up

	visited *runs.Keys
	links   *runs.List[Link]
	states  [2]*runs.List[compressed] // of the level that is explored, and of the next
	moved   bool                      // the visited set and the links were moved here

	detected  bool                  // the candidates of the level were looked up
	new       *runs.Sorter[arrival] // the arrivals among them
	arrives   *runs.Merger[arrival] // the arrivals that no worker has taken yet; nil if there are none
	given     int                   // how many pieces of them workers have taken
	delivered int                   // how many of these pieces are in the next level
}

// onDisk returns err, or if it is the error of a file, a *model.LimitError.
func onDisk(err error) error {
	var file *fs.PathError
	if errors.As(err, &file) {
		return &model.LimitError{Text: fmt.Sprintf("memory is used up, and what does not fit into it cannot be kept on disk: %v", file)}
	}
	return err
}

// leastRoom is the least room of a disk: a search may have hardly begun when something else fills memory. It is a variable for tests.
var leastRoom uint64 = 16 << 20

// share is one worker's share of some bytes.
func (d *disk) share(bytes uint64) uint64 { return bytes / uint64(len(d.levels.queues)) }

// openDisk begins to delay looking up states.
func (l *levels) openDisk() (err error) {
	d := &disk{levels: l, open: l.log.Scratch, visited: runs.NewKeys(l.log.Scratch)}
	d.room = max(leastRoom, l.engine.store.set.Bytes())
	if d.links, err = runs.NewList[Link](d.open); err != nil {
		return onDisk(err)
	}
	for i := range d.states {
		if d.states[i], err = runs.NewList[compressed](d.open); err != nil {
			return onDisk(err)
		}
	}
	l.disk.Store(d)
	return nil
}

// take has a worker treat arrivals or sort its candidates at the end of a level. busy is false if there is nothing left of both.
func (d *disk) take(ctx context.Context, q *queue) (busy bool, err error) {
	if d.arrives != nil {
		return true, d.arriveSome(ctx, q)
	}
	if c := q.worker.later; c != nil && !c.sorter.IsSorted() {
		d.levels.mu.Unlock() // others sort theirs
		c.sorter.Sort()
		d.levels.mu.Lock()
		return true, nil
	}
	return false, nil
}

// detect looks up the candidates of a level, which makes arrivals of the new ones. All workers wait.
func (d *disk) detect(ctx context.Context) error {
	poll := func() error {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		return nil
	}
	if !d.moved {
		if err := d.move(poll); err != nil {
			return onDisk(err)
		}
	}
	var sorters []*runs.Sorter[candidate]
	for _, q := range d.levels.queues {
		sorters = append(sorters, q.worker.later.sorter)
	}
	if err := d.lookUp(sorters, poll); err != nil {
		return onDisk(err)
	}
	for _, s := range sorters {
		if err := s.Clear(); err != nil {
			return onDisk(err)
		}
	}
	var err error
	d.arrives, err = runs.Merge(d.new)
	d.detected, d.given, d.delivered = true, 0, 0
	return onDisk(err)
}

// lookUp looks all candidates up, in the order of their keys.
func (d *disk) lookUp(sorters []*runs.Sorter[candidate], poll func() error) error {
	all, err := runs.Merge(sorters...)
	if err != nil {
		return err
	}
	pass, err := d.visited.Pass()
	if err != nil {
		return err
	}
	for n := 0; ; n++ {
		c, ok, err := all.Next()
		if err != nil || !ok {
			return errors.Join(err, d.visited.Settle(poll))
		}
		if n%pieceSize == 0 {
			if err := poll(); err != nil {
				return err
			}
		}
		a := arrival{c.link, c.state, isNew}
		fresh := true
		switch {
		case c.key == noState && c.link.Transition == wholeParent:
			a.is = isDone
		case c.key == noState:
			a.is = isFailing
		default:
			if fresh, err = pass.Add(c.key); err != nil {
				return err
			}
		}
		switch {
		case fresh:
			if err := d.new.Add(a); err != nil {
				return err
			}
		case d.levels.isLogged:
			return errOtherSearch
		}
	}
}

// move moves the visited set, the links and the states of the next level to the disk, and frees their memory.
func (d *disk) move(poll func() error) error {
	l := d.levels
	set := l.engine.store.set
	l.engine.store.set = nil
	err := set.Drain(func(sorted []uint64) error { return errors.Join(d.visited.Put(sorted), poll()) })
	if err = errors.Join(err, set.Close()); err != nil {
		return err
	}
	if err := d.visited.Settle(poll); err != nil {
		return err
	}
	for i := range l.all {
		of := &l.all[i]
		of.first = d.links.Len()
		for _, c := range of.chunks {
			if err := d.links.AppendAll(c.links); err != nil {
				return err
			}
			of.states += len(c.links)
		}
		of.chunks = nil
	}
	d.new = runs.NewSorter(d.open, d.room/4, arrival.compare)
	for _, q := range l.queues {
		if err := d.moveArrived(q); err != nil {
			return err
		}
	}
	d.moved, l.linked = true, 0
	debug.FreeOSMemory()
	for _, q := range l.queues {
		if q.worker.later == nil {
			q.worker.later = d.candidates(q.worker)
		}
		q.worker.later.noted = largestRecent(d.share(d.room))
	}
	return nil
}

// moveArrived makes arrivals of the states of the next level that a worker met before there was a disk.
func (d *disk) moveArrived(q *queue) error {
	fresh := q.fresh
	add := func(is arrivalKind, s compressed, k Link) error { return d.new.Add(arrival{k, s, is}) }
	for _, c := range q.met {
		for i, k := range c.links {
			for len(fresh) > 0 && fresh[0].plain() != k {
				if err := add(isDone, compressed{}, fresh[0]); err != nil {
					return err
				}
				fresh = fresh[1:]
			}
			if len(fresh) > 0 {
				k, fresh = fresh[0], fresh[1:]
			}
			if err := add(isTested, c.states[i], k); err != nil {
				return err
			}
		}
	}
	for _, k := range fresh {
		if err := add(isDone, compressed{}, k); err != nil {
			return err
		}
	}
	q.met, q.fresh = nil, nil
	return nil
}

// next begins the next level.
func (d *disk) next() (level, error) {
	d.detected = false
	d.states[0], d.states[1] = d.states[1], d.states[0]
	if err := errors.Join(d.states[1].Clear(), d.new.Clear()); err != nil {
		return level{}, onDisk(err)
	}
	n := d.states[0].Len()
	return level{first: d.links.Len() - n, states: n}, nil
}

// load reads a chunk of the level that is explored.
func (d *disk) load(into *chunk, number int) error {
	from := number * chunkStates
	if into.states == nil {
		into.states = make([]compressed, chunkStates)
	}
	into.states = into.states[:min(chunkStates, d.states[0].Len()-from)]
	return onDisk(d.states[0].Read(into.states, from))
}

// linkOf is how the state at a place of a level was met.
func (d *disk) linkOf(of level, state uint32) (Link, error) {
	var k [1]Link
	err := d.links.Read(k[:], of.first+int(state))
	return k[0], onDisk(err)
}

// bytes returns the memory of buffers and caches, and the size of the files that last longer than a level.
func (d *disk) bytes() (memory, onDisk uint64) {
	memory = d.visited.Bytes()
	if d.new != nil {
		memory += d.new.Bytes()
	}
	for _, q := range d.levels.queues {
		if c := q.worker.later; c != nil {
			memory += c.sorter.Bytes() + uint64(len(c.noted.keys))*8
		}
	}
	return memory, uint64(d.visited.Len())*8 + uint64(d.links.Len())*linkBytes
}

// close closes all files.
func (d *disk) close() error {
	err := errors.Join(d.visited.Close(), d.links.Close(), d.states[0].Close(), d.states[1].Close())
	if d.new != nil {
		err = errors.Join(err, d.new.Close())
	}
	for _, q := range d.levels.queues {
		if c := q.worker.later; c != nil {
			err = errors.Join(err, c.sorter.Close())
		}
	}
	return onDisk(err)
}
