package partition

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

// A link carries the messages of a round between one process and the others, each once and in the order in which it was sent, over a
// transport that may lose some or deliver them twice, and does not carry long ones. They are numbered from each process to each other one.
// A process that receives nothing for a while asks those that it may wait for (Missing): each sends again what has not arrived there. A
// long message goes in parts.
type link struct {
	transport   Transport
	self, round int
	peers       []*peer      // by number, the coordinator first
	dropped     atomic.Int64 // messages that nobody of the round can have sent
}

// peer is what a link has sent to another process and received from it.
type peer struct {
	mu      sync.Mutex // held while a message is sent, so that numbers are in order
	first   int        // the number of the first message of sent
	sent    []Message  // the messages that may have to be sent again
	arrived int        // how many messages of it have arrived
	hashes  []uint64   // of each of these
	begun   []byte     // the body of the next message as far as it has arrived in parts
	out, in digest     // what was sent and has arrived
	before  digest     // what had arrived before the last message that is whole
	whole   digest     // and with it
}

// mostBody is how long the body of a message may be in bytes: half of what NATS carries unless its server says otherwise. It is a
// variable for tests.
var mostBody = 512 << 10

// newLink returns the link of a process with the coordinator and so many members.
func newLink(t Transport, self, members, round int) *link {
	l := &link{transport: t, self: self, round: round}
	for range members + 1 {
		l.peers = append(l.peers, &peer{})
	}
	return l
}

// peer is what was sent to a process and received from it.
func (l *link) peer(number int) *peer { return l.peers[number-Home] }

// send sends a message, whose From, Round and Number it sets.
func (l *link) send(m Message) error {
	p := l.peer(m.To)
	p.mu.Lock()
	defer p.mu.Unlock()
	for len(m.Body) > mostBody {
		if err := l.put(p, Message{To: m.To, Kind: Part, Level: m.Level, Body: m.Body[:mostBody]}); err != nil {
			return err
		}
		m.Body = m.Body[mostBody:]
	}
	return l.put(p, m)
}

// put sends the next message to a peer, whose lock the caller holds.
func (l *link) put(p *peer, m Message) error {
	m.From, m.Round, m.Number = l.self, l.round, p.first+len(p.sent)
	p.sent, p.out = append(p.sent, m), p.out.with(m.hash())
	return l.transport.Send(m)
}

// forget drops what was sent in levels before one. All of it has arrived.
func (l *link) forget(level int) {
	for _, p := range l.peers {
		p.mu.Lock()
		for len(p.sent) > 0 && p.sent[0].Level < level {
			p.sent[0] = Message{}
			p.sent, p.first = p.sent[1:], p.first+1
		}
		p.mu.Unlock()
	}
}

// A process that receives nothing asks for what it may be missing after askAgain, then after twice that, and so on up to askLast.
const (
	askAgain = 100 * time.Millisecond
	askLast  = time.Second
)

// errQuiet is the cause of a context that ends because nothing was received.
var errQuiet = errors.New("nothing was received")

// receive receives the next message of the round, or one that is not of the round: from the coordinator's transport itself, or of another round. While
// there is none, it asks the processes that from names for theirs.
func (l *link) receive(ctx context.Context, from func() []int) (Message, error) {
	quiet := askAgain
	due := time.Now().Add(quiet) // whatever arrives that is not the next message of its sender: others ask as well
	for {
		m, err := l.before(ctx, due)
		switch {
		case errors.Is(err, errQuiet):
			err, quiet = l.ask(from()...), min(2*quiet, askLast)
			due = time.Now().Add(quiet)
		case err != nil:
		case m.Round != l.round || m.From == Home && l.self == Home:
			return m, nil
		case m.From < Home || m.From >= len(l.peers)+Home || m.To != l.self || !m.isAdmissible():
			l.dropped.Add(1)
		case m.Kind == Missing:
			err = l.answer(m)
		default:
			isNext, contradicts := l.peer(m.From).take(&m)
			if contradicts {
				return m, &contradiction{m.From}
			}
			if isNext && m.Kind != Part {
				return m, nil
			}
			if isNext {
				quiet = askAgain
				due = time.Now().Add(quiet)
			}
		}
		if err != nil {
			return Message{}, err
		}
	}
}

// before receives a message before some time. The error is errQuiet if none comes.
func (l *link) before(ctx context.Context, due time.Time) (Message, error) {
	ctx, cancel := context.WithDeadlineCause(ctx, due, errQuiet)
	defer cancel()
	return l.transport.Receive(ctx)
}

// contradiction is the error of a link to which two messages came with one number.
type contradiction struct{ from int }

func (c *contradiction) Error() string {
	return fmt.Sprintf("two messages of process %d of the search have one number", c.from)
}

// take reports whether a message is the next one of its sender: else it is a copy, or one before it is missing. If it is not a part, it
// then has its whole body. contradicts is whether it has the number of another message that has arrived.
func (p *peer) take(m *Message) (isNext, contradicts bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	hash := m.hash()
	if m.Number != p.arrived {
		return false, m.Number >= 0 && m.Number < p.arrived && p.hashes[m.Number] != hash
	}
	p.arrived, p.hashes, p.in = p.arrived+1, append(p.hashes, hash), p.in.with(hash)
	if m.Kind != Part {
		p.before, p.whole = p.whole, p.in
	}
	switch {
	case m.Kind == Part:
		p.begun = append(p.begun, m.Body...)
	case len(p.begun) > 0:
		m.Body, p.begun = append(p.begun, m.Body...), nil
	}
	return true, false
}

// ask asks processes to send again what has not arrived here.
func (l *link) ask(of ...int) error {
	for _, number := range of {
		p := l.peer(number)
		p.mu.Lock()
		arrived := p.arrived
		p.mu.Unlock()
		if err := l.transport.Send(Message{From: l.self, To: number, Kind: Missing, Round: l.round, Number: arrived}); err != nil {
			return err
		}
	}
	return nil
}

// answer sends a process again what has not arrived there.
func (l *link) answer(m Message) error {
	p := l.peer(m.From)
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, again := range p.sent[min(max(m.Number-p.first, 0), len(p.sent)):] {
		if err := l.transport.Send(again); err != nil {
			return err
		}
	}
	return nil
}
