package bridge

import (
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"harrier/bridge/answers"
	"harrier/internal/model"
	"harrier/internal/model/network"
	"harrier/serializer"
)

// The layout of questions and answers in shared memory: numbers as 4 bytes, big endian; strings and
// byte sequences behind their length; sequences behind their count. harrier.runtime.program.Wire on the
// Java side reads and writes the same.

type writer struct{ b []byte }

func (w *writer) number(n int)    { w.b = binary.BigEndian.AppendUint32(w.b, uint32(n)) }
func (w *writer) bytes(b []byte)  { w.number(len(b)); w.b = append(w.b, b...) }
func (w *writer) string(s string) { w.number(len(s)); w.b = append(w.b, s...) }

func (w *writer) bool(b bool) {
	if b {
		w.number(1)
	} else {
		w.number(0)
	}
}

func (w *writer) list(texts []string) {
	w.number(len(texts))
	for _, text := range texts {
		w.string(text)
	}
}

// strings writes a map, by its sorted keys.
func (w *writer) strings(m map[string]string) {
	w.number(len(m))
	for _, name := range slices.Sorted(maps.Keys(m)) {
		w.string(name)
		w.string(m[name])
	}
}

func (w *writer) question(q model.Question) {
	w.event(q)
	w.bool(false)
	w.bool(q.Varied != nil)
	if q.Varied != nil {
		w.bytes(q.Varied.Local)
		w.messages(q.Varied.Messages)
	}
}

// repetition asks for one outcome of a question.
func (w *writer) repetition(q model.Question, c Chosen) {
	w.event(q)
	w.bool(true)
	w.number(c.Number)
	w.string(c.Handler)
	w.number(len(c.Choices))
	for _, n := range c.Choices {
		w.number(n)
	}
	w.bool(false)
}

func (w *writer) event(q model.Question) {
	w.bytes(q.Local)
	w.number(int(q.Event.Kind))
	w.messages(q.Event.Messages)
}

func (w *writer) messages(messages []model.Message) {
	w.number(len(messages))
	for _, m := range messages {
		w.string(m.Sender)
		w.string(m.Receiver)
		if m.IsNotice() {
			w.bytes(disconnected(m.Sender))
		} else {
			w.bytes(m.Payload)
		}
	}
}

// disconnected is the content of the notice that an actor has gone.
func disconnected(actor string) []byte {
	return serializer.Encode(serializer.Value{Kind: serializer.Record, ClassName: model.NoticeClass,
		Fields: []serializer.Field{{Name: "actor", Value: serializer.Value{Kind: serializer.Name, Text: actor}}}})
}

func (w *writer) evaluation(e model.Evaluation) {
	w.number(e.Property)
	w.bytes(e.History)
	w.actors(e.Actors)
	w.messages(e.InFlight)
	w.those(e.Actors, func(a model.Actor) bool { return a.Stopped })
	w.those(e.Actors, func(a model.Actor) bool { return a.Down })
	w.number(len(e.Varied))
	for _, v := range e.Varied {
		w.number(v.Actor)
		w.bytes(v.Local)
	}
}

// those writes the indices of some actors.
func (w *writer) those(actors []model.Actor, are func(model.Actor) bool) {
	var places []int
	for i, a := range actors {
		if are(a) {
			places = append(places, i)
		}
	}
	w.number(len(places))
	for _, i := range places {
		w.number(i)
	}
}

func (w *writer) actors(actors []model.Actor) {
	w.number(len(actors))
	for _, a := range actors {
		w.string(a.Name)
		w.string(a.Class)
		w.bytes(a.Local)
		w.bool(a.Acts)
	}
}

func (w *writer) extension(x model.Extension) {
	w.bytes(x.History)
	w.number(len(x.Records))
	for _, r := range x.Records {
		w.string(r.Actor)
		w.number(int(r.Kind))
		w.bytes(r.Payload)
	}
}

// reader reads an answer. The first value that does not fit sets err; later reads are empty.
type reader struct {
	b    []byte
	err  error
	kept bool // it is an earlier check's
}

var (
	errShort = errors.New("the answer of harrier's Java runtime is cut short")
	errLong  = errors.New("the answer of harrier's Java runtime is too long")
)

func (r *reader) number() int {
	if len(r.b) < 4 {
		r.b, r.err = nil, errShort
		return 0
	}
	n := int(int32(binary.BigEndian.Uint32(r.b)))
	r.b = r.b[4:]
	return n
}

func (r *reader) bytes() []byte {
	n := r.number()
	if n < 0 || n > len(r.b) {
		r.b, r.err = nil, errShort
		return nil
	}
	b := r.b[:n:n]
	r.b = r.b[n:]
	return b
}

func (r *reader) string() string { return string(r.bytes()) }

func (r *reader) bool() bool { return r.number() != 0 }

// list reads a count and as many items.
func list[T any](r *reader, item func() T) []T {
	var items []T
	for n := r.number(); n > 0 && r.err == nil; n-- {
		items = append(items, item())
	}
	return items
}

func (r *reader) message() model.Message {
	return model.Message{Sender: r.string(), Receiver: r.string(), Payload: r.bytes()}
}

func (r *reader) actor() model.Actor {
	return model.Actor{Name: r.string(), Class: r.string(), Local: r.bytes(), Acts: r.bool()}
}

func (r *reader) record() model.Record {
	return model.Record{Actor: r.string(), Kind: model.RecordKind(r.number()), Payload: r.bytes()}
}

func (r *reader) pendingEvent() model.PendingEvent {
	return model.PendingEvent{Task: r.string(), Timer: r.bytes()}
}

func (r *reader) failure() *model.Failure {
	if !r.bool() {
		return nil
	}
	return &model.Failure{Kind: r.string(), Text: r.string(), Stack: list(r, r.string), Caught: r.string(), Property: r.string()}
}

func (r *reader) outcome() model.Outcome {
	o := model.Outcome{Handler: r.string(), Choices: list(r, r.number), Failure: r.failure(), Local: r.bytes()}
	o.Sends = list(r, r.message)
	o.Creates = list(r, r.actor)
	o.Records = list(r, r.record)
	o.Fired, o.Renewed = r.bytes(), list(r, r.pendingEvent)
	o.Acts, o.Stopped, o.Due = r.bool(), r.bool(), r.bool()
	if r.bool() {
		o.Point = &model.Point{Number: r.number(), Where: r.string(), Whole: r.bool()}
	}
	o.Thread = r.string()
	return o
}

// clocks reads how time goes on.
func (r *reader) clocks() (c network.Clocks) {
	if !r.bool() {
		return c
	}
	tick, err := strconv.ParseInt(r.string(), 10, 64)
	if r.err == nil {
		r.err = err
	}
	return network.Clocks{Tick: time.Duration(tick), Drift: r.number(), Rounds: r.number(), Delay: r.number()}
}

func (r *reader) scope() model.Scope {
	return model.Scope{All: r.bool(), Names: list(r, r.string)}
}

func (r *reader) fault() model.Fault {
	f := model.Fault{Kind: model.EventKind(r.number()), Scope: r.scope()}
	if senders := r.scope(); !senders.All {
		f.Senders = senders.Names
	}
	f.SparesSelf, f.Within, f.Losing = !r.bool(), r.bool(), r.bool()
	f.Filling = r.number()
	f.Budget, f.Label = r.number(), r.string()
	if r.bool() {
		f.Domain = list(r, r.message)
	}
	return f
}

// optional reads a value if there is one; else it returns nil.
func optional[T any](r *reader, read func() T) *T {
	if !r.bool() {
		return nil
	}
	value := read()
	return &value
}

func (r *reader) quorum() model.Quorum {
	return model.Quorum{Handler: r.string(), Size: r.number(), Role: r.string()}
}

func (r *reader) answer() model.Answer {
	a := r.answerOnce()
	a.Varied = optional(r, r.answerOnce)
	return a
}

// answerOnce reads the answer of one of two executions.
func (r *reader) answerOnce() model.Answer {
	a := model.Answer{Kept: r.kept, Executions: r.number(), Outcomes: list(r, r.outcome), Quorums: list(r, r.quorum)}
	a.Looks = r.looks()
	if r.kept {
		a.Executions = 0
	}
	return a
}

func (r *reader) looks() model.Looks { return model.Looks{Known: r.bool(), Names: list(r, r.string)} }

func (r *reader) judgement() model.Judgement {
	j := r.judgementOnce()
	j.Varied = optional(r, r.judgementOnce)
	return j
}

// judgementOnce reads the judgement of one of two evaluations.
func (r *reader) judgementOnce() model.Judgement {
	return model.Judgement{
		Kept: r.kept, Holds: r.bool(), Failure: r.failure(), Reads: list(r, r.number),
		Fields: list(r, r.number), Hashed: list(r, r.number), Looks: r.looks(),
	}
}

func (r *reader) class() answers.Class {
	return answers.Class{Name: r.string(), Code: r.bytes(), Any: r.bool(), Uses: list(r, r.string), Holds: list(r, r.bytes)}
}

func (r *reader) touches() []model.Touch {
	return list(r, func() model.Touch { return model.Touch{Field: r.string(), Where: r.string()} })
}

func (r *reader) footprint() model.Footprint {
	f := model.Footprint{Handler: r.string(), GuardReads: r.touches(), Reads: r.touches(), Writes: r.touches()}
	f.Sends = list(r, func() model.Sending {
		return model.Sending{Type: r.string(), To: model.Target(r.number()), Field: r.string(), Where: r.string()}
	})
	f.Creates, f.Stops, f.Records = r.bool(), r.bool(), r.bool()
	return f
}

func (r *reader) program() *model.Program {
	p := &model.Program{Scenario: r.string()}
	p.Parameters = list(r, func() model.Parameter { return model.Parameter{Name: r.string(), Value: r.string()} })
	p.Initial.Actors = list(r, r.actor)
	p.Initial.Messages = list(r, r.message)
	p.Initial.History = r.bytes()
	p.Roles = list(r, func() model.Role { return model.Role{Name: r.string(), Actors: list(r, r.string)} })
	p.Handlers = list(r, func() model.Handler {
		return model.Handler{
			Class: r.string(), Label: r.string(), Kind: model.EventKind(r.number()), Quorum: r.bool(), Takes: r.string(), Exact: r.bool(),
			Place: r.string(),
		}
	})
	p.Properties = list(r, func() model.Property {
		return model.Property{Name: r.string(), SeesAgenda: r.bool(), Kind: model.PropertyKind(r.number()), Actor: r.string(), Place: r.string(), MayRead: list(r, r.number)}
	})
	p.Liveness = list(r, func() model.Liveness {
		return model.Liveness{Name: r.string(), Kind: model.LivenessKind(r.number()), Formula: r.string(), Actor: r.string(), Place: r.string(),
			Atoms: list(r, func() model.Atom { return model.Atom{Name: r.string(), Property: r.number()} })}
	})
	p.Objects = list(r, func() model.ObjectField {
		return model.ObjectField{Class: r.string(), Name: r.string(), Number: r.number(), Seen: list(r, r.number)}
	})
	p.Channels = []network.Declared{{Channel: network.FIFO, To: r.scope()}, {Channel: network.Connected, To: r.scope()}}
	slices.Reverse(p.Channels) // who has connections has them, whatever else keeps the order
	p.Components = list(r, func() []string { return list(r, r.string) })
	p.Fairness = model.Fairness{Strong: r.scope(), ByChoice: r.scope(), Unfair: r.scope(), UnfairMessages: list(r, r.string), Heals: r.bool(), Recovers: r.bool()}
	p.Clocks = r.clocks()
	p.Timers.Most, p.Timers.HeldBack = r.number()-1, r.string()
	p.Timers.IsBounded = p.Timers.Most >= 0
	p.Faults = list(r, r.fault)
	p.Fields = list(r, func() model.Field {
		f := model.Field{Class: r.string(), Name: r.string(), Owner: r.string(), Verdict: model.FieldVerdict(r.number()),
			ForProperties: r.bool(), Reason: list(r, r.string), Seen: list(r, r.string)}
		return f
	})
	p.Senders = list(r, func() model.Sender {
		return model.Sender{Message: r.string(), Actor: r.string(), Verdict: model.FieldVerdict(r.number()), Reason: list(r, r.string)}
	})
	p.Footprints = list(r, r.footprint)
	p.Remarks, p.SeesInFlight, p.SeesStopped, p.Asserts, p.Threads = list(r, r.string), r.bool(), r.bool(), r.bool(), r.bool()
	p.Labels = map[string]string{}
	for n := r.number(); n > 0 && r.err == nil; n-- {
		class := r.string()
		p.Labels[class] = r.string()
	}
	labels := serializer.Labels(p.Labels)
	for i, s := range p.Senders {
		p.Senders[i].Label = labels.Of(s.Message) + " at " + labels.Of(s.Actor)
	}
	for i := range p.Fields {
		f := &p.Fields[i]
		f.Label = labels.Field(f.Declared())
	}
	return p
}

// done returns the error of reading, if any, and refuses bytes left over.
func (r *reader) done() error {
	if r.err == nil && len(r.b) > 0 {
		return fmt.Errorf("%w by %d bytes", errLong, len(r.b))
	}
	return r.err
}
