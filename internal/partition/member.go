package partition

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"harrier/dbss"
	"harrier/internal/model"
	"harrier/internal/model/space"
)

// A Round searches one round in a member: it makes the system that start describes, sets it and its values in p, and has dbss.Search
// explore it with p as its Partition.
type Round func(ctx context.Context, start Start, p *Member) (*dbss.Result, error)

// errStopped is the reason of a round that the coordinator ended.
var errStopped = errors.New("the search was ended")

// Serve is a member of a search until that ends. The error is that of the transport, or the context's cause.
func Serve(ctx context.Context, t MemberTransport, search Round) error {
	last := 0 // the round
	next := beginning{home: &peer{}}
	for {
		m, err := t.Receive(ctx)
		for err == nil && m.isAfter(last) && next.take(&m) {
			var start Start
			if m.decode(&start) != nil || start.check() != nil {
				next = beginning{home: &peer{}} // it is not the coordinator's
				break
			}
			last = m.Round
			m, err = serveRound(ctx, t, m.Round, start, next.home, search)
		}
		if err == nil && m.isAfter(last) && m.Kind != Part { // what begins its round was lost
			err = t.Send(Message{From: m.To, To: Home, Kind: Missing, Round: m.Round, Number: next.home.arrived})
		}
		if err != nil || m.Kind == Close && m.From == Home {
			return err
		}
	}
}

// A beginning is what a member has received of the next round, until that begins.
type beginning struct {
	round int
	home  *peer
}

// take reports whether a message of the next round begins it.
func (b *beginning) take(m *Message) bool {
	if m.Round != b.round {
		b.round, b.home = m.Round, &peer{}
	}
	if m.Kind != Part && m.Kind != Begin {
		return false
	}
	isNext, _ := b.home.take(m)
	return isNext && m.Kind == Begin
}

// Member is a member in one round. It implements dbss.Partition.
type Member struct {
	transport MemberTransport
	link      *link
	System    model.Shared  // set by the Round before it searches; nil if it fails before
	Values    *space.Values // likewise

	mu       sync.Mutex // guards what follows
	changed  *sync.Cond
	level    int               // the level that is explored
	batches  map[int][]Message // by level: the batches that no worker has taken, in the order of arrival
	received map[int][]int     // by level and member: how many batches have arrived
	expected []int             // by member: how many batches of this level it sent here; nil if that is not known yet
	sent     []int             // by member: how many batches of this level were sent to it
	goOn     int               // the last level that may be begun
	stopped  bool              // by the coordinator
	nonce    string            // as in account
	kept     []kept            // the pieces that this member has yet to share out
	piece    int               // the next piece of the first of them

	id   uint64  // of the round's Start
	base int     // as in Start
	end  Message // the message that ended the round, once pump has returned
}

// serveRound searches a round that home has begun, and then answers questions about it until it is over. It returns the message that
// ended it.
func serveRound(ctx context.Context, t MemberTransport, number int, start Start, home *peer, search Round) (last Message, err error) {
	t.Meet(start.Members)
	ctx, end := context.WithCancel(ctx)
	defer end()
	searching, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	link := newLink(t, start.Self, len(start.Members), number)
	link.peers[0] = home
	m := &Member{transport: t, link: link, level: start.Base - 1, goOn: -1, nonce: start.Nonce, id: start.id(), base: start.Base,
		batches: map[int][]Message{}, received: map[int][]int{}, sent: make([]int, len(start.Members))}
	m.changed = sync.NewCond(&m.mu)
	for i, k := range start.Kept {
		if i%m.Members() == m.Self() && k.Pieces > 0 {
			m.kept = append(m.kept, k)
		}
	}
	pumped := make(chan error, 1)
	go func() { pumped <- m.pump(ctx, cancel) }()
	r, failed := search(searching, start, m)
	if ctx.Err() != nil { // it is gone, and has not left for a reason of the search
		return last, context.Cause(ctx)
	}
	if err := m.tell(Left, m.outcome(r, failed)); err != nil {
		return last, err
	}
	err = <-pumped
	return m.end, err
}

// pump receives messages to the end of the round. If the round is stopped, or a message is not what it should be, it cancels the search,
// which then leaves. The error is that of the transport.
func (m *Member) pump(ctx context.Context, cancel context.CancelCauseFunc) error {
	for {
		in, err := m.link.receive(ctx, m.missing)
		var contradicted *contradiction
		if errors.As(err, &contradicted) {
			cancel(err)
			continue
		}
		if err != nil {
			cancel(err)
			return err
		}
		ends := in.From == Home && (in.Kind == Close || in.isAfter(m.link.round))
		if in.Round == m.link.round {
			if err := m.take(in); err != nil {
				cancel(err)
			}
		}
		if ends || in.From == Home && in.Kind == Stop && in.Round == m.link.round {
			m.note(func() { m.stopped = true })
			cancel(errStopped)
		}
		if ends {
			m.end = in
			return nil
		}
	}
}

// note makes a change that workers may wait for.
func (m *Member) note(change func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	change()
	m.changed.Broadcast()
}

// take takes in a message about a level. The error is that the process which it is from does not send such a one now.
func (m *Member) take(in Message) (err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	defer m.changed.Broadcast()
	if level := in.Level; level != m.level && slices.Contains([]Kind{Batch, Expect, GoOn}, in.Kind) {
		return fmt.Errorf("a message of kind %d is about level %d, and this is level %d", in.Kind, level, m.level)
	}
	switch in.Kind {
	case Batch:
		if m.received[in.Level] == nil {
			m.received[in.Level] = make([]int, m.Members())
		}
		m.received[in.Level][in.From]++
		m.batches[in.Level] = append(m.batches[in.Level], in)
	case Expect:
		var e expectation
		if err = in.decode(&e); err == nil && len(e.Batches) != m.Members() {
			err = fmt.Errorf("batches of %d members are expected, and there are %d", len(e.Batches), m.Members())
		}
		if err == nil {
			m.expected, m.nonce = e.Batches, e.Nonce
		}
	case GoOn:
		m.goOn = in.Level
	case Stop:
		m.nonce = string(in.Body)
	}
	return err
}

// tell sends a document to the coordinator.
func (m *Member) tell(kind Kind, document any) error {
	return m.link.send(Message{To: Home, Kind: kind, Level: m.level, Body: encode(document)})
}

// Self implements dbss.Partition.
func (m *Member) Self() int { return m.link.self }

// Members implements dbss.Partition.
func (m *Member) Members() int { return len(m.sent) }

// Send implements dbss.Partition.
func (m *Member) Send(to int, batch []byte) error {
	m.mu.Lock()
	level := m.level
	m.sent[to]++
	m.mu.Unlock()
	return m.link.send(Message{To: to, Kind: Batch, Level: level, Body: batch})
}

// Receive implements dbss.Partition.
func (m *Member) Receive(ctx context.Context, wait bool) (from int, batch []byte, ok bool, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for {
		if waiting := m.batches[m.level]; len(waiting) > 0 {
			m.batches[m.level] = waiting[1:]
			return waiting[0].From, waiting[0].Body, true, nil
		}
		if !wait || m.hasAll() {
			return 0, nil, false, nil
		}
		if err := m.wait(ctx); err != nil {
			return 0, nil, false, err
		}
	}
}

// wait waits for a change or the end of the context. The caller holds the lock.
func (m *Member) wait(ctx context.Context) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if m.stopped {
		return errStopped
	}
	stop := context.AfterFunc(ctx, func() { m.note(func() {}) })
	defer stop()
	m.changed.Wait()
	return nil
}

// hasAll reports whether it is known that all batches of the level have arrived. The caller holds the lock.
func (m *Member) hasAll() bool { return m.expected != nil && len(m.debtors()) == 0 }

// debtors are the members of which batches of the level are known to be missing. The caller holds the lock.
func (m *Member) debtors() (all []int) {
	for member, n := range m.expected {
		if n > 0 && (m.received[m.level] == nil || m.received[m.level][member] < n) {
			all = append(all, member)
		}
	}
	return all
}

// missing are the processes whose messages may be missing.
func (m *Member) missing() []int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append(m.debtors(), Home)
}

// Expanded implements dbss.Partition.
func (m *Member) Expanded() error {
	m.mu.Lock()
	counts := slices.Clone(m.sent)
	m.mu.Unlock()
	return m.tell(Expanded, counts)
}

// Deepen implements dbss.Partition.
func (m *Member) Deepen(ctx context.Context, r dbss.Report) (goOn bool, err error) {
	news, err := m.System.News()
	if err != nil {
		return false, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.batches, m.level)
	delete(m.received, m.level)
	m.level++
	m.expected = nil
	clear(m.sent)
	if err := m.tell(Deepened, levelEnd{m.link.account(m.nonce), dbss.TallyOf(r.Counts, m.Values), r.Level, news, r.Asked, r.Failed, violatedBy(r.Violation), r.Kept}); err != nil {
		return false, err
	}
	for m.goOn < m.level && !m.stopped {
		if err := m.wait(ctx); errors.Is(err, errStopped) {
			break
		} else if err != nil {
			return false, err
		}
	}
	m.link.forget(m.level) // all members have ended the level before it
	return m.goOn >= m.level && !m.stopped, nil
}

// Keep implements dbss.Partition.
func (m *Member) Keep(ctx context.Context, worker, number int, piece []byte) error {
	of := kept{Of: m.id, Round: m.link.round, Level: m.level + 1, Member: m.Self(), Worker: worker}
	return m.transport.Put(ctx, of.name(number), piece)
}

// Base implements dbss.Partition.
func (m *Member) Base() int { return m.base }

// Kept implements dbss.Partition.
func (m *Member) Kept(ctx context.Context) (*dbss.Piece, error) {
	m.mu.Lock()
	if m.level != m.base-1 || len(m.kept) == 0 {
		m.mu.Unlock()
		return nil, nil
	}
	k, number := m.kept[0], m.piece
	if m.piece++; m.piece == k.Pieces {
		m.kept, m.piece = m.kept[1:], 0
	}
	m.mu.Unlock()
	b, err := m.transport.Get(ctx, k.name(number))
	return &dbss.Piece{Bytes: b, Member: k.Member, First: k.First, IsBase: k.Level == m.base}, err
}

// outcome is what the coordinator is told of the round's result.
func (m *Member) outcome(r *dbss.Result, err error) outcome {
	m.mu.Lock()
	out := outcome{Account: m.link.account(m.nonce), Dropped: int(m.link.dropped.Load())}
	m.mu.Unlock()
	if m.System != nil {
		out.News, _ = m.System.News()
	}
	if r != nil {
		out.Tally, out.Failed, out.Memory, out.Violation = dbss.TallyOf(r.Counts, m.Values), r.Failed, r.Memory, violatedBy(r.Violation)
	}
	// What the coordinator's end of the search cut off is no problem.
	if !errors.Is(err, errStopped) && !errors.Is(err, context.Canceled) {
		out.Problem = problemOf(err)
	}
	if r != nil && r.Reason != errStopped.Error() {
		out.Reason = r.Reason
	}
	return out
}
