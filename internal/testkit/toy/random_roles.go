package toy

import (
	"fmt"
	"slices"

	"harrier/internal/model"
)

// shapeRoles draws one role of symmetric actors, perhaps a second one, and perhaps an actor of its own. Each has a class; the
// last is that of what they create.
func (d *dice) shapeRoles() {
	d.Names = d.chance(d.mix.names)
	sizes := []int{d.between(2, 4)}
	if d.chance(55) {
		sizes = append(sizes, d.between(1, min(3, 6-sizes[0])))
	}
	if d.chance(40) {
		sizes[0], sizes = min(3, sizes[0]), append(sizes, 1)
	}
	d.addRoles(sizes, []string{"server", "client", "boss"}, 3)
	d.Classes = append(d.Classes, Class{Name: "child", Fields: 3})
	if d.Names {
		d.Delivery = pick(d, model.M, model.M, model.M, model.MP, model.MMP)
	}
}

// addRoles adds roles of these sizes, each with a class of its name.
func (d *dice) addRoles(sizes []int, names []string, fields int) {
	for i, size := range sizes {
		r := model.Role{Name: names[i]}
		for k := range size {
			r.Actors = append(r.Actors, fmt.Sprint(r.Name, k+1))
		}
		d.names = append(d.names, r.Actors...)
		d.Roles = append(d.Roles, r)
		d.Classes = append(d.Classes, Class{Name: r.Name, Fields: fields})
	}
}

// naming draws acts that keep names of actors in local states.
func (d *dice) naming() (acts []Act) {
	for _, keep := range []struct {
		do      string
		percent int
	}{{"befriend", 15}, {"learn", 45}, {"list", 20}, {"vote", 20}, {"note", 40}, {"clear", 8}} {
		if d.chance(keep.percent) {
			acts = append(acts, Act{Do: keep.do, Who: pick(d, "sender", "sender", "self", "peer", "other", "listed", "chosen", "chosen")})
		}
	}
	return acts
}

// populateRoles draws how actors begin. They know nobody, or all of a role, or one each: a ring, or pairs.
func (d *dice) populateRoles() {
	first := d.Roles[0].Actors
	for i, r := range d.Roles {
		wiring := d.IntN(4)
		burns := d.IntN(2) * d.IntN(2)
		for k, name := range r.Actors {
			a := Actor{Name: name, Class: i, Fields: []int{0, 0, burns}, Peer: name, Armed: d.timers, Group: first}
			switch {
			case wiring == 1 && d.Names:
				a.Known = first
			case wiring == 2 && i == 0:
				a.Peer = r.Actors[(k+1)%len(r.Actors)]
			case wiring == 3 && i > 0:
				a.Peer = first[k%len(first)]
			case wiring == 3 && i == 0 && len(d.Roles) > 1:
				a.Peer = d.Roles[1].Actors[0]
			}
			if d.Names {
				a.Group = nil
			}
			d.Actors = append(d.Actors, a)
		}
	}
}

// firstMessagesOfRoles has each actor of a role get a message, from itself or the scenario, or has one role send to another.
func (d *dice) firstMessagesOfRoles() {
	to, from := pick(d, d.Roles...), pick(d, d.Roles...)
	m := Mail{Kind: d.IntN(d.kinds), Value: d.IntN(fieldBound), Hops: d.hops}
	senders := func(to string) []string { return []string{to} }
	switch {
	case len(from.Actors)*len(to.Actors) <= 3 && d.chance(60):
		senders = func(string) []string { return from.Actors }
	case d.chance(50):
		senders = func(string) []string { return []string{""} }
	}
	for _, m.To = range to.Actors {
		for _, m.From = range senders(m.To) {
			d.Mail = append(d.Mail, m)
		}
	}
}

// plant has something tell actors of a role apart: a local state, a message, a list of them in order, or what faults
// and channels are about.
func (d *dice) plant() {
	who := &d.Actors[d.IntN(len(d.Actors))]
	switch d.IntN(5) {
	case 0:
		who.Fields = slices.Clone(who.Fields)
		who.Fields[counter] = 1
	case 1:
		who.List = d.Roles[0].Actors[:2]
	case 2:
		who.Peer = pick(d, d.Actors...).Name
	case 3:
		d.Mail = append(d.Mail, Mail{To: who.Name, About: pick(d, d.Actors...).Name})
	case 4:
		scope := model.Scope{Names: []string{who.Name}}
		if d.chance(50) {
			d.Faults = append(d.Faults, Fault{Kind: model.Stop, Scope: scope, Budget: 1})
		} else {
			d.FIFO = scope
		}
	}
}
