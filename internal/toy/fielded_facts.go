package toy

import (
	"fmt"
	"slices"

	"harrier/model"
	"harrier/serializer"
)

// declared is what the program says of itself.
func (p *Fielded) declared() *model.Program {
	program := &model.Program{Scenario: "fielded", Passing: p.Passing, Roles: p.Roles, FIFO: p.FIFO, Footprints: p.footprints(), Fields: p.fieldsOf()}
	for _, a := range p.Actors {
		l := fieldedLocal{name: a.Name, class: p.Classes[a.Class].Name, fields: a.Fields, peer: a.Peer, group: a.Group, armed: a.Armed}
		program.Initial.Actors = append(program.Initial.Actors, p.actor(l))
	}
	for _, m := range p.Mail {
		program.Initial.Messages = append(program.Initial.Messages, m.message())
	}
	for _, c := range p.Classes {
		for _, h := range c.Handlers {
			program.Handlers = append(program.Handlers, c.handler(h))
		}
		program.Handlers = append(program.Handlers, model.Handler{Class: c.Name, Label: c.Name + restartLabel, Kind: model.Restart})
	}
	for i := range p.Invariants {
		program.Properties = append(program.Properties, model.Property{Name: fmt.Sprint("invariant ", i)})
	}
	if p.Final != nil {
		program.Properties = append(program.Properties, model.Property{Name: "final", Kind: model.Final})
	}
	for i, f := range p.Faults {
		fault := model.Fault{Kind: f.Kind, Scope: f.Scope, Budget: f.Budget, Label: fmt.Sprintf("%s number %d", f.Kind, i)}
		for _, m := range f.Forged {
			fault.Forged = append(fault.Forged, m.message())
		}
		program.Faults = append(program.Faults, fault)
	}
	return program
}

func (m FieldedMail) message() model.Message {
	return model.Message{Sender: m.From, Receiver: m.To, Payload: fieldedMessage{FieldedMail: m}.encode()}
}

// fieldsOf are the fields of all classes, each with whether it is auxiliary and which properties read it.
func (p *Fielded) fieldsOf() []model.Field {
	none := make([]string, len(p.properties()))
	var fields []model.Field
	for i, c := range p.Classes {
		for f := range c.Fields {
			fields = append(fields, model.Field{Class: c.Name, Owner: c.Name, Name: fieldName(f), Seen: p.seen(i, f)})
		}
		for _, name := range []string{"peer", "group", "friend", timersField} {
			fields = append(fields, model.Field{Class: c.Name, Owner: c.Name, Name: name, Seen: none})
		}
		fields = append(fields, model.Field{Class: c.Name, Owner: c.Name, Name: "log", Verdict: model.Inferred, Seen: none})
	}
	for kind := range fieldedKinds {
		fields = append(fields, model.Field{Class: kindClass(kind), Owner: kindClass(kind), Name: "tag", Verdict: model.Inferred, Seen: none})
	}
	return fields
}

// properties are the invariants, and then the final condition if there is one.
func (p *Fielded) properties() []FieldedProperty {
	all := slices.Clone(p.Invariants)
	if p.Final != nil {
		all = append(all, *p.Final)
	}
	return all
}

// seen is where each property reads a field of actors of a class.
func (p *Fielded) seen(class, field int) []string {
	reads := func(f FieldedFact) bool {
		of := f.Class
		for _, a := range p.Actors {
			if a.Name == f.Actor {
				of = a.Class
			}
		}
		isChild := f.Actor != "" && !slices.ContainsFunc(p.Actors, func(a FieldedActor) bool { return a.Name == f.Actor })
		return f.Field == field && (of == class || isChild)
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

// Relevant is the relevant part of a local state or a message.
func (p *Fielded) Relevant(b []byte) ([]byte, error) {
	return p.leaving(func(f model.Field) bool { return f.Verdict.Auxiliary() }).Project(b)
}

func (p *Fielded) leaving(out func(f model.Field) bool) *serializer.Projection {
	var left []serializer.FieldName
	for _, f := range p.Program().Fields {
		if out(f) {
			left = append(left, serializer.FieldName{Class: f.Class, Field: f.Name})
		}
	}
	return serializer.NewProjection(left)
}

// Decomposition divides the program's states as its fields say.
func (p *Fielded) Decomposition(h model.Hashing) model.Decomposition {
	var visible []*serializer.Projection
	for i := range p.properties() {
		visible = append(visible, p.leaving(func(f model.Field) bool { return f.Seen[i] == "" }))
	}
	d := model.Decomposition{Hashing: h, Visible: func(property int, b []byte) ([]byte, error) { return visible[property].Project(b) }}
	if p.Logs {
		d.Relevant = p.leaving(func(f model.Field) bool { return f.Verdict.Auxiliary() }).Project
	}
	return d
}

// footprints are exactly what the handlers may do, by any branch.
func (p *Fielded) footprints() []model.Footprint {
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
func (c *FieldedClass) restarting() FieldedHandler {
	return FieldedHandler{Kind: Itself, Label: c.Name + restartLabel, Outcomes: [][]FieldedAct{c.Restart}}
}

const restartLabel = ".restart"

// handler is a handler of messages, of a timer or of nothing.
func (c *FieldedClass) handler(h FieldedHandler) model.Handler {
	found := model.Handler{Class: c.Name, Label: h.Label, Quorum: h.Quorum != nil, Exact: true}
	switch {
	case h.Timer:
		found.Takes = "toy.Timer"
	case h.Kind == Itself:
		found.Kind = model.Internal
	default:
		found.Takes = kindClass(h.Kind)
	}
	return found
}

// footprint is that of a handler, but for that it ends a timer.
func (c *FieldedClass) footprint(h FieldedHandler, logs bool) model.Footprint {
	f := model.Footprint{Handler: h.Label}
	touch := func(into *[]model.Touch, field string) {
		t := model.Touch{Field: c.Name + "." + field, Where: h.Label}
		if field == model.Agenda {
			t.Field = field
		}
		if !slices.Contains(*into, t) {
			*into = append(*into, t)
		}
	}
	read := func(into *[]model.Touch, tests []FieldedTest) {
		for _, t := range tests {
			switch {
			case t.Field >= 0:
				touch(into, fieldName(t.Field))
			case t.Field == OfSender:
				touch(into, "friend")
			}
		}
	}
	read(&f.GuardReads, h.Guard)
	if logs {
		touch(&f.Reads, "log")
		touch(&f.Writes, "log")
	}
	for _, act := range slices.Concat(h.Outcomes...) {
		read(&f.Reads, act.When)
		c.effect(&f, act, touch)
	}
	return f
}

// effect adds an act to a footprint.
func (c *FieldedClass) effect(f *model.Footprint, act FieldedAct, touch func(into *[]model.Touch, field string)) {
	switch act.Do {
	case "set", "take":
		touch(&f.Writes, fieldName(act.Field))
	case "add", "max":
		touch(&f.Reads, fieldName(act.Field))
		touch(&f.Writes, fieldName(act.Field))
	case "copy":
		touch(&f.Reads, fieldName(act.From))
		touch(&f.Writes, fieldName(act.Field))
	case "befriend", "forget":
		touch(&f.Writes, "friend")
	case "arm", "disarm":
		touch(&f.Writes, model.Agenda)
	case "create":
		f.Creates = true
	case "stop":
		f.Stops = true
	case "record":
		f.Records = true
	case "send":
		if act.From >= 0 {
			touch(&f.Reads, fieldName(act.From))
		}
		if act.To == "friend" {
			touch(&f.Reads, "friend")
		}
		s := model.Sending{Type: kindClass(act.Kind), Where: f.Handler}
		switch act.To {
		case "sender":
			s.To = model.ToSender
		case "self":
			s.To = model.ToSelf
		case "peer", "group":
			touch(&f.Reads, act.To)
			s.To, s.Field = model.ToField, c.Name+"."+act.To
		}
		f.Sends = append(f.Sends, s)
	}
}
