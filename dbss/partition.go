package dbss

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"sync"

	"harrier/internal/ds/wordset"
	"harrier/internal/model"
)

// A Partition is the share of one process in a breadth-first search over several, its members (after Stern, Dill: Parallelizing the
// Murφ Verifier, CAV 1997). Each state is explored by the member that its hash falls to, so the members' visited sets are disjoint.
// They search level by level: a member follows the states of its own and sends successors to those they fall to; a level is over
// when all members have followed all of theirs and everything that was sent has arrived. Members keep the states that they meet, in
// pieces in a store that outlives them, so that other members can go on from any level. Several workers may call its methods at once.
type Partition interface {
	// Self is the number of this member, from 0, and Members is how many there are.
	Self() int
	Members() int
	// Send sends a batch to another member. The caller must not use its bytes any more.
	Send(to int, batch []byte) error
	// Receive returns the next batch from any other member; those of one member come in the order in which it sent them. If none has
	// arrived, ok is false, unless wait is set: then Receive waits for one, and ok is false once the level is over.
	Receive(ctx context.Context, wait bool) (from int, batch []byte, ok bool, err error)
	// Expanded tells the coordinator that this member sends nothing more in this level.
	Expanded() error
	// Deepen ends a level with a report, waits until all members have ended it, and returns whether the search goes on.
	Deepen(ctx context.Context, r Report) (goOn bool, err error)

	// Keep stores a piece of the states that a worker met in the level. A worker numbers its pieces of a level from 0. The caller must
	// not use the bytes any more.
	Keep(ctx context.Context, worker, number int, piece []byte) error
	// Base is the level that the search goes on with, or 0 if it begins with the initial state.
	Base() int
	// Kept returns the next piece that earlier members kept of the levels up to the base, and whose states this member sends to the
	// members that they fall to now. It returns nil if no piece is left.
	Kept(ctx context.Context) (*Piece, error)
}

// A Piece holds states that a worker of a member met in a level, in portable terms.
type Piece struct {
	Bytes  []byte
	Member int
	First  uint32 // the place in the level of the worker's first state that is followed, in chunks of chunkStates
	IsBase bool   // the level is the base
}

// BeginAnew is the error of a member whose system turned out to leave out too much: all members have to search anew, with another
// variant of the system (model.Shared).
type BeginAnew struct{ Variant []byte }

func (*BeginAnew) Error() string { return "the search is to begin anew, with less left out" }

// A Report is what a member says at the end of a level.
type Report struct {
	Counts Counts // since the search began
	Level  uint64 // how many states it has to follow in the next level
	// Asked has the states since the last report in which the checker had to ask for evaluations, each as its parts in portable terms.
	Asked     [][][]byte
	Failed    []string        // as in Result
	Violation *Counterexample // as in Result
	Kept      []Kept          // by worker
}

// Kept is how much a worker kept of a level.
type Kept struct {
	Pieces int
	Chunks uint32 // of states that are followed
}

// An Origin is the state from which another one was met: the member that explored it, and its place among the states that this member
// followed in the level before. For a state of the base it is that state itself, as an earlier member kept it.
type Origin struct {
	Member int
	Place  uint32
}

func originOf(k link) Origin { return Origin{int(k.transition), k.parent} }

// peers are the other members, as the workers of this one share them.
type peers struct {
	Partition
	terms  model.Portable
	asks   asking                                     // the checker; nil if it does not count evaluations
	orbits func() func(s model.State) (uint64, error) // as in Options

	receiving sync.Mutex             // held while a batch is received and read; guards streams
	streams   map[stream]*dictionary // of the workers of other members
}

// A stream is what a worker of another member sends.
type stream struct{ member, worker int }

func newPeers(p Partition, system model.System, checker Checker, orbits func() func(s model.State) (uint64, error)) (*peers, error) {
	asks, _ := checker.(asking)
	terms, ok := system.(model.Portable)
	if !ok {
		return nil, fmt.Errorf("a search of this kind cannot be shared out among %d processes", p.Members())
	}
	return &peers{Partition: p, terms: terms, asks: asks, orbits: orbits, streams: map[stream]*dictionary{}}, nil
}

// mail is a worker's part in a search over several processes.
type mail struct {
	*peers
	worker  int
	c       *composer
	to      []*outlet                           // by member
	hashes  map[uint64]uint64                   // of ids, by position and id
	orbit   func(s model.State) (uint64, error) // nil where symmetric states are not merged
	vector  model.State                         // room for owner
	failed  error                               // the first error of a hash
	by      link                                // how the successor that is taken was met, with the member in place of the transition
	arrived []record                            // the records of the last batch that were not taken yet
	asked   [][][]byte                          // as in Report

	evaluations uint64 // for how many the checker had asked when a state was added to asked

	kept   *outlet // the states that were met in the level, since the last piece
	pieces int     // how many pieces of the level were kept
	inner  uint64  // how many states of the level are followed
}

func (p *peers) newMail(worker int, c *composer) *mail {
	m := &mail{peers: p, worker: worker, c: c, hashes: map[uint64]uint64{}, kept: newOutlet()}
	if p.orbits != nil {
		m.orbit = p.orbits()
	}
	for range p.Members() {
		m.to = append(m.to, newOutlet())
	}
	c.sum, c.memo, c.shared = m.hash, &memo{}, nil // as half.published is of this worker's streams
	return m
}

// hash is a hash of the ids of a half, the same in all members. If there is an error, it is in failed.
func (m *mail) hash(position int, ids []uint32) (sum uint64) {
	for i, id := range ids {
		if id == 0 {
			continue
		}
		key := uint64(position+i)<<32 | uint64(id)
		h, ok := m.hashes[key]
		if !ok {
			var err error
			if h, err = m.terms.Hash(uint32(position+i), id); err != nil && m.failed == nil {
				m.failed = err
			}
			m.hashes[key] = h
		}
		sum += wordset.Mix(h)
	}
	return sum
}

// owner is the member that a state falls to.
func (m *mail) owner(s compressed) (int, error) {
	at, sum := m.c.find(s), uint64(0)
	if m.orbit != nil {
		var err error
		m.vector = m.c.decompress(at, m.vector)
		if sum, err = m.orbit(m.vector); err != nil {
			return 0, err
		}
	} else {
		sum = at[lower].hash + at[upper].hash
	}
	return int(wordset.Mix(sum) % uint64(m.Members())), m.failed
}

// send sends a record to its owner, the member that its state falls to, with the halves that this member may not know.
func (m *mail) send(owner int, r record) error {
	to := m.to[owner]
	if len(to.batch) == 0 {
		to.batch = binary.AppendUvarint(to.batch, uint64(m.worker))
	}
	bit := uint64(1) << (owner % 64)
	at := m.c.find(r.state)
	if m.Members() > 64 || at[lower].published&at[upper].published&bit == 0 {
		if err := m.define(to, r.state); err != nil {
			return err
		}
		at[lower].published |= bit
		at[upper].published |= bit
	}
	to.put(r)
	if len(to.batch) >= batchBytes {
		return m.flush(owner)
	}
	return nil
}

// flush sends the records to a member that were not sent yet.
func (m *mail) flush(member int) error {
	to := m.to[member]
	if len(to.batch) == 0 {
		return nil
	}
	batch := to.batch
	to.batch = nil
	return m.Send(member, batch)
}

func (m *mail) flushAll() error {
	for member := range m.to {
		if err := m.flush(member); err != nil {
			return err
		}
	}
	return nil
}

// receive reads the next batch into arrived. It returns false where Partition.Receive does, and also, unless wait is set, while another
// worker receives.
func (m *mail) receive(ctx context.Context, wait bool) (bool, error) {
	if wait {
		m.receiving.Lock()
	} else if !m.receiving.TryLock() {
		return false, nil
	}
	defer m.receiving.Unlock()
	from, batch, ok, err := m.Receive(ctx, wait)
	if !ok || err != nil {
		return false, err
	}
	r := reader{b: batch}
	key := stream{from, int(r.number())}
	if m.streams[key] == nil {
		m.streams[key] = newDictionary()
	}
	if m.arrived, err = m.read(m.streams[key], r, m.arrived[:0]); err != nil {
		err = fmt.Errorf("reading states from member %d: %w", from, err)
	}
	return true, err
}

// meet notes that a successor of the state at a place of the level is taken.
func (m *mail) meet(place uint32) { m.by = link{place, uint32(m.Self())} }

// record keeps a new state, with how it was met. isInner is whether it is followed.
func (m *mail) record(ctx context.Context, s compressed, by link, isInner bool) error {
	if len(m.kept.batch) == 0 {
		m.kept.batch = binary.AppendUvarint(m.kept.batch, m.inner)
	}
	if err := m.define(m.kept, s); err != nil {
		return err
	}
	is := isLeaf
	if isInner {
		is, m.inner = isInside, m.inner+1
	}
	m.kept.put(record{is, by, s})
	if len(m.kept.batch) >= pieceBytes {
		return m.keep(ctx)
	}
	return nil
}

// keep stores the states since the last piece as a piece, which can be read without the pieces before it.
func (m *mail) keep(ctx context.Context) error {
	if len(m.kept.batch) == 0 {
		return nil
	}
	piece := m.kept.batch
	m.kept = newOutlet()
	m.pieces++
	return m.Keep(ctx, m.worker, m.pieces-1, piece)
}

// share sends the states that earlier members kept to the members that they fall to now.
func (q *queue) share(ctx context.Context) error {
	mail := q.worker.mail
	for {
		p, err := mail.Kept(ctx)
		if p == nil || err != nil {
			return err
		}
		r := reader{b: p.Bytes}
		inner := r.number()
		records, err := mail.read(newDictionary(), r, nil)
		if err != nil {
			return fmt.Errorf("reading states that member %d kept: %w", p.Member, err)
		}
		for _, k := range records {
			if k.is == isInside {
				k.by = link{p.First<<chunkBits + uint32(inner), uint32(p.Member)}
				inner++
			}
			if !p.IsBase {
				k.is = isOld
			}
			owner, err := mail.owner(k.state)
			switch {
			case err != nil:
			case owner == mail.Self():
				err = q.restore(ctx, k)
			default:
				err = mail.send(owner, k)
			}
			if err != nil {
				return err
			}
		}
	}
}

// restore adds a state that earlier members met, tested and kept to the visited states. If it is of the base, it is kept again, and
// followed unless it is a leaf.
func (q *queue) restore(ctx context.Context, k record) error {
	w := q.worker
	key, err := w.class(k.state, w.store.key(w.composer, k.state))
	if err == nil {
		_, err = w.store.add(key)
	}
	if err != nil || k.is == isOld {
		return err
	}
	if k.is == isInside {
		q.met = pushed(q.met, k.state, link{})
		q.held++
	}
	return w.mail.record(ctx, k.state, k.by, k.is == isInside)
}

// await receives states for a worker that took the last state of the level. It returns whether a batch came: if none did, there are
// states to follow again, or the level is over.
func (q *queue) await(ctx context.Context) (bool, error) {
	if q.over || q.levels.left.Load() > 0 {
		return false, nil
	}
	mail := q.worker.mail
	if !q.spent {
		q.spent = true
		if err := q.share(ctx); err != nil {
			return false, err
		}
		if err := mail.flushAll(); err != nil {
			return false, err
		}
		if q.levels.spend() {
			if err := mail.Expanded(); err != nil {
				return false, err
			}
		}
	}
	got, err := q.receive(ctx, true)
	q.over = !got
	return got, err
}

// receive receives states as mail.receive does. Those that earlier members tested are taken in at once.
func (q *queue) receive(ctx context.Context, wait bool) (bool, error) {
	mail := q.worker.mail
	got, err := mail.receive(ctx, wait)
	met := mail.arrived[:0]
	for _, k := range mail.arrived {
		switch {
		case k.is == isMet:
			met = append(met, k)
		case err == nil:
			err = q.restore(ctx, k)
		}
	}
	mail.arrived = met
	return got, err
}

// spend notes that a worker follows nothing more in the level, and reports whether it was the last one.
func (l *breadth) spend() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.spent++
	return l.spent == len(l.queues)
}

// deepenTogether reports what the workers of this member met in the level, and waits until all members begin the next one.
func (l *breadth) deepenTogether(ctx context.Context) error {
	r := Report{Counts: l.counts(), Level: l.left.Load()}
	for _, q := range l.queues {
		q.spent, q.over = false, false
		m := q.worker.mail
		if err := m.keep(ctx); err != nil {
			return err
		}
		r.Asked = append(r.Asked, m.asked...)
		r.Kept = append(r.Kept, Kept{m.pieces, uint32((m.inner + chunkStates - 1) / chunkStates)})
		m.asked, m.pieces, m.inner = nil, 0, 0
	}
	l.engine.mu.Lock()
	r.Failed, r.Violation = slices.Clone(l.engine.result.Failed), l.engine.result.Violation
	l.engine.mu.Unlock()
	goOn, err := l.engine.peers.Deepen(ctx, r)
	l.spent, l.over = 0, !goOn
	return err
}

// noteAsked notes a state that was tested if the checker has asked for evaluations since the last call.
func (m *mail) noteAsked(s model.State) error {
	if m.asks == nil || m.asks.Asked() == m.evaluations {
		return nil
	}
	m.evaluations = m.asks.Asked()
	state, err := write(m.terms, s)
	m.asked = append(m.asked, state)
	return err
}

// asking is a Checker that counts the evaluations that it asked for.
type asking interface{ Asked() uint64 }

// write returns the parts of a state in portable terms.
func write(terms model.Portable, s model.State) (parts [][]byte, err error) {
	for position, id := range s {
		if id == 0 {
			continue
		}
		part, err := terms.Write(uint32(position), id)
		if err != nil {
			return nil, err
		}
		parts = append(parts, part)
	}
	return parts, nil
}
