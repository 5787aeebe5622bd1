package toy

// In a class that is a table, f0 is the control state, by which actors look up their acts, f1 counts, and f2 is fuel for messages that
// cost no hops.
const (
	control = 0
	counter = 1
	fuel    = 2
)

// table draws a class that is a table.
func (d *dice) table(class int) {
	controls := d.between(2, fieldBound)
	for at := range controls {
		for kind := range min(d.kinds, 3) {
			if d.chance(95) {
				d.row(class, at, kind, controls)
			}
		}
		if d.internal && d.chance(35) {
			d.row(class, at, Itself, controls)
		}
		if d.timers && d.chance(60) {
			d.row(class, at, Itself, controls)
			d.Classes[class].Handlers[len(d.Classes[class].Handlers)-1].Timer = true
		}
	}
	if d.quorums {
		d.gather(class, controls)
	}
}

// row draws a handler for a control state.
func (d *dice) row(class, at, kind, controls int) {
	h := Handler{Kind: kind, Guard: []Test{{control, "==", at}}}
	if d.chance(5) {
		h.Guard = append(h.Guard, Test{counter, ">=", d.between(1, 2)})
	}
	if d.Names && d.chance(20) && kind != Itself {
		h.Guard = append(h.Guard, d.test(class, kind))
	}
	if d.Names && d.chance(12) {
		h.Chooses = pick(d, d.Roles...).Name
	}
	for range 1 + d.IntN(2)*d.IntN(2)*d.between(1, 2) {
		h.Outcomes = append(h.Outcomes, d.entry(class, kind, controls))
	}
	d.add(class, h)
}

// entry draws the acts of one outcome.
func (d *dice) entry(class, kind, controls int) []Act {
	if d.fails && d.chance(6) {
		return []Act{{Do: "fail", Value: d.IntN(100)}}
	}
	acts := []Act{{Do: "set", Field: control, Value: d.IntN(controls)}}
	if d.chance(10) {
		acts = append(acts, Act{Do: "add", Field: counter, Value: 1})
	}
	switch {
	case kind == Itself:
		for range d.IntN(3) {
			acts = append(acts, d.burning()...)
		}
	case kind == token && d.chance(70) && !d.symmetric:
		acts = append(acts, d.sendAct("same", token))
	default:
		for range d.between(0, 2) {
			acts = append(acts, d.costing()...)
		}
	}
	if d.chance(15) {
		acts = append(acts, d.burning()...)
	}
	for _, act := range d.further(class, kind) {
		if act.Do != "create" || kind != Itself {
			acts = append(acts, act)
		}
	}
	return acts
}

// token is the one kind of message that may be passed on without losing hops. There are few in
// flight, or there would be too many states.
const token = 0

func (d *dice) sendAct(hops string, kind int) Act {
	act := Act{Do: "send", Kind: kind, To: d.target(), From: -1, Value: d.IntN(2) * d.IntN(2), Hops: hops}
	if d.Names && d.chance(40) {
		act.Who = pick(d, "sender", "sender", "self", "peer", "other", "listed")
	}
	act.Carries = d.Names && d.chance(15)
	return act
}

// costing draws a message that costs a hop, or two that are equal.
func (d *dice) costing() []Act {
	kind := d.IntN(min(d.kinds, 3))
	if kind == token && d.chance(70) {
		kind = min(d.kinds, 3) - 1
	}
	act := d.sendAct("less", kind)
	if d.chance(12) {
		return []Act{act, act}
	}
	return []Act{act}
}

// burning draws a message that costs fuel.
func (d *dice) burning() []Act {
	act := d.sendAct("one", d.IntN(min(d.kinds, 3)))
	act.When = []Test{{fuel, ">=", 1}}
	return []Act{act, {Do: "set", Field: fuel, Value: 0}}
}

// gather draws the quorum handlers of a class. Some of what they take no other handler does, so that it gathers.
func (d *dice) gather(class, controls int) {
	for range d.between(1, 2) {
		h := Handler{Kind: d.IntN(min(d.kinds, 3))}
		h.Quorum = &Quorum{Size: pick(d, 0, 0, 0, 2, 2, 2, 3, Majority, Majority, ByField, 1), Told: true}
		if d.symmetric {
			h.Quorum.Size = 2
		}
		for kind := range min(d.kinds, 3) {
			if d.chance(60) {
				h.Quorum.Kinds |= 1 << kind
			}
		}
		h.Guard = pick(d, nil, nil, nil, []Test{{OfCount, ">=", d.between(2, 3)}}, []Test{{OfSenders, ">=", 2}},
			[]Test{{OfParity, "==", d.IntN(2)}})
		for range 1 + d.IntN(2) {
			acts := d.entry(class, h.Kind, controls)
			if d.chance(70) {
				acts = append(acts, Act{Do: "count", Field: counter})
			}
			if d.Names {
				acts = append(acts, Act{Do: "learn", Who: "senders"})
			}
			odd := Act{Do: "set", Field: control, Value: d.IntN(controls), When: []Test{{OfParity, "==", 1}}}
			h.Outcomes = append(h.Outcomes, append(acts, odd))
		}
		c := &d.Classes[class]
		kept := c.Handlers[:0]
		for _, other := range c.Handlers {
			if other.Quorum != nil || other.Kind == Itself || h.kinds()>>other.Kind&1 == 0 || !d.chance(65) {
				kept = append(kept, other)
			}
		}
		c.Handlers = kept
		d.add(class, h)
	}
}
