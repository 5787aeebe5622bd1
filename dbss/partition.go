package dbss

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"sync"

	"harrier/internal/ds/vectors"
	"harrier/internal/ds/wordset"
	"harrier/internal/model"
)

// A Partition is the share of one process in a breadth-first search over several, its members (after Stern, Dill: Parallelizing the
// Murφ Verifier, CAV 1997). Each state is explored by the member that its hash falls to, so the members' visited sets are disjoint.
// They search level by level: a member follows the states of its own and sends successors to those they fall to; a level is over
// when all members have followed all of theirs and everything that was sent has arrived. Its methods may be called by several workers.
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
	Asked [][][]byte
}

// An Origin is how a state was met: from which state of the level before, in the order of a member, by which of its actions.
type Origin struct {
	Member int
	Place  uint32
	Number uint32 // as in successor
}

// The transition of a link has the number of the action, and above it that of the member that has the parent.
const (
	numberBits = 20
	maxMembers = 1 << (31 - numberBits)
)

func originOf(k Link) Origin {
	return Origin{int(k.Transition >> numberBits), k.Parent, k.Transition & (1<<numberBits - 1)}
}

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

// A dictionary has the ids of this process for those of a stream.
type dictionary struct {
	parts  map[uint64]model.Change // by position and id: those of this process
	halves vectors.Index
}

func newPeers(p Partition, system model.System, orbits func() func(s model.State) (uint64, error)) (*peers, error) {
	terms, ok := system.(model.Portable)
	if !ok || p.Members() > maxMembers {
		return nil, fmt.Errorf("a search of this kind cannot be shared out among %d processes", p.Members())
	}
	return &peers{Partition: p, system: system, terms: terms, orbits: orbits, streams: map[stream]*dictionary{}}, nil
}

// What records of a batch begin with, in the low bits of a number. A batch begins with the number of the worker that sends it.
const (
	stateRecord = iota // the place of the parent above; the number of the action, the halves
	partRecord         // the position above; id, size, bytes in portable terms
	halfRecord         // how many parts it has above; its id, position and id of each
	recordKinds
)

// sender is what a worker sends to another member.
type sender struct {
	batch  []byte
	parts  map[uint64]bool // that the other member knows
	halves map[uint32]bool
}

// batchBytes is about how large batches are.
const batchBytes = 32 << 10

// mail is a worker's part in a search over several processes.
type mail struct {
	*peers
	worker  int
	c       *composer
	to      []*sender                           // by member
	hashes  map[uint64]uint64                   // of what stands at positions
	orbit   func(s model.State) (uint64, error) // nil where states are told apart by all that they hold
	vector  model.State
	failed  error      // a hash that could not be found
	by      Link       // how the successor is met that is taken
	arrived []received // states of the last batch that were not taken yet
	asked   [][][]byte
}

// A received is a state that another member met, perhaps not first.
type received struct {
	to compressed
	by Link
}

func (p *peers) newMail(worker int, c *composer) *mail {
	m := &mail{peers: p, worker: worker, c: c, hashes: map[uint64]uint64{}}
	if p.orbits != nil {
		m.orbit = p.orbits()
	}
	for range p.Members() {
		m.to = append(m.to, &sender{parts: map[uint64]bool{}, halves: map[uint32]bool{}})
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

// send sends a state to its owner, with how it was met.
func (m *mail) send(owner int, s compressed) error {
	to, by := m.to[owner], m.by
	if len(to.batch) == 0 {
		to.batch = binary.AppendUvarint(to.batch, uint64(m.worker))
	}
	bit := uint64(1) << (owner % 64)
	for side, h := range m.c.find(s) {
		if m.Members() <= 64 && m.c.halves[h].told&bit != 0 {
			continue
		}
		if err := m.define(to, side, s.side(side)); err != nil {
			return err
		}
		m.c.halves[h].told |= bit
	}
	b := binary.AppendUvarint(to.batch, uint64(by.Parent)*recordKinds+stateRecord)
	b = binary.AppendUvarint(b, uint64(by.Transition))
	b = binary.AppendUvarint(b, uint64(s.lower))
	to.batch = binary.AppendUvarint(b, uint64(s.upper))
	if len(to.batch) >= batchBytes {
		return m.flush(owner)
	}
	return nil
}

// define makes sure that the other member knows a half.
func (m *mail) define(to *sender, side int, id uint32) error {
	if to.halves[id] {
		return nil
	}
	to.halves[id] = true
	h := m.c.halves[m.c.half(side, id)]
	ids, count := m.c.ids[h.ids:h.ids+h.positions], 0
	for i, part := range ids {
		if part == 0 {
			continue
		}
		count++
		position := uint32(side*m.c.split + i)
		if key := uint64(position)<<32 | uint64(part); !to.parts[key] {
			to.parts[key] = true
			content, err := m.terms.Write(position, part)
			if err != nil {
				return err
			}
			b := binary.AppendUvarint(to.batch, uint64(position)*recordKinds+partRecord)
			b = binary.AppendUvarint(b, uint64(part))
			b = binary.AppendUvarint(b, uint64(len(content)))
			to.batch = append(b, content...)
		}
	}
	b := binary.AppendUvarint(to.batch, uint64(count)*recordKinds+halfRecord)
	b = binary.AppendUvarint(b, uint64(id))
	for i, part := range ids {
		if part != 0 {
			b = binary.AppendUvarint(b, uint64(side*m.c.split+i))
			b = binary.AppendUvarint(b, uint64(part))
		}
	}
	to.batch = b
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

// receive reads the next batch into arrived. It returns false as Partition.Receive does, and true if another worker is waiting for
// a batch at the time, and this one does not wait.
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
	if m.arrived, err = m.read(from, batch, m.arrived[:0]); err != nil {
		err = fmt.Errorf("reading states from member %d: %w", from, err)
	}
	return true, err
}

// read appends the states of a batch.
func (m *mail) read(from int, batch []byte, into []received) ([]received, error) {
	r := reader{b: batch}
	key := stream{from, int(r.number())}
	d := m.streams[key]
	if d == nil {
		d = &dictionary{parts: map[uint64]model.Change{}}
		m.streams[key] = d
	}
	for len(r.b) > 0 {
		first := r.number()
		switch n := first / recordKinds; first % recordKinds {
		case stateRecord:
			by := Link{uint32(n), uint32(r.number())}
			lower, known := d.halves.Get(uint32(r.number()))
			upper, alsoKnown := d.halves.Get(uint32(r.number()))
			if !known || !alsoKnown {
				return into, errUnknownPart
			}
			into = append(into, received{compressed{lower, upper}, by})
		case partRecord:
			id := r.number()
			position, own, err := m.terms.Read(r.bytes())
			if err != nil {
				return into, err
			}
			d.parts[n<<32|id] = model.Change{Position: position, Old: own}
		case halfRecord:
			id := uint32(r.number())
			half, err := m.half(d, &r, n)
			if err != nil {
				return into, err
			}
			d.halves.Put(id, half)
		}
	}
	return into, r.err
}

// half is the id of a half that is read.
func (m *mail) half(d *dictionary, r *reader, parts uint64) (uint32, error) {
	var vector model.State
	side := lower
	for range parts {
		part, known := d.parts[r.number()<<32|r.number()]
		if !known || r.err != nil {
			return 0, errUnknownPart
		}
		vector, _ = vector.Put(part.Position, part.Old, nil)
		if int(part.Position) >= m.c.split {
			side = upper
		}
	}
	if side == lower {
		return m.c.id(vector)
	}
	if slices.ContainsFunc(vector[:m.c.split], func(id uint32) bool { return id != 0 }) {
		return 0, errUnknownPart
	}
	return m.c.id(vector[m.c.split:])
}

var errUnknownPart = fmt.Errorf("it has a part of a state that was not sent, or that the program cannot have there")

// reader reads numbers and bytes.
type reader struct {
	b   []byte
	err error
}

func (r *reader) number() uint64 {
	v, n := binary.Uvarint(r.b)
	if n <= 0 {
		r.b, r.err = nil, errUnknownPart
		return 0
	}
	r.b = r.b[n:]
	return v
}

func (r *reader) bytes() []byte {
	size := r.number()
	if size > uint64(len(r.b)) {
		r.b, r.err = nil, errUnknownPart
		return nil
	}
	b := r.b[:size]
	r.b = r.b[size:]
	return b
}

// meet notes how the successor is met that is taken: by the action of a number, from the state at a place of the level.
func (m *mail) meet(place, number uint32) error {
	if number >= 1<<numberBits {
		return &model.LimitError{Text: fmt.Sprintf("a state has more than %d transitions: search it in one process", 1<<numberBits)}
	}
	m.by = Link{place, uint32(m.Self())<<numberBits | number}
	return nil
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
		if err := mail.flushAll(); err != nil {
			return false, err
		}
		if q.levels.spend() {
			if err := mail.Expanded(); err != nil {
				return false, err
			}
		}
	}
	got, err := mail.receive(ctx, true)
	q.over = !got
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
		r.Asked = append(r.Asked, q.worker.mail.asked...)
		q.worker.mail.asked = nil
	}
	goOn, err := l.engine.peers.Deepen(ctx, r)
	l.spent, l.over = 0, !goOn
	return err
}

// A Trail gives back runs of a search over several processes, a step at a time.
type Trail struct {
	levels *levels
	worker *worker
}

// Origin returns how a state of this member was met, by its place in a level that is not the first.
func (t *Trail) Origin(level int, place uint32) (Origin, error) {
	if level >= 1 && level < len(t.levels.all) {
		if c, chunks := int(place>>chunkBits), t.levels.all[level].chunks; c < len(chunks) {
			if links := chunks[c].links; int(place&(chunkStates-1)) < len(links) {
				return originOf(links[place&(chunkStates-1)]), nil
			}
		}
	}
	return Origin{}, fmt.Errorf("there is no state %d in level %d", place, level)
}

// Initial returns the initial state in portable terms.
func (t *Trail) Initial() ([][]byte, error) { return t.worker.mail.write(t.worker.system.Initial()) }

// Follow returns the state that an action leads to from a state, both in portable terms; none if the step fails.
func (t *Trail) Follow(ctx context.Context, state [][]byte, number uint32) ([][]byte, error) {
	c := t.worker.composer
	c.store = &store{tree: c.tree} // that of the search is closed
	var s model.State
	for _, part := range state {
		position, id, err := t.worker.mail.terms.Read(part)
		if err != nil {
			return nil, err
		}
		s, _ = s.Put(position, id, nil)
	}
	at, err := c.compress(s)
	if err != nil {
		return nil, err
	}
	next, err := c.byNumber(ctx, at, number)
	if err != nil || next.fails {
		return nil, err
	}
	return t.worker.mail.write(c.decompress(c.find(next.to), nil))
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
