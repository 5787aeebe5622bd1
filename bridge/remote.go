package bridge

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"sync"
)

// A frame is a question or an answer on a connection: three numbers of 4 bytes, big endian, which are the length of what follows
// them, the number of the worker, and an operation or whether there is an answer; and then the question, the answer, or the text of
// an error.
type frame struct {
	worker, kind int
	content      []byte
}

// The kinds of answers.
const (
	answered = iota
	failed   // the content is why there is no answer
)

const frameHead = 12

func (f frame) bytes() []byte {
	w := writer{b: make([]byte, 0, frameHead+len(f.content))}
	w.number(len(f.content))
	w.number(f.worker)
	w.number(f.kind)
	return append(w.b, f.content...)
}

// readFrame reads a frame. What it says of its length takes no memory before as many bytes have come.
func readFrame(from io.Reader) (frame, error) {
	var head [frameHead]byte
	if _, err := io.ReadFull(from, head[:]); err != nil {
		return frame{}, err
	}
	size := binary.BigEndian.Uint32(head[:])
	f := frame{worker: int(binary.BigEndian.Uint32(head[4:])), kind: int(binary.BigEndian.Uint32(head[8:]))}
	if size > math.MaxInt32 {
		return frame{}, fmt.Errorf("a frame of %d bytes", size)
	}
	var content bytes.Buffer
	_, err := io.CopyN(&content, from, int64(size))
	f.content = content.Bytes()
	return f, err
}

// ErrGone is the error of what is asked of another process once it has closed its connection.
var ErrGone = errors.New("the process that runs Java has ended")

// A connection asks the virtual machine of another process, whose answers may be anything.
type connection struct {
	sending sync.Mutex
	to      io.Writer

	mu      sync.Mutex
	waiting map[int]chan reply // by the worker's number
	over    error              // why nothing is answered any more
}

// Connect gives the virtual machine of the process that calls Serve at the other end of a connection, once that is ready. The error
// is ErrGone if it cannot be started.
func Connect(conn io.ReadWriter, o Options) (*JVM, error) {
	from := bufio.NewReaderSize(conn, 1<<16)
	if _, err := readFrame(from); err != nil {
		return nil, ErrGone
	}
	c := &connection{to: conn, waiting: map[int]chan reply{}}
	j := newJVM(c, o)
	go func() { j.giveUp(c.receive(from)) }()
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
	c.sending.Lock()
	_, err := c.to.Write(frame{w.number, operation, question}.bytes())
	c.sending.Unlock()
	if err != nil {
		return nil, ErrGone
	}
	r := <-answer
	return r.answer, r.err
}

// receive hands out answers until there are no more, and returns why.
func (c *connection) receive(from io.Reader) (over error) {
	for over == nil {
		f, err := readFrame(from)
		if err != nil {
			over = ErrGone
			break
		}
		over = c.hand(f)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.over = over
	for _, answer := range c.waiting {
		answer <- reply{err: over}
	}
	return over
}

// hand gives an answer to whoever waits for it.
func (c *connection) hand(f frame) error {
	c.mu.Lock()
	answer := c.waiting[f.worker]
	delete(c.waiting, f.worker)
	c.mu.Unlock()
	switch {
	case answer == nil:
		return &InternalError{Text: "the process that runs Java gives answers that it was not asked for"}
	case f.kind == answered:
		answer <- reply{answer: f.content}
	default:
		answer <- reply{err: errors.New(string(f.content))}
	}
	return nil
}

// Serve creates the virtual machine of this process, calls ready, and has it answer what comes over a connection, until that is
// closed. Steps have no limit of time here: the other end has.
func Serve(conn io.ReadWriter, jdk *JDK, home *Home, o Options, ready func()) error {
	v, err := start(jdk, home, o)
	if err != nil {
		return err
	}
	ready()
	if _, err := conn.Write(frame{kind: answered}.bytes()); err != nil {
		return err
	}
	newServer(conn, v).answer()
	return nil
}

// A server answers questions, those of each worker one after the other.
type server struct {
	asker   asker
	conn    io.ReadWriter
	sending sync.Mutex
	workers map[int]chan frame
}

func newServer(conn io.ReadWriter, a asker) *server {
	return &server{asker: a, conn: conn, workers: map[int]chan frame{}}
}

// answer has questions answered until there are no more.
func (s *server) answer() {
	for from := bufio.NewReaderSize(s.conn, 1<<16); ; {
		f, err := readFrame(from)
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
		s.sending.Lock()
		_, _ = s.conn.Write(a.bytes()) // it fails only if nobody is there
		s.sending.Unlock()
	}
}
