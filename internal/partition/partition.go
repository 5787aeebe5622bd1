// Package partition searches breadth-first in several processes, the members, each of which explores the states that fall to it by
// their hash (dbss.Partition). One more process, the coordinator, begins and ends levels, and adds up the result.
//
//	Coordinator.Search   takes the place of dbss.Search (coordinator.go, round.go) and finds the runs to violations (trace.go)
//	Journal              is what a coordinator goes on from that takes the place of one that was killed (journal.go)
//	Serve                is a member: it calls dbss.Search with a Partition, once in each round (member.go)
//	Transport            carries messages between them (package cluster has one; tests have another)
//
// The coordinator explores no global states. It works out the local steps of all component states that the members met, so what rests
// on local steps (macro steps, symmetry, figures) comes out as in a search of one process.
//
// A round is a search, or a part of one, by the same members. A search whose system turns out to leave out too much begins anew, with a
// round. If a member ends or another one joins, the next round goes on from the last level that was complete, its base: members keep the
// states that they meet, in pieces, in a store that outlives them (MemberTransport), and the members of the next round share them out
// anew. The messages of a level are:
//
//	members      batches to each other, then Expanded (how many batches to whom)
//	coordinator  Expect (how many batches from whom)
//	members      Deepened (counts, news of component states)
//	coordinator  GoOn, or Stop
//
// A transport may lose messages or deliver them twice. A link (link.go) numbers those of a round, and whoever waits asks for what is
// missing. If the message that begins a round is lost, a member learns of the round when it is asked.
//
// Others may send messages, too. What nobody of the round can send is dropped and counted. What is taken in, a member accounts for with
// each report (account.go): no level is complete unless all that its members took in is what the others sent, and each repeats the nonce
// that it was sent last.
package partition

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/cespare/xxhash/v2"

	"harrier/dbss"
	"harrier/internal/model"
)

// A Transport carries messages between the processes of a search. Messages from one process to another arrive in the order in which
// they were sent. Its methods may be called by several goroutines.
type Transport interface {
	Send(Message) error
	// Receive waits for a message. The error is the context's cause if it ends.
	Receive(context.Context) (Message, error)
	// Meet sets the names of the members, by the numbers that messages have from now on.
	Meet(members []string)
	// Get returns the piece that some member put under a name.
	Get(ctx context.Context, name string) ([]byte, error)
}

// A MemberTransport is the transport of a member, with a store for its pieces.
type MemberTransport interface {
	Transport
	// Put stores a piece under a name, which nobody else uses. It stays there when the member ends.
	Put(ctx context.Context, name string, piece []byte) error
}

// A CoordinatorTransport is the transport of the coordinator, which knows the processes that may be members.
type CoordinatorTransport interface {
	Transport
	// Join waits until there are processes that may be members, and returns the names of all.
	Join(context.Context) (members []string, err error)
}

// Home is the number of the coordinator. Members count from 0.
const Home = -1

// A Message goes from one process of a search to another.
type Message struct {
	From, To     int
	Kind         Kind
	Round, Level int
	Number       int    // among those of the round from one process to another, from 0; of Missing, how many have arrived
	Body         []byte // a batch of dbss, or JSON
}

// isAfter reports whether the coordinator sent the message in a later round than one.
func (m Message) isAfter(round int) bool { return m.From == Home && m.Round > round }

// Kind is the kind of a message.
type Kind uint8

// The kinds of messages, with what is in their bodies.
const (
	Begin    Kind = iota // Start
	Batch                // states
	Expanded             // how many batches were sent to each member
	Expect               // expectation: how many batches come from each member
	Missing              // nothing: it asks for the messages from a number on, and has none itself
	Part                 // of the body of the next message of another kind
	Deepened             // levelEnd
	GoOn                 // nothing
	Stop                 // the nonce of account
	Left                 // outcome
	Close                // nothing: there are no further rounds
	Gone                 // the name of a member: from the transport, once it has ended
	Joined               // nothing: from the transport, once there is one more process that may be a member
	Join                 // within a transport: asks for the names of those that may be members; has them
	Over                 // within a transport, which ends: why
	Get                  // within a transport: the name of a piece; the piece, or an error if Number is 1
)

// A Start begins a round.
type Start struct {
	Self    int
	Members []string
	Options json.RawMessage // how to search, as the coordinator was given it
	Variant []byte          // of the system
	Base    int             // the level to go on with; 0 to begin
	Kept    []kept          // where the pieces of the levels up to the base are
	Nonce   string          // as in account
}

// check returns an error if the round cannot be one of the member that it is for.
func (s Start) check() error {
	if s.Self < 0 || s.Self >= len(s.Members) || s.Base < 0 {
		return fmt.Errorf("member %d of %d is to begin with level %d", s.Self, len(s.Members), s.Base)
	}
	return nil
}

// An expectation says what a member gets in a level.
type expectation struct {
	Batches []int  // by member
	Nonce   string // as in account
}

// id tells rounds of different searches apart: another variant of the system, or other options.
func (s Start) id() uint64 { return xxhash.Sum64(slices.Concat(s.Variant, s.Options)) }

// kept names the pieces that a worker of a member kept of a level.
type kept struct {
	Of                           uint64 // Start.id of the round
	Round, Level, Member, Worker int
	First                        uint32 // as in dbss.Piece
	Pieces                       int
}

// name is the name of one of the pieces in the store.
func (k kept) name(piece int) string {
	return fmt.Sprintf("%016x/%d/%d/%d/%d/%d", k.Of, k.Round, k.Level, k.Member, k.Worker, piece)
}

// A levelEnd is a member's report at the end of a level (dbss.Report).
type levelEnd struct {
	Account account
	Tally   dbss.Tally
	Next    uint64 // states to follow in the next level
	News    []byte // as model.Shared gives them
	Asked   [][][]byte

	Failed    []string
	Violation *violated
	Kept      []dbss.Kept // by worker
}

// An outcome is the result of a round in a member (dbss.Result).
type outcome struct {
	Account   account
	Dropped   int // messages that nobody of the round can have sent
	Tally     dbss.Tally
	Failed    []string
	Violation *violated
	Reason    string
	Problem   *problem
	News      []byte
	Memory    dbss.Memory
}

// violated is a violation as a member found it, from which the coordinator finds the run to it.
type violated struct {
	Length  int
	Last    *dbss.Origin // as in dbss.Counterexample
	Reached [][]byte     // as in dbss.Counterexample
	Round   int          // set by the coordinator
}

func violatedBy(c *dbss.Counterexample) *violated {
	if c == nil {
		return nil
	}
	return &violated{Length: c.Length, Last: c.Last, Reached: c.Reached}
}

// A problem is an error of a member, by its kind.
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

// hasKind reports whether the error is one that every member would have. Else something is wrong in the member, such as that its Java has
// ended.
func (p *problem) hasKind() bool {
	return p.Rule != nil || p.Usage != nil || p.Limit != nil || p.Anew != nil
}

// err returns the error that problemOf was given, if it has a kind.
func (p *problem) err() error {
	switch {
	case p.Rule != nil:
		return p.Rule
	case p.Usage != nil:
		return p.Usage
	case p.Limit != nil:
		return p.Limit
	}
	return p.Anew
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

// Bytes returns the message as bytes, which ReadMessage reads: a checksum of eight bytes, and what it is of.
func (m Message) Bytes() []byte {
	b := make([]byte, 8, len(m.Body)+24)
	for _, n := range []int{m.From, m.To, int(m.Kind), m.Round, m.Level, m.Number} {
		b = binary.AppendVarint(b, int64(n))
	}
	b = append(b, m.Body...)
	binary.LittleEndian.PutUint64(b, xxhash.Sum64(b[8:]))
	return b
}

// ReadMessage reads a message, whose body is in b. The error is that b is none.
func ReadMessage(b []byte) (Message, error) {
	if len(b) < 8 || binary.LittleEndian.Uint64(b) != xxhash.Sum64(b[8:]) {
		return Message{}, errNoMessage
	}
	b = b[8:]
	var numbers [6]int
	for i := range numbers {
		n, size := binary.Varint(b)
		if size <= 0 || n != int64(int32(n)) {
			return Message{}, errNoMessage
		}
		numbers[i], b = int(n), b[size:]
	}
	if kind := numbers[2]; kind < 0 || kind > int(Get) {
		return Message{}, errNoMessage
	}
	return Message{numbers[0], numbers[1], Kind(numbers[2]), numbers[3], numbers[4], numbers[5], b}, nil
}

var errNoMessage = errors.New("a message is garbled, or none")

// IsFromMember reports whether a member can have sent the message to the coordinator, if there are so many.
func (m Message) IsFromMember(members int) bool {
	return m.From >= 0 && m.From < members && m.To == Home && m.isAdmissible()
}

// isAdmissible reports whether one process of a round sends messages of this kind to the other.
func (m Message) isAdmissible() bool {
	switch m.Kind {
	case Part, Missing:
		return m.From != m.To
	case Begin, Expect, GoOn, Stop, Close:
		return m.From == Home && m.To != Home
	case Batch:
		return m.From != Home && m.To != Home && m.From != m.To
	case Expanded, Deepened, Left:
		return m.From != Home && m.To == Home
	}
	return false
}
