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
// when all members have followed all of theirs and everything that was sent has arrived. Members keep what they met in pieces, so
// that others can go on from any level. Its methods may be called by several workers.
type Partition interface {
	// Self is the number of this member, Members how many there are.
	Self() int
	Members() int
	// Send sends bytes to another member. They belong to it.
	Send(to int, batch []byte) error
	// Receive returns a batch that another member sent, in the order in which that one sent it. If there is none, it returns false, or
	// if wait is set, waits for one: it returns false then when the level is over.
	Receive(ctx context.Context, wait bool) (from int, batch []byte, ok bool, err error)
	// Expanded says that this member sends nothing more in this level.
	Expanded() error
	// Deepen ends a level with what it came to, and reports whether the search goes on with the next one. It waits for all members.
	Deepen(ctx context.Context, r Report) (goOn bool, err error)

	// Keep keeps a piece of what a worker met in the level, the pieces of which it numbers from 0. The bytes belong to it.
	Keep(worker, number int, piece []byte) error
	// Base is the level to go on with, 0 for none: then the search begins.
	Base() int
	// Kept returns the next piece that earlier members kept, of the levels up to the base, which this one is to share out among those
	// that there are now; nil if there is none left.
	Kept(ctx context.Context) (*Piece, error)
}

// A Piece holds states that a worker of a member met in a level, in portable terms.
type Piece struct {
	Bytes  []byte
	Member int
	First  uint32 // in chunks of chunkStates, the place of the worker's first state that is followed
	IsBase bool   // the level is the base
}

// BeginAnew is the error of a member that found that the system leaves out too much: all are to search what another variant of it
// is (model.Shared).
type BeginAnew struct{ Variant []byte }

func (*BeginAnew) Error() string { return "the search is to begin anew, with less left out" }

// A Report is what a member says at the end of a level.
type Report struct {
	Counts Counts // since the search began
	Level  uint64 // how many states it has to follow in the next level
	// Asked has, in portable terms, states in which the checker had to ask for evaluations, since the last report.
	Asked     [][][]byte
	Failed    []string        // as in Result
	Violation *Counterexample // likewise
	Kept      []Kept          // by worker
}

// Kept is what a worker kept of a level.
type Kept struct {
	Pieces int
	Chunks uint32 // of states that are followed
}

// An Origin is the state from which another one was met: its place in the level before, in the order of the member that has it. In a
// level that is the base, it is the state itself, as an earlier member kept it.
type Origin struct {
	Member int
	Place  uint32
}

func originOf(k Link) Origin { return Origin{int(k.Transition), k.Parent} }

// peers are the other members, as the workers of this one share them.
type peers struct {
	Partition
	system model.System
	terms  model.Portable
	orbits func() func(s model.State) (uint64, error) // as in Options

	receiving sync.Mutex             // guards what follows
	streams   map[stream]*dictionary // from other members
}

// A stream is what a worker of another member sends.
type stream struct{ member, worker int }

func newPeers(p Partition, system model.System, orbits func() func(s model.State) (uint64, error)) (*peers, error) {
	terms, ok := system.(model.Portable)
	if !ok {
		return nil, fmt.Errorf("a search of this kind cannot be shared out among %d processes", p.Members())
	}
	return &peers{Partition: p, system: system, terms: terms, orbits: orbits, streams: map[stream]*dictionary{}}, nil
}

// mail is a worker's part in a search over several processes.
type mail struct {
	*peers
	worker  int
	c       *composer
	to      []*outlet                           // by member
	hashes  map[uint64]uint64                   // of what stands at positions
	orbit   func(s model.State) (uint64, error) // nil where states are told apart by all that they hold
	vector  model.State
	failed  error    // a hash that could not be found
	by      Link     // how the successor is met that is taken
	arrived []record // of the last batch that were not taken yet
	asked   [][][]byte

	kept   *outlet // the states that were met in the level
	pieces int     // of these, that were kept
	inner  uint64  // how many of them are followed
}

func (p *peers) newMail(worker int, c *composer) *mail {
	m := &mail{peers: p, worker: worker, c: c, hashes: map[uint64]uint64{}, kept: newOutlet()}
	if p.orbits != nil {
		m.orbit = p.orbits()
	}
	for range p.Members() {
		m.to = append(m.to, newOutlet())
	}
	c.sum = m.hash
	return m
}

// hash is a hash of the ids of a half, the same in all members. What went wrong is in failed.
func (m *mail) hash(position int, ids []uint32) (sum uint64) {
	for i, id := range ids {
		if id == 0 {
			continue
		}
		key := uint64(position+i)<<32 | uint64(id)
		h, ok := m.hashes[key]
		if !ok {
			var err error
			if h, err = m.terms.Hash(uint32(position+i), id); err != nil {
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
		sum = m.c.halves[at[lower]].hash + m.c.halves[at[upper]].hash
	}
	return int(wordset.Mix(sum) % uint64(m.Members())), m.failed
}

// send sends a record to the member that its state falls to.
func (m *mail) send(owner int, r record) error {
	to := m.to[owner]
	if len(to.batch) == 0 {
		to.batch = binary.AppendUvarint(to.batch, uint64(m.worker))
	}
	bit := uint64(1) << (owner % 64)
	at := m.c.find(r.state)
	if m.Members() > 64 || m.c.halves[at[lower]].told&m.c.halves[at[upper]].told&bit == 0 {
		if err := m.define(to, r.state); err != nil {
			return err
		}
		m.c.halves[at[lower]].told |= bit
		m.c.halves[at[upper]].told |= bit
	}
	to.put(r)
	if len(to.batch) >= batchBytes {
		return m.flush(owner)
	}
	return nil
}

// flush sends what was not sent yet to a member.
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

// receive reads the next batch into arrived. It returns false as Partition.Receive does, and if another worker is waiting for a batch
// at the time, and this one does not wait.
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

// meet notes that the successor is taken of the state at a place of the level.
func (m *mail) meet(place uint32) { m.by = Link{place, uint32(m.Self())} }

// record keeps a new state, with how it was met.
func (m *mail) record(s compressed, by Link, isInner bool) error {
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
		return m.keep()
	}
	return nil
}

// keep keeps what was recorded since the last piece. Each piece can be read without those before.
func (m *mail) keep() error {
	if len(m.kept.batch) == 0 {
		return nil
	}
	piece := m.kept.batch
	m.kept = newOutlet()
	m.pieces++
	return m.Keep(m.worker, m.pieces-1, piece)
}

// share hands what earlier members kept to those that the states fall to now.
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
				k.by = Link{p.First<<chunkBits + uint32(inner), uint32(p.Member)}
				inner++
				if !p.IsBase {
					k.is = isLeaf
				}
			}
			owner, err := mail.owner(k.state)
			switch {
			case err != nil:
			case owner == mail.Self():
				err = q.restore(k)
			default:
				err = mail.send(owner, k)
			}
			if err != nil {
				return err
			}
		}
	}
}

// restore takes in a state that earlier members met, tested and kept. Only one of the base is followed, and kept again.
func (q *queue) restore(k record) error {
	w := q.worker
	key, err := w.class(k.state, w.store.key(w.composer, k.state))
	if err == nil {
		_, err = w.store.add(key)
	}
	if err != nil || k.is != isInside {
		return err
	}
	q.met = pushed(q.met, k.state, Link{})
	q.held++
	return w.mail.record(k.state, k.by, true)
}

// await receives states for a worker that has none left to follow in the level. It returns false when there are some, or the level is
// over.
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
			err = q.restore(k)
		}
	}
	mail.arrived = met
	return got, err
}

// spend notes that a worker follows nothing more in the level, and reports whether it was the last one.
func (l *levels) spend() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.spent++
	return l.spent == len(l.queues)
}

// deepenTogether waits for the other members to begin the next level, which has been made of what the workers met.
func (l *levels) deepenTogether(ctx context.Context) error {
	r := Report{Counts: l.counts(), Level: l.left.Load()}
	for _, q := range l.queues {
		q.spent, q.over = false, false
		m := q.worker.mail
		if err := m.keep(); err != nil {
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

// noteAsked notes a state if the checker asked for evaluations since it had asked for so many.
func (m *mail) noteAsked(before uint64, c asking, s model.State) error {
	if c.Asked() == before {
		return nil
	}
	state, err := m.write(s)
	m.asked = append(m.asked, state)
	return err
}

// asking is a Checker that says how many evaluations it asked for.
type asking interface {
	Checker
	Asked() uint64
}

// write returns a state in portable terms.
func (p *peers) write(s model.State) (parts [][]byte, err error) {
	for position, id := range s {
		if id == 0 {
			continue
		}
		part, err := p.terms.Write(uint32(position), id)
		if err != nil {
			return nil, err
		}
		parts = append(parts, part)
	}
	return parts, nil
}
