package toy

import (
	"math/rand/v2"

	"harrier/internal/model"
)

// Bounded makes programs of others in which bounds end runs, after some steps in most.
func Bounded(draw func(seed uint64) *Protocol) func(seed uint64) *Protocol {
	return func(seed uint64) *Protocol {
		p := draw(seed)
		d := &dice{Rand: rand.New(rand.NewPCG(seed, 0x9b05688c2b3e6c1f)), Protocol: p, symmetric: len(p.Roles) > 0}
		for range d.between(1, 2) {
			facts := d.facts(2)
			for i := range facts {
				facts[i].Needs = false
				facts[i].Down = d.chance(10)
			}
			p.Bounds = append(p.Bounds, Property{Facts: facts, History: d.chance(5)})
		}
		p.program = nil
		return p
	}
}

// Mailboxes makes programs of others in which some actors have mailboxes that drop messages when they are full. Delivery is M, channels keep no order, and
// messages are not duplicated without bound.
func Mailboxes(draw func(seed uint64) *Protocol) func(seed uint64) *Protocol {
	return func(seed uint64) *Protocol {
		p := draw(seed)
		d := &dice{Rand: rand.New(rand.NewPCG(seed, 0xd1310ba698dfb5ac)), Protocol: p, symmetric: len(p.Roles) > 0}
		for _, a := range p.Actors {
			d.names = append(d.names, a.Name)
		}
		p.FIFO, p.Delivery = model.Scope{}, model.M
		for i := range p.Faults {
			if f := &p.Faults[i]; f.Kind == model.Duplicate && f.Budget == model.Unbounded {
				f.Budget = 1
			}
		}
		f := Fault{Kind: model.Lose, Scope: model.Scope{All: true}, Budget: model.Unbounded, Filling: pick(d, 1, 1, 2)}
		if !d.symmetric && d.chance(50) {
			f.Scope = model.Scope{Names: []string{pick(d, d.names...)}}
		}
		p.Faults = append(p.Faults, f)
		p.program = nil
		return p
	}
}
