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
// it meets into chunks of the next level; once there is a disk, it puts candidates for that level there.
type queue struct {
	levels *levels
	worker *worker

	number     uint32 // of the chunk that is explored, in the level
	chunk      *chunk
	at, end    int // the state of the chunk that is followed, and where this worker's share of the chunk ends
	successors []successor
	chosen     []uint32 // which of them are followed
	taken      int      // how many of these were taken

	met  []*chunk // of the next level
	held uint64   // states that this worker put there

	arriving *Link // how the state was met that arrives; nil while transitions are taken in one process
	room     chunk // for states from a disk
	piece    []arrival

	received    successor
	spent, over bool // with a Partition: this worker follows nothing more in the level; the level is over

	logging
}

// A chunk is some states of a level.
type chunk struct {
	states []compressed // until the level is explored
	links  []Link       // how they were met
}

const (
	chunkBits   = 9
	chunkStates = 1 << chunkBits
	linkBytes   = 8 // a compressed state takes as much
	maxChunks   = 1 << (32 - chunkBits)
)

func (q *queue) push(ctx context.Context, at place, by *successor, expandable bool) error {
	from := Link{}
	if by != nil {
		from = q.link()
		if err := q.note(ctx, at, from); err != nil {
			return err
		}
	}
	if mail := q.worker.mail; mail != nil {
		if err := mail.record(ctx, q.worker.at, from, expandable); err != nil {
			return err
		}
	}
	if expandable {
		q.met = pushed(q.met, q.worker.at, from)
		q.held++
	}
	return nil
}

// pushed appends a state to chunks.
func pushed(to []*chunk, s compressed, by Link) []*chunk {
	if n := len(to); n == 0 || len(to[n-1].states) == chunkStates {
		to = append(to, &chunk{make([]compressed, 0, chunkStates), make([]Link, 0, chunkStates)})
	}
	last := to[len(to)-1]
	last.states, last.links = append(last.states, s), append(last.links, by)
	return to
}

// place is that of the current state in its level.
func (q *queue) place() uint32 { return q.number<<chunkBits | uint32(q.at) }

// link is how the state is met that the successor leads to which is taken, or how the one was met that arrives.
func (q *queue) link() Link {
	if q.arriving != nil {
		return *q.arriving
	}
	return Link{q.place(), q.successors[q.chosen[q.taken-1]].number}
}

func (q *queue) next(ctx context.Context) (*successor, error) {
	mail := q.worker.mail
	for q.taken == len(q.chosen) && (mail == nil || len(mail.arrived) == 0) {
		if ok, err := q.advance(ctx); !ok || err != nil {
			return nil, err
		}
	}
	if mail != nil && len(mail.arrived) > 0 {
		k := mail.arrived[0]
		mail.arrived, mail.by, q.worker.depth = mail.arrived[1:], k.by, len(q.levels.all)-1
		q.received, q.arriving = successor{to: k.state, arrived: true}, &mail.by
		return &q.received, nil
	}
	q.worker.at = q.chunk.states[q.at]
	by := &q.successors[q.chosen[q.taken]]
	q.taken++
	if mail != nil {
		q.arriving = &mail.by
		mail.meet(q.place())
		return by, nil
	}
	if q.levels.log != nil {
		q.consult(by)
	}
	return by, nil
}

// advance makes the next state of the level current and finds its successors. Of a level that the log has, that is the next one
// that something new comes of.
func (q *queue) advance(ctx context.Context) (bool, error) {
	if q.worker.mail != nil {
		if got, err := q.receive(ctx, false); got || err != nil {
			return true, err
		}
	}
	if q.chunk != nil {
		if err := q.leave(); err != nil {
			return false, err
		}
		q.at++
		if err := q.skip(); err != nil {
			return false, err
		}
	}
	for q.chunk == nil || q.at == q.end {
		q.chunk = nil
		if q.worker.mail != nil {
			if got, err := q.await(ctx); got || err != nil {
				return got, err
			}
		}
		if ok, err := q.levels.take(ctx, q); !ok || err != nil {
			return false, err
		}
		if err := q.skip(); err != nil {
			return false, err
		}
	}
	w := q.worker
	w.at, w.depth, q.taken, q.chosen = q.chunk.states[q.at], len(q.levels.all)-1, 0, q.chosen[:0]
	if q.levels.isLogged && !q.isWhole() {
		return true, q.followLogged(ctx)
	}
	tries := w.composer.tries
	chosen, reduced, err := w.choose(ctx, w.composer.find(w.at))
	if err != nil {
		return true, err
	}
	if q.successors, err = w.revisit(ctx, w.at, q.successors[:0]); err == nil {
		q.follow(chosen, reduced)
	}
	q.whole = w.composer.tries != tries
	return true, err
}

// follow says which successors are followed.
func (q *queue) follow(chosen []model.Transition, reduced bool) {
	for i := range q.successors {
		switch {
		case !reduced:
			q.chosen = append(q.chosen, uint32(i))
		case len(chosen) > 0 && q.successors[i].Transition == chosen[0]:
			q.chosen, chosen = append(q.chosen, uint32(i)), chosen[1:]
		}
	}
}

// path follows the links back and then steps forward again.
func (q *queue) path(ctx context.Context, _ *successor) ([]model.Transition, error) {
	links, err := q.levels.linksTo(q.link())
	if err != nil {
		return nil, err
	}
	s, err := q.worker.composer.compress(q.worker.system.Initial())
	var path []model.Transition
	for i := len(links) - 1; i >= 0 && err == nil; i-- {
		var by successor
		if by, err = q.worker.composer.byNumber(ctx, s, links[i].Transition); err == nil {
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

// levels are the levels of a breadth-first search.
type levels struct {
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
	spent   int      // with a Partition: workers that follow nothing more in the level
	linked  uint64   // memory of the links of levels that were explored
	largest uint64   // most memory of links and states
	reached []uint64 // how many states there were when each level was known

	disk atomic.Pointer[disk] // nil while all is in memory

	log      Log    // nil for none
	isLogged bool   // it has all of the level that is explored
	known    Counts // of that
	unread   []Link // of that, which no worker has got yet
	named    int    // how many the workers have got
	logs     uint64 // memory of links for the log
}

// A level is the states at one distance, or the links of those that were explored, in chunks, or on the disk.
type level struct {
	chunks []*chunk
	first  int // place of its links on the disk
	states int // how many are there
}

func newLevels(e *engine) (*levels, error) {
	l := &levels{engine: e}
	l.changed.L = &l.mu
	var err error
	if e.Log != nil {
		l.log, err = e.Log("")
	}
	if e.peers != nil {
		l.all = make([]level, e.peers.Base()) // earlier members explored those before the base
	}
	return l, err
}

func (l *levels) frontier(w *worker) frontier {
	q := &queue{levels: l, worker: w, over: len(l.all) == 0}
	l.queues = append(l.queues, q)
	return q
}

// take gives a worker some states of the level that is explored. When there are none left, candidates arrive: the worker takes part
// in that, waits for the other workers to be done, and goes on to the next level with them. It returns false at the end.
func (l *levels) take(ctx context.Context, q *queue) (bool, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for {
		if l.over || l.engine.stopped.Load() {
			return false, nil
		}
		if l.left.Load() > 0 {
			return true, l.share(q)
		}
		if l.engine.peers != nil && !q.over {
			return true, nil // somebody else took the rest
		}
		if d := l.disk.Load(); d != nil {
			if busy, err := d.take(ctx, q); err != nil {
				return false, err
			} else if busy {
				continue
			}
		}
		phase := l.phase
		if l.waiting++; l.waiting == len(l.queues) {
			if err := l.proceed(ctx); err != nil {
				return false, err
			}
			continue
		}
		for phase == l.phase && !l.engine.stopped.Load() {
			l.changed.Wait()
		}
	}
}

// proceed has candidates arrive, if there are some, or else goes on to the next level. All workers wait.
func (l *levels) proceed(ctx context.Context) (err error) {
	if d := l.disk.Load(); d != nil && !d.detected {
		err = d.detect(ctx)
	} else {
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
func (l *levels) share(q *queue) (err error) {
	if q.chunk, err = l.chunk(q); err != nil {
		return err
	}
	q.number, q.at = uint32(l.given), l.begun
	workers := uint64(len(l.queues))
	q.end = min(len(q.chunk.states), q.at+int((l.left.Load()+workers-1)/workers))
	if err := l.inform(q); err != nil {
		return err
	}
	l.left.Add(-uint64(q.end - q.at))
	if l.begun = q.end; l.begun == len(q.chunk.states) {
		l.given, l.begun = l.given+1, 0
	}
	return nil
}

// chunk is that of the level that is given next, in the memory of q if it is on the disk.
func (l *levels) chunk(q *queue) (*chunk, error) {
	if d := l.disk.Load(); d != nil && d.moved {
		return &q.room, d.load(&q.room, l.given)
	}
	return l.all[len(l.all)-1].chunks[l.given], nil
}

// deepen makes what the workers met the level that is explored.
func (l *levels) deepen(ctx context.Context) error {
	next, err := l.next()
	if err != nil {
		return err
	}
	for _, q := range l.queues {
		l.left.Add(q.held)
		q.met, q.held, q.chunk = nil, 0, nil
	}
	if err := l.keep(); err != nil {
		return err
	}
	if len(next.chunks) > maxChunks || next.states > maxChunks*chunkStates {
		return &model.LimitError{Text: fmt.Sprintf("level %d of the search has too many states", len(l.all))}
	}
	if n := len(l.all); n > 0 && l.engine.peers != nil {
		l.all[n-1] = level{} // the members kept it
	} else if n > 0 {
		for _, c := range l.all[n-1].chunks {
			c.states, c.links = nil, slices.Clone(c.links)
			l.linked += uint64(cap(c.links)) * linkBytes
		}
	}
	l.largest = max(l.largest, l.linked+l.logs+uint64(len(next.chunks))*2*chunkStates*linkBytes)
	l.all = append(l.all, next)
	l.reached = append(l.reached, l.counts().States)
	l.given, l.begun, l.over = 0, 0, l.left.Load() == 0
	if l.engine.peers != nil {
		return l.deepenTogether(ctx)
	}
	return nil
}

// next is the level that the workers met.
func (l *levels) next() (level, error) {
	if d := l.disk.Load(); d != nil {
		return d.next()
	}
	return level{chunks: l.gather()}, nil
}

// sizes is how many states there are at each distance, of so many.
func (l *levels) sizes(states uint64) []uint64 {
	sizes, before := []uint64{}, uint64(0)
	for _, reached := range append(l.reached, states) {
		if reached > before {
			sizes, before = append(sizes, reached-before), reached
		}
	}
	return sizes
}

// linksTo are the links from a state that is met back to the initial state; by is how it is met.
func (l *levels) linksTo(by Link) ([]Link, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	links := []Link{by}
	for n := len(l.all) - 1; n > 0; n-- {
		k, err := l.linkOf(l.all[n], by.Parent)
		if err != nil {
			return nil, err
		}
		links, by = append(links, k), k
	}
	return links, nil
}

// linkOf is how the state at a place of a level was met.
func (l *levels) linkOf(of level, state uint32) (Link, error) {
	if d := l.disk.Load(); d != nil && d.moved {
		return d.linkOf(of, state)
	}
	return of.chunks[state>>chunkBits].links[state&(chunkStates-1)], nil
}

func (l *levels) wake() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.changed.Broadcast()
}

func (l *levels) bytes() (memory, disk uint64) {
	if d := l.disk.Load(); d != nil {
		memory, disk = d.bytes()
	}
	return max(memory, l.largest), disk
}

// looks is how many calls of look there are for each at the memory that is left, which takes as long as some hundred transitions.
const looks = 16

// look goes on to a disk when less memory is left than the visited set takes. Until the end of the level, the disk needs half as much
// beside what there is.
func (l *levels) look(w *worker, n uint64) error {
	if l.log == nil || l.engine.Left == nil {
		return nil
	}
	if l.disk.Load() == nil && n%looks == 0 && l.engine.Left() < l.engine.store.set.Bytes() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.disk.Load() == nil {
			if err := l.openDisk(); err != nil {
				return err
			}
		}
	}
	if d := l.disk.Load(); d != nil && w.later == nil {
		w.later = d.candidates(w)
	}
	return nil
}
