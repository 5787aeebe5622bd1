// Package toy holds programs for tests: implementations of model.Oracle in plain Go, without a JVM.
//
// A Protocol is all data, in one small language: classes have fields and handlers, a handler has a guard and outcomes, an
// outcome is a list of acts. So what a handler may do is known exactly (facts.go), a program that shows a defect can be made
// smaller piece by piece, and it can be kept in a file. A Mix makes random ones; Conversations and Friends make random ones
// that are more like real programs. All count how often each question is asked.
//
// A Protocol is for programs that are generated. A Script is for programs that are written by
// hand, as lines of text, perhaps in a file of testdata.
package toy

import (
	"sync"

	"harrier/internal/model"
	"harrier/internal/model/network"
)

// A Protocol is a program whose actors have several fields, of which a handler reads some and writes others.
type Protocol struct {
	Classes    []Class
	Actors     []Actor
	Mail       []Mail              `json:",omitempty"`
	Roles      []model.Role        `json:",omitempty"`
	Delivery   model.DeliveryModel `json:",omitempty"`
	FIFO       model.Scope
	Connected  model.Scope      `json:",omitzero"`
	Clocks     network.Clocks   `json:",omitzero"`
	Firings    int              `json:",omitempty"` // how often the timer of an actor may fire; 0 for any number
	Faults     []Fault          `json:",omitempty"`
	Invariants []Property       `json:",omitempty"`
	Final      *Property        `json:",omitempty"` // of final conditions (finals)
	Predicates []Property       `json:",omitempty"`
	Bounds     []Property       `json:",omitempty"` // states in which all facts of one are true are outside
	Liveness   []model.Liveness `json:",omitempty"`
	Fairness   model.Fairness   `json:",omitzero"`
	Logs       bool             `json:",omitempty"` // actors keep an auxiliary log of all that they process, and messages carry its end
	Names      bool             `json:",omitempty"` // actors keep names in a set, a list and a map, and messages and histories carry them
	program    *model.Program
	mu         sync.Mutex          // guards what follows
	answers    map[string]answered // by question
	parts      map[string][]byte   // relevant parts, by what they are of
	locals     map[string]local    // decoded
	Tally      `json:"-"`
}

// A Class is what its actors do. They have Fields fields, f0 and so on, which hold numbers below fieldBound; and further ones
// that hold names: peer and group, which nothing writes, and friend.
type Class struct {
	Name     string
	Fields   int
	Handlers []Handler
	Told     []Act  `json:",omitempty"` // when another actor has gone that it watches, or a connection has closed
	ToldWhen []Test `json:",omitempty"` // the guard of that
	Restart  []Act  `json:",omitempty"` // after a crash, which puts all fields that are not durable to 0
	Durable  uint   `json:",omitempty"` // set of fields
}

// A Handler is a handler of messages of a kind, of a quorum of messages, or of nothing.
type Handler struct {
	Kind     int     // of messages; Itself for none
	Timer    bool    `json:",omitempty"` // of what an actor does by itself: only if its timer is pending, which it ends
	Quorum   *Quorum `json:",omitempty"`
	Chooses  string  `json:",omitempty"` // a role: there is an outcome for each actor of it
	Guard    []Test  `json:",omitempty"`
	Outcomes [][]Act // one is chosen
	Label    string  // identifies it
}

// Itself stands for the kind of message where there is none.
const Itself = -1

// A Quorum says which messages a quorum handler takes.
type Quorum struct {
	Size    int  // as in model.Quorum, or one of those below
	AtLeast int  `json:",omitempty"` // of any number
	Told    bool `json:",omitempty"` // also where the guard is false
	Kinds   uint `json:",omitempty"` // set of the kinds that it takes beside that of the handler
}

// Sizes of quorums that are not known beforehand.
const (
	Majority = -1 // of the sender's role
	ByField  = -2 // one more than the actor's first field
)

// A Test looks at a field, or at something else.
type Test struct {
	Field int
	Is    string // "==", "!=" or ">="
	Value int    `json:",omitempty"`
}

// What a test looks at in place of a field.
const (
	OfMessage   = -1 - iota // the message's value
	OfSender                // whether its sender is the actor's friend
	OfPeer                  // whether its sender is the actor's peer
	OfKnown                 // how many names the actor knows
	OfKnowledge             // whether it knows the sender
	OfVotes                 // the sender's votes
	OfCount                 // how many messages there are
	OfSenders               // from how many senders
	OfParity                // whether the sum of their values is odd
	OfLog                   // the last entry of the auxiliary log
	OfTag                   // the auxiliary part of the message
	OfClock                 // how many ticks the actor's clock went on
)

// An Act is one thing that a handler does, if all of When holds then.
type Act struct {
	// Do is "set" (to Value), "add" (Value), "count" (adds the number of messages), "max" (with the message's value), "take" (the
	// message's value), "copy" (of From); "befriend" (Who, or the sender), "forget" (the friend); "send"; "create" (an actor of
	// the class with index Value); "stop", "fail", "record" (Value); "arm", "disarm" (the timer; where time goes on it fires after Value ticks or up to From more); with Names also "learn" (adds
	// Who to the set), "list", "vote" (for Who), "clear" (the set and the list), and "note" (in the auxiliary part).
	Do    string
	Field int    `json:",omitempty"`
	Value int    `json:",omitempty"`
	From  int    `json:",omitempty"` // of copy; of send the field whose value it adds, -1 for none
	Who   string `json:",omitempty"` // whose name is kept, as To has it; of send whom the message is about
	When  []Test `json:",omitempty"`
	// Of send, and of what a new actor sends when it starts: to the creator, which is "self", or others.
	Kind int `json:",omitempty"`
	// To is "sender", "self", "peer", "group", "friend", "child", the first one, "senders", "chosen", "other", whom the message is
	// about, "listed", the first one, "known", "role:" and a role, or the name of an actor.
	To      string `json:",omitempty"`
	Carries bool   `json:",omitempty"` // the message has the names that the actor knows
	// Hops is "same" as the message has, "less" by one, "one" or "none". With "less" nothing is sent where none is left.
	Hops string `json:",omitempty"`
}

// An Actor is how an actor begins.
type Actor struct {
	Name   string
	Class  int
	Fields []int
	Peer   string   `json:",omitempty"`
	Group  []string `json:",omitempty"`
	Armed  bool     `json:",omitempty"`
	Known  []string `json:",omitempty"`
	List   []string `json:",omitempty"`
}

// Mail is a message that is there at the start.
type Mail struct {
	From, To    string
	Kind, Value int
	Hops        int    `json:",omitempty"`
	About       string `json:",omitempty"`
}

// A Fault is a fault; the messages of Domain are readable text.
type Fault struct {
	Kind       model.EventKind
	Scope      model.Scope
	Budget     int
	Senders    []string `json:",omitempty"` // of the messages that it may happen to; all, if there are none
	SparesSelf bool     `json:",omitempty"` // messages to oneself
	Within     bool     `json:",omitempty"` // crashes happen within handlers, too
	Losing     bool     `json:",omitempty"` // messages to actors that are down may be lost
	Filling    int      `json:",omitempty"` // the number of messages in a mailbox beyond which it drops one; 0 for no mailbox
	Domain     []Mail   `json:",omitempty"`
}

// A Property forbids that all of its facts are true at once. Those of a final condition must not be true in terminal states.
type Property struct {
	Facts   []Fact
	History bool `json:",omitempty"` // the last two operations must differ, if all facts are true
}

// A Fact is about an actor, if it exists; about how many actors of a class pass a test; or about how many messages are in flight.
type Fact struct {
	Sent    *Mail  `json:",omitempty"` // so many messages to this actor of this kind, and from one if it says so, are in flight
	Stopped bool   `json:",omitempty"` // it is about actors that have stopped, in their last local states
	Down    bool   `json:",omitempty"` // it is about actors that are down
	Actor   string `json:",omitempty"`
	Class   int    `json:",omitempty"`
	Least   int    `json:",omitempty"` // so many actors of the class; 0 for one
	Fewer   bool   `json:",omitempty"` // or fewer than that
	Needs   bool   `json:",omitempty"` // evaluating it fails where there is no such actor
	Test
}

// Endless is the hops of a message that leads to one other message again and again.
const Endless = 9

const (
	fieldBound  = 3
	logLength   = 2
	maxChildren = 2
	listLength  = 2
	maxRecords  = 3 // in histories with names
)

// Tally counts how often each question was asked.
type Tally struct {
	mu    sync.Mutex
	asked map[string]int
}

func (t *Tally) count(question string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.asked == nil {
		t.asked = map[string]int{}
	}
	t.asked[question]++
}

// Asked reports how many different questions were asked, and how often the one asked most.
func (t *Tally) Asked() (different, most int) {
	for _, n := range t.asked {
		most = max(most, n)
	}
	return len(t.asked), most
}

// Forget starts the count again.
func (t *Tally) Forget() { t.asked = nil }

func questionKey(q model.Question) string {
	k := append([]byte{byte(q.Event.Kind)}, q.Local...)
	for _, m := range q.Event.Messages {
		k = append(append(append(k, m.Sender...), '>'), m.Payload...)
	}
	return string(k)
}
