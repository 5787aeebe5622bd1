package toy

import (
	"context"
	"fmt"
	"slices"

	"harrier/model"
)

// Symmetric is a program of random tables whose actors come in roles, and whose local states, messages and histories
// are structured bytes with names in them: in fields, sets, lists and maps. What an actor does never depends on which
// name is which, only on whether two are the same. Its states are finitely many for the reasons that those of
// a Protocol are.
type Symmetric struct {
	classes  []roleClass // by role; the last is that of children
	program  model.Program
	judges   []roleJudge
	withBare bool // auxiliary parts stay as they are at the start
	Tally
}

// A roleClass is what the actors of a role do.
type roleClass struct {
	name    string
	rules   [][]roleRule // by control state and kind of message
	itself  []roleRule   // by control state; without outcomes, it does nothing by itself
	restart roleOutcome
}

// A roleRule has a guard and outcomes. With a quorum it consumes that many messages of its kind.
type roleRule struct {
	guard    guard
	atLeast  int
	quorum   int
	chooses  string // a role: there is an outcome for each actor of it
	outcomes []roleOutcome
}

// A guard says what an actor looks at. None of them tells which name is which.
type guard uint8

const (
	always guard = iota
	countsEnough
	knowsEnough
	knowsSender
	senderIsPeer
	sawSender
	countsBelow
)

// A roleOutcome is what an actor does.
type roleOutcome struct {
	become, count, stir       int
	forgets                   bool
	learns, peer, logs, votes who // noOne for nothing
	notes                     who // in the auxiliary part
	relay, fewer, fueled      []roleSend
	failure                   string
	creates, stops, starts    bool // starts: an operation
}

// A roleSend is a message to those that to means, about the one that about means.
type roleSend struct {
	to, about who
	role      string // of those it goes to, if to is allOf
	kind      int
	carries   bool // the message has the names that the actor knows
}

// who says which actors are meant, by what they are to the one that acts.
type who uint8

const (
	noOne who = iota
	theSender
	itSelf
	itsPeer
	theOther // whom the message is about
	theChosen
	itsChild
	firstLogged
	theKnown
	allOf
)

const (
	logBound     = 2
	votesBound   = 2
	historyOpens = 3 // operations that a history has at most
)

// Program implements model.Oracle.
func (p *Symmetric) Program() *model.Program { return &p.program }

// Bare is the program without its auxiliary parts.
func (p *Symmetric) Bare() *Symmetric {
	return &Symmetric{classes: p.classes, program: p.program, judges: p.judges, withBare: true}
}

// Steps implements model.Oracle.
func (p *Symmetric) Steps(_ context.Context, questions []model.Question) ([]model.Answer, error) {
	var answers []model.Answer
	for _, q := range questions {
		p.count(q)
		a, err := p.answer(q)
		if err != nil {
			return nil, err
		}
		answers = append(answers, a)
	}
	return answers, nil
}

func (p *Symmetric) answer(q model.Question) (model.Answer, error) {
	l, err := readLocal(q.Local)
	if err != nil {
		return model.Answer{}, err
	}
	c := p.class(l.class)
	switch q.Event.Kind {
	case model.Receive:
		return p.receive(l, c, q.Event.Messages)
	case model.Internal:
		a := p.take(l, &c.itself[l.control], step{label: c.name + ".itself", sender: l.name, hops: 0})
		for i := range a.Outcomes {
			a.Outcomes[i].Fired = number(a.Outcomes[i].Choices[0])
		}
		return a, nil
	case model.Restart:
		r := roleRule{outcomes: []roleOutcome{c.restart}}
		return p.take(l, &r, step{label: c.name + ".restart", sender: l.name}), nil
	}
	return model.Answer{}, fmt.Errorf("an oracle is not asked for events of the kind %q", q.Event.Kind)
}

func (p *Symmetric) class(name string) *roleClass {
	i := slices.IndexFunc(p.classes, func(c roleClass) bool { return c.name == name })
	return &p.classes[i]
}

// A step is what an actor reacts to.
type step struct {
	label, sender, about string
	senders, names       []string
	hops, stir           int
	chosen               string
}

// receive answers for one message, or for a quorum: they are all of one kind then.
func (p *Symmetric) receive(l roleLocal, c *roleClass, messages []model.Message) (model.Answer, error) {
	var st step
	kind := -1
	for _, m := range messages {
		read, err := readMessage(m.Payload)
		if err != nil || kind >= 0 && read.kind != kind {
			return model.Answer{Executions: 1}, err
		}
		kind = read.kind
		sender := m.Sender
		if sender == "" {
			sender = l.name
		}
		st.senders = append(st.senders, sender)
		st.hops, st.stir = max(st.hops, read.hops), st.stir+read.stir
		if len(messages) == 1 {
			st.sender, st.about, st.names = sender, read.about, read.names
		}
	}
	if st.sender == "" {
		st.sender = l.name
	}
	r := &c.rules[l.control][kind]
	st.label = fmt.Sprintf("%s.on%d", c.name, kind)
	if r.quorum > 0 && len(messages) == 1 {
		return model.Answer{Executions: 1, Quorums: []model.Quorum{{Handler: st.label, Size: r.quorum}}}, nil
	}
	if len(messages) != max(1, r.quorum) {
		return model.Answer{Executions: 1}, nil
	}
	return p.take(l, r, st), nil
}

// take answers with the outcomes of a rule.
func (p *Symmetric) take(l roleLocal, r *roleRule, st step) model.Answer {
	if !l.admits(r, st) {
		return model.Answer{Executions: 1}
	}
	chosen := []string{""}
	if r.chooses != "" {
		chosen = p.role(r.chooses)
	}
	a := model.Answer{Executions: max(1, len(r.outcomes)*len(chosen))}
	for i := range r.outcomes {
		for k, name := range chosen {
			st.chosen = name
			o := p.outcome(l, &r.outcomes[i], st)
			o.Choices = []int{i, k}
			a.Outcomes = append(a.Outcomes, o)
		}
	}
	return a
}

func (l *roleLocal) admits(r *roleRule, st step) bool {
	switch r.guard {
	case countsEnough:
		return l.counter >= r.atLeast
	case knowsEnough:
		return len(l.known) >= r.atLeast
	case knowsSender:
		return slices.Contains(l.known, st.sender)
	case senderIsPeer:
		return l.peer == st.sender
	case sawSender:
		return l.votes[st.sender] > 0
	case countsBelow:
		return l.counter < r.atLeast
	}
	return true
}

// outcome is what a step leads to.
func (p *Symmetric) outcome(l roleLocal, does *roleOutcome, st step) model.Outcome {
	o := model.Outcome{Handler: st.label}
	if does.failure != "" {
		o.Failure = &model.Failure{Kind: "assertion", Text: does.failure}
		return o
	}
	l = l.copied()
	before := l.copied()
	the := func(w who) []string { return before.meant(w, st) }
	l.control, l.counter = does.become, (l.counter+does.count)%counterBound
	if !p.withBare {
		l.stir = (l.stir + does.stir + st.stir) % auxiliaryBound
		for _, name := range the(does.notes) {
			l.seen = name
		}
	}
	if does.forgets {
		l.known, l.log = nil, nil
	}
	l.known = union(l.known, the(does.learns))
	if len(st.senders) > 1 {
		l.known = union(l.known, st.senders)
	}
	for _, name := range the(does.peer) {
		l.peer = name
	}
	if logged := the(does.logs); len(l.log) < logBound && len(logged) == 1 {
		l.log = append(l.log, logged...)
	}
	for _, name := range the(does.votes) {
		l.votes[name] = (l.votes[name] + 1) % (votesBound + 1)
	}
	send := func(sends []roleSend, hops int) { o.Sends = append(o.Sends, p.sends(&before, sends, st, hops)...) }
	send(does.relay, st.hops)
	if st.hops > 0 {
		send(does.fewer, st.hops-1)
	}
	if l.fuel > 0 && len(does.fueled) > 0 {
		l.fuel--
		send(does.fueled, fueledHops)
	}
	if does.creates && !l.hasChild && l.class != p.classes[len(p.classes)-1].name {
		l.hasChild = true
		o.Creates = append(o.Creates, p.actor(roleLocal{name: l.name + "/child0", class: p.classes[len(p.classes)-1].name, peer: l.peer}))
	}
	if does.starts {
		o.Records = []model.Record{{Actor: l.name, Kind: model.Invoked, Payload: number(l.control)}}
	}
	actor := p.actor(l)
	o.Local, o.Acts, o.Stopped = actor.Local, actor.Acts, does.stops
	return o
}
