package bridge

import (
	"encoding/binary"
	"errors"
	"io"
	"sync"

	"harrier/internal/model"
	"harrier/internal/process/frames"
)

// A frame is a question or an answer on a connection: two numbers of 4 bytes, big endian, which are the number of the worker, and an
// operation or a kind of answer; and then the question, the answer, or the text of an error.
type frame struct {
	worker, kind int
	content      []byte
}

// The kinds of answers.
const (
	answered = iota
	failed   // the content is why there is no answer
)

const frameHead = 8

// send sends a frame.
func (f frame) send(to *frames.Conn) error {
	var head writer
	head.number(f.worker)
	head.number(f.kind)
	return to.Send(head.b, f.content)
}

// receiveFrame waits for the next frame.
func receiveFrame(from *frames.Conn) (frame, error) {
	b, err := from.Receive()
	if err != nil {
		return frame{}, err
	}
	if len(b) < frameHead {
		return frame{}, errShort
	}
	return frame{int(binary.BigEndian.Uint32(b)), int(binary.BigEndian.Uint32(b[4:])), b[frameHead:]}, nil
}

// ErrGone is the error of questions to another process once it has closed its connection.
var ErrGone = errors.New("the process that runs Java has ended")

// errNotAsked is the error of a connection over which something else comes than answers.
var errNotAsked = &model.RuleError{Text: "the process that runs Java gives answers that it was not asked for: " +
	"what is checked must leave descriptors alone that it did not open"}

// A connection asks the virtual machine of another process, which is not trusted: its answers may be any bytes.
type connection struct {
	conn *frames.Conn

	mu      sync.Mutex
	waiting map[int]chan reply // by the worker's number
	over    error              // why questions are not answered any more; nil while they are
}

// Connect waits until the process at the other end of a connection calls Serve or Relay, and returns the virtual machine that answers
// there. The error is ErrGone if the connection ends before.
func Connect(conn io.ReadWriter, o Options) (*JVM, error) {
	c := &connection{conn: frames.New(conn), waiting: map[int]chan reply{}}
	if _, err := receiveFrame(c.conn); err != nil {
		return nil, ErrGone
	}
	j := newJVM(c, o)
	go func() { j.giveUp(c.receive()) }()
	return j, nil
}

// call implements asker.
func (c *connection) call(w *worker, operation int, question []byte) ([]byte, error) {
	answer := make(chan reply, 1)
	c.mu.Lock()
	if c.over != nil {
		c.mu.Unlock()
		return nil, c.over
	}
	c.waiting[w.number] = answer
	c.mu.Unlock()
	if err := (frame{w.number, operation, question}).send(c.conn); err != nil {
		return nil, ErrGone
	}
	r := <-answer
	return r.answer, r.err
}

// receive hands out answers until there are no more, and returns why.
func (c *connection) receive() (over error) {
	for over == nil {
		f, err := receiveFrame(c.conn)
		switch {
		case errors.Is(err, errShort):
			over = errNotAsked
		case err != nil:
			over = ErrGone
		default:
			over = c.hand(f)
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.over = over
	for _, answer := range c.waiting {
		answer <- reply{err: over}
	}
	return over
}

// hand gives an answer to the worker that waits for it.
func (c *connection) hand(f frame) error {
	c.mu.Lock()
	answer := c.waiting[f.worker]
	delete(c.waiting, f.worker)
	c.mu.Unlock()
	switch {
	case answer == nil:
		return errNotAsked
	case f.kind == answered:
		answer <- reply{answer: f.content}
	default:
		answer <- reply{err: errors.New(string(f.content))}
	}
	return nil
}

// Serve creates the virtual machine of this process, calls ready, and has it answer the questions that come over a connection, until that
// is closed. The other end limits the time of steps.
func Serve(conn io.ReadWriter, jdk *JDK, home *Home, o Options, ready func()) error {
	v, err := start(jdk, home, o)
	if err != nil {
		return err
	}
	ready()
	s := newServer(conn, v)
	if err := s.begin(); err != nil {
		return err
	}
	s.answer()
	return nil
}

// A server answers questions, those of each worker one after the other.
type server struct {
	asker   asker
	conn    *frames.Conn
	workers map[int]chan frame // the questions of each
}

func newServer(conn io.ReadWriter, a asker) *server {
	return &server{asker: a, conn: frames.New(conn), workers: map[int]chan frame{}}
}

// begin sends the frame for which Connect waits.
func (s *server) begin() error { return frame{kind: answered}.send(s.conn) }

// answer has questions answered until there are no more.
func (s *server) answer() {
	defer func() {
		for _, questions := range s.workers {
			close(questions)
		}
	}()
	for {
		f, err := receiveFrame(s.conn)
		if err != nil {
			return
		}
		s.worker(f.worker) <- f
	}
}

func (s *server) worker(number int) chan<- frame {
	questions := s.workers[number]
	if questions == nil {
		questions = make(chan frame, 1)
		s.workers[number] = questions
		go s.serve(&worker{number: number}, questions)
	}
	return questions
}

func (s *server) serve(w *worker, questions <-chan frame) {
	for q := range questions {
		a := frame{worker: w.number, kind: answered}
		var err error
		if a.content, err = s.asker.call(w, q.kind, q.content); err != nil {
			a.kind, a.content = failed, []byte(err.Error())
		}
		_ = a.send(s.conn) // it fails only if the other end is closed
	}
}
