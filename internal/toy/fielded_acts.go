package toy

import (
	"fmt"
	"slices"
	"strings"

	"harrier/model"
)

// outcome is what a handler does with one choice made. It works on a copy of the local state.
func (p *Fielded) outcome(l fieldedLocal, h *FieldedHandler, acts []FieldedAct, st fieldedStep) model.Outcome {
	o := model.Outcome{Handler: h.Label}
	l.fields = slices.Clone(l.fields)
	if h.Timer {
		l.armed = false
	}
	for _, act := range acts {
		if !l.admits(act.When, st) {
			continue
		}
		switch act.Do {
		case "fail":
			return model.Outcome{Handler: h.Label, Failure: &model.Failure{Kind: "assertion", Text: fmt.Sprintf("%s failed", h.Label)}}
		case "send":
			p.send(&l, act, st, &o)
		case "create":
			p.create(&l, act, &o)
		case "record":
			o.Records = append(o.Records, model.Record{Actor: l.name, Payload: number(act.Value)})
		case "stop":
			o.Stopped = true
		default:
			l.change(act, st)
		}
	}
	if p.Logs {
		l.log = append(slices.Clone(l.log), (st.kind+2+st.tag)%4)
		l.log = l.log[max(0, len(l.log)-logLength):]
	}
	after := p.actor(l)
	o.Local, o.Acts = after.Local, after.Acts
	return o
}

// change is an act on the actor's own fields.
func (l *fieldedLocal) change(act FieldedAct, st fieldedStep) {
	switch act.Do {
	case "befriend":
		l.friend = st.sender
		return
	case "forget":
		l.friend = ""
		return
	case "arm", "disarm":
		l.armed = act.Do == "arm"
		return
	}
	f := &l.fields[act.Field]
	switch act.Do {
	case "set":
		*f = act.Value
	case "add":
		*f += act.Value
	case "max":
		*f = max(*f, st.value)
	case "take":
		*f = st.value
	case "copy":
		*f = l.fields[act.From]
	}
	*f %= fieldBound
}

func (p *Fielded) send(l *fieldedLocal, act FieldedAct, st fieldedStep, o *model.Outcome) {
	m := fieldedMessage{FieldedMail: FieldedMail{Kind: act.Kind, Value: act.Value}}
	switch act.Hops {
	case "same":
		m.Hops = st.hops
	case "less":
		if m.Hops = st.hops - 1; st.hops == 0 {
			return
		}
	}
	if act.From >= 0 {
		m.Value = (m.Value + l.fields[act.From]) % fieldBound
	}
	if p.Logs && len(l.log) > 0 {
		m.tag = l.log[len(l.log)-1]
	}
	for _, to := range l.meant(act.To, st) {
		o.Sends = append(o.Sends, model.Message{Sender: l.name, Receiver: to, Payload: m.encode()})
	}
}

// meant are the actors that a word means.
func (l *fieldedLocal) meant(to string, st fieldedStep) []string {
	one := ""
	switch to {
	case "sender":
		one = st.sender
	case "self":
		one = l.name
	case "peer":
		one = l.peer
	case "friend":
		one = l.friend
	case "group":
		return l.group
	case "child":
		if !l.isChild() {
			one = childName(l.name, 0)
		}
	}
	if one == "" {
		return nil
	}
	return []string{one}
}

func (l *fieldedLocal) isChild() bool { return strings.Contains(l.name, "/") }

// create makes a child, if the actor is none itself and has not too many.
func (p *Fielded) create(l *fieldedLocal, act FieldedAct, o *model.Outcome) {
	if l.isChild() || l.children == maxChildren {
		return
	}
	c := p.Classes[act.Value]
	child := fieldedLocal{name: childName(l.name, l.children), class: c.Name, fields: make([]int, c.Fields), peer: l.name}
	o.Creates = append(o.Creates, p.actor(child))
	l.children++
}

func (p *Fielded) actor(l fieldedLocal) model.Actor {
	acts := slices.ContainsFunc(p.classOf(l).Handlers, func(h FieldedHandler) bool { return h.Kind == Itself && (!h.Timer || l.armed) })
	return model.Actor{Name: l.name, Class: l.class, Local: l.encode(p.Logs), Acts: acts}
}
