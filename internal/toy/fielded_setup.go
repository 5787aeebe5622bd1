package toy

import (
	"fmt"
	"slices"

	"harrier/model"
)

// populate draws the actors. In a symmetric program those of a class are alike.
func (d *fieldedDice) populate(p *Fielded) {
	if d.symmetric {
		d.populateRoles(p)
		return
	}
	for _, name := range d.names {
		class := d.IntN(len(p.Classes))
		a := FieldedActor{Name: name, Class: class, Peer: d.names[d.IntN(len(d.names))], Group: d.some(slices.Clone(d.names)), Armed: d.timers && d.chance(50)}
		for range p.Classes[class].Fields {
			a.Fields = append(a.Fields, d.IntN(2)*d.IntN(2))
		}
		p.Actors = append(p.Actors, a)
	}
}

// populateRoles draws a boss, whose peer is itself and whose group are the others, and two or three others who have the boss as
// their peer.
func (d *fieldedDice) populateRoles(p *Fielded) {
	boss := FieldedActor{Name: "boss", Class: 0, Peer: "boss", Fields: make([]int, p.Classes[0].Fields), Armed: d.timers}
	role := model.Role{Name: "hand"}
	class := len(p.Classes) - 1
	for i := range d.between(2, 3) {
		role.Actors = append(role.Actors, fmt.Sprint("hand", i+1))
	}
	boss.Group = role.Actors
	for _, name := range role.Actors {
		hand := FieldedActor{Name: name, Class: class, Peer: "boss", Fields: make([]int, p.Classes[class].Fields), Armed: d.timers}
		p.Actors = append(p.Actors, hand)
	}
	p.Actors = append(p.Actors, boss)
	slices.SortFunc(p.Actors, func(a, b FieldedActor) int { return len(a.Name) - len(b.Name) })
	p.Roles = []model.Role{{Name: "boss", Actors: []string{"boss"}}, role}
	d.names = append([]string{"boss"}, role.Actors...)
}

// letters draws the first messages.
func (d *fieldedDice) letters(p *Fielded) {
	if d.symmetric {
		for range d.between(1, 3) {
			m := FieldedMail{From: "boss", Kind: d.IntN(d.kinds), Value: d.IntN(fieldBound), Hops: d.hops}
			for _, name := range d.names[1:] {
				if m.To = name; d.chance(100) {
					p.Mail = append(p.Mail, m)
				}
			}
		}
		return
	}
	for range d.between(2, 6) {
		m := FieldedMail{
			From: d.names[d.IntN(len(d.names))], To: d.names[d.IntN(len(d.names))], Kind: d.IntN(d.kinds), Value: d.IntN(fieldBound), Hops: d.IntN(d.hops + 1),
		}
		if d.chance(30) {
			m.Kind = 0
		}
		if d.chance(10) {
			m.From = ""
		}
		p.Mail = append(p.Mail, m)
		if d.chance(10) {
			p.Mail = append(p.Mail, m)
		}
	}
}

// trouble draws channels and faults. In a symmetric program they befall everybody.
func (d *fieldedDice) trouble(p *Fielded) {
	if d.chance(20) && !d.sets {
		p.FIFO = d.scope()
	}
	if d.sets {
		p.Faults = append(p.Faults, FieldedFault{Kind: model.Duplicate, Scope: model.Scope{All: true}, Budget: model.Unbounded})
	}
	for range []int{0, 0, 0, 1, 1, 2}[d.IntN(6)] {
		p.Faults = append(p.Faults, d.fault(p))
	}
}

func (d *fieldedDice) scope() model.Scope {
	if d.symmetric || d.chance(40) {
		return model.Scope{All: true}
	}
	return model.Scope{Names: d.some(slices.Clone(d.names))}
}

func (d *fieldedDice) fault(p *Fielded) FieldedFault {
	kinds := []model.EventKind{model.Restart, model.Restart, model.Stop, model.Lose, model.Lose, model.Duplicate, model.Split, model.Forge}
	f := FieldedFault{Kind: kinds[d.IntN(len(kinds))], Scope: d.scope(), Budget: d.between(1, 2)}
	switch {
	case f.Kind == model.Split && d.symmetric:
		f.Scope = model.Scope{Names: []string{"boss"}}
	case f.Kind == model.Split:
		f.Scope = model.Scope{Names: []string{d.names[d.IntN(2)]}}
	case f.Kind == model.Forge:
		f.Scope = model.Scope{Names: []string{"eve"}}
		for range d.between(1, 2) {
			m := FieldedMail{From: "eve", To: d.names[d.IntN(len(d.names))], Kind: d.IntN(d.kinds), Value: d.IntN(fieldBound)}
			if d.symmetric {
				m.To = "boss"
			}
			f.Forged = append(f.Forged, m)
		}
	case d.chance(20) && f.Kind != model.Duplicate && !p.hasQuorums():
		f.Budget = model.Unbounded
	}
	return f
}

func (p *Fielded) hasQuorums() bool {
	return slices.ContainsFunc(p.Classes, func(c FieldedClass) bool {
		return slices.ContainsFunc(c.Handlers, func(h FieldedHandler) bool { return h.Quorum != nil })
	})
}

// properties draws conditions of which most hold mostly, and an end condition. Sets are for good only where nobody asks for ends.
func (d *fieldedDice) properties(p *Fielded) {
	for range d.between(0, 2) {
		p.Invariants = append(p.Invariants, FieldedProperty{Facts: d.facts(p, 3), History: d.records && d.chance(50)})
	}
	if d.chance(40) && !(d.sets && (d.chance(60) || p.hasQuorums())) {
		p.Final = &FieldedProperty{Facts: d.facts(p, 2)}
	}
}

func (d *fieldedDice) facts(p *Fielded, most int) []FieldedFact {
	var facts []FieldedFact
	for range d.between(1, most) {
		a := p.Actors[d.IntN(len(p.Actors))]
		f := FieldedFact{Actor: a.Name, FieldedTest: FieldedTest{d.IntN(p.Classes[a.Class].Fields), []string{"==", "==", ">="}[d.IntN(3)], d.between(1, 2)}}
		if d.symmetric || d.chance(25) {
			f.Actor, f.Class = "", a.Class
		}
		facts = append(facts, f)
	}
	return facts
}
