package toy

import (
	"fmt"
	"math/rand/v2"

	"harrier/model"
)

// Random makes a protocol, the same for the same seed.
func Random(seed uint64) *Protocol {
	d := &dice{Rand: rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15))}
	d.drawShape()
	p := &Protocol{}
	for c := range d.classes {
		p.classes = append(p.classes, class{name: fmt.Sprintf("Class%d", c)})
	}
	for c := range p.classes {
		p.classes[c].rules = d.rules()
	}
	d.setUp(p)
	d.declare(p)
	return p
}

// token is the one kind of message that may be passed on without losing hops. There are few in
// flight, or there would be too many states.
const token = 0

// dice are the random choices of one protocol.
type dice struct {
	*rand.Rand
	names    []string // of the initial actors
	targets  []string // names and words that messages are sent to
	classes  int
	controls int
	kinds    int
	hops     int
	messages int // in flight initially
	faults   int // at most
	creates  bool
	fails    bool
}

// chance is true in so many of a hundred cases.
func (d *dice) chance(percent int) bool { return d.IntN(100) < percent }

func (d *dice) between(low, high int) int { return low + d.IntN(high-low+1) }

func (d *dice) drawShape() {
	d.names = []string{"ann", "bob", "cid", "dot"}[:d.between(2, 4)]
	d.classes = d.between(1, 3)
	d.controls = 2
	if d.chance(40) {
		d.controls = d.between(3, 8-len(d.names))
	}
	d.kinds = d.between(2, 3)
	d.hops, d.messages = 1, d.between(3, 4)
	if d.chance(15) {
		d.hops, d.messages = 2, d.between(2, 3)
	}
	d.creates = d.chance(35)
	d.fails = d.chance(20)
	d.targets = append([]string{toSender, toSender, toSelf}, d.names...)
	if d.creates {
		d.targets = append(d.targets, childName(d.names[0], 0), childName(d.names[1], 0), childName(d.names[1], 1))
	}
}

// rules draws the table of a class.
func (d *dice) rules() [][]rule {
	table := make([][]rule, d.controls)
	for control := range table {
		for kind := range d.kinds {
			table[control] = append(table[control], d.rule(kind))
		}
	}
	return table
}

func (d *dice) rule(kind int) rule {
	var r rule
	if d.chance(5) {
		return r
	}
	if d.chance(5) {
		r.atLeast = d.between(1, counterBound-1)
	}
	for range 1 + d.IntN(2)*d.IntN(2)*d.between(1, 2) {
		r.outcomes = append(r.outcomes, d.outcome(kind))
	}
	return r
}

func (d *dice) outcome(kind int) outcome {
	if d.fails && d.chance(6) {
		return outcome{failure: fmt.Sprintf("assertion %d failed", d.IntN(100))}
	}
	o := outcome{become: d.IntN(d.controls)}
	if d.chance(10) {
		o.count = 1
	}
	if kind == token && d.chance(70) {
		o.relay = &send{to: d.target(), kind: token, copies: 1}
	} else {
		for range d.between(0, 2) {
			o.fewer = append(o.fewer, d.send())
		}
	}
	if d.chance(15) {
		o.fueled = append(o.fueled, d.send())
	}
	if d.creates && d.chance(25) {
		o.child = &child{class: d.IntN(d.classes), control: d.IntN(d.controls)}
	}
	return o
}

func (d *dice) target() string { return d.targets[d.IntN(len(d.targets))] }

func (d *dice) send() send {
	s := send{to: d.target(), kind: d.IntN(d.kinds), copies: 1}
	if s.kind == token && d.chance(70) {
		s.kind = d.kinds - 1
	}
	if d.chance(12) {
		s.copies = 2
	}
	return s
}

// setUp draws the initial actors and messages.
func (d *dice) setUp(p *Protocol) {
	for _, name := range d.names {
		p.program.Initial.Actors = append(p.program.Initial.Actors, p.actor(local{
			name: name, class: d.IntN(d.classes), fuel: d.IntN(2),
		}))
	}
	for range d.messages {
		from, to := d.names[d.IntN(len(d.names))], d.names[d.IntN(len(d.names))]
		p.program.Initial.Messages = append(p.program.Initial.Messages,
			message(from, to, d.IntN(d.kinds), d.hops, 0))
	}
}

// declare draws the properties and lists the handlers.
func (d *dice) declare(p *Protocol) {
	p.program.Scenario = "random"
	for c := range p.classes {
		for kind := range d.kinds {
			p.program.Handlers = append(p.program.Handlers,
				model.Handler{Class: p.classes[c].name, Label: p.label(c, kind)})
		}
	}
	add := func(kind model.PropertyKind, j judge) {
		name := fmt.Sprintf("property %d", len(p.properties))
		p.program.Properties = append(p.program.Properties, model.Property{Name: name, Kind: kind})
		p.properties = append(p.properties, j)
	}
	for range d.between(1, 2) {
		add(model.Invariant, d.invariant())
	}
	if d.chance(30) {
		add(model.Final, d.final())
	}
}

// invariant draws a condition that is seldom false.
func (d *dice) invariant() judge {
	x, y, z := d.anyone(), d.anyone(), d.anyone()
	k, l, m := d.controlSet(1), d.controlSet(1), d.controlSet(2)
	class := fmt.Sprintf("Class%d", d.IntN(d.classes))
	never := d.chance(40) // then the invariant holds always, but reads all the same
	switch d.IntN(4) {
	case 0: // whom it reads depends on what it has read
		return func(v *view) bool {
			if v.in(x, k) {
				return !v.in(y, l) || never
			}
			return !v.in(z, k) || !v.in(y, k) || !v.in(x, l) || never
		}
	case 1:
		return func(v *view) bool { return !v.in(x, k) || !v.some(class, l) || v.in(y, m) || never }
	case 2:
		return func(v *view) bool {
			a, _ := v.find(x)
			b, _ := v.find(y)
			return a.counter+b.counter < 2*counterBound-2 || !v.some(class, m) || never
		}
	default: // whoever it needs may not exist, and then evaluating it fails
		return func(v *view) bool {
			if v.in(x, k) && !never {
				if _, ok := v.find(z); !ok {
					v.failure = &model.Failure{Kind: "exception", Text: "there is no " + z}
				}
			}
			return !v.in(y, l) || !v.some(class, k) || v.in(x, m) || never
		}
	}
}

// final draws a condition that distinguishes proper ends.
func (d *dice) final() judge {
	x, y := d.anyone(), d.anyone()
	k, l := d.controlSet(d.controls-1), d.controlSet(2)
	return func(v *view) bool { return v.in(x, k) || v.in(y, l) }
}

// anyone draws the name of an actor that may exist.
func (d *dice) anyone() string {
	if d.creates && d.chance(40) {
		return childName(d.names[d.IntN(2)], d.IntN(2))
	}
	return d.names[d.IntN(len(d.names))]
}

// controlSet draws a set of control states.
func (d *dice) controlSet(size int) uint {
	var set uint
	for range size {
		set |= 1 << d.IntN(d.controls)
	}
	return set
}
