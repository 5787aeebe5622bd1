package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/nats-io/nats.go"

	"harrier/internal/model"
	"harrier/internal/partition"
	"harrier/internal/process/frames"
)

// subjectOf is the subject of the messages to a member of a search, or to its coordinator if the name is home.
func subjectOf(job, name string) string { return "harrier.search." + job + "." + name }

const home = "check"

// mailbox is the transport of a member of a search, or of its coordinator: it receives the messages to one name.
type mailbox struct {
	engine  *Engine
	job     Job
	sub     *nats.Subscription
	mu      sync.Mutex
	members []string
}

func (e *Engine) mailbox(job Job, name string) (*mailbox, error) {
	sub, err := e.conn.SubscribeSync(subjectOf(job.ID, name))
	if err != nil {
		return nil, err
	}
	// What has arrived waits here for as long as it must: a level of states, at most.
	if err := sub.SetPendingLimits(-1, -1); err != nil {
		return nil, err
	}
	return &mailbox{engine: e, job: job, sub: sub}, e.conn.Flush()
}

// Meet implements partition.Transport.
func (b *mailbox) Meet(members []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.members = members
}

// number is the number of the member with a name, -1 if there is none.
func (b *mailbox) number(name string) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Index(b.members, name)
}

// count is how many members there are.
func (b *mailbox) count() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.members)
}

// Send implements partition.Transport.
func (b *mailbox) Send(m partition.Message) error {
	to := home
	if m.To != partition.Home {
		b.mu.Lock()
		defer b.mu.Unlock()
		if m.To < 0 || m.To >= len(b.members) {
			return fmt.Errorf("there is no member %d", m.To)
		}
		to = b.members[m.To]
	}
	err := b.engine.conn.Publish(subjectOf(b.job.ID, to), m.Bytes())
	if isAway(err) {
		return nil // it is lost: whoever waits for it asks again
	}
	return err
}

// Receive implements partition.Transport. What is no message is passed over.
func (b *mailbox) Receive(ctx context.Context) (partition.Message, error) {
	for {
		m, err := b.sub.NextMsgWithContext(ctx)
		if ctx.Err() != nil {
			return partition.Message{}, context.Cause(ctx)
		}
		if err != nil {
			return partition.Message{}, err
		}
		if read, err := partition.ReadMessage(m.Data); err == nil {
			return read, nil
		}
	}
}

// pieceName is the name in the object store of a piece that a member of a search keeps, by Job.Kept.
func pieceName(kept, name string) string { return "kept/" + kept + "/" + name }

// Put implements partition.MemberTransport.
func (b *mailbox) Put(ctx context.Context, name string, piece []byte) error {
	return insist(ctx, func() error {
		_, err := b.engine.objects.PutBytes(ctx, pieceName(b.job.Kept, name), piece)
		return err
	})
}

// Get implements partition.Transport.
func (b *mailbox) Get(ctx context.Context, name string) (piece []byte, err error) {
	err = insist(ctx, func() error {
		piece, err = b.engine.objects.GetBytes(ctx, pieceName(b.job.Kept, name))
		return err
	})
	return piece, err
}

// forget removes the pieces that members kept for a job, if the servers answer.
func (e *Engine) forget(ctx context.Context, job string) {
	if e.conn.FlushTimeout(beat) != nil {
		return
	}
	all, err := e.objects.List(ctx)
	for _, o := range all {
		if err == nil && strings.HasPrefix(o.Name, pieceName(job, "")) {
			err = e.objects.Delete(ctx, o.Name)
		}
	}
	// If there is an error, the store removes what is left after a day, as all files.
}

func (b *mailbox) close() { _ = b.sub.Unsubscribe() } // it fails only if the connection is closed

// search has the worker be a member of the searches of a job, one after the other, until the context ends. The error is that it cannot:
// nobody could rely on it any more, as it has forgotten its states.
func (r *running) search(ctx context.Context, box *mailbox) error {
	for ctx.Err() == nil {
		if err := r.worker.Search(ctx, r.current, box); err != nil && ctx.Err() == nil {
			return fmt.Errorf("it cannot explore states any more: %w", err)
		}
	}
	return nil
}

// current returns what answers about the program now, with its answer to the question that loaded the program; nil if there is nothing, nor
// can be. What has ended is started again.
func (r *running) current() (by Answerer, facts []byte) {
	r.mu.RLock()
	by, facts, hash, of := r.by, r.facts, r.job.Load, r.job.Facts
	r.mu.RUnlock()
	if by != nil && !by.Ended() {
		return by, facts
	}
	r.end(by)
	if r.load(hash, of) != nil {
		return nil, nil
	}
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.by, r.facts
}

// Relay carries messages between the process of a check, on a connection, and the workers that search for it, until the connection
// ends. If it cannot any more, it tells the check why.
func (s *Spread) Relay(ctx context.Context, conn io.ReadWriter) {
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	r := &relay{Spread: s, conn: frames.New(conn)}
	defer func() {
		if n := r.dropped.Load(); n > 0 {
			s.tell(fmt.Sprintf("%d messages to the shared search were dropped: they are garbled, or none of its workers sent them", n))
		}
	}()
	defer context.AfterFunc(ctx, func() { r.tell(partition.Over, []byte(context.Cause(ctx).Error())) })()
	defer context.AfterFunc(s.hope, func() { end(context.Cause(s.hope)) })()
	var err error
	s.mu.Lock()
	job := s.job
	s.mu.Unlock()
	if r.box, err = s.engine.mailbox(job, home); err != nil {
		end(err)
	} else {
		defer r.box.close()
		defer s.engine.forget(context.WithoutCancel(ctx), job.ID)
		s.mu.Lock()
		s.relay = r
		s.mu.Unlock()
		go func() { end(r.deliver(ctx)) }()
	}
	for {
		b, err := r.conn.Receive()
		if err != nil {
			return // the check has ended
		}
		if err := r.pass(ctx, b); err != nil {
			end(err)
		}
	}
}

// relay is a Relay at work.
type relay struct {
	*Spread
	box     *mailbox
	conn    *frames.Conn
	dropped atomic.Int64 // messages that no worker of the search can have sent
}

// deliver passes messages of workers to the check until the context ends. Others are dropped: what the relay itself tells the check comes
// from nowhere else.
func (r *relay) deliver(ctx context.Context) error {
	for {
		m, err := r.box.sub.NextMsgWithContext(ctx)
		if err == nil {
			if read, garbled := partition.ReadMessage(m.Data); garbled != nil || !read.IsFromMember(r.box.count()) {
				r.dropped.Add(1)
				continue
			}
			err = r.conn.Send(m.Data)
		}
		if err != nil {
			return fmt.Errorf("messages of workers cannot be read: %w", err)
		}
	}
}

// pass passes on a message of the check.
func (r *relay) pass(ctx context.Context, b []byte) error {
	m, err := partition.ReadMessage(b)
	switch {
	case err != nil || ctx.Err() != nil:
	case m.Kind == partition.Join:
		go r.join(ctx)
	case m.Kind == partition.Get:
		err = r.get(ctx, m)
	default:
		err = r.box.Send(m)
	}
	return err
}

// tell sends the check a message of the relay itself. It fails only if the check has ended.
func (r *relay) tell(kind partition.Kind, body []byte) {
	_ = r.conn.Send(partition.Message{From: partition.Home, To: partition.Home, Kind: kind, Body: body}.Bytes())
}

// gather waits until there are as many workers as the check needs, and returns the names of all.
func (r *relay) gather(ctx context.Context) []string {
	stop := context.AfterFunc(ctx, r.wake)
	defer stop()
	s := r.Spread
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.workers) < s.wanted {
		s.tell("waiting for a worker: none is left")
	}
	for len(s.workers) < s.wanted && ctx.Err() == nil {
		s.free.Wait()
	}
	return slices.Sorted(maps.Keys(s.workers))
}

// join waits for workers, and sends the check the names of all. Before it has that answer, the check listens to nothing else: it is
// told afterwards who has come or left meanwhile.
func (r *relay) join(ctx context.Context) {
	names := r.gather(ctx)
	if ctx.Err() != nil {
		return
	}
	r.box.Meet(names)
	body, _ := json.Marshal(names) // texts
	r.tell(partition.Join, body)
	r.Spread.mu.Lock()
	now := slices.Sorted(maps.Keys(r.workers))
	r.Spread.mu.Unlock()
	for _, name := range names {
		if !slices.Contains(now, name) {
			r.gone(name)
		}
	}
	for _, name := range now {
		r.come(name)
	}
}

// get sends the check a piece.
func (r *relay) get(ctx context.Context, m partition.Message) error {
	piece, err := r.box.Get(ctx, string(m.Body))
	if ctx.Err() != nil {
		return nil // it is told of that
	}
	if m.Body = piece; err != nil {
		m.Number, m.Body = 1, []byte(err.Error())
	}
	return r.conn.Send(m.Bytes())
}

// come tells the check that a worker has come, unless that is a member.
func (r *relay) come(name string) {
	if r.box.number(name) < 0 {
		r.tell(partition.Joined, nil)
	}
}

// gone tells the check that a worker has left.
func (r *relay) gone(name string) { r.tell(partition.Gone, []byte(name)) }

// Connection is the partition.CoordinatorTransport of a check: the workers beyond a connection to a Relay.
type Connection struct {
	conn *frames.Conn
	in   chan partition.Message // closed at the end
	over error                  // why the relay ended; set before in is closed
}

// Connect returns the end of a check of a connection to a Relay.
func Connect(conn io.ReadWriter) *Connection {
	c := &Connection{conn: frames.New(conn), in: make(chan partition.Message), over: errRelayEnded}
	go func() {
		defer close(c.in)
		for {
			b, err := c.conn.Receive()
			if err != nil {
				return
			}
			m, err := partition.ReadMessage(b)
			if err != nil {
				continue
			}
			if m.Kind == partition.Over {
				c.over = &model.LimitError{Text: string(m.Body)}
				return
			}
			c.in <- m
		}
	}()
	return c
}

// Send implements partition.Transport.
func (c *Connection) Send(m partition.Message) error {
	return c.conn.Send(m.Bytes())
}

// Get implements partition.Transport.
func (c *Connection) Get(ctx context.Context, name string) ([]byte, error) {
	m, err := c.ask(ctx, partition.Message{From: partition.Home, To: partition.Home, Kind: partition.Get, Body: []byte(name)})
	if err == nil && m.Number != 0 {
		err = errors.New(string(m.Body))
	}
	return m.Body, err
}

// ask returns what the relay answers. What members say meanwhile, of whom nothing more is asked, is passed over.
func (c *Connection) ask(ctx context.Context, question partition.Message) (partition.Message, error) {
	if err := c.Send(question); err != nil {
		return partition.Message{}, err
	}
	for {
		if m, err := c.Receive(ctx); err != nil || m.Kind == question.Kind {
			return m, err
		}
	}
}

// Meet implements partition.Transport: the relay knows.
func (c *Connection) Meet([]string) {}

// Join implements partition.CoordinatorTransport.
func (c *Connection) Join(ctx context.Context) (names []string, err error) {
	m, err := c.ask(ctx, partition.Message{From: partition.Home, To: partition.Home, Kind: partition.Join})
	if err == nil {
		err = json.Unmarshal(m.Body, &names)
	}
	return names, err
}

var errRelayEnded = errors.New("the process that is connected with the workers has ended")

// Receive implements partition.Transport. The error is a *model.LimitError if the relay cannot reach workers any more.
func (c *Connection) Receive(ctx context.Context) (partition.Message, error) {
	select {
	case m, ok := <-c.in:
		if !ok {
			return m, c.over
		}
		return m, nil
	case <-ctx.Done():
		return partition.Message{}, context.Cause(ctx)
	}
}
