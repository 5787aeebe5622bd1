package toy

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"harrier/model"
)

// Fielded is a program whose actors have several fields, of which a handler reads some and writes others. It is
// all data: so what a handler may do is known exactly (fielded_facts.go), a program that shows a defect can be made
// smaller piece by piece (fielded_shrink.go), and it can be kept in a file.
type Fielded struct {
	Classes    []FieldedClass
	Actors     []FieldedActor
	Mail       []FieldedMail `json:",omitempty"`
	Roles      []model.Role  `json:",omitempty"`
	Passing    model.Passing `json:",omitempty"`
	FIFO       model.Scope
	Faults     []FieldedFault      `json:",omitempty"`
	Invariants []FieldedProperty   `json:",omitempty"`
	Final      *FieldedProperty    `json:",omitempty"`
	Logs       bool                `json:",omitempty"` // actors keep an auxiliary log of all that they process, and messages carry its end
	program    *model.Program      // made of the above
	mu         sync.Mutex          // guards what follows
	answers    map[string]answered // by question
}

// A FieldedClass is what actors of a class do. They have Fields fields, f0 and so on, which hold numbers below
// fieldBound; and further ones that hold names: peer, which nothing writes, group, likewise, and friend.
type FieldedClass struct {
	Name     string
	Fields   int
	Handlers []FieldedHandler
	Restart  []FieldedAct `json:",omitempty"` // after a crash, which puts all fields that are not durable to 0
	Durable  uint         `json:",omitempty"` // set of fields
}

// A FieldedHandler is a handler of messages of a kind, of a quorum of them, or of nothing.
type FieldedHandler struct {
	Kind     int            // of messages; Itself for none
	Timer    bool           `json:",omitempty"` // of what an actor does by itself: only if its timer is pending, which it ends
	Quorum   *FieldedQuorum `json:",omitempty"`
	Guard    []FieldedTest  `json:",omitempty"`
	Outcomes [][]FieldedAct // one is chosen
	Label    string         // identifies it
}

// Itself stands for the kind of message where there is none.
const Itself = -1

// A FieldedQuorum says which messages a quorum handler takes.
type FieldedQuorum struct {
	Size    int  // as in model.Quorum
	AtLeast int  `json:",omitempty"` // of any number
	Told    bool `json:",omitempty"` // also where the guard is false
}

// A FieldedTest looks at a field, or at the message's value.
type FieldedTest struct {
	Field int    // OfMessage for the message's value, OfSender for whether its sender is the actor's friend
	Is    string // "==", "!=" or ">="
	Value int    `json:",omitempty"`
}

// What a test looks at in place of a field.
const (
	OfMessage = -1
	OfSender  = -2
)

// A FieldedAct is one thing that a handler does, if all of When holds then.
type FieldedAct struct {
	// Do is "set" (to Value), "add" (Value), "max" (with the message's value), "take" (the message's value), "copy" (of From);
	// "befriend" (the sender), "forget" (the friend); "send"; "create" (an actor of the class with index Value); "stop", "fail",
	// "record" (Value); "arm", "disarm" (the timer).
	Do    string
	Field int           `json:",omitempty"`
	Value int           `json:",omitempty"`
	From  int           `json:",omitempty"` // of copy; of send the field whose value it adds, -1 for none
	When  []FieldedTest `json:",omitempty"`
	// Of send.
	Kind int    `json:",omitempty"`
	To   string `json:",omitempty"` // "sender", "self", "peer", "group", "friend", or "child", the first one
	// Hops is "same" as the message has, "less" by one, or "none". With "less" nothing is sent where none is left.
	Hops string `json:",omitempty"`
}

// A FieldedActor is how an actor begins.
type FieldedActor struct {
	Name   string
	Class  int
	Fields []int
	Peer   string   `json:",omitempty"`
	Group  []string `json:",omitempty"`
	Armed  bool     `json:",omitempty"`
}

// FieldedMail is a message that is there at the start.
type FieldedMail struct {
	From, To    string
	Kind, Value int
	Hops        int `json:",omitempty"`
}

// A FieldedFault is a fault; the messages of Forge are in a form that people can read.
type FieldedFault struct {
	Kind   model.EventKind
	Scope  model.Scope
	Budget int
	Forged []FieldedMail `json:",omitempty"`
}

// A FieldedProperty forbids that all of its facts are true at once. Of a final condition they must not be true at ends.
type FieldedProperty struct {
	Facts   []FieldedFact
	History bool `json:",omitempty"` // the last two operations must not be alike, if all facts are true
}

// A FieldedFact is about an actor, if it exists; or about some actor of a class.
type FieldedFact struct {
	Actor string `json:",omitempty"`
	Class int    `json:",omitempty"`
	FieldedTest
}

const (
	fieldBound = 3
	logLength  = 2
)

type answered struct {
	model.Answer
	err error
}

// Program implements model.Oracle.
func (p *Fielded) Program() *model.Program {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.program == nil {
		p.program = p.declared()
	}
	return p.program
}

// Pass says how messages pass.
func (p *Fielded) Pass(by model.Passing) { p.Passing, p.program = by, nil }

// Steps implements model.Oracle. It remembers the answers, since a twin asks for them again and again.
func (p *Fielded) Steps(_ context.Context, questions []model.Question) ([]model.Answer, error) {
	var answers []model.Answer
	for _, q := range questions {
		p.mu.Lock()
		key := questionKey(q)
		a, known := p.answers[key]
		if !known {
			a.Answer, a.err = p.answer(q)
			if p.answers == nil {
				p.answers = map[string]answered{}
			}
			p.answers[key] = a
		}
		p.mu.Unlock()
		if a.err != nil {
			return nil, a.err
		}
		answers = append(answers, a.Answer)
	}
	return answers, nil
}

func questionKey(q model.Question) string {
	k := append([]byte{byte(q.Event.Kind)}, q.Local...)
	for _, m := range q.Event.Messages {
		k = append(append(append(k, m.Sender...), '>'), m.Payload...)
	}
	return string(k)
}

func (p *Fielded) answer(q model.Question) (model.Answer, error) {
	l, err := readFielded(q.Local)
	if err != nil {
		return model.Answer{}, err
	}
	c := &p.Classes[slices.IndexFunc(p.Classes, func(c FieldedClass) bool { return c.Name == l.class })]
	a := model.Answer{Executions: 1}
	switch q.Event.Kind {
	case model.Internal:
		for i := range c.Handlers {
			if h := &c.Handlers[i]; h.Kind == Itself {
				p.run(&a, l, h, fieldedStep{})
			}
		}
	case model.Restart:
		l.armed = false
		for f := range l.fields {
			if c.Durable>>f&1 == 0 {
				l.fields[f] = 0
			}
		}
		h := c.restarting()
		p.run(&a, l, &h, fieldedStep{})
	case model.Receive:
		err = p.receive(&a, l, c, q.Event.Messages)
	default:
		err = fmt.Errorf("an oracle is not asked for events of the kind %q", q.Event.Kind)
	}
	return a, err
}

// A fieldedStep is what a handler runs on.
type fieldedStep struct {
	sender            string // "" for none
	kind, value, hops int
	tag               int
	count             int
}

func (p *Fielded) receive(a *model.Answer, l fieldedLocal, c *FieldedClass, messages []model.Message) error {
	st := fieldedStep{kind: -1, count: len(messages)}
	senders := map[string]bool{}
	for _, m := range messages {
		read, err := readFieldedMessage(m.Payload)
		if err != nil || st.kind >= 0 && read.Kind != st.kind {
			return err
		}
		st.kind, st.value, st.hops, st.tag = read.Kind, max(st.value, read.Value), max(st.hops, read.Hops), st.tag+read.tag
		senders[m.Sender] = true
		st.sender = m.Sender
	}
	if len(messages) > 1 {
		st.sender = "" // which of them is meant would depend on names
	}
	for i := range c.Handlers {
		h := &c.Handlers[i]
		switch q := h.Quorum; {
		case h.Kind != st.kind:
		case q == nil:
			if len(messages) == 1 {
				p.run(a, l, h, st)
			}
		default:
			admits := l.admits(h.Guard, st)
			if len(messages) == 1 && q.Size != 1 && (q.Told || admits) {
				a.Quorums = append(a.Quorums, model.Quorum{Handler: h.Label, Size: q.Size})
			}
			fits := q.Size == 0 && len(messages) >= q.AtLeast || len(messages) == q.Size && len(senders) == q.Size
			if fits && admits {
				p.run(a, l, h, st)
			}
		}
	}
	return nil
}

// run adds the outcomes of a handler to an answer.
func (p *Fielded) run(a *model.Answer, l fieldedLocal, h *FieldedHandler, st fieldedStep) {
	if h.Timer && !l.armed || !l.admits(h.Guard, st) {
		return
	}
	for i, acts := range h.Outcomes {
		o := p.outcome(l, h, acts, st)
		o.Choices = []int{i}
		if slices.ContainsFunc(p.classOf(l).Handlers, func(o FieldedHandler) bool { return o.Kind == Itself && o.Label == h.Label }) {
			o.Fired = number(slices.IndexFunc(p.classOf(l).Handlers, func(o FieldedHandler) bool { return o.Label == h.Label }))
		}
		a.Outcomes = append(a.Outcomes, o)
		a.Executions++
	}
}

func (p *Fielded) classOf(l fieldedLocal) *FieldedClass {
	return &p.Classes[slices.IndexFunc(p.Classes, func(c FieldedClass) bool { return c.Name == l.class })]
}

// admits says whether tests are all passed.
func (l *fieldedLocal) admits(tests []FieldedTest, st fieldedStep) bool {
	for _, t := range tests {
		var value int
		switch {
		case t.Field == OfMessage:
			value = st.value
		case t.Field == OfSender && l.friend == st.sender:
			value = 1
		case t.Field >= 0:
			value = l.fields[t.Field]
		}
		if !t.passes(value) {
			return false
		}
	}
	return true
}

func (t FieldedTest) passes(value int) bool {
	switch t.Is {
	case "==":
		return value == t.Value
	case "!=":
		return value != t.Value
	}
	return value >= t.Value
}
