package toy

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"harrier/internal/model"
	"harrier/internal/model/network"
)

type answered struct {
	model.Answer
	err error
}

// Steps implements model.Oracle. It remembers the answers, since a twin asks for them again and again.
func (p *Protocol) Steps(_ context.Context, questions []model.Question) ([]model.Answer, error) {
	var answers []model.Answer
	for _, q := range questions {
		key := questionKey(q)
		p.count(key)
		p.mu.Lock()
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

func (p *Protocol) answer(q model.Question) (model.Answer, error) {
	l, err := readLocal(q.Local)
	if err != nil {
		return model.Answer{}, err
	}
	c := p.classOf(l)
	a := model.Answer{Executions: 1}
	switch k := q.Event.Kind; {
	case k == model.Internal, k.IsWithin() && len(q.Event.Messages) == 0:
		for i := range c.Handlers {
			if h := &c.Handlers[i]; h.Kind == Itself {
				p.run(&a, l, h, input{kind: Itself, crash: k})
			}
		}
	case k == model.Tick:
		p.ticks(&a, l)
	case k == model.Restart:
		p.restart(&a, l)
	case k == model.Crash:
		a.Outcomes = append(a.Outcomes, model.Outcome{Local: p.actor(p.crashed(l)).Local})
	case k == model.Receive && q.Event.Messages[0].IsNotice():
		if len(c.Told) > 0 {
			h, by := c.telling(), q.Event.Messages[0].Sender
			p.run(&a, l, &h, input{kind: Itself, sender: by, senders: []string{by}})
		}
	case k == model.Receive, k.IsWithin():
		err = p.receive(&a, l, c, q.Event.Messages, k)
	default:
		err = fmt.Errorf("an oracle is not asked for events of the kind %q", q.Event.Kind)
	}
	return a, err
}

// restart adds the outcomes of a crash to an answer.
func (p *Protocol) restart(a *model.Answer, l local) {
	h := p.classOf(l).restarting()
	p.run(a, p.crashed(l), &h, input{kind: Itself})
}

// crashed is what a crash leaves of a local state.
func (p *Protocol) crashed(l local) local {
	c := p.classOf(l)
	l.armed, l.wait, l.must, l.stays, l.fields = false, 0, 0, false, slices.Clone(l.fields)
	for f := range l.fields {
		if c.Durable>>f&1 == 0 {
			l.fields[f] = 0
		}
	}
	return l
}

// A point is where an actor may crash within a handler: its local state there, and what the handler did so far.
type point struct {
	local
	done model.Outcome
}

// crashWithin adds the outcomes of a crash at a point of a handler to an answer.
func (p *Protocol) crashWithin(a *model.Answer, at point, kind model.EventKind) {
	done := at.done
	if done.Stopped = kind == model.StopWithin; done.Stopped {
		done.Local = p.actor(at.local).Local
		a.Outcomes = append(a.Outcomes, done)
		return
	}
	if kind == model.CrashWithin {
		done.Local = p.actor(p.crashed(at.local)).Local
		a.Outcomes = append(a.Outcomes, done)
		return
	}
	isOwn := func(m model.Message) bool { return m.IsRequest() && m.Sender == at.name }
	done.Sends = slices.DeleteFunc(slices.Clone(done.Sends), isOwn) // it watches nobody after a crash
	var again model.Answer
	p.restart(&again, at.local)
	for _, o := range again.Outcomes {
		o.Point, o.Choices, o.Fired = done.Point, slices.Concat(done.Choices, o.Choices), done.Fired
		if o.Failure == nil {
			o.Handler = done.Handler
			o.Sends, o.Creates, o.Records = slices.Concat(done.Sends, o.Sends), slices.Concat(done.Creates, o.Creates),
				slices.Concat(done.Records, o.Records)
		}
		a.Outcomes = append(a.Outcomes, o)
	}
}

func (p *Protocol) classOf(l local) *Class {
	return &p.Classes[slices.IndexFunc(p.Classes, func(c Class) bool { return c.Name == l.class })]
}

// An input is what a handler runs on.
type input struct {
	sender                string // "" for none, or for several messages: which is meant would depend on names
	senders               []string
	kind, value, sum, tag int
	hops, count           int
	kinds                 uint // set
	about, chosen         string
	crash                 model.EventKind // within the handler, if it is the kind of one
}

func newInput(messages []model.Message) (input, error) {
	st := input{count: len(messages)}
	for _, m := range messages {
		read, err := readMessage(m.Payload)
		if err != nil {
			return st, err
		}
		st.kind, st.kinds = max(st.kind, read.Kind), st.kinds|1<<read.Kind
		st.value, st.sum, st.hops, st.tag = max(st.value, read.Value), st.sum+read.Value, max(st.hops, read.Hops), st.tag+read.tag
		st.senders = union(st.senders, []string{m.Sender})
		if len(messages) == 1 {
			st.sender, st.about = m.Sender, read.About
		}
	}
	return st, nil
}

func (p *Protocol) receive(a *model.Answer, l local, c *Class, messages []model.Message, kind model.EventKind) error {
	st, err := newInput(messages)
	st.crash = kind
	if err != nil {
		return err
	}
	for i := range c.Handlers {
		h := &c.Handlers[i]
		switch {
		case h.Kind == Itself || st.kinds&^h.kinds() != 0:
		case h.Quorum == nil:
			if len(messages) == 1 {
				p.run(a, l, h, st)
			}
		default:
			p.receiveQuorum(a, l, h, st)
		}
	}
	return nil
}

// kinds is the set of the kinds of message that a handler takes.
func (h *Handler) kinds() uint {
	kinds := uint(1) << h.Kind
	if h.Quorum != nil {
		kinds |= h.Quorum.Kinds
	}
	return kinds
}

func (p *Protocol) receiveQuorum(a *model.Answer, l local, h *Handler, st input) {
	quorum := model.Quorum{Handler: h.Label, Size: h.Quorum.Size}
	switch h.Quorum.Size {
	case ByField:
		quorum.Size = 1 + l.fields[0]
	case Majority:
		i := slices.IndexFunc(p.Roles, func(r model.Role) bool { return isSubset(st.senders, r.Actors) })
		if i < 0 {
			return
		}
		quorum.Role, quorum.Size = p.Roles[i].Name, len(p.Roles[i].Actors)/2+1
	}
	admits := l.admits(h.Guard, st)
	if st.count == 1 && quorum.Size != 1 && (h.Quorum.Told || admits) {
		a.Quorums = append(a.Quorums, quorum)
	}
	fits := quorum.Size == 0 && st.count >= h.Quorum.AtLeast || st.count == quorum.Size && len(st.senders) == quorum.Size
	if fits && admits {
		p.run(a, l, h, st)
	}
}

// run adds the outcomes of a handler to an answer.
func (p *Protocol) run(a *model.Answer, l local, h *Handler, st input) {
	if h.Timer && (!l.armed || l.wait > 0) || !l.admits(h.Guard, st) {
		return
	}
	if h.Timer && p.Firings > 0 && l.firings == p.Firings {
		if !st.crash.IsWithin() {
			a.Outcomes = append(a.Outcomes, model.Outcome{Handler: heldBack, Local: p.actor(l).Local, Acts: true})
		}
		return
	}
	chosen := []string{""}
	if h.Chooses != "" {
		chosen = p.role(h.Chooses)
	}
	for i, acts := range h.Outcomes {
		for k, name := range chosen {
			st.chosen = name
			done := model.Outcome{Handler: h.Label, Choices: []int{i, k}}
			if h.Timer {
				done.Fired = number(theTimer)
			}
			a.Executions++
			o, points := p.outcome(l, h, acts, st, done)
			o.Due = h.Timer && p.Clocks.Run() && l.must == 0
			switch {
			case !st.crash.IsWithin():
				a.Outcomes = append(a.Outcomes, o)
			case o.Failure == nil:
				for n, at := range points {
					whole := n == len(points)-1 && (!o.Stopped || st.crash == model.StopWithin)
					at.done.Point = &model.Point{Where: fmt.Sprint("at point ", n), Whole: whole}
					p.crashWithin(a, at, st.crash)
				}
			}
		}
	}
}

// role is the names of a role.
func (p *Protocol) role(name string) []string {
	i := slices.IndexFunc(p.Roles, func(r model.Role) bool { return r.Name == name })
	return p.Roles[i].Actors
}

// admits reports whether tests are all passed.
func (l *local) admits(tests []Test, st input) bool {
	return !slices.ContainsFunc(tests, func(t Test) bool { return !t.passes(l.value(t.Field, st)) })
}

// value is what a test looks at.
func (l *local) value(field int, st input) int {
	is := func(b bool) int {
		if b {
			return 1
		}
		return 0
	}
	switch field {
	case OfMessage:
		return st.value
	case OfSender:
		return is(l.friend == st.sender)
	case OfPeer:
		return is(l.peer == st.sender)
	case OfKnown:
		return len(l.known)
	case OfKnowledge:
		return is(slices.Contains(l.known, st.sender))
	case OfVotes:
		return l.votes[st.sender]
	case OfCount:
		return st.count
	case OfSenders:
		return len(st.senders)
	case OfParity:
		return st.sum % 2
	case OfLog:
		return l.logged()
	case OfTag:
		return st.tag
	case OfClock:
		return l.clock
	}
	return l.fields[field]
}

func (t Test) passes(value int) bool {
	switch t.Is {
	case "==":
		return value == t.Value
	case "!=":
		return value != t.Value
	}
	return value >= t.Value
}

// outcome is what a handler does with one choice made, and at what points the actor may crash: at the start, before and after each act
// that others can notice, and at the end. It works on a copy of the local state.
func (p *Protocol) outcome(l local, h *Handler, acts []Act, st input, o model.Outcome) (model.Outcome, []point) {
	l = l.copied()
	var points []point
	note := func() {
		points = append(points, point{l.copied(), o})
		o.Sends, o.Creates, o.Records = slices.Clip(o.Sends), slices.Clip(o.Creates), slices.Clip(o.Records)
	}
	if h.Timer {
		l.armed, l.wait, l.must, l.stays = false, 0, 0, false
		if p.Firings > 0 {
			l.firings++
		}
	}
	note()
	for _, act := range acts {
		if !l.admits(act.When, st) {
			continue
		}
		noticed := act.Do == "send" || act.Do == "create" || act.Do == "record"
		if noticed {
			note()
		}
		switch act.Do {
		case "fail":
			return model.Outcome{Handler: h.Label, Choices: o.Choices, Fired: o.Fired, Failure: &model.Failure{Kind: model.Assertion,
				Text: fmt.Sprintf("%s failed (%d)", h.Label, act.Value)}}, nil
		case "send":
			p.send(&l, act, st, &o)
		case "create":
			p.create(&l, act, st, &o)
		case "watch", "unwatch":
			for _, of := range p.meant(&l, act.To, st) {
				ask := network.Watch
				if act.Do == "unwatch" {
					ask = network.Unwatch
				}
				o.Sends = append(o.Sends, ask(l.name, of))
			}
		case "disconnect":
			for _, of := range p.meant(&l, act.To, st) {
				if of != l.name && p.Connected.Has(of) && p.Connected.Has(l.name) {
					o.Sends = append(o.Sends, network.Closed(of, l.name))
				}
			}
		case "record":
			o.Records = append(o.Records, model.Record{Actor: l.name, Kind: model.Invoked, Payload: number(act.Value)})
		case "stop":
			o.Stopped = true
		case "befriend", "forget", "learn", "list", "vote", "clear", "note":
			p.name(&l, act, st)
		case "arm", "disarm":
			l.armed, l.stays = act.Do == "arm", false
			if p.Clocks.Run() {
				l.wait, l.must = act.Value, act.Value+act.From
			}
		default:
			l.change(act, st)
		}
		if noticed {
			note()
		}
	}
	if p.Logs {
		l.log = append(l.log, (st.kind+2+st.tag)%4)
		l.log = l.log[max(0, len(l.log)-logLength):]
	}
	note()
	after := p.actor(l)
	o.Local, o.Acts = after.Local, after.Acts
	if l.was && l.armed && !l.stays && !h.Timer && !o.Stopped {
		o.Renewed = []model.PendingEvent{{Timer: number(theTimer)}}
	}
	return o, points
}

// change is an act on a field.
func (l *local) change(act Act, st input) {
	f := &l.fields[act.Field]
	switch act.Do {
	case "set":
		*f = act.Value
	case "add":
		*f += act.Value
	case "count":
		*f += st.count
	case "max":
		*f = max(*f, st.value)
	case "take":
		*f = st.value
	case "copy":
		*f = l.fields[act.From]
	}
	*f %= fieldBound
}

// name is an act on the names that an actor keeps.
func (p *Protocol) name(l *local, act Act, st input) {
	who := p.meant(l, cmp.Or(act.Who, "sender"), st)
	switch act.Do {
	case "befriend":
		l.friend = strings.Join(who, "")
	case "forget":
		l.friend = ""
	case "clear":
		l.known, l.list = nil, nil
	case "learn":
		l.known = union(l.known, who)
	case "list":
		l.list = append(l.list, who...)
		l.list = l.list[:min(listLength, len(l.list))]
	case "vote":
		for _, name := range who {
			l.votes[name] = (l.votes[name] + 1) % fieldBound
		}
	case "note":
		if p.Logs && len(who) == 1 {
			l.noted = who[0]
		}
	}
}

func (p *Protocol) send(l *local, act Act, st input, o *model.Outcome) {
	m := message{Mail: Mail{Kind: act.Kind, Value: act.Value}}
	switch act.Hops {
	case "same":
		m.Hops = st.hops
	case "less":
		if m.Hops = st.hops - 1; st.hops == 0 || st.hops == Endless && len(o.Sends) > 0 {
			return
		} else if st.hops == Endless {
			m.Hops = Endless
		}
	case "one":
		m.Hops = 1
	}
	if act.From >= 0 {
		m.Value = (m.Value + l.fields[act.From]) % fieldBound
	}
	if about := p.meant(l, act.Who, st); len(about) == 1 {
		m.About = about[0]
	}
	if act.Carries {
		m.names = l.known
	}
	if p.Logs && !p.needsWholeMessages() {
		m.tag = l.logged()
	}
	for _, to := range p.meant(l, act.To, st) {
		o.Sends = append(o.Sends, model.Message{Sender: l.name, Receiver: to, Payload: m.encode(p.Names)})
	}
}

// meant are the actors that a word means.
func (p *Protocol) meant(l *local, word string, st input) []string {
	one := word
	switch word {
	case "sender":
		one = st.sender
	case "self":
		one = l.name
	case "peer":
		one = l.peer
	case "friend":
		one = l.friend
	case "other":
		one = st.about
	case "chosen":
		one = st.chosen
	case "listed":
		one = ""
		if len(l.list) > 0 {
			one = l.list[0]
		}
	case "child":
		one = ""
		if !l.isChild() {
			one = childName(l.name, 0)
		}
	case "group":
		return l.group
	case "known":
		return l.known
	case "senders":
		return slices.DeleteFunc(slices.Clone(st.senders), func(name string) bool { return name == "" })
	}
	if role, ok := strings.CutPrefix(word, "role:"); ok {
		return p.role(role)
	}
	if one == "" {
		return nil
	}
	return []string{one}
}

func (l *local) isChild() bool { return strings.Contains(l.name, "/") }

func childName(creator string, number int) string { return fmt.Sprintf("%s/child%d", creator, number) }

// create makes a child, if the actor has not too many, which may send a message when it starts. Children of children have none.
func (p *Protocol) create(l *local, act Act, st input, o *model.Outcome) {
	if strings.Count(l.name, "/") > 1 || l.children == maxChildren {
		return
	}
	c := p.Classes[act.Value]
	child := local{name: childName(l.name, l.children), class: c.Name, fields: make([]int, c.Fields), peer: l.name, clock: l.clock}
	o.Creates = append(o.Creates, p.actor(child))
	for _, to := range p.meant(l, act.To, st) {
		o.Sends = append(o.Sends, model.Message{Sender: child.name, Receiver: to, Payload: message{Mail: Mail{Kind: act.Kind}}.encode(p.Names)})
	}
	l.children++
}

func (p *Protocol) actor(l local) model.Actor {
	acts := slices.ContainsFunc(p.classOf(l).Handlers, func(h Handler) bool { return h.Kind == Itself && (!h.Timer || l.armed) })
	return model.Actor{Name: l.name, Class: l.class, Local: l.encode(p.Logs, p.Names), Acts: acts}
}
