package static

import (
	"fmt"

	"harrier/model"
)

// step finds the class of a transition.
func (r *reader) step(state model.State, t model.Transition, actor int, p model.TransitionParts) (step, error) {
	st := step{class: -1, fault: -1}
	f := r.actors.Facts(state, t).Fault
	if f > 0 {
		st.fault = int32(f) - 1
	}
	isCut := p.Kind == model.Split || p.Kind == model.Heal || f > 0 && r.wiring.program.Faults[f-1].Kind == model.Split
	if isCut {
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
			return st, fmt.Errorf("%s: %s, which the analysis of its code did not expect of it",
				r.actors.PositionName(int(t.Slot)+1), r.what(p))
		}
		r.labels[l] = c
	}
	st.class = int32(c)
	return st, r.check(c, p)
}

func (r *reader) what(p model.TransitionParts) string {
	if p.Handler == 0 {
		return p.Kind.String()
	}
	return r.actors.HandlerLabel(int(p.Handler))
}

// find is the class with a label, -1 if there is none.
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
		case c.isAny:
			other = i
		case c.handler == nil:
			if contains(c.keys, l.key) {
				return i
			}
		case c.handler.Label == r.actors.HandlerLabel(l.handler) && (l.key == noKey || contains(c.keys, l.key)):
			return i
		}
	}
	return other
}

// check holds a transition against what is expected of its class.
func (r *reader) check(c int, p model.TransitionParts) error {
	of := &r.classes[c]
	if of.print == nil || p.Kind == model.Duplicate {
		return nil
	}
	if p.Stops && !of.print.stops && p.Kind != model.Stop || p.Records && !of.print.records {
		return fmt.Errorf("%s stops or records, which the analysis of its code did not expect of it", r.what(p))
	}
	for _, e := range p.Effects {
		if e.Message == 0 {
			if !of.print.creates {
				return fmt.Errorf("%s creates an actor, which the analysis of its code did not expect of it", r.what(p))
			}
			continue
		}
		k, err := r.key(e.Message)
		if err != nil {
			return err
		}
		vague, hasVague := 0, false
		if k != noKey {
			vague, hasVague = r.keyNumbers[key{r.keys[k].receiver, "", r.keys[k].sender}], true
		}
		if k != noKey && !of.sends.has(k) && !(hasVague && of.sends.has(vague)) {
			return fmt.Errorf("%s sends %s, which the analysis of its code did not expect of it", r.what(p), r.describe(k))
		}
	}
	return nil
}

// key is the key of a message.
func (r *reader) key(id model.MessageID) (int, error) {
	if k, ok := r.keyOf[id]; ok {
		return k, nil
	}
	m := r.actors.Message(id)
	of, how := typeOf(m.Payload)
	to, from := r.wiring.number(m.Receiver), r.wiring.number(m.Sender)
	k, ok := r.keyNumbers[key{to, of, from}]
	if !ok {
		k, ok = r.keyNumbers[key{to, "", from}]
	}
	switch {
	case ok:
	case to != children && !r.wiring.exists(to): // an adversary, who receives nothing
		k = noKey
	case how == isExact:
		return 0, fmt.Errorf("%s sends a %s to %s, which the analysis of its code did not expect of it", m.Sender, of, m.Receiver)
	default:
		k = noKey
	}
	r.keyOf[id] = k
	return k, nil
}
