package dbss

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"

	"harrier/internal/distributed/levels"
	"harrier/internal/ds/runs"
	"harrier/internal/model"
)

// filed is a breadth-first search whose states are in files, but for those at hand (delayed duplicate detection: Stern, Dill: Using
// Magnetic Disk instead of Main Memory in the Murphi Verifier, CAV 1998). A level is explored in three steps:
//
//	expand  the states of its file are read and their transitions taken; what these lead to are candidates, which sorters put in order
//	merge   the candidates that are in no file of a level so far are new
//	arrive  the new states are tested, and become the file of the next level
//
// What expand and merge write depends on the files that they read alone. Buffers and caches take half of the memory that is left, or what
// the visited set and the levels took: half of it for a cache of candidates, a quarter for what workers remember of halves, and an eighth for
// candidates that are sorted.
type filed struct {
	kept    *kept
	room    uint64        // for buffers and caches, in bytes
	visited []*levels.Run // each with at least half as many states as all after it together
	level   *levels.Run   // that is explored
	states  source        // of the level
	ahead   placed        // the state after the chunk, if there is one
	chunk   chunk         // of the level, that was read last
	number  int           // of it, counted from 1
	merged  bool          // the candidates were merged
	fresh   *runs.List[levels.Record]
	given   int    // how many of the new states workers have taken to test them
	disk    uint64 // size of the files of levels
}

// candidates are the states that transitions of a worker lead to in a level.
type candidates struct {
	queue  *queue
	orbit  func(s compressed) (uint64, error) // nil where states are told apart by all permutations
	sorter *levels.Sorter
	sorted bool
	noted  recent // a cache of keys of candidates, of this level and of those before
}

// meet adds the state to which a transition leads, if it may be new.
func (c *candidates) meet(key uint64, s compressed) (err error) {
	if c.noted.has(key) {
		return nil
	}
	c.noted.note(key)
	r := levels.Record{State: stateOf(s), From: c.queue.place()}
	if c.orbit != nil {
		if r.Orbit, err = c.orbit(s); err != nil {
			return err
		}
	}
	return onDisk(c.sorter.Add(r))
}

// onDisk returns err, or if it is the error of a file, a *model.LimitError.
func onDisk(err error) error {
	if err != nil && levels.IsOfFile(err) {
		return &model.LimitError{Text: fmt.Sprintf("memory is used up, and what does not fit into it cannot be kept on disk: %v", err)}
	}
	return err
}

// leastRoom is the least room for buffers: a search may have hardly begun when something else fills memory.
const leastRoom = 16 << 20

// roomOf returns the room for buffers and caches of a search whose visited set and levels took some bytes. It is a variable for tests.
var roomOf = func(visited uint64) uint64 { return max(leastRoom, visited) }

// toFiles frees the memory of the visited set, and opens the files of all levels.
func (k *kept) toFiles() (err error) {
	e := k.breadth.engine
	set := e.store.set
	room := set.Bytes() + k.breadth.largest
	e.store.set = nil
	if err := set.Close(); err != nil {
		return err
	}
	if k.sorter != nil {
		err = k.sorter.Close()
		k.sorter = nil
	}
	for _, q := range k.breadth.queues {
		q.met, q.chunk = nil, nil
	}
	if n := len(k.breadth.all); n > 0 {
		k.breadth.all[n-1] = level{}
	}
	debug.FreeOSMemory()
	if e.Left != nil {
		room = max(room, e.Left()/2)
	}
	f := &filed{kept: k, room: roomOf(room)}
	k.filed = f
	if err != nil {
		return onDisk(err)
	}
	f.fresh = runs.NewList[levels.Record](k.scratch)
	if k.joint == nil {
		for n := range k.chain.Levels() {
			if err := f.open(n); err != nil {
				return err
			}
		}
	}
	share := f.room / uint64(len(k.breadth.queues))
	for _, q := range k.breadth.queues {
		c := &candidates{queue: q, sorter: levels.NewSorter(k.order, k.scratch, share/8), noted: newRecent(recentBits)}
		if k.joint == nil {
			c.noted = newRecent(bitsOf(share / 2))
		}
		if e.Orbits != nil {
			orbit, w := e.Orbits(), q.worker
			c.orbit = func(s compressed) (uint64, error) {
				w.state = w.composer.decompress(w.composer.find(s), w.state)
				return orbit(w.state)
			}
		}
		q.worker.later, q.worker.composer.noted = c, &c.noted
	}
	return f.settle()
}

// open adds the file of a level to the files of visited states, and makes it the level that is explored.
func (f *filed) open(n int) error {
	run, err := f.kept.chain.OpenRun(n, f.kept.order)
	if err != nil {
		return f.kept.refused(onDisk(err))
	}
	size, _ := run.Bytes()
	f.disk += size
	before := f.level
	f.visited = append(f.visited, run)
	f.level = run
	f.expand(placesOf(run.Cursor(false), 0))
	return f.release(before)
}

// A source yields states of a level.
type source func() (s placed, err error)

// A placed is a state with its place in its level, or none.
type placed struct {
	state compressed
	place uint32
	ok    bool
}

// records are states in their order.
type records interface {
	Next() (r levels.Record, ok bool, err error)
}

// placesOf yields the states of a level, of which the first has a place.
func placesOf(c records, place uint32) source {
	return func() (s placed, err error) {
		r, ok, err := c.Next()
		place++
		return placed{compressedOf(r.State), place - 1, ok}, err
	}
}

// expand has the states of a source be explored.
func (f *filed) expand(states source) {
	f.states, f.ahead, f.number = states, placed{}, 0
}

// release closes a file that is not needed any more; nil is none.
func (f *filed) release(run *levels.Run) error {
	if run == nil || run == f.level || slices.Contains(f.visited, run) {
		return nil
	}
	return onDisk(run.Close())
}

// load reads the chunk of the level that has a number.
func (f *filed) load(into *chunk, number int) error {
	if number >= f.number {
		f.number = number + 1
		if err := f.read(&f.chunk); err != nil {
			return f.kept.refused(onDisk(err))
		}
	}
	into.first, into.states = f.chunk.first, append(into.states[:0], f.chunk.states...)
	return nil
}

// read reads the next states, whose places follow each other.
func (f *filed) read(into *chunk) (err error) {
	if into.states = into.states[:0]; !f.ahead.ok {
		if f.ahead, err = f.states(); err != nil {
			return err
		}
	}
	into.first = f.ahead.place
	for f.ahead.ok && f.ahead.place == into.first+uint32(len(into.states)) && len(into.states) < chunkStates {
		into.states = append(into.states, f.ahead.state)
		if f.ahead, err = f.states(); err != nil {
			return err
		}
	}
	return nil
}

// take has a worker sort its candidates at the end of a level, or test some new states. busy is false if there is nothing left of both.
func (f *filed) take(ctx context.Context, q *queue) (busy bool, err error) {
	b, later := f.kept.breadth, q.worker.later
	switch {
	case !f.merged && !later.sorted:
		later.sorted = true
		b.mu.Unlock() // others sort theirs
		err = onDisk(later.sorter.Sort())
		b.mu.Lock()
		return true, err
	case !f.merged || f.given == f.fresh.Len():
		return false, nil
	}
	piece := make([]levels.Record, min(pieceSize, f.fresh.Len()-f.given))
	if err := f.fresh.Read(piece, f.given); err != nil {
		return false, onDisk(err)
	}
	f.given += len(piece)
	q.worker.depth = len(b.all) - 1
	b.mu.Unlock()
	err = q.arrive(ctx, piece)
	b.mu.Lock()
	return true, err
}

// pieceSize is how many new states a worker takes at once. It is a variable for tests.
var pieceSize = 4096

// arrive tests new states.
func (q *queue) arrive(ctx context.Context, piece []levels.Record) error {
	w := q.worker
	if err := w.economize(); err != nil {
		return err
	}
	w.publish()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	defer func() { q.arriving = nil }()
	for _, r := range piece {
		if w.stopped.Load() || !w.admits() {
			return nil
		}
		w.at, q.arriving = compressedOf(r.State), &link{parent: r.From}
		if err := w.arrive(ctx, &successor{to: w.at}); err != nil {
			return err
		}
	}
	return nil
}

// merge finds the new states among the candidates. All workers wait.
func (f *filed) merge(ctx context.Context) error {
	return f.consume(func(from *levels.Merger) error { return f.subtract(ctx, from) })
}

// consume calls take with the candidates of all workers, which it then removes.
func (f *filed) consume(take func(from *levels.Merger) error) error {
	var sorters []*levels.Sorter
	for _, q := range f.kept.breadth.queues {
		sorters = append(sorters, q.worker.later.sorter)
	}
	from, err := levels.Merge(f.kept.order, sorters...)
	if err != nil {
		return onDisk(err)
	}
	err = take(from)
	for _, q := range f.kept.breadth.queues {
		q.worker.later.sorted = false
		err = errors.Join(err, q.worker.later.sorter.Clear())
	}
	return f.kept.refused(onDisk(err))
}

// subtract finds the new states among candidates.
func (f *filed) subtract(ctx context.Context, from *levels.Merger) error {
	f.merged, f.given = true, 0
	return levels.Subtract(from, f.visited, f.class(), func(r levels.Record, at levels.RecordAt) error {
		if f.fresh.Len()%pieceSize == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if j := f.kept.joint; j != nil {
			j.choice.Add(at)
		}
		return f.fresh.Append(r)
	})
}

// class returns what gives states that count as one the same class; nil where all are told apart.
func (f *filed) class() func(levels.State) (levels.State, error) {
	w := f.kept.breadth.queues[0].worker
	if w.canonical == nil {
		return nil
	}
	return func(s levels.State) (levels.State, error) {
		key, err := w.class(compressedOf(s), 0)
		return levels.State{uint32(key >> 32), uint32(key)}, err
	}
}

// keep makes the new states the level that is explored.
func (f *filed) keep(context.Context) error {
	c, err := f.kept.contentsOf(f.fresh)
	if err == nil {
		err = f.kept.complete(c)
	}
	if err != nil {
		return onDisk(err)
	}
	f.kept.breadth.left.Store(uint64(c.States))
	f.merged = false
	if err := f.fresh.Clear(); err != nil {
		return onDisk(err)
	}
	if err := f.open(len(f.kept.chain.Levels()) - 1); err != nil {
		return err
	}
	return f.settle()
}

// toMerge is the first of some numbers that is less than half the sum of those after it, or how many there are.
func toMerge(sizes []int) (first int) {
	first, after := len(sizes), 0
	for i := len(sizes) - 1; i >= 0; i-- {
		if 2*sizes[i] < after {
			first = i
		}
		after += sizes[i]
	}
	return first
}

// settle merges files of visited states, so that each has at least half as many as all after it together. So few have to be read, and
// each state is merged as often as the logarithm of their number.
func (f *filed) settle() error {
	sizes := make([]int, len(f.visited))
	for i, r := range f.visited {
		sizes[i] = r.States
	}
	first := toMerge(sizes)
	if first == len(f.visited) {
		return nil
	}
	of := slices.Clone(f.visited[first:])
	file, err := f.kept.scratch()
	if err != nil {
		return onDisk(err)
	}
	merged, err := levels.Union(file, f.kept.order, of)
	if err != nil {
		return f.kept.refused(onDisk(errors.Join(err, file.Close())))
	}
	f.visited = append(f.visited[:first], merged)
	for _, r := range of {
		err = errors.Join(err, f.release(r))
	}
	return err
}

// contentsOf are those of a file of some states. They hold until it is called again.
func (k *kept) contentsOf(states *runs.List[levels.Record]) (levels.Contents, error) {
	c := levels.Contents{Kind: k.kind(), States: states.Len(), Halves: &k.halves}
	c.Each = func(yield func(levels.Record) error) error {
		for all := states.From(0, states.Len()); ; {
			r, ok, err := all.Next()
			if !ok || err != nil {
				return err
			}
			if err := yield(r); err != nil {
				return err
			}
		}
	}
	k.halves.Clear()
	return c, c.Each(func(r levels.Record) error {
		k.halves.Add(r.State)
		return nil
	})
}

// bytes returns the memory of buffers and caches, and the size of the files.
func (f *filed) bytes() (memory, disk uint64) {
	disk = f.disk
	for _, r := range f.visited {
		size, head := r.Bytes()
		memory += head
		disk += size
	}
	for _, q := range f.kept.breadth.queues {
		if c := q.worker.later; c != nil {
			memory += c.sorter.Bytes() + uint64(len(c.noted.keys))*8
		}
	}
	return memory, disk
}

func (f *filed) close() (err error) {
	if f.fresh != nil {
		err = f.fresh.Close()
	}
	visited, level := f.visited, f.level
	f.visited, f.level = nil, nil
	if !slices.Contains(visited, level) {
		err = errors.Join(err, f.release(level))
	}
	for _, r := range visited {
		err = errors.Join(err, f.release(r))
	}
	for _, q := range f.kept.breadth.queues {
		if c := q.worker.later; c != nil {
			err = errors.Join(err, c.sorter.Close())
		}
	}
	return onDisk(err)
}
