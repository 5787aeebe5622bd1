package toy

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"harrier/model"
)

// RandomSymmetric makes a symmetric protocol, the same for the same seed. Of one in four, something tells some actors of
// a role apart at the start.
func RandomSymmetric(seed uint64) *Symmetric {
	d := &roleDice{dice: &dice{Rand: rand.New(rand.NewPCG(seed, 0xa0761d6478bd642f)), controls: 2, kinds: 2}}
	p := &Symmetric{}
	d.drawRoles(p)
	for _, name := range append(slices.Clone(d.roles), "child") {
		p.classes = append(p.classes, d.class(name))
	}
	d.setUp(p)
	d.declare(p)
	d.trouble(p)
	if d.chance(25) {
		d.plant(p)
	}
	return p
}

// roleDice are the random choices of a symmetric protocol.
type roleDice struct {
	*dice
	roles    []string // the first is that of most actors
	quorums  bool
	creates  bool
	records  bool
	internal bool
}

// drawRoles draws one role of interchangeable actors, perhaps a second one, and perhaps an actor of its own.
func (d *roleDice) drawRoles(p *Symmetric) {
	sizes := []int{d.between(2, 4)}
	if d.chance(55) {
		sizes = append(sizes, d.between(1, min(3, 6-sizes[0])))
	}
	if d.chance(40) {
		sizes[0], sizes = min(3, sizes[0]), append(sizes, 1)
	}
	for i, size := range sizes {
		r := model.Role{Name: []string{"server", "client", "boss"}[i]}
		for k := range size {
			r.Actors = append(r.Actors, fmt.Sprint(r.Name, k+1))
		}
		d.roles = append(d.roles, r.Name)
		p.program.Roles = append(p.program.Roles, r)
	}
	d.quorums, d.creates, d.records, d.internal = d.chance(25), d.chance(25), d.chance(25), d.chance(25)
	p.program.Passing = []model.Passing{model.M, model.M, model.M, model.MP, model.MMP}[d.IntN(5)]
}

func (d *roleDice) class(name string) roleClass {
	c := roleClass{name: name}
	for range d.controls {
		var rules []roleRule
		for kind := range d.kinds {
			rules = append(rules, d.rule(kind))
		}
		c.rules = append(c.rules, rules)
		var itself roleRule
		if d.internal && d.chance(40) && name != "child" {
			itself = d.rule(d.kinds)
			itself.quorum = 0
			for i := range itself.outcomes {
				o := &itself.outcomes[i]
				o.relay, o.fewer, o.creates = nil, nil, false
			}
		}
		c.itself = append(c.itself, itself)
	}
	c.restart = roleOutcome{become: 0, forgets: d.chance(50), learns: noOne}
	return c
}

// rule draws a rule; only the first kind of message may be passed on without losing hops.
func (d *roleDice) rule(kind int) roleRule {
	r := roleRule{guard: always}
	if d.chance(20) {
		r.guard, r.atLeast = guard(d.between(1, int(sawSender))), d.between(1, 2)
	}
	if d.chance(12) {
		r.chooses = d.roles[d.IntN(len(d.roles))]
	}
	if d.quorums && kind == d.kinds-1 {
		r.quorum, r.guard = 2, always
	}
	for range 1 + d.IntN(2)*d.IntN(2) {
		r.outcomes = append(r.outcomes, d.outcome(kind, r.chooses != ""))
	}
	return r
}

func (d *roleDice) outcome(kind int, chooses bool) roleOutcome {
	o := roleOutcome{become: d.IntN(d.controls)}
	if d.chance(3) {
		return roleOutcome{failure: "no"}
	}
	one := func(percent int) who {
		if !d.chance(percent) {
			return noOne
		}
		if chooses && d.chance(50) {
			return theChosen
		}
		return []who{theSender, theSender, itSelf, itsPeer, theOther, firstLogged}[d.IntN(6)]
	}
	o.learns, o.peer, o.logs, o.votes, o.notes = one(45), one(15), one(20), one(20), one(40)
	o.forgets, o.count = d.chance(8), d.IntN(2)*d.IntN(2)
	o.stir = d.IntN(auxiliaryBound)
	o.creates, o.starts, o.stops = d.creates && d.chance(30), d.records && d.chance(40), d.chance(2)
	send := func(to who) roleSend {
		s := roleSend{to: to, kind: d.IntN(d.kinds), about: one(40), carries: d.chance(15)}
		if to == allOf {
			s.role = d.roles[d.IntN(len(d.roles))]
		}
		return s
	}
	if kind == token && d.chance(20) {
		s := send(one(100))
		s.kind = token
		o.relay = []roleSend{s}
	} else if d.chance(70) {
		o.fewer = append(o.fewer, send([]who{theSender, theSender, itsPeer, allOf, theKnown, theOther, itsChild, theChosen}[d.IntN(8)]))
	}
	if d.chance(15) {
		o.fueled = append(o.fueled, send([]who{allOf, itsPeer, itsChild}[d.IntN(3)]))
	}
	return o
}

// setUp draws how the actors begin. They know nobody, or all of a role, or one each: a ring, or pairs.
func (d *roleDice) setUp(p *Symmetric) {
	for i, r := range p.program.Roles {
		wiring := d.IntN(4)
		fuel := d.IntN(2) * d.IntN(2)
		for k, name := range r.Actors {
			l := roleLocal{name: name, class: r.Name, fuel: fuel}
			first := p.program.Roles[0].Actors
			switch {
			case wiring == 1:
				l.known = first
			case wiring == 2 && i == 0:
				l.peer = r.Actors[(k+1)%len(r.Actors)]
			case wiring == 3 && i > 0:
				l.peer = first[k%len(first)]
			case wiring == 3 && i == 0 && len(p.program.Roles) > 1:
				l.peer = p.program.Roles[1].Actors[0]
			}
			p.program.Initial.Actors = append(p.program.Initial.Actors, p.actor(l))
		}
	}
	for n := d.between(1, 2); n > 0; n-- {
		d.firstMessages(p)
	}
}

// firstMessages has each actor of a role get a message, from itself or the scenario, or has one role send to another.
func (d *roleDice) firstMessages(p *Symmetric) {
	to, from := p.program.Roles[d.IntN(len(p.program.Roles))], p.program.Roles[d.IntN(len(p.program.Roles))]
	m := roleMessage{kind: d.IntN(d.kinds), hops: d.IntN(2) * d.IntN(2)}
	payload := m.encode()
	add := func(from, to string) {
		p.program.Initial.Messages = append(p.program.Initial.Messages, model.Message{Sender: from, Receiver: to, Payload: payload})
	}
	switch {
	case len(from.Actors)*len(to.Actors) <= 3 && d.chance(60):
		for _, f := range from.Actors {
			for _, t := range to.Actors {
				add(f, t)
			}
		}
	case d.chance(50):
		for _, t := range to.Actors {
			add("", t)
		}
	default:
		for _, t := range to.Actors {
			add(t, t)
		}
	}
}

// declare draws the properties and lists the handlers.
func (d *roleDice) declare(p *Symmetric) {
	p.program.Scenario = "symmetric"
	for i := range p.classes {
		c := &p.classes[i]
		for kind := range d.kinds {
			isQuorum := slices.ContainsFunc(c.rules, func(r []roleRule) bool { return r[kind].quorum > 0 })
			p.program.Handlers = append(p.program.Handlers, model.Handler{Class: c.name, Label: fmt.Sprintf("%s.on%d", c.name, kind), Quorum: isQuorum})
		}
		p.program.Handlers = append(p.program.Handlers,
			model.Handler{Class: c.name, Label: c.name + ".itself", Kind: model.Internal}, model.Handler{Class: c.name, Label: c.name + ".restart", Kind: model.Restart})
	}
	role := p.program.Roles[d.IntN(len(p.program.Roles))]
	j := roleJudge{class: role.Name, controls: d.controlSet(1), most: len(role.Actors), history: d.records && d.chance(50)}
	if d.chance(40) {
		j.most = d.between(0, len(role.Actors)-1)
	}
	p.program.Properties = append(p.program.Properties, model.Property{Name: "invariant"})
	p.judges = append(p.judges, j)
	if d.chance(30) {
		p.program.Properties = append(p.program.Properties, model.Property{Name: "final", Kind: model.Final})
		p.judges = append(p.judges, roleJudge{class: role.Name, controls: d.controlSet(2), most: len(role.Actors), least: d.between(0, 1)})
	}
}

// trouble draws channels and faults, for all or for a role.
func (d *roleDice) trouble(p *Symmetric) {
	scope := func() model.Scope {
		if d.chance(40) {
			return model.Scope{All: true}
		}
		return model.Scope{Names: slices.Clone(p.program.Roles[d.IntN(len(p.program.Roles))].Actors)}
	}
	if d.chance(30) {
		p.program.FIFO = scope()
	}
	for range d.IntN(2) * d.between(1, 2) {
		f := model.Fault{Scope: scope(), Budget: 1}
		f.Kind = []model.EventKind{model.Restart, model.Stop, model.Lose, model.Duplicate, model.Split}[d.IntN(5)]
		if f.Kind == model.Split {
			f.Scope = model.Scope{Names: slices.Clone(p.program.Roles[0].Actors)}
		}
		if f.Kind == model.Lose && d.chance(50) {
			f.SparesSelf, f.Senders = true, slices.Clone(p.program.Roles[d.IntN(len(p.program.Roles))].Actors)
		}
		if f.Kind == model.Duplicate && !d.quorums && p.program.Passing == model.M && d.chance(40) {
			f.Budget = model.Unbounded
		}
		f.Label = f.Kind.String()
		p.program.Faults = append(p.program.Faults, f)
	}
	if d.chance(12) {
		d.adversaries(p)
	}
}

// adversaries draws a further role, of actors that may send anything to anyone of the first one.
func (d *roleDice) adversaries(p *Symmetric) {
	r := model.Role{Name: "liar", Actors: []string{"liar1", "liar2"}}
	f := model.Fault{Kind: model.Forge, Scope: model.Scope{Names: r.Actors}, Budget: 1, Label: "forged"}
	m := roleMessage{kind: d.IntN(d.kinds)}
	for _, liar := range r.Actors {
		for _, to := range p.program.Roles[0].Actors {
			f.Forged = append(f.Forged, model.Message{Sender: liar, Receiver: to, Payload: m.encode()})
		}
	}
	p.program.Roles = append(p.program.Roles, r)
	p.program.Faults = append(p.program.Faults, f)
}

// plant has something tell actors of a role apart: a local state, a message, a list of them in order, or what faults
// and channels befall.
func (d *roleDice) plant(p *Symmetric) {
	initial := &p.program.Initial
	who := &initial.Actors[d.IntN(len(initial.Actors))]
	l, _ := readLocal(who.Local)
	switch d.IntN(5) {
	case 0:
		l.counter = 1
	case 1:
		l.log = p.program.Roles[0].Actors[:2]
	case 2:
		l.peer = initial.Actors[d.IntN(len(initial.Actors))].Name
	case 3:
		m := roleMessage{about: initial.Actors[d.IntN(len(initial.Actors))].Name}
		initial.Messages = append(initial.Messages, model.Message{Receiver: who.Name, Payload: m.encode()})
	case 4:
		scope := model.Scope{Names: []string{who.Name}}
		if d.chance(50) {
			p.program.Faults = append(p.program.Faults, model.Fault{Kind: model.Stop, Scope: scope, Budget: 1, Label: "planted"})
		} else {
			p.program.FIFO = scope
		}
	}
	who.Local = l.encode()
}
