// Package partition searches breadth-first over several processes, its members, each of which explores the states that fall to it by
// their hash (dbss.Partition). One process, the coordinator, begins and ends levels, and comes to the result.
//
//	Coordinator.Search   takes the place of dbss.Search: levels, bounds, what the members' local steps contradict, runs to violations
//	Serve                a member: dbss.Search with a Partition, once in each round
//	Transport            carries messages between them (package cluster has one; tests have another)
//
// The coordinator explores no global states. It works out the local steps of all component states that the members came to, so what
// rests on local steps (macro steps, symmetry, figures) is what it is in a search of one process. Members need no virtual machine
// for more than the answers to local steps.
//
// A round is a search, or a part of one, by the same members. It begins anew if the system turns out to have left out too much. If a
// member ends or another one joins, the next round goes on from the last level that was complete: members keep what they meet, in
// pieces, in a store that outlives them (MemberTransport), and those of the next round share it out anew. In a level:
//
//	members      batches to each other, then Expanded (how many batches to whom)
//	coordinator  Expect (how many batches from whom)
//	members      Deepened (counts, news of component states)
//	coordinator  GoOn, or Stop
//
// A message may be lost or delivered twice: batches are numbered, and a member asks for those that are missing.
package partition

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"

	"harrier/dbss"
	"harrier/internal/model"
)

// A Transport carries messages between the processes of a search. Messages from one process to another arrive in the order in which
// they were sent. Its methods may be called by several goroutines.
type Transport interface {
	Send(Message) error
	// Receive waits for a message. The error is the context's cause if it ends.
	Receive(context.Context) (Message, error)
	// Meet says who the members are of which messages to be sent have the numbers.
	Meet(members []string)
	// Get returns what some member kept under a name.
	Get(ctx context.Context, name string) ([]byte, error)
}

// A MemberTransport is that of a member, which keeps what outlives it.
type MemberTransport interface {
	Transport
	// Put keeps a piece under a name, which nobody else uses. It stays when the member ends.
	Put(ctx context.Context, name string, piece []byte) error
}

// A CoordinatorTransport is that of the coordinator, which knows who may be a member.
type CoordinatorTransport interface {
	Transport
	// Join waits until somebody may be a member, and returns all that may.
	Join(context.Context) (members []string, err error)
}

// Home is the number of the coordinator. Members count from 0.
const Home = -1

// A Message is what a process of a search tells another one.
type Message struct {
	From, To     int
	Kind         Kind
	Round, Level int
	Number       int    // of a batch, among those of the level from one member to another, from 0
	Body         []byte // a batch of dbss, or JSON
}

// Kind is the kind of a message.
type Kind uint8

// The kinds of messages, with what is in their bodies.
const (
	Begin    Kind = iota // Start
	Batch                // states
	Expanded             // how many batches were sent to each member
	Expect               // how many batches come from each member
	Missing              // the number of the first batch of the level that has not arrived; to its sender
	Deepened             // levelEnd
	GoOn                 // nothing
	Stop                 // nothing
	Left                 // outcome
	EndRound             // nothing
	Close                // nothing: there are no further rounds
	Gone                 // nothing: from the transport, that the member is no more
	Joined               // nothing: from the transport, that there is one more who may be a member
	Join                 // to and from a transport: who may be a member
	Get                  // likewise: the name of a piece, and the piece; Number is 1 if there is none
)

// A Start begins a round.
type Start struct {
	Self    int
	Members []string
	Options json.RawMessage // how to search, as the coordinator was given it
	Variant []byte          // of the system
	Base    int             // the level to go on with; 0 to begin
	Kept    []kept          // what there is of the levels up to the base
}

// kept says what a worker of a member kept of a level.
type kept struct {
	Round, Level, Member, Worker int
	First                        uint32 // as in dbss.Piece
	Pieces                       int
}

// name is that of one of the pieces.
func (k kept) name(piece int) string {
	return fmt.Sprintf("%d/%d/%d/%d/%d", k.Round, k.Level, k.Member, k.Worker, piece)
}

// A levelEnd is what came of a level in a member.
type levelEnd struct {
	Tally tally
	Next  uint64 // states to follow in the next level
	News  []byte
	Asked [][][]byte

	Failed    []string
	Violation *violated
	Kept      []dbss.Kept
}

// An outcome is what came of a round in a member.
type outcome struct {
	Tally     tally
	Failed    []string
	Violation *violated
	Complete  bool
	Reason    string
	Problem   *problem
	News      []byte
	Memory    dbss.Memory
}

// violated says how a member met a state that violates a property.
type violated struct {
	Length  int
	Last    *dbss.Origin // as in dbss.Counterexample
	Reached [][]byte     // likewise
	Round   int          // set by the coordinator
}

func violatedBy(c *dbss.Counterexample) *violated {
	if c == nil {
		return nil
	}
	return &violated{Length: c.Length, Last: c.Last, Reached: c.Reached}
}

// A problem is an error of a member.
type problem struct {
	Rule  *model.RuleError
	Usage *model.UsageError
	Limit *model.LimitError
	Anew  *dbss.BeginAnew
	Text  string
}

func problemOf(err error) *problem {
	if err == nil {
		return nil
	}
	p := &problem{Text: err.Error()}
	_, _, _, _ = errors.As(err, &p.Rule), errors.As(err, &p.Usage), errors.As(err, &p.Limit), errors.As(err, &p.Anew)
	return p
}

// err is the error that it is of.
func (p *problem) err(member int) error {
	switch {
	case p.Rule != nil:
		return p.Rule
	case p.Usage != nil:
		return p.Usage
	case p.Limit != nil:
		return p.Limit
	case p.Anew != nil:
		return p.Anew
	}
	return fmt.Errorf("member %d of the search: %s", member, p.Text)
}

// A tally is dbss.Counts, with the labels of handlers in place of their numbers, which differ from process to process.
type tally struct {
	dbss.Counts
	Leftover, Reduced, Frames uint64
	Handlers                  map[string]uint64
	Faults                    []uint64
	NoHandler                 uint64
}

func tallyOf(c dbss.Counts, v model.Values) tally {
	t := tally{Counts: c, Leftover: c.Leftover, Reduced: c.Reduced, Frames: c.Frames, Handlers: map[string]uint64{}, Faults: c.FaultsTaken}
	for number, runs := range c.HandlerRuns {
		switch {
		case number == 0:
			t.NoHandler = runs
		case runs > 0:
			t.Handlers[v.HandlerLabel(number)] = runs
		}
	}
	return t
}

// counts are those of a tally in this process.
func (t tally) counts(v model.Values) dbss.Counts {
	c := t.Counts
	c.Leftover, c.Reduced, c.Frames, c.FaultsTaken = t.Leftover, t.Reduced, t.Frames, t.Faults
	runs := map[uint32]uint64{0: t.NoHandler}
	for label, n := range t.Handlers {
		runs[model.HandlerNumber(v, label)] = n
	}
	c.HandlerRuns = make([]uint64, v.Handlers()+1)
	for number, n := range runs {
		c.HandlerRuns[number] = n
	}
	return c
}

// encode is a document as the body of a message.
func encode(document any) []byte {
	b, err := json.Marshal(document)
	if err != nil {
		panic(err) // it has numbers and texts
	}
	return b
}

// decode reads the body of a message.
func (m Message) decode(into any) error {
	if err := json.Unmarshal(m.Body, into); err != nil {
		return fmt.Errorf("reading a message of kind %d from member %d: %w", m.Kind, m.From, err)
	}
	return nil
}

// Bytes returns the message as bytes, which ReadMessage reads.
func (m Message) Bytes() []byte {
	b := make([]byte, 0, len(m.Body)+16)
	for _, n := range []int{m.From, m.To, int(m.Kind), m.Round, m.Level, m.Number} {
		b = binary.AppendVarint(b, int64(n))
	}
	return append(b, m.Body...)
}

// ReadMessage reads a message, whose body is in b.
func ReadMessage(b []byte) (Message, error) {
	var numbers [6]int
	for i := range numbers {
		n, size := binary.Varint(b)
		if size <= 0 || n != int64(int32(n)) {
			return Message{}, errors.New("a message is cut off, or none")
		}
		numbers[i], b = int(n), b[size:]
	}
	return Message{numbers[0], numbers[1], Kind(numbers[2]), numbers[3], numbers[4], numbers[5], b}, nil
}
