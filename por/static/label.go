package static

import (
	"fmt"
	"slices"

	"harrier/internal/model"
	"harrier/internal/model/space"
	"harrier/por/footprint"
)

// classify finds the class of a transition.
func (r *reader) classify(actor int, p space.NodeStep) (classified, error) {
	f := p.Fault
	st := classified{class: -1}
	if f > 0 && p.Kind != model.Duplicate {
		st.update = p.Update
	}
	cut := p.Kind == model.Split || p.Kind == model.Heal || f > 0 && r.wiring.program.Faults[f-1].Kind == model.Split
	if cut {
		return st, nil
	}
	l := label{actor: actor, handler: int(p.Handler), kind: p.Kind, key: noKey}
	if f > 0 {
		l.handler = int(f)
	}
	if p.Kind == model.Receive || p.Kind == model.Deliver {
		for _, m := range p.Messages {
			k, err := r.key(m)
			if err != nil {
				return st, err
			}
			if l.key = k; k == noKey {
				return st, nil
			}
		}
	}
	c, ok := r.labels[l]
	if !ok {
		if c = r.find(l); c < 0 {
			return st, fmt.Errorf("%s takes a step (%s) that the analysis of the code rules out; --por off checks without it",
				r.actors.Values.PositionName(int(p.Slot)+1), r.what(p))
		}
		r.labels[l] = c
	}
	st.class = int32(c)
	return st, nil
}

func (r *reader) what(p space.NodeStep) string {
	if p.Handler == 0 {
		return p.Kind.String()
	}
	return r.actors.Values.HandlerLabel(int(p.Handler))
}

// find returns the class with a label, or -1.
func (r *reader) find(l label) int {
	other := -1
	for i := range r.classes {
		c := &r.classes[i]
		if c.actor != l.actor {
			continue
		}
		switch {
		case c.actor == children:
			return i
		case c.kind != l.kind:
		case c.fault >= 0:
			if c.fault == l.handler-1 {
				return i
			}
		case c.catchAll:
			other = i
		case c.handler == nil:
			if slices.Contains(c.keys, l.key) {
				return i
			}
		case c.handler.Label == r.actors.Values.HandlerLabel(l.handler) && (l.key == noKey || slices.Contains(c.keys, l.key)):
			return i
		}
	}
	return other
}

// key is the key of a message.
func (r *reader) key(id model.MessageID) (int, error) {
	if k, ok := r.keyOf[id]; ok {
		return k, nil
	}
	m := r.actors.Values.Message(id)
	of, how := footprint.TypeOf(m.Payload)
	to, from := r.wiring.number(m.Receiver), r.wiring.number(m.Sender)
	k, ok := r.keyNumbers[key{to, of, from}]
	if !ok {
		k, ok = r.keyNumbers[key{to, "", from}]
	}
	switch {
	case ok:
	case to != children && !r.wiring.exists(to): // an adversary, who receives nothing
		k = noKey
	case how == footprint.Exact:
		return 0, fmt.Errorf("%s sends a message (%s) to %s, which the analysis of the code rules out; --por off checks without it", m.Sender, of, m.Receiver)
	default:
		k = noKey
	}
	r.keyOf[id] = k
	return k, nil
}
