package live

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"slices"
	"sync"
	"time"
)

// A Frame is a message between a Relay and a Process. It is one of these:
//
//   - Names, from the process: it is ready to run. The answer has Addresses and Control, or Error.
//   - A Datagram, from the process to be sent from the socket of one actor to another, and back when it came in.
//   - A Question for the checkpoint with a Number, and its Answer.
type Frame struct {
	Names     []string          `json:",omitempty"` // of the actors of the start
	Addresses map[string]string `json:",omitempty"` // of those that run here
	Control   string            `json:",omitempty"`
	Error     string            `json:",omitempty"`

	From, To string `json:",omitempty"`
	Datagram []byte `json:",omitempty"`

	Question uint64    `json:",omitempty"`
	Number   uint64    `json:",omitempty"`
	Answer   *Snapshot `json:",omitempty"`
}

// Frames gives the frames that the other side sends, until it ends.
func Frames(from io.Reader) <-chan Frame {
	frames := make(chan Frame)
	go func() {
		defer close(frames)
		for in := json.NewDecoder(from); ; {
			var f Frame
			if in.Decode(&f) != nil {
				return
			}
			frames <- f
		}
	}()
	return frames
}

// Relay has the sockets of a process. It sends to the actors of the program and nowhere else, and takes in datagrams from
// their addresses.
type Relay struct {
	Peers   map[string]string // addresses by names of actors; nil if all actors run here
	Here    []string          // the actors that run here; nil for all
	Control string            // the address of the control port

	writing sync.Mutex // guards to
	to      *json.Encoder

	sockets   map[string]*net.UDPConn
	addresses map[string]*net.UDPAddr
	names     map[string]string // by address

	mu      sync.Mutex // guards the fields below
	asked   uint64
	waiting map[uint64]chan *Snapshot
}

// Serve relays until the process has ended.
func (r *Relay) Serve(from io.Reader, to io.Writer) error {
	r.to, r.sockets, r.addresses, r.names = json.NewEncoder(to), map[string]*net.UDPConn{}, map[string]*net.UDPAddr{},
		map[string]string{}
	r.waiting = map[uint64]chan *Snapshot{}
	for frames := json.NewDecoder(from); ; {
		var f Frame
		if err := frames.Decode(&f); err != nil {
			return err
		}
		switch {
		case f.Names != nil:
			r.tell(r.open(f.Names))
		case f.Question != 0:
			r.mu.Lock()
			if answer := r.waiting[f.Question]; answer != nil {
				answer <- f.Answer
				delete(r.waiting, f.Question)
			}
			r.mu.Unlock()
		case r.sockets[f.From] != nil && r.addresses[f.To] != nil:
			// A process that is not there gets nothing, as in any network.
			_, _ = r.sockets[f.From].WriteToUDP(f.Datagram, r.addresses[f.To])
		}
	}
}

func (r *Relay) tell(f Frame) {
	r.writing.Lock()
	defer r.writing.Unlock()
	_ = r.to.Encode(f) // it fails only if the process has ended
}

// open opens the sockets, and reports where they are.
func (r *Relay) open(all []string) Frame {
	here := r.Here
	if here == nil {
		here = all
	}
	err := r.check(all, here)
	for _, name := range here {
		if err == nil {
			err = r.listen(name)
		}
	}
	for name, peer := range r.Peers {
		if err == nil && r.sockets[name] == nil {
			r.addresses[name], err = net.ResolveUDPAddr("udp", peer)
		}
	}
	var control net.Listener
	if err == nil {
		control, err = net.Listen("tcp", r.Control)
	}
	if err != nil {
		return Frame{Error: err.Error()}
	}
	opened := Frame{Addresses: map[string]string{}, Control: control.Addr().String()}
	for name, address := range r.addresses {
		r.names[address.String()] = name
	}
	for name, socket := range r.sockets {
		opened.Addresses[name] = socket.LocalAddr().String()
		go r.receive(name, socket)
	}
	go r.serveControl(control)
	return opened
}

// check returns an error unless here and Peers name exactly the program's actors.
func (r *Relay) check(all, here []string) error {
	for _, name := range append(slices.Clone(here), slices.Sorted(maps.Keys(r.Peers))...) {
		if !slices.Contains(all, name) {
			return fmt.Errorf("the program has no actor %s at its start", name)
		}
	}
	for _, name := range all {
		if r.Peers[name] == "" && (r.Peers != nil || !slices.Contains(here, name)) {
			return fmt.Errorf("where is %s? --peers %s=HOST:PORT says so", name, name)
		}
	}
	return nil
}

func (r *Relay) listen(name string) error {
	address := &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)}
	var err error
	if peer := r.Peers[name]; peer != "" {
		address, err = net.ResolveUDPAddr("udp", peer)
	}
	if err != nil {
		return err
	}
	if r.sockets[name], err = net.ListenUDP("udp", address); err != nil {
		delete(r.sockets, name)
		return err
	}
	r.addresses[name] = r.sockets[name].LocalAddr().(*net.UDPAddr)
	return nil
}

// receive hands datagrams to the process. Datagrams of strangers have no sender.
func (r *Relay) receive(name string, socket *net.UDPConn) {
	b := make([]byte, mostBytes+1)
	for {
		n, from, err := socket.ReadFromUDP(b)
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err == nil {
			r.tell(Frame{From: r.names[from.String()], To: name, Datagram: b[:n]})
		}
	}
}

func (r *Relay) serveControl(l net.Listener) {
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		go r.control(c)
	}
}

// A request is a request to the control port.
type request struct {
	Snapshot uint64 `json:"snapshot"` // the number of a checkpoint
}

// patience is how long both ends of a control port wait.
const patience = 10 * time.Second

// control answers one request.
func (r *Relay) control(c net.Conn) {
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(patience))
	var asked request
	if err := json.NewDecoder(io.LimitReader(c, 1000)).Decode(&asked); err != nil || asked.Snapshot == 0 || checkNumber(asked.Snapshot) != nil {
		return
	}
	answer := make(chan *Snapshot, 1)
	r.mu.Lock()
	r.asked++
	question := r.asked
	r.waiting[question] = answer
	r.mu.Unlock()
	r.tell(Frame{Question: question, Number: asked.Snapshot})
	select {
	case s := <-answer:
		_ = json.NewEncoder(c).Encode(s)
	case <-time.After(patience):
		r.mu.Lock()
		delete(r.waiting, question)
		r.mu.Unlock()
	}
}

// ask gets the first checkpoint from a number on from the control port of a process.
func ask(address string, number uint64) (*Snapshot, error) {
	c, err := net.DialTimeout("tcp", address, patience)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(patience))
	if err := json.NewEncoder(c).Encode(request{number}); err != nil {
		return nil, err
	}
	return readSnapshot(c)
}

// mostTries is how often a snapshot is asked for: processes may have come further with their checkpoints than the asker knows.
const mostTries = 3

// Take takes a snapshot of the processes with these control ports, with a number or a higher one: all are asked for the same. Those
// that do not answer are left out; it is nil if there are no others.
func Take(addresses []string, number uint64) (whole *Snapshot, gone map[string]error) {
	for range mostTries {
		var parts []*Snapshot
		next, late := number, false
		gone = map[string]error{}
		for _, address := range addresses {
			part, err := ask(address, number)
			if err != nil {
				gone[address] = err
				continue
			}
			parts, next, late = append(parts, part), max(next, part.Number), late || part.Late
		}
		if len(parts) == 0 {
			break
		}
		if !late {
			return join(parts), gone
		}
		number = next + 1
	}
	return nil, gone
}
