package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"harrier/internal/distributed/levels"
	"harrier/internal/distributed/tasks"
	"harrier/internal/model"
	"harrier/internal/process/frames"
)

// A request asks for a call of a store, by which its answer is known.
type request struct {
	ID      int
	Call    string // make, under, await or open
	Key     string
	Content []byte
	Entries int
	Most    time.Duration
}

// An answer is what the call of a store returned. The error is at most one of three.
type answer struct {
	ID      int
	Made    bool
	Entries map[string][]byte
	Content []byte
	Limit   string
	Damaged *levels.DamagedError
	Error   string
}

// Store opens the store of the job, for Lend, until the context ends.
func (s *Spread) Store(ctx context.Context) (*Store, error) {
	s.mu.Lock()
	job := s.job
	s.mu.Unlock()
	return s.engine.Store(ctx, job)
}

// Lend has the process of a check, on a connection, use its store, until the connection ends.
func (s *Spread) Lend(ctx context.Context, store *Store, conn io.ReadWriter) {
	ctx, cancel := s.lost.With(ctx)
	defer cancel(nil)
	var all sync.WaitGroup
	defer all.Wait()
	for c := frames.New(conn); ; {
		b, err := c.Receive()
		var q request
		if err != nil || json.Unmarshal(b, &q) != nil {
			break // the check has ended
		}
		all.Go(func() {
			a, err := call(ctx, store, q)
			a.ID = q.ID
			a.fail(ended(ctx, err))
			text, _ := json.Marshal(a) // it has numbers and texts
			_ = c.Send(text)           // it fails only if the check has ended
		})
	}
	cancel(nil)
	if s.job.Kept == s.job.ID {
		over, end := context.WithTimeout(context.WithoutCancel(ctx), silence)
		defer end()
		_ = store.Clear(over) // the servers remove after a day what is left
	}
}

// ended is why something failed: that its context has ended, if it has.
func ended(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

func call(ctx context.Context, s *Store, q request) (a answer, err error) {
	switch q.Call {
	case "make":
		a.Made, err = s.Make(ctx, q.Key, q.Content)
	case "under":
		a.Entries, err = s.Under(ctx, q.Key)
	case "await":
		err = s.Await(ctx, q.Key, q.Entries, q.Most)
	case "open":
		a.Content, err = contentOf(ctx, s, q.Key)
	default:
		err = fmt.Errorf("there is no call %q", q.Call)
	}
	return a, err
}

func contentOf(ctx context.Context, s tasks.Files, name string) ([]byte, error) {
	file, err := s.Open(ctx, name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	return io.ReadAll(io.NewSectionReader(file, 0, info.Size()))
}

func (a *answer) fail(err error) {
	var limit *model.LimitError
	switch {
	case err == nil, errors.As(err, &a.Damaged):
	case errors.As(err, &limit):
		a.Limit = limit.Text
	default:
		a.Error = err.Error()
	}
}

func (a *answer) err() error {
	switch {
	case a.Limit != "":
		return &model.LimitError{Text: a.Limit}
	case a.Damaged != nil:
		return a.Damaged
	case a.Error != "":
		return errors.New(a.Error)
	}
	return nil
}

// A Connection is the store of a check beyond a connection to Lend. It keeps no files.
type Connection struct {
	conn    *frames.Conn
	closer  io.Closer
	reading sync.WaitGroup

	mu      sync.Mutex
	calls   map[int]chan answer
	last    int
	isEnded bool
}

// Connect returns the end of a check of a connection to Lend, which is to be closed.
func Connect(conn io.ReadWriteCloser) *Connection {
	c := &Connection{conn: frames.New(conn), closer: conn, calls: map[int]chan answer{}}
	c.reading.Go(c.read)
	return c
}

// Close ends the connection. Calls that are being made fail.
func (c *Connection) Close() {
	_ = c.closer.Close() // whatever it returns, the connection has ended
	c.reading.Wait()
}

// read gives each answer to the call that awaits it, until the connection ends.
func (c *Connection) read() {
	for {
		b, err := c.conn.Receive()
		var a answer
		if err == nil {
			err = json.Unmarshal(b, &a)
		}
		c.mu.Lock()
		if err != nil {
			c.isEnded = true
			for _, to := range c.calls {
				close(to)
			}
			clear(c.calls)
			c.mu.Unlock()
			return
		}
		if to := c.calls[a.ID]; to != nil {
			to <- a
			delete(c.calls, a.ID)
		}
		c.mu.Unlock()
	}
}

// errEnded is the error of a store beyond a connection that has ended.
var errEnded = &model.LimitError{Text: "the process that is connected with the workers has ended"}

// call has a call made beyond the connection.
func (c *Connection) call(ctx context.Context, q request) (answer, error) {
	reply := make(chan answer, 1)
	c.mu.Lock()
	if c.isEnded {
		c.mu.Unlock()
		return answer{}, errEnded
	}
	c.last++
	q.ID = c.last
	c.calls[q.ID] = reply
	c.mu.Unlock()
	text, _ := json.Marshal(q) // it has numbers and texts
	if err := c.conn.Send(text); err != nil {
		return answer{}, errEnded
	}
	select {
	case a, ok := <-reply:
		if !ok {
			return a, errEnded
		}
		return a, a.err()
	case <-ctx.Done():
		return answer{}, context.Cause(ctx)
	}
}

// Make implements tasks.Register.
func (c *Connection) Make(ctx context.Context, key string, content []byte) (bool, error) {
	a, err := c.call(ctx, request{Call: "make", Key: key, Content: content})
	return a.Made, err
}

// Under implements tasks.Register.
func (c *Connection) Under(ctx context.Context, folder string) (map[string][]byte, error) {
	a, err := c.call(ctx, request{Call: "under", Key: folder})
	return a.Entries, err
}

// Await implements tasks.Register.
func (c *Connection) Await(ctx context.Context, folder string, entries int, most time.Duration) error {
	_, err := c.call(ctx, request{Call: "await", Key: folder, Entries: entries, Most: most})
	return err
}

// Open implements tasks.Files.
func (c *Connection) Open(ctx context.Context, name string) (levels.File, error) {
	a, err := c.call(ctx, request{Call: "open", Key: name})
	if err != nil {
		return nil, err
	}
	return levels.InMemory(a.Content), nil
}

// errKeepsNone is the error of a check that would keep a file.
var errKeepsNone = errors.New("the process of a check keeps no files of a shared search")

// Keep implements tasks.Files.
func (c *Connection) Keep(context.Context, func(io.Writer) (string, error)) (string, error) {
	return "", errKeepsNone
}

// Clear implements tasks.Files.
func (c *Connection) Clear(context.Context) error { return errKeepsNone }

var _ tasks.Store = (*Connection)(nil)
