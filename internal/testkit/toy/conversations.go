package toy

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"harrier/internal/model"
)

// Conversations makes a random program like real ones: in several conversations at once actors ask, answer and count the
// answers. A conversation has phases, each with a kind of message; what an actor does in it mostly depends on, and changes, a
// field for that, so that many steps commute.
func Conversations(seed uint64) *Protocol {
	d := &talk{dice: dice{Rand: rand.New(rand.NewPCG(seed, 21)), Protocol: &Protocol{}}}
	d.names = []string{"ann", "bob", "cid", "dot"}[:d.between(3, 4)]
	d.fields, d.phases = d.between(1, 3), d.between(2, 3)
	d.loose, d.fails, d.records, d.creates = d.chance(15), d.chance(20), d.chance(20), d.chance(6)
	for i, name := range d.names {
		d.Classes = append(d.Classes, Class{Name: fmt.Sprint("Class", i), Fields: d.fields})
		d.Actors = append(d.Actors, Actor{Name: name, Class: i, Fields: make([]int, d.fields)})
	}
	if d.creates {
		d.Classes = append(d.Classes, Class{Name: "Child", Fields: d.fields})
		d.names = append(slices.Clone(d.names), childName(d.names[0], 0))
	}
	for range d.phases * d.between(2, 3) {
		to := []string{pick(&d.dice, d.names...)}
		if d.chance(35) {
			to = append(to, pick(&d.dice, d.names...))
		}
		d.receivers = append(d.receivers, union(to, nil))
	}
	d.kinds = len(d.receivers)
	d.addFaults()
	d.crashWithin(seed)
	d.stayDown(seed)
	d.cutOneWay(seed)
	for i := range d.Classes {
		d.speaker(i)
	}
	for kind := 0; kind < d.kinds; kind += d.phases {
		d.begin(kind, d.between(1, 3))
	}
	for range d.IntN(4) {
		d.begin(d.IntN(d.kinds), d.IntN(4))
	}
	if d.chance(30) {
		kind := d.IntN(d.kinds)
		d.Mail = append(d.Mail, Mail{To: d.receivers[kind][0], Kind: kind, Hops: Endless})
	}
	for range d.IntN(3) {
		d.Invariants = append(d.Invariants, d.forbidden())
	}
	if d.chance(20) {
		final := d.forbidden()
		d.Final = &final
	}
	return d.Protocol
}

// A talk is the random choices of one program.
type talk struct {
	dice
	fields, phases int
	receivers      [][]string // by kind
	loose          bool       // conversations disturb each other
}

// begin sends the first messages of a kind.
func (d *talk) begin(kind, hops int) {
	for _, to := range d.receivers[kind] {
		d.Mail = append(d.Mail, Mail{To: to, Kind: kind, Hops: hops})
	}
}

// addFaults draws ordered channels and faults.
func (d *talk) addFaults() {
	if d.chance(25) {
		d.FIFO = d.several()
	}
	if !d.chance(35) {
		return
	}
	f := Fault{Kind: pick(&d.dice, model.Lose, model.Duplicate, model.Restart, model.Restart, model.Stop, model.Split),
		Budget: 1, Scope: d.several()}
	if f.Kind == model.Split {
		f.Scope.Names = d.names[:d.between(1, 2)]
	}
	f.SparesSelf = f.Kind == model.Lose && d.chance(50)
	if d.chance(30) {
		f.Budget = model.Unbounded
	}
	d.Faults = append(d.Faults, f)
}

func (d *talk) several() model.Scope {
	return model.Scope{Names: union(d.some(d.names), d.names[:1])}
}

// speaker draws what an actor does. Bound is how often it counts.
func (d *talk) speaker(class int) {
	c := &d.Classes[class]
	bound := d.between(1, 2)
	for kind := range d.kinds {
		d.answers(class, kind, bound)
	}
	if d.chance(35) {
		for value := range fieldBound {
			if d.chance(60) {
				d.add(class, Handler{Kind: Itself, Guard: []Test{{0, "==", value}}, Outcomes: [][]Act{d.unprompted()}})
			}
		}
	}
	if c.Restart = d.unprompted(); d.chance(30) {
		c.Durable = 1<<d.fields - 1
	}
	for i := range c.Handlers {
		c.Handlers[i].Label = fmt.Sprintf("%s.h%d", c.Name, i)
	}
}

// answers draws what an actor does with a kind of message: it answers always, counts until there are enough, answers until
// there are enough, or only then.
func (d *talk) answers(class, kind, bound int) {
	slot := kind / d.phases % d.fields
	more := []Act{{Do: "set", Field: slot, Value: 2, When: []Test{{slot, "==", 1}}},
		{Do: "set", Field: slot, Value: 1, When: []Test{{slot, "==", 0}}}}
	h := Handler{Kind: kind}
	var acts []Act
	switch style := d.IntN(100); {
	case style < 48:
		acts = d.answer(kind, nil)
	case style < 70:
		acts = append(d.answer(kind, nil), more...)
	case style < 78:
		acts = append(d.answer(kind, []Test{{slot, "==", bound - 1}}), more[2-bound:]...)
	case style < 88:
		acts = append(d.answer(kind, []Test{{slot, "!=", bound}}), more[2-bound:]...)
	case style < 98:
		if style < 93 {
			h.Guard = []Test{{slot, ">=", bound}}
		}
		if d.chance(50) {
			acts = d.answer(kind, nil)
		}
		acts = append(acts, d.moving(slot, 100)...)
	default:
		return
	}
	if d.loose && d.chance(40) {
		acts = append(acts, d.moving(d.IntN(d.fields), 50)...)
	}
	further := func(is bool, percent int, act Act) {
		if is && d.chance(percent) {
			act.When = []Test{{d.IntN(d.fields), "==", d.IntN(fieldBound)}}
			acts = append(acts, act)
		}
	}
	further(d.fails, 12, Act{Do: "fail"})
	further(true, 3, Act{Do: "stop"})
	further(d.creates && class == 0, 70, Act{Do: "create", Value: len(d.Classes) - 1})
	further(d.records, 40, Act{Do: "record", Value: d.IntN(2)})
	h.Outcomes = [][]Act{acts}
	if d.chance(5) {
		h.Outcomes = append(h.Outcomes, append(d.answer(kind, nil), d.moving(slot, 100)...))
	}
	d.add(class, h)
}

func (d *talk) moving(slot, percent int) []Act {
	if !d.chance(percent) {
		return nil
	}
	return []Act{{Do: "set", Field: slot, Value: d.IntN(fieldBound)}}
}

// answer draws the messages sent in answer to one: mostly the next phase, after the last one the first.
func (d *talk) answer(kind int, when []Test) (sends []Act) {
	next := kind/d.phases*d.phases + (kind+1)%d.phases
	if d.chance(8) {
		next = d.IntN(d.kinds)
	}
	for _, to := range d.receivers[next] {
		sends = append(sends, Act{Do: "send", Kind: next, To: to, From: -1, Hops: "less", When: when})
		if d.chance(4) {
			sends = append(sends, Act{Do: "send", Kind: d.IntN(d.kinds), To: to, From: -1, Hops: "less", When: when})
		}
	}
	return sends
}

// unprompted draws the acts of an internal event. There are only finitely many states if it sends to sets only.
func (d *talk) unprompted() []Act {
	acts := d.moving(d.IntN(d.fields), 60)
	for _, f := range d.Faults {
		if f.Kind == model.Duplicate && f.Budget == model.Unbounded && d.chance(60) {
			kind := d.IntN(d.kinds)
			for _, to := range d.receivers[kind] {
				if f.Scope.Has(to) {
					acts = append(acts, Act{Do: "send", Kind: kind, To: to, From: -1, Hops: "one"})
				}
			}
		}
	}
	return acts
}

// forbidden draws a property.
func (d *talk) forbidden() Property {
	var p Property
	for range d.between(1, 3) {
		p.Facts = append(p.Facts, Fact{Actor: pick(&d.dice, d.names...), Test: Test{d.IntN(d.fields), "==", d.IntN(fieldBound)}})
	}
	if p.History = d.records && d.chance(50); p.History {
		p.Facts = p.Facts[:d.IntN(len(p.Facts)+1)]
	}
	return p
}

// Friends makes a random program of actors that may be permuted. An actor knows a peer, and most steps answer somebody and disturb
// little else, so that many messages are ignored.
func Friends(seed uint64) *Protocol {
	d := &dice{Rand: rand.New(rand.NewPCG(seed, 23)), Protocol: &Protocol{}}
	sizes := pick(d, []int{2, 1}, []int{2, 2}, []int{3, 1}, []int{2, 1, 1}, []int{3}, []int{2, 2, 1})
	d.addRoles(sizes, []string{"ant", "bee", "cat"}, 1)
	states := d.between(2, 3)
	d.fails = d.chance(25)
	for i := range d.Roles {
		d.befriended(i)
		d.helpful(i, states)
	}
	for range d.between(2, 4) {
		m := Mail{Kind: d.IntN(2), Hops: d.between(1, 3)}
		to := pick(d, d.Roles...).Actors
		for _, m.To = range to[:len(to)-d.IntN(2)] {
			d.Mail = append(d.Mail, m)
		}
	}
	if d.chance(20) {
		d.FIFO.Names = pick(d, d.Roles...).Actors
	}
	if d.chance(20) {
		d.Faults = []Fault{{Kind: model.Lose, Budget: d.IntN(2), Scope: model.Scope{Names: pick(d, d.Roles...).Actors}}}
	}
	if d.chance(50) {
		fact := Fact{Class: d.IntN(len(d.Roles)), Least: d.between(1, 3), Test: Test{0, "==", d.IntN(states)}}
		d.Invariants = []Property{{Facts: []Fact{fact}}}
	}
	return d.Protocol
}

// befriended gives the actors of a role peers: the next one of the role, one of another role each, or all the same.
func (d *dice) befriended(role int) {
	shift, peers := 1, d.Roles[role].Actors
	if d.chance(67) {
		shift, peers = 0, pick(d, d.Roles...).Actors
	}
	for i, name := range d.Roles[role].Actors {
		d.Actors = append(d.Actors, Actor{Name: name, Class: role, Fields: []int{0}, Peer: peers[(i+shift)%len(peers)]})
	}
}

// helpful draws the handlers of a role. Whatever the state, most answer a kind of message in the same way.
func (d *dice) helpful(role, states int) {
	name := d.Roles[role].Name
	add := func(h Handler) {
		h.Label = fmt.Sprintf("%s.h%d", name, len(d.Classes[role].Handlers))
		d.add(role, h)
	}
	for kind := range 2 {
		usual := Act{Do: "send", To: pick(d, "sender", "peer", "peer", "chosen", "role:"+pick(d, d.Roles...).Name), From: -1,
			Kind: d.IntN(2), Hops: "less"}
		for state := range states {
			h := Handler{Kind: kind, Chooses: d.Roles[0].Name, Guard: []Test{{0, "==", state}}}
			for range 1 + d.IntN(8)/7 {
				act := usual
				if d.chance(16) {
					act.To, act.Kind = pick(d, "sender", "peer", ""), d.IntN(2)
				}
				acts := []Act{act}
				if d.chance(10) {
					acts = append(acts, Act{Do: "set", Value: d.IntN(states)})
				}
				if d.fails && d.chance(10) {
					acts = []Act{{Do: "fail"}}
				}
				h.Outcomes = append(h.Outcomes, acts)
			}
			if usual.To != "chosen" {
				h.Chooses = ""
			}
			add(h)
		}
	}
	for state := range states {
		if d.chance(80) {
			next := pick(d, state, state, state, (state+1)%states)
			add(Handler{Kind: Itself, Guard: []Test{{0, "==", state}}, Outcomes: [][]Act{{{Do: "set", Value: next}}}})
		}
	}
}
