package toy

import (
	"slices"

	"harrier/model"
)

// Wired is how an actor of a program written by hand begins.
type Wired struct {
	Role, Name string
	Peer       string
	Known, Log []string
	Counter    int
}

// What the actors of a program written by hand do by themselves.
var (
	// Rests is nothing.
	Rests = roleRule{}
	// Advances is to go on by one of three states.
	Advances = roleRule{outcomes: []roleOutcome{{count: 1}}, guard: countsBelow, atLeast: counterBound - 1}
	// Turns is to go round three states.
	Turns = roleRule{outcomes: []roleOutcome{{count: 1}}}
	// Chooses is to point to any actor of its role, once.
	Chooses = roleRule{outcomes: []roleOutcome{{become: 1, peer: theChosen}}, chooses: "server"}
	// Learns is to get to know any actor of its role.
	Learns = roleRule{outcomes: []roleOutcome{{learns: theChosen}}, chooses: "server"}
	// Tells is to send one of two messages to the boss, once. Nobody takes them.
	Tells = roleRule{outcomes: []roleOutcome{
		{become: 1, relay: []roleSend{{to: allOf, role: "boss", kind: 0}}},
		{become: 1, relay: []roleSend{{to: allOf, role: "boss", kind: 1}}},
	}}
	// TellsBoth is to send both, in either order.
	TellsBoth = roleRule{outcomes: []roleOutcome{
		{become: 1, relay: []roleSend{{to: allOf, role: "boss", kind: 0}, {to: allOf, role: "boss", kind: 1}}},
		{become: 1, relay: []roleSend{{to: allOf, role: "boss", kind: 1}, {to: allOf, role: "boss", kind: 0}}},
	}}
)

// NewWired is a program whose actors begin like this, and that all do one thing by themselves.
func NewWired(does roleRule, actors ...Wired) *Symmetric {
	p := &Symmetric{}
	p.program.Scenario = "wired"
	for _, a := range actors {
		i := slices.IndexFunc(p.program.Roles, func(r model.Role) bool { return r.Name == a.Role })
		if i < 0 {
			i = len(p.program.Roles)
			p.program.Roles = append(p.program.Roles, model.Role{Name: a.Role})
			p.classes = append(p.classes, roleClass{name: a.Role, itself: []roleRule{does, Rests}, rules: [][]roleRule{{Rests, Rests}, {Rests, Rests}}})
		}
		p.program.Roles[i].Actors = append(p.program.Roles[i].Actors, a.Name)
	}
	p.classes = append(p.classes, roleClass{name: "child"})
	for _, a := range actors {
		l := roleLocal{name: a.Name, class: a.Role, peer: a.Peer, known: a.Known, log: a.Log, counter: a.Counter}
		p.program.Initial.Actors = append(p.program.Initial.Actors, p.actor(l))
	}
	return p
}

// Send adds a first message to an actor, about another one.
func (p *Symmetric) Send(from, to, about string) {
	m := model.Message{Sender: from, Receiver: to, Payload: roleMessage{about: about}.encode()}
	p.program.Initial.Messages = append(p.program.Initial.Messages, m)
}
