package toy

import (
	"slices"
	"strings"

	"harrier/model"
)

// role is the names of a role.
func (p *Symmetric) role(name string) []string {
	for _, r := range p.program.Roles {
		if r.Name == name {
			return r.Actors
		}
	}
	return nil
}

// meant lists the actors that are meant.
func (l *roleLocal) meant(w who, st step) []string {
	one := ""
	switch w {
	case theSender:
		one = st.sender
	case itSelf:
		one = l.name
	case itsPeer:
		one = l.peer
	case theOther:
		one = st.about
	case theChosen:
		one = st.chosen
	case itsChild:
		if !strings.Contains(l.name, "/") {
			one = l.name + "/child0"
		}
	case firstLogged:
		if len(l.log) > 0 {
			one = l.log[0]
		}
	case theKnown:
		return l.known
	}
	if one == "" {
		return nil
	}
	return []string{one}
}

func (p *Symmetric) sends(l *roleLocal, sends []roleSend, st step, hops int) []model.Message {
	var out []model.Message
	for _, s := range sends {
		to := l.meant(s.to, st)
		if s.to == allOf {
			to = p.role(s.role)
		}
		for _, name := range to {
			m := roleMessage{kind: s.kind, hops: hops}
			for _, about := range l.meant(s.about, st) {
				m.about = about
			}
			if s.carries {
				m.names = l.known
			}
			if !p.withBare {
				m.stir = l.stir
			}
			out = append(out, model.Message{Sender: l.name, Receiver: name, Payload: m.encode()})
		}
	}
	return out
}

func (p *Symmetric) actor(l roleLocal) model.Actor {
	acts := len(p.class(l.class).itself[l.control].outcomes) > 0
	return model.Actor{Name: l.name, Class: l.class, Local: l.encode(), Acts: acts}
}

// union is the names of two sets, sorted.
func union(a, b []string) []string {
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}
