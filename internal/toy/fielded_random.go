package toy

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// RandomFielded makes a program against which reductions can be tested, the same for the same seed: most handlers
// of an actor touch different fields, so that much commutes, and a few things are in the way of it.
func RandomFielded(seed uint64) *Fielded {
	d := &fieldedDice{dice: &dice{Rand: rand.New(rand.NewPCG(seed, 0x8ebc6af09c88c6e3))}}
	p := &Fielded{}
	d.shape(p)
	for i := range p.Classes {
		d.handlers(p, i)
	}
	d.populate(p)
	d.letters(p)
	d.trouble(p)
	d.properties(p)
	return p
}

// fieldedKinds is how many kinds of messages there are at most.
const fieldedKinds = 4

// fieldedDice are the random choices of a program.
type fieldedDice struct {
	*dice
	quorums, timers, internal, creates, records, fails, stops bool
	symmetric                                                 bool
	sets                                                      bool // all channels hold one copy, and for good
	hops                                                      int
}

func (d *fieldedDice) shape(p *Fielded) {
	d.kinds = d.between(2, fieldedKinds)
	for i := range d.between(1, 2) + d.IntN(2)*d.IntN(2) {
		p.Classes = append(p.Classes, FieldedClass{Name: fmt.Sprint("Class", i), Fields: d.between(2, 4), Durable: uint(d.IntN(8))})
	}
	d.names = []string{"ann", "bob", "cid", "dot"}[:d.between(2, 4)]
	d.hops = []int{0, 1, 1, 1, 2}[d.IntN(5)]
	d.quorums, d.timers, d.internal = d.chance(20), d.chance(20), d.chance(20)
	d.creates, d.records, d.fails, d.stops = d.chance(12), d.chance(12), d.chance(40), d.chance(12)
	d.symmetric, d.sets = d.chance(20), d.chance(12)
	d.records = d.records && !d.symmetric
	p.Logs = d.chance(30)
}

func (d *fieldedDice) handlers(p *Fielded, class int) {
	c := &p.Classes[class]
	for kind := range d.kinds {
		if d.chance(96) {
			d.handler(p, class, kind)
		}
		if d.chance(10) {
			d.handler(p, class, kind)
		}
		if d.quorums && d.chance(40) {
			d.handler(p, class, kind)
			h := &c.Handlers[len(c.Handlers)-1]
			h.Quorum = &FieldedQuorum{Size: []int{0, 2, 2, 2, 3}[d.IntN(5)], Told: d.chance(40)}
			h.Quorum.AtLeast = d.between(1, 2)
		}
	}
	if d.internal && d.chance(70) {
		d.handler(p, class, Itself)
		if d.chance(70) { // else it goes on for ever
			c.Handlers[len(c.Handlers)-1].once()
		}
	}
	if d.timers && d.chance(70) {
		d.handler(p, class, Itself)
		c.Handlers[len(c.Handlers)-1].Timer = true
	}
	for i := range c.Handlers {
		h := &c.Handlers[i]
		h.Label = fmt.Sprintf("%s.h%d", c.Name, i)
		if h.Quorum != nil || h.Kind == Itself {
			h.anonymous()
		}
	}
	c.Restart = d.acts(p, class, Itself)
	c.Restart = slices.DeleteFunc(c.Restart, func(a FieldedAct) bool { return a.Do == "send" && a.To == "sender" || a.Do == "fail" })
}

// once makes a handler one that runs once: its first field tells.
func (h *FieldedHandler) once() {
	h.Guard = append(h.Guard, FieldedTest{0, "==", 0})
	for i := range h.Outcomes {
		h.Outcomes[i] = append(h.Outcomes[i], FieldedAct{Do: "set", Field: 0, Value: 1})
	}
}

// anonymous takes out what asks for a sender.
func (h *FieldedHandler) anonymous() {
	for i := range h.Outcomes {
		h.Outcomes[i] = slices.DeleteFunc(h.Outcomes[i], func(a FieldedAct) bool { return a.To == "sender" || a.Do == "befriend" })
	}
}

func (d *fieldedDice) handler(p *Fielded, class, kind int) {
	h := FieldedHandler{Kind: kind}
	if d.chance(40) {
		for range d.between(1, 2) {
			h.Guard = append(h.Guard, d.test(p, class, kind))
		}
	}
	for range 1 + d.IntN(2)*d.IntN(2)*d.IntN(2) {
		h.Outcomes = append(h.Outcomes, d.acts(p, class, kind))
	}
	p.Classes[class].Handlers = append(p.Classes[class].Handlers, h)
}

// field draws a field that handlers of a kind touch: mostly one of their own.
func (d *fieldedDice) field(p *Fielded, class, kind int) int {
	if kind == Itself {
		kind = fieldedKinds
	}
	if n := p.Classes[class].Fields; d.chance(70) {
		return kind % n
	}
	return d.IntN(p.Classes[class].Fields)
}

func (d *fieldedDice) test(p *Fielded, class, kind int) FieldedTest {
	t := FieldedTest{d.field(p, class, kind), []string{"==", "==", "!=", ">="}[d.IntN(4)], d.IntN(fieldBound)}
	if d.chance(15) && kind != Itself {
		t.Field = OfMessage
	}
	if d.chance(5) && kind != Itself {
		t = FieldedTest{OfSender, "==", d.IntN(2)}
	}
	return t
}

// acts draws what a handler does with one choice made.
func (d *fieldedDice) acts(p *Fielded, class, kind int) []FieldedAct {
	var acts []FieldedAct
	for range d.IntN(3) {
		acts = append(acts, d.change(p, class, kind))
	}
	for range []int{0, 1, 1, 1, 2}[d.IntN(5)] {
		acts = append(acts, d.sending(p, class, kind))
	}
	further := func(is bool, percent int, do string, value int) {
		if is && d.chance(percent) {
			acts = append(acts, FieldedAct{Do: do, Value: value, When: d.when(p, class, kind, 50)})
		}
	}
	further(d.creates, 15, "create", d.IntN(len(p.Classes)))
	further(d.records, 25, "record", d.IntN(2))
	further(d.stops, 8, "stop", 0)
	further(d.timers, 25, []string{"arm", "arm", "disarm"}[d.IntN(3)], 0)
	if d.fails && d.chance(15) {
		acts = append(acts, FieldedAct{Do: "fail", When: []FieldedTest{d.test(p, class, kind), d.test(p, class, kind)}})
	}
	d.Shuffle(len(acts), func(i, j int) { acts[i], acts[j] = acts[j], acts[i] })
	return acts
}

func (d *fieldedDice) when(p *Fielded, class, kind, percent int) []FieldedTest {
	if d.chance(percent) {
		return []FieldedTest{d.test(p, class, kind)}
	}
	return nil
}

func (d *fieldedDice) change(p *Fielded, class, kind int) FieldedAct {
	act := FieldedAct{
		Do:    []string{"set", "set", "set", "add", "add", "max", "take", "copy", "befriend", "forget"}[d.IntN(10)],
		Field: d.field(p, class, kind), From: d.field(p, class, kind), Value: d.between(0, 2), When: d.when(p, class, kind, 20),
	}
	if act.Do == "add" {
		act.Value = 1
	}
	return act
}

// sending draws a message. Few are passed on without losing hops, and fewer without a message that was consumed: there
// would be no end of them, but where channels are sets.
func (d *fieldedDice) sending(p *Fielded, class, kind int) FieldedAct {
	act := FieldedAct{
		Do: "send", Kind: d.IntN(d.kinds), To: []string{"sender", "sender", "self", "peer", "peer", "friend", "group"}[d.IntN(7)],
		From: -1, Value: d.IntN(2), When: d.when(p, class, kind, 20), Hops: "less",
	}
	switch {
	case kind == 0 && act.To != "group" && d.chance(80), d.sets && d.chance(50):
		act.Hops = "same"
	case kind == Itself, d.chance(3):
		act.Hops = "none"
	}
	if d.creates && d.chance(25) {
		act.To = "child"
	}
	if d.chance(15) {
		act.From = d.field(p, class, kind)
	}
	return act
}
