package toy

import (
	"context"
	"fmt"
	"math/rand/v2"

	"harrier/model"
)

// Decomposed makes a random protocol whose actors and messages have an auxiliary part, and some of
// which record operations: an actor has a counter that its steps stir, messages carry it along, and
// nothing else depends on it. It is the same for the same seed.
func Decomposed(seed uint64) *Protocol {
	p := Random(seed)
	d := &dice{Rand: rand.New(rand.NewPCG(seed, 0xd1b54a32d192ed03))}
	records := d.chance(30)
	p.eachOutcome(func(o *outcome) { d.decorate(o, records) })
	if records {
		p.judgeHistory(d)
	}
	return p
}

// judgeHistory adds a property of the history.
func (p *Protocol) judgeHistory(d *dice) {
	word := byte(d.IntN(2))
	p.program.Properties = append(p.program.Properties, model.Property{Name: "history"})
	p.properties = append(p.properties, func(v *view) bool {
		h := v.history()
		return len(h) < historyBound || h[0] != word || h[1] != word || h[2] == word
	})
}

func (d *dice) decorate(o *outcome, records bool) {
	if d.chance(50) {
		o.stir = d.between(1, auxiliaryBound-1)
	}
	if o.relay != nil {
		o.relay.tagged = d.chance(30)
	}
	for _, sends := range [][]send{o.fewer, o.fueled} {
		for i := range sends {
			sends[i].tagged = d.chance(50)
		}
	}
	if records && d.chance(15) {
		o.record = &recordRule{model.RecordKind(d.IntN(2)), byte(d.IntN(2))}
	}
}

// Relevant is the relevant part of a local state or a message: all but the counter.
func (p *Protocol) Relevant(b []byte) ([]byte, error) {
	at := 5 // in a local state
	if len(b) == 3 {
		at = 2 // in a message
	}
	r := append([]byte{}, b...)
	r[at] = 0
	return r, nil
}

type recordRule struct {
	kind model.RecordKind
	word byte
}

// historyBound is how many records a history keeps.
const historyBound = 3

// Record implements model.Oracle.
func (p *Protocol) Record(_ context.Context, extensions []model.Extension) ([][]byte, error) {
	var histories [][]byte
	for _, e := range extensions {
		h := append([]byte{}, e.History...)
		for _, r := range e.Records {
			h = append(h, r.Payload...)
		}
		histories = append(histories, h[max(0, len(h)-historyBound):])
	}
	return histories, nil
}

// A leak makes the auxiliary part matter after all, in one class and control state, once the counter
// has a certain value.
type leak struct {
	class, control, auxiliary int
	byTag                     bool // the message's counter counts, not the actor's
	does                      leaked
}

// leaked is what a leak changes about a step.
type leaked struct {
	counter int  // added to the counter that guards ask for
	become  int  // the control state that the actor gets; -1 for what it should get
	silent  bool // nothing is sent
}

// Leak makes the auxiliary part of a decomposed protocol matter somewhere: in steps, or in a property.
// It says what it did.
func (p *Protocol) Leak(seed uint64) string {
	d := &dice{Rand: rand.New(rand.NewPCG(seed, 0x94d049bb133111eb))}
	l := leak{
		class: d.IntN(len(p.classes)), auxiliary: d.between(1, auxiliaryBound-1), byTag: d.chance(30),
		does: leaked{become: -1},
	}
	controls := len(p.classes[l.class].rules)
	l.control = d.IntN(controls)
	switch d.IntN(4) {
	case 0:
		l.does.counter = -counterBound
		for c := range p.classes {
			for k := range p.classes[c].rules[l.control] {
				p.classes[c].rules[l.control][k].atLeast = d.IntN(2)
			}
		}
	case 1:
		l.does.become = d.IntN(controls)
	case 2:
		l.does.silent = true
	default:
		name := p.program.Initial.Actors[d.IntN(len(p.program.Initial.Actors))].Name
		inner := p.properties[0]
		p.properties[0] = func(v *view) bool {
			a, _ := v.find(name)
			return (a.auxiliary != l.auxiliary || a.control != l.control) && inner(v)
		}
		return fmt.Sprintf("property 0 reads the auxiliary part of %s", name)
	}
	p.leaks = append(p.leaks, l)
	return fmt.Sprintf("%+v", l)
}

func (p *Protocol) leaked(l local, tag int) leaked {
	for _, k := range p.leaks {
		counter := l.auxiliary
		if k.byTag {
			counter = tag
		}
		if k.class == l.class && k.control == l.control && counter == k.auxiliary {
			return k.does
		}
	}
	return leaked{become: -1}
}
