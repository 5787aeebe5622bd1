package toy

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"harrier/model"
)

// Eventful makes a small random protocol, the same for the same seed, with any of: actors that act by themselves,
// stop, crash and restart; channels that keep the order, lose and duplicate messages; cuts. It has auxiliary parts
// as Decomposed has. Where messages are duplicated without bound there may be no end of states.
func Eventful(seed uint64) *Protocol {
	d := &dice{Rand: rand.New(rand.NewPCG(seed, 0xbf58476d1ce4e5b9))}
	d.drawShape()
	d.names, d.hops = d.names[:min(3, len(d.names))], 1
	d.messages, d.faults = d.between(1, 3), 2
	return d.eventful(func(*class) {})
}

// eventful draws such a protocol. Extend may add to what the classes do with messages.
func (d *dice) eventful(extend func(c *class)) *Protocol {
	p := &Protocol{}
	for c := range d.classes {
		p.classes = append(p.classes, class{name: fmt.Sprintf("Class%d", c)})
	}
	auxiliary, stops, internal := d.chance(60), d.chance(40), d.chance(50)
	records := auxiliary && d.chance(25)
	for c := range p.classes {
		p.classes[c].rules = d.rules()
		p.classes[c].itself = make([]rule, d.controls)
		for control := range d.controls {
			if internal && d.chance(35) {
				p.classes[c].itself[control] = d.unprompted()
			}
		}
		p.classes[c].restart = d.unprompted().outcomes
		extend(&p.classes[c])
	}
	p.eachOutcome(func(o *outcome) {
		o.stops = stops && d.chance(12)
		if auxiliary {
			d.decorate(o, records)
		}
	})
	d.setUp(p)
	d.declare(p)
	if records {
		p.judgeHistory(d)
	}
	d.trouble(p)
	return p
}

// eachOutcome calls do with every outcome of the tables.
func (p *Protocol) eachOutcome(do func(o *outcome)) {
	for c := range p.classes {
		rules := append(slices.Concat(p.classes[c].rules...), p.classes[c].itself...)
		rules = append(rules, rule{outcomes: p.classes[c].restart})
		for _, q := range p.classes[c].quorums {
			for _, r := range q.rules {
				rules = append(rules, r[:]...)
			}
		}
		for _, r := range rules {
			for i := range r.outcomes {
				do(&r.outcomes[i])
			}
		}
	}
}

// unprompted draws what happens without a message. What is sent then costs fuel and nobody is created, or there
// would be no end of it: children of children act by themselves, too.
func (d *dice) unprompted() rule {
	r := d.rule(d.kinds - 1)
	for i := range r.outcomes {
		o := &r.outcomes[i]
		o.fewer, o.fueled, o.child = nil, append(o.fueled, o.fewer...), nil
	}
	return r
}

// trouble draws channels, faults and which first messages have no sender, and lists the further handlers.
func (d *dice) trouble(p *Protocol) {
	for i := range p.program.Initial.Messages {
		if d.chance(25) {
			p.program.Initial.Messages[i].Sender = ""
		}
	}
	for _, c := range p.classes {
		p.program.Handlers = append(p.program.Handlers,
			model.Handler{Class: c.name, Label: c.name + ".itself", Kind: model.Internal}, model.Handler{Class: c.name, Label: c.name + ".restart", Kind: model.Restart})
	}
	if d.chance(40) {
		p.program.FIFO = d.scope()
	}
	for range d.IntN(d.faults + 1) {
		p.program.Faults = append(p.program.Faults, d.fault(len(p.program.Faults)))
	}
	for _, f := range p.program.Faults {
		if f.Kind == model.Split && d.chance(60) {
			p.program.FIFO = model.Scope{All: true}
		}
	}
}

// fault draws a fault.
func (d *dice) fault(number int) model.Fault {
	kinds := []model.EventKind{model.Restart, model.Restart, model.Stop, model.Lose, model.Duplicate, model.Split, model.Split}
	f := model.Fault{Kind: kinds[d.IntN(len(kinds))], Scope: d.scope(), Budget: d.between(1, 2)}
	switch {
	case f.Kind == model.Split:
		f.Scope = d.side()
	case f.Kind == model.Duplicate && d.chance(50):
		f.Scope.All = f.Scope.All || d.chance(50)
		f.Budget = model.Unbounded
	case d.chance(30) && f.Kind != model.Duplicate:
		f.Budget = model.Unbounded
	}
	if f.Kind == model.Lose || f.Kind == model.Duplicate && f.Budget != model.Unbounded {
		f.SparesSelf = d.chance(50)
		if d.chance(30) {
			f.Senders = append(d.some(slices.Clone(d.names)), d.names[0])
		}
	}
	f.Label = fmt.Sprintf("%s number %d", f.Kind, number)
	return f
}

// scope draws a set of actors, some of which may not exist.
func (d *dice) scope() model.Scope {
	if d.chance(40) {
		return model.Scope{All: true}
	}
	return model.Scope{Names: d.some(slices.Concat(d.names, []string{childName(d.names[0], 0)}))}
}

// side draws one side of a cut. There is an actor in it from the beginning.
func (d *dice) side() model.Scope {
	names := d.some(slices.Concat(d.names, []string{childName(d.names[1], 0)}))
	return model.Scope{Names: slices.Compact(slices.Sorted(slices.Values(append(names, d.names[d.IntN(2)]))))}
}

// some draws a part of names, sorted.
func (d *dice) some(names []string) []string {
	names = slices.DeleteFunc(names, func(string) bool { return d.chance(50) })
	slices.Sort(names)
	return names
}
