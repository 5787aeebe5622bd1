package toy

import (
	"fmt"
	"slices"

	"harrier/internal/model"
	"harrier/internal/model/network"
	"harrier/internal/model/space"
	"harrier/serializer"
)

// Program implements model.Oracle. It is what the protocol says of itself.
func (p *Protocol) Program() *model.Program {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.program == nil {
		p.program = p.declared()
	}
	return p.program
}

// Displacing has messages that arrive at any actor displace others, as no kind of channel that scenarios declare does. It is for tests of
// what a search or a reduction refuses: inboxes keep all messages.
var Displacing = []network.Declared{{Channel: network.Channel{Displaces: true}, To: model.Scope{All: true}}}

// Pass says how messages pass.
func (p *Protocol) Pass(by model.DeliveryModel) { p.Delivery, p.program = by, nil }

// Under is the program under a delivery model, with finitely many states: only M has queues that duplicate without bound.
func (p *Protocol) Under(by model.DeliveryModel) *Protocol {
	hasQueues := p.FIFO.All || len(p.FIFO.Names) > 0
	if by == model.M || !hasQueues || !p.IsEndless() {
		p.Pass(by)
	}
	return p
}

// IsEndless reports whether messages stay in flight for ever, so that there are no terminal states to compare.
func (p *Protocol) IsEndless() bool {
	return slices.ContainsFunc(p.Faults, func(f Fault) bool { return f.Kind == model.Duplicate && f.Budget == model.Unbounded })
}

func (p *Protocol) declared() *model.Program {
	program := &model.Program{Scenario: "toy", Footprints: p.footprints(), Fields: p.fieldsOf(), Senders: p.senders(p.kinds())}
	program.Delivery, program.Roles, program.Channels, program.Clocks = p.Delivery, p.Roles, channels(p), p.Clocks
	for _, a := range p.Actors {
		l := local{name: a.Name, class: p.Classes[a.Class].Name, fields: a.Fields, peer: a.Peer, group: a.Group, armed: a.Armed, known: a.Known, list: a.List}
		if l.armed && p.Clocks.Run() {
			l.wait, l.must = 1, 2
		}
		program.Initial.Actors = append(program.Initial.Actors, p.actor(l))
	}
	for _, m := range p.Mail {
		program.Initial.Messages = append(program.Initial.Messages, p.message(m))
	}
	for _, c := range p.Classes {
		for _, h := range c.Handlers {
			program.Handlers = append(program.Handlers, c.handler(h))
		}
		program.Handlers = append(program.Handlers, model.Handler{Class: c.Name, Label: c.Name + restartLabel, Kind: model.Restart})
		if len(c.Told) > 0 {
			program.Handlers = append(program.Handlers, model.Handler{Class: c.Name, Label: c.Name + toldLabel, Takes: model.NoticeClass})
		}
	}
	for i := range p.Invariants {
		program.Properties = append(program.Properties, model.Property{Name: fmt.Sprint("invariant ", i)})
	}
	for i := range p.finals() {
		program.Properties = append(program.Properties, model.Property{Name: fmt.Sprint("final ", i), Kind: model.Final})
	}
	for i := range p.Predicates {
		program.Properties = append(program.Properties, model.Property{Name: fmt.Sprint("predicate ", i), Kind: model.Predicate})
	}
	for i := range p.Bounds {
		program.Properties = append(program.Properties, model.Property{Name: fmt.Sprint("bound ", i), Kind: model.Within})
	}
	program.Liveness, program.Fairness = p.Liveness, p.Fairness
	for _, q := range p.properties() {
		program.SeesInFlight = program.SeesInFlight || slices.ContainsFunc(q.Facts, func(f Fact) bool { return f.Sent != nil })
		program.SeesStopped = program.SeesStopped || slices.ContainsFunc(q.Facts, func(f Fact) bool { return f.Stopped })
	}
	p.addObjects(program)
	if p.Firings > 0 {
		program.Timers = model.TimerBound{IsBounded: true, Most: p.Firings, HeldBack: heldBack}
	}
	for i, f := range p.Faults {
		fault := model.Fault{Kind: f.Kind, Scope: f.Scope, Budget: f.Budget, Senders: f.Senders, SparesSelf: f.SparesSelf, Within: f.Within, Losing: f.Losing, Filling: f.Filling,
			Label: fmt.Sprintf("%s number %d", f.Kind, i)}
		for _, m := range f.Domain {
			fault.Domain = append(fault.Domain, p.message(m))
		}
		program.Faults = append(program.Faults, fault)
	}
	return program
}

func (p *Protocol) message(m Mail) model.Message {
	return model.Message{Sender: m.From, Receiver: m.To, Payload: message{Mail: m}.encode(p.Names)}
}

// fieldsOf are the fields of all classes, each with whether it is auxiliary and which properties read it.
func (p *Protocol) fieldsOf() []model.Field {
	none := make([]string, len(p.properties()))
	var fields []model.Field
	for i, c := range p.Classes {
		for f := range c.Fields {
			fields = append(fields, model.Field{Class: c.Name, Owner: c.Name, Name: fieldName(f), Seen: p.seen(i, f)})
		}
		for _, name := range []string{"peer", "group", "friend", "known", "list", "votes", serializer.AgendaTimers, serializer.AgendaFirings} {
			fields = append(fields, model.Field{Class: c.Name, Owner: c.Name, Name: name, Seen: none})
		}
		for _, name := range []string{"log", "noted"} {
			fields = append(fields, model.Field{Class: c.Name, Owner: c.Name, Name: name, Verdict: model.Inferred, Seen: none})
		}
	}
	tag := model.Inferred
	if p.needsWholeMessages() {
		tag = model.Relevant
	}
	for kind := range p.kinds() {
		fields = append(fields, model.Field{Class: kindClass(kind), Owner: kindClass(kind), Name: "tag", Verdict: tag, Seen: none})
	}
	return fields
}

// needsWholeMessages is as in model.Program. All messages have the same tag then, as what actors log is auxiliary.
func (p *Protocol) needsWholeMessages() bool {
	return p.IsEndless() && (p.Final != nil || len(p.Liveness) > 0)
}

// kinds is how many kinds of messages there may be.
func (p *Protocol) kinds() int {
	kinds := leastKinds
	for _, c := range p.Classes {
		for _, h := range c.Handlers {
			kinds = max(kinds, h.Kind+1)
		}
	}
	return kinds
}

// leastKinds is for messages that nobody takes.
const leastKinds = 4

// properties are the invariants, then final conditions, predicates, and bounds.
func (p *Protocol) properties() []Property {
	return slices.Concat(p.Invariants, p.finals(), p.Predicates, p.Bounds)
}

// finals are the final conditions: if there is one, and an invariant, also one before it that is violated only where both would be.
func (p *Protocol) finals() []Property {
	switch {
	case p.Final == nil:
		return nil
	case len(p.Invariants) == 0:
		return []Property{*p.Final}
	}
	both := *p.Final
	both.Facts = slices.Concat(both.Facts, p.Invariants[0].Facts)
	return []Property{both, *p.Final}
}

// seen is where each property reads a field of actors of a class.
func (p *Protocol) seen(class, field int) []string {
	reads := func(f Fact) bool {
		if f.Sent != nil {
			return false
		}
		of := f.Class
		for _, a := range p.Actors {
			if a.Name == f.Actor {
				of = a.Class
			}
		}
		child := f.Actor != "" && !slices.ContainsFunc(p.Actors, func(a Actor) bool { return a.Name == f.Actor })
		return f.Field == field && (of == class || child)
	}
	var seen []string
	for _, q := range p.properties() {
		where := ""
		if slices.ContainsFunc(q.Facts, reads) {
			where = "a fact"
		}
		seen = append(seen, where)
	}
	return seen
}

// addObjects adds the fields that facts are about.
func (p *Protocol) addObjects(program *model.Program) {
	for i, c := range p.Classes {
		for f := range c.Fields {
			o := model.ObjectField{Class: c.Name, Name: fieldName(f), Number: fieldNumber(i, f)}
			for property, where := range p.seen(i, f) {
				if where != "" {
					o.Seen = append(o.Seen, property)
					program.Properties[property].MayRead = append(program.Properties[property].MayRead, o.Number)
				}
			}
			program.Objects = append(program.Objects, o)
		}
	}
}

// fieldNumber is that of a field of a class, which has few of them.
func fieldNumber(class, field int) int { return class<<4 | field }

// Relevant is the relevant part of a local state or a message: all but the auxiliary fields. It works on values, and uses the
// format only to read and write them.
func (p *Protocol) Relevant(b []byte) ([]byte, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if part, ok := p.parts[string(b)]; ok {
		return part, nil
	}
	v, err := serializer.Decode(b)
	if err != nil {
		return nil, err
	}
	part := b
	switch v.Kind {
	case serializer.Actor:
		l, _ := readLocal(b)
		l.log, l.noted = nil, ""
		part = l.encode(p.Logs, p.Names)
	case serializer.Record:
		m, _ := readMessage(b)
		m.tag = 0 // it is 0 where messages are relevant as a whole
		part = m.encode(p.Names)
	}
	if p.parts == nil {
		p.parts = map[string][]byte{}
	}
	p.parts[string(b)] = part
	return part, nil
}

func (p *Protocol) leaving(out func(f model.Field) bool) *serializer.Projection {
	var left []serializer.FieldName
	for _, f := range p.Program().Fields {
		if out(f) {
			left = append(left, serializer.FieldName{Class: f.Class, Field: f.Name})
		}
	}
	return serializer.NewProjection(left)
}

// Decomposition divides the program's states as its fields say.
func (p *Protocol) Decomposition(h space.Hashing) space.Decomposition {
	d := space.Decomposition{Hashing: h, Visible: p.Visible, Sender: p.Sender, SenderFact: p.SenderFact}
	if p.Logs {
		d.Relevant = p.leaving(func(f model.Field) bool { return f.Verdict.Auxiliary() }).Project
	}
	return d
}

// Visible is what a property can read of a local state, where it reads no fields but some if there are any.
func (p *Protocol) Visible(property int, read map[int]bool) func(b []byte) ([]byte, error) {
	unread := map[serializer.FieldName]bool{}
	for _, o := range p.Program().Objects {
		unread[serializer.FieldName{Class: o.Class, Field: o.Name}] = read != nil && !read[o.Number]
	}
	return p.leaving(func(f model.Field) bool {
		return f.Seen[property] == "" || unread[serializer.FieldName{Class: f.Class, Field: f.Name}]
	}).Project
}

// footprints are exactly what the handlers may do, by any branch.
func (p *Protocol) footprints() []model.Footprint {
	var all []model.Footprint
	for _, c := range p.Classes {
		for _, h := range c.Handlers {
			all = append(all, c.footprint(h, p.Logs))
		}
		all = append(all, c.footprint(c.restarting(), p.Logs))
	}
	return all
}

// restarting is what an actor does after a crash.
func (c *Class) restarting() Handler {
	return Handler{Kind: Itself, Label: c.Name + restartLabel, Outcomes: [][]Act{c.Restart}}
}

// telling is what an actor does when it is told that another one has gone.
func (c *Class) telling() Handler {
	return Handler{Kind: Itself, Label: c.Name + toldLabel, Guard: c.ToldWhen, Outcomes: [][]Act{c.Told}}
}

const (
	heldBack     = "timers held back"
	restartLabel = ".restart"
	toldLabel    = ".told"
)

// handler is a handler of messages, of a timer or of nothing.
func (c *Class) handler(h Handler) model.Handler {
	found := model.Handler{Class: c.Name, Label: h.Label, Quorum: h.Quorum != nil, Exact: h.Quorum == nil || h.Quorum.Kinds == 0}
	switch {
	case h.Timer:
		found.Takes = "toy.Timer"
	case h.Kind == Itself:
		found.Kind = model.Internal
	case h.Quorum == nil || h.Quorum.Kinds == 0:
		found.Takes = kindClass(h.Kind)
	}
	return found
}

// A footer makes a footprint.
type footer struct {
	model.Footprint
	class string
}

func (f *footer) touch(into *[]model.Touch, field string) {
	t := model.Touch{Field: f.class + "." + field, Where: f.Handler}
	if field == model.Agenda {
		t.Field = field
	}
	if !slices.Contains(*into, t) {
		*into = append(*into, t)
	}
}

func (f *footer) read(into *[]model.Touch, tests []Test) {
	fields := map[int]string{OfSender: "friend", OfPeer: "peer", OfKnown: "known", OfKnowledge: "known", OfVotes: "votes", OfLog: "log"}
	for _, t := range tests {
		if t.Field >= 0 {
			f.touch(into, fieldName(t.Field))
		} else if name := fields[t.Field]; name != "" {
			f.touch(into, name)
		}
	}
}

// footprint is that of a handler, but for that it ends a timer.
func (c *Class) footprint(h Handler, logs bool) model.Footprint {
	f := &footer{model.Footprint{Handler: h.Label}, c.Name}
	f.read(&f.GuardReads, h.Guard)
	if h.Quorum != nil && h.Quorum.Size == ByField {
		f.touch(&f.GuardReads, fieldName(0))
	}
	if logs {
		f.touch(&f.Reads, "log")
		f.touch(&f.Writes, "log")
	}
	for _, act := range slices.Concat(h.Outcomes...) {
		f.read(&f.Reads, act.When)
		f.add(act)
	}
	return f.Footprint
}

// add adds an act.
func (f *footer) add(act Act) {
	switch act.Do {
	case "set", "take":
		f.touch(&f.Writes, fieldName(act.Field))
	case "add", "max", "count":
		f.touch(&f.Reads, fieldName(act.Field))
		f.touch(&f.Writes, fieldName(act.Field))
	case "copy":
		f.touch(&f.Reads, fieldName(act.From))
		f.touch(&f.Writes, fieldName(act.Field))
	case "befriend", "forget":
		f.touch(&f.Writes, "friend")
		f.who(act.Who)
	case "learn", "list", "vote", "clear", "note":
		for _, name := range map[string][]string{"learn": {"known"}, "list": {"list"}, "vote": {"votes"}, "clear": {"known", "list"}, "note": {"noted"}}[act.Do] {
			f.touch(&f.Reads, name)
			f.touch(&f.Writes, name)
		}
		f.who(act.Who)
	case "arm", "disarm":
		f.touch(&f.Writes, model.Agenda)
	case "create":
		f.Creates = true
	case "stop":
		f.Stops = true
	case "record":
		f.Records = true
	case "send":
		f.send(act)
	}
}

// who reads the field that a word means.
func (f *footer) who(word string) {
	if name := map[string]string{"peer": "peer", "group": "group", "friend": "friend", "known": "known", "listed": "list"}[word]; name != "" {
		f.touch(&f.Reads, name)
	}
}

func (f *footer) send(act Act) {
	if act.From >= 0 {
		f.touch(&f.Reads, fieldName(act.From))
	}
	f.who(act.Who)
	if act.Carries {
		f.who("known")
	}
	f.who(act.To)
	s := model.Sending{Type: kindClass(act.Kind), Where: f.Handler}
	switch act.To {
	case "sender":
		s.To = model.ToSender
	case "self":
		s.To = model.ToSelf
	case "peer", "group":
		s.To, s.Field = model.ToField, f.class+"."+act.To
	}
	f.Sends = append(f.Sends, s)
}

// channels are those of a program: what is connected is, whatever else keeps the order.
func channels(p *Protocol) []network.Declared {
	if p.Connected.IsEmpty() {
		return queues(p.FIFO)
	}
	return append([]network.Declared{{Channel: network.Connected, To: p.Connected}}, queues(p.FIFO)...)
}

// queues are the channels of a program in which those to some receivers keep the order.
func queues(to model.Scope) []network.Declared {
	return []network.Declared{{Channel: network.FIFO, To: to}}
}
