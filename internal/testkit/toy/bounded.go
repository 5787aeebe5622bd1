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
		p.boundActors(seed)
		p.program = nil
		return p
	}
}

// boundActors has a bound that looks only at how many actors of a class there are: more than at the start, or fewer. It draws from other dice.
func (p *Protocol) boundActors(seed uint64) {
	d := &dice{Rand: rand.New(rand.NewPCG(seed, 0xb5c0fbcfec4d3b2f)), Protocol: p}
	if d.chance(75) {
		return
	}
	exists := Fact{Class: pick(d, p.Actors...).Class, Test: Test{0, ">=", 0}, Fewer: d.chance(40)}
	for _, a := range p.Actors {
		if a.Class == exists.Class {
			exists.Least++
		}
	}
	if !exists.Fewer {
		exists.Least++
	}
	p.Bounds = append(p.Bounds, Property{Facts: []Fact{exists}})
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

// Held makes programs of others in which a bound on how often timers fire holds some back.
func Held(draw func(seed uint64) *Protocol) func(seed uint64) *Protocol {
	return func(seed uint64) *Protocol {
		p := draw(seed)
		p.Firings = 1 + int(seed%2)
		for i := range p.Actors {
			p.Actors[i].Armed = p.Actors[i].Armed || seed%3 > 0
		}
		p.program = nil
		return p
	}
}

// Mixed makes programs of others that have connections or mailboxes, time that goes on or timers that are held back, actors that watch others,
// and bounds: each in about a half.
func Mixed(seed uint64) *Protocol {
	d := &dice{Rand: rand.New(rand.NewPCG(seed, 0x7137449123ef65cd))}
	draw := pick(d, Events.Random, Timers.Random, Timers.Random, Quorums.Random)
	switch {
	case d.chance(60):
		draw = Connecting(draw)
	case d.chance(70):
		draw = Mailboxes(draw)
	}
	switch {
	case d.chance(60):
		draw = Timed(draw)
	case d.chance(60):
		draw = Held(draw)
	}
	if d.chance(50) {
		draw = Watching(draw)
	}
	if d.chance(40) {
		draw = Bounded(draw)
	}
	return draw(seed)
}
