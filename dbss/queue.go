package dbss

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"harrier/internal/model"
)

// queue is a worker's part in breadth-first search. The workers explore one level, the states at one
// distance from the initial state, after another. They share out its states. Each puts the new states that
// it meets into chunks of the next level, or once memory is used up, into files (filed.go).
type queue struct {
	levels *breadth
	worker *worker

	first   uint32 // the place in the level of the first state of the chunk that is explored
	chunk   *chunk
	at, end int // the state of the chunk that is followed, and where this worker's share of the chunk ends
	batch   batch

	met  []*chunk // of the next level
	held uint64   // states that this worker put there

	arriving *link // how the state was met that arrives; nil while transitions are taken
	room     chunk // for states from a file

}

// A batch is states of a chunk, one after another, whose transitions are composed and counted together, before the first of them is taken:
// so the processor waits for the memory of many of them at once. Transitions to states that the worker met lately are left out.
type batch struct {
	from       int // the first state, in the chunk
	successors []successor
	ends       []int // by state: where its successors end
	taken      int   // how many of the successors were
	reduced    bool  // only worker.chosen are followed, of the one state that there is
	err        error // that ended the batch, once its successors were taken
}

// batchSize is how many successors are enough for a batch. It is a variable for tests.
var batchSize = 64

// A chunk is some states of a level.
type chunk struct {
	states []compressed // until the level is explored
	links  []link       // how they were met
	first  uint32       // of states from a file: the place of the first one in the level
}

// A link is how a state was met first: from the state at a place of the level before, by which of the actions of its halves, counted as
// successor.number is.
type link struct {
	parent, transition uint32
}

const (
	chunkBits   = 9
	chunkStates = 1 << chunkBits
	linkBytes   = 8 // a compressed state takes as much
	maxChunks   = 1 << (32 - chunkBits)
)

func (q *queue) push(ctx context.Context, at place, by *successor, expandable bool) error {
	from := link{}
	if by != nil {
		from = q.link()
	}
	switch kept := q.levels.kept; {
	case kept != nil && kept.filed != nil: // its file is there, or will be
	case kept != nil || expandable:
		q.met = pushed(q.met, q.worker.at, from)
		q.held++
	}
	return nil
}

// pushed appends a state to chunks.
func pushed(to []*chunk, s compressed, by link) []*chunk {
	if n := len(to); n == 0 || len(to[n-1].states) == chunkStates {
		to = append(to, &chunk{states: make([]compressed, 0, chunkStates), links: make([]link, 0, chunkStates)})
	}
	last := to[len(to)-1]
	last.states, last.links = append(last.states, s), append(last.links, by)
	return to
}

// place is that of the current state in its level.
func (q *queue) place() uint32 { return q.first + uint32(q.at) }

// link is how the state is met that the successor leads to which is taken, or how the one was met that arrives.
func (q *queue) link() link {
	if q.arriving != nil {
		return *q.arriving
	}
	return link{q.place(), q.batch.successors[q.batch.taken-1].number}
}

func (q *queue) next(ctx context.Context) (*successor, error) {
	b := &q.batch
	for b.taken == len(b.successors) {
		if b.err != nil {
			return nil, b.err
		}
		if w := q.worker; w.taken > w.due && w.catchUp(ctx) {
			return nil, nil // all that was counted was taken
		}
		if ok, err := q.advance(ctx); !ok || err != nil {
			return nil, err
		}
	}
	for b.taken == b.ends[q.at-b.from] {
		q.at++
	}
	q.worker.at = q.chunk.states[q.at]
	by := &b.successors[b.taken]
	b.taken++
	return by, nil
}

// advance composes the transitions of the next states of the level.
func (q *queue) advance(ctx context.Context) (bool, error) {
	b, w := &q.batch, q.worker
	q.at = b.from + len(b.ends)
	for q.chunk == nil || q.at == q.end || q.levels.leaves() {
		q.chunk = nil
		if ok, err := q.levels.take(ctx, q); !ok || err != nil {
			return false, err
		}
	}
	w.depth = len(q.levels.all) - 1
	*b = batch{from: q.at, successors: b.successors[:0], ends: b.ends[:0]}
	if w.MaxDepth > 0 && w.depth >= w.MaxDepth {
		b.ends = append(b.ends, 0)
		return true, nil // the level is there for its files alone
	}
	for at := q.at; at < q.end && len(b.successors) < batchSize && b.err == nil; at++ {
		s := q.chunk.states[at]
		place := w.composer.find(s)
		var within bool
		if within, b.err = q.isExpanded(ctx, place); within && b.err == nil {
			_, b.reduced, b.err = w.choose(ctx, place)
		}
		if within && b.err == nil {
			b.successors, b.err = w.compose(ctx, s, place, b.reduced, b.successors)
		}
		b.ends = append(b.ends, len(b.successors))
		if w.reduction != nil {
			break
		}
	}
	w.classify(b.successors)
	return true, nil
}

// isExpanded reports whether transitions of a state of the level are taken: files have those outside of a bound, too.
func (q *queue) isExpanded(ctx context.Context, at place) (bool, error) {
	if q.levels.kept == nil || !q.worker.checker.IsBounded() {
		return true, nil
	}
	return q.worker.isWithin(ctx, at)
}

// uncount takes back the counts of the batch's transitions after the last one that was taken. untaken is as in frontier.
func (q *queue) uncount(ctx context.Context, untaken *successor) error {
	b, w := &q.batch, q.worker
	if untaken != nil {
		b.taken--
	}
	i, after := 0, -1
	if b.taken > 0 {
		i, _ = slices.BinarySearch(b.ends, b.taken)
		after = int(b.successors[b.taken-1].number)
	}
	states := len(b.ends)
	if b.err != nil {
		states-- // some transitions of the last one were not counted
	}
	ctx = context.WithoutCancel(ctx)
	for ; i < states; i++ {
		s := q.chunk.states[b.from+i]
		if within, err := q.isExpanded(ctx, w.composer.find(s)); err != nil {
			return err
		} else if !within {
			continue
		}
		all, err := w.revisit(ctx, s, w.composer.scratch[:0])
		if err != nil {
			return err
		}
		for _, next := range all {
			if int(next.number) > after && (!b.reduced || slices.Contains(w.chosen, next.Transition)) {
				w.uncount(&next)
			}
		}
		after = -1
	}
	return nil
}

// path follows the links back and then steps forward again.
func (q *queue) path(ctx context.Context, by *successor) ([]model.Transition, error) {
	if q.levels.kept != nil {
		return q.levels.kept.path(ctx, q, by)
	}
	links := q.levels.linksTo(q.link())
	s, err := q.worker.composer.compress(q.worker.system.Initial())
	var path []model.Transition
	for i := len(links) - 1; i >= 0 && err == nil; i-- {
		var by successor
		if by, err = q.worker.composer.byNumber(ctx, s, links[i].transition); err == nil {
			s, path = by.to, append(path, by.Transition)
		}
	}
	return path, err
}

// size is the number of states that this worker has, of both levels. The first worker counts those that
// nobody has taken yet.
func (q *queue) size() uint64 {
	n := q.held
	if q.chunk != nil {
		n += uint64(q.end - q.at)
	}
	if q == q.levels.queues[0] {
		n += q.levels.left.Load()
	}
	return n
}

// recompress implements frontier. What is in the queue comes from the one tree that is kept.
func (q *queue) recompress(func(compressed) (compressed, error)) error { return nil }

// bytes is none: the levels know how much memory their chunks take.
func (q *queue) bytes() uint64 { return 0 }

// breadth is what the workers of a breadth-first search share: its levels.
type breadth struct {
	engine *engine
	queues []*queue
	left   atomic.Uint64 // states of the level that no worker has taken yet

	mu      sync.Mutex
	changed sync.Cond
	all     []level // by distance; the last is explored
	given   int     // how many chunks of it were given to workers as a whole
	begun   int     // how many states of the next one were
	waiting int     // workers that found nothing left to do in it
	phase   int     // how often what there is to do has changed
	over    bool
	linked  uint64   // memory of the links of levels that were explored
	largest uint64   // most memory of links and states
	reached []uint64 // how many states there were when each level was known

	kept *kept // nil where levels are in memory only
}

// A level is the states at one distance, in chunks, or their links once they were explored. It is empty once the states are in files.
type level struct{ chunks []*chunk }

func newBreadth(e *engine) (*breadth, error) {
	l := &breadth{engine: e}
	l.changed.L = &l.mu
	var err error
	if e.Levels != nil || e.Share != nil {
		l.kept, err = newKept(l)
	}
	return l, err
}

func (l *breadth) frontier(w *worker) frontier {
	q := &queue{levels: l, worker: w}
	l.queues, w.kept = append(l.queues, q), l.kept
	return q
}

// take gives a worker some states of the level that is explored. When there are none left, candidates arrive: the worker takes part
// in that, waits for the other workers to be done, and goes on to the next level with them. It returns false at the end.
func (l *breadth) take(ctx context.Context, q *queue) (bool, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for {
		if l.over || l.engine.stopped.Load() {
			return false, nil
		}
		if l.left.Load() > 0 && !l.leaves() {
			return true, l.share(q)
		}
		if l.filed() {
			if busy, err := l.kept.filed.take(ctx, q); err != nil {
				return false, err
			} else if busy {
				continue
			}
		}
		phase := l.phase
		if l.waiting++; l.waiting == len(l.queues) {
			if err := l.proceed(ctx); err != nil {
				l.over = true // for the others, until the search is stopped
				return false, err
			}
			continue
		}
		for phase == l.phase && !l.engine.stopped.Load() {
			l.changed.Wait()
		}
	}
}

// proceed goes on to the next level, or to files, or does what comes before the end of a level in files. All workers wait.
func (l *breadth) proceed(ctx context.Context) (err error) {
	switch k := l.kept; {
	case k != nil && k.joint != nil:
		err = k.joint.proceed(ctx)
	case l.leaves():
		err = k.leave(ctx)
	case k != nil && k.filed != nil && !k.filed.merged:
		err = k.filed.merge(ctx)
	default:
		err = l.deepen(ctx)
	}
	l.waiting = 0
	l.phase++
	l.changed.Broadcast()
	return err
}

// share gives a worker states of a chunk: only some of them where few states are left in the level, so that the workers end it
// at about the same time, whatever each state costs (guided self-scheduling: Polychronopoulos, Kuck, IEEE Transactions on
// Computers, 1987).
func (l *breadth) share(q *queue) (err error) {
	if q.chunk, err = l.chunk(q); err != nil {
		return err
	}
	if q.first, q.at = uint32(l.given)<<chunkBits, l.begun; l.filed() {
		q.first = q.chunk.first
	}
	workers := uint64(len(l.queues))
	q.end = min(len(q.chunk.states), q.at+int((l.left.Load()+workers-1)/workers))
	l.left.Add(-uint64(q.end - q.at))
	if l.begun = q.end; l.begun == len(q.chunk.states) {
		l.given, l.begun = l.given+1, 0
	}
	return nil
}

// chunk is that of the level that is given next, in the memory of q if it is in a file.
func (l *breadth) chunk(q *queue) (*chunk, error) {
	if l.filed() {
		return &q.room, l.kept.filed.load(&q.room, l.given)
	}
	return l.all[len(l.all)-1].chunks[l.given], nil
}

// deepen makes what the workers met the level that is explored.
func (l *breadth) deepen(ctx context.Context) (err error) {
	var next level
	for _, q := range l.queues {
		next.chunks = append(next.chunks, q.met...)
		l.left.Add(q.held)
		q.met, q.held, q.chunk = nil, 0, nil
	}
	if l.kept != nil {
		if next, err = l.kept.keep(ctx, next); err != nil {
			return err
		}
	}
	if len(next.chunks) > maxChunks {
		return &model.LimitError{Text: fmt.Sprintf("level %d of the search has too many states", len(l.all))}
	}
	if n := len(l.all); n > 0 && l.kept.has(n-1) {
		l.all[n-1] = level{}
	} else if n > 0 && l.kept == nil {
		for _, c := range l.all[n-1].chunks {
			c.states, c.links = nil, slices.Clone(c.links)
			l.linked += uint64(cap(c.links)) * linkBytes
		}
	}
	l.largest = max(l.largest, l.linked+uint64(len(next.chunks))*2*chunkStates*linkBytes)
	l.all = append(l.all, next)
	l.reached = append(l.reached, l.counts().States)
	l.given, l.begun, l.over = 0, 0, l.left.Load() == 0
	return nil
}

// counts are those of all workers, which wait.
func (l *breadth) counts() (all Counts) {
	for _, q := range l.queues {
		all.Add(q.worker.counts)
	}
	return all
}

// filed reports whether states are in files, but for those at hand.
func (l *breadth) filed() bool { return l.kept != nil && l.kept.filed != nil }

// leaves reports whether the search is leaving memory for files.
func (l *breadth) leaves() bool { return l.kept != nil && l.kept.leaving.Load() }

// sizes is how many states there are at each distance, of so many.
func (l *breadth) sizes(states uint64) []uint64 {
	sizes, before := []uint64{}, uint64(0)
	for _, reached := range append(l.reached, states) {
		if reached > before {
			sizes, before = append(sizes, reached-before), reached
		}
	}
	return sizes
}

// linksTo are the links from a state that is met back to the initial state; by is how it is met.
func (l *breadth) linksTo(by link) []link {
	l.mu.Lock()
	defer l.mu.Unlock()
	links := []link{by}
	for n := len(l.all) - 1; n > 0; n-- {
		by = l.all[n].chunks[by.parent>>chunkBits].links[by.parent&(chunkStates-1)]
		links = append(links, by)
	}
	return links
}

func (l *breadth) wake() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.changed.Broadcast()
}

func (l *breadth) bytes() (memory, disk uint64) {
	if l.kept != nil {
		memory, disk = l.kept.bytes()
	}
	return max(memory, l.largest), disk
}

// resume implements shared.
func (l *breadth) resume(ctx context.Context) (bool, error) {
	if l.kept == nil {
		return false, nil
	}
	return l.kept.resume(ctx)
}

// looks is how many calls of look there are for each at the memory that is left, which takes as long as some hundred transitions.
const looks = 16

// look has the search go on in files when less memory is left than the visited set takes.
func (l *breadth) look(_ *worker, n uint64) error {
	k := l.kept
	if k != nil && k.filed == nil && l.engine.Left != nil && n%looks == 0 && l.engine.Left() < l.engine.store.set.Bytes() && k.canLeave() {
		k.leaving.Store(true)
	}
	return nil
}

func (l *breadth) close() error {
	if l.kept == nil {
		return nil
	}
	return l.kept.close()
}
