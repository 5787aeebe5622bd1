package toy

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"harrier/internal/model"
)

// populate draws the actors.
func (d *dice) populate() {
	if d.symmetric {
		d.populateRoles()
		return
	}
	for _, name := range d.names {
		class := d.IntN(len(d.Classes))
		a := Actor{Name: name, Class: class, Peer: pick(d, d.names...), Group: d.some(d.names), Armed: d.timers && d.chance(50)}
		for f := range d.Classes[class].Fields {
			value := d.IntN(2) * d.IntN(2)
			if d.mix.tables > 0 && f != fuel {
				value = 0
			}
			a.Fields = append(a.Fields, value)
		}
		d.Actors = append(d.Actors, a)
	}
	if d.quorums && d.mix.tables > 0 {
		d.electRoles()
	}
}

// electRoles draws which of the actors have roles: two at most. What adversaries send may count, too.
func (d *dice) electRoles() {
	roles := []model.Role{{Name: "peers"}, {Name: "clerks"}}
	for _, name := range slices.Concat(d.names, adversaries) {
		switch i := d.IntN(10); {
		case i < 7:
			roles[0].Actors = append(roles[0].Actors, name)
		case i < 9:
			roles[1].Actors = append(roles[1].Actors, name)
		}
	}
	d.Roles = slices.DeleteFunc(roles, func(r model.Role) bool { return len(r.Actors) == 0 })
}

// firstMessages draws the first messages. Where there are quorums most are for one actor.
func (d *dice) firstMessages() {
	if d.symmetric {
		for range d.between(1, 2) {
			d.firstMessagesOfRoles()
		}
		return
	}
	for range d.between(d.mix.mail[0], d.mix.mail[1]) {
		m := Mail{From: pick(d, d.names...), To: pick(d, d.names...), Kind: d.IntN(d.kinds), Value: d.IntN(fieldBound), Hops: d.hops}
		if d.mix.tables == 0 {
			m.Hops = d.IntN(d.hops + 1)
		} else {
			m.Kind, m.Value = d.IntN(min(d.kinds, 3)), m.Value*d.IntN(2)
		}
		if d.chance(30) {
			m.Kind = token
		}
		if d.chance(10) {
			m.From = ""
		}
		if d.quorums && d.mix.tables > 0 && d.chance(75) {
			m.To = d.names[0]
		}
		d.Mail = append(d.Mail, m)
		if d.chance(10) {
			d.Mail = append(d.Mail, m)
		}
	}
}

// trouble draws channels and faults. In a symmetric program all actors have them, or a role.
func (d *dice) trouble() {
	if d.chance(d.mix.fifo) && !d.sets {
		d.FIFO = d.scope()
	}
	if d.sets {
		d.Faults = append(d.Faults, Fault{Kind: model.Duplicate, Scope: model.Scope{All: true}, Budget: model.Unbounded})
	}
	if len(d.mix.faults) > 0 {
		for range pick(d, d.mix.faults...) {
			d.Faults = append(d.Faults, d.fault())
		}
	}
	isSplit := func(f Fault) bool { return f.Kind == model.Split }
	if d.chance(60) && d.mix.tables > 0 && !d.symmetric && slices.ContainsFunc(d.Faults, isSplit) {
		d.FIFO = model.Scope{All: true}
	}
	if d.chance(d.mix.queues) {
		d.queue()
	}
	if d.chance(d.mix.adversaries) {
		d.Faults = append(d.Faults, d.betrayal())
	}
	if d.Names && d.chance(25) {
		d.plant()
	}
}

// crashWithin has some crashes happen within handlers, too. It draws from other dice, so that the rest of a program is the same.
func (d *dice) crashWithin(seed uint64) {
	random := rand.New(rand.NewPCG(seed, d.mix.salt^0x6c62272e07bb0142))
	for i := range d.Faults {
		if f := &d.Faults[i]; f.Kind == model.Restart || f.Kind == model.Stop {
			f.Within = random.IntN(100) < 50
		}
	}
}

// stayDown has actors be down for a while after some crashes, and properties ask for it. It draws from other dice, too.
func (d *dice) stayDown(seed uint64) {
	random := rand.New(rand.NewPCG(seed, d.mix.salt^0x27220a955fe1dadb))
	crashes := false
	for i := range d.Faults {
		if f := &d.Faults[i]; f.Kind == model.Restart && random.IntN(100) < 40 {
			f.Kind, f.Losing, crashes = model.Crash, random.IntN(100) < 50, true
			if f.Budget != model.Unbounded {
				f.Budget = 1 // as there are many more states
			}
		}
	}
	if !crashes {
		return
	}
	d.Fairness.Recovers = random.IntN(100) < 40
	for _, p := range d.Protocol.properties() {
		for i := range p.Facts {
			p.Facts[i].Down = random.IntN(100) < 25
		}
	}
}

// cutOneWay has some cuts stop messages from some actors to others, and not those the other way. It draws from other dice, too.
func (d *dice) cutOneWay(seed uint64) {
	random := rand.New(rand.NewPCG(seed, d.mix.salt^0x3c6ef372fe94f82b))
	for i := range d.Faults {
		f := &d.Faults[i]
		if f.Kind != model.Split || random.IntN(100) >= 40 {
			continue
		}
		switch {
		case len(d.Roles) > 0:
			f.Senders = slices.Clone(d.Roles[random.IntN(len(d.Roles))].Actors)
		default:
			f.Senders = slices.Clone(d.names[random.IntN(len(d.names)):])
		}
	}
}

func (d *dice) crashesWithin() bool {
	return slices.ContainsFunc(d.Faults, func(f Fault) bool { return f.Within })
}

func (d *dice) scope() model.Scope {
	switch {
	case d.chance(40) || d.symmetric && !d.Names:
		return model.Scope{All: true}
	case d.symmetric:
		return model.Scope{Names: slices.Clone(pick(d, d.Roles...).Actors)}
	case d.creates:
		return model.Scope{Names: d.some(append(slices.Clone(d.names), childName(d.names[0], 0)))}
	}
	return model.Scope{Names: d.some(d.names)}
}

// fault draws a fault. Of a cut there is an actor on one side from the beginning.
func (d *dice) fault() Fault {
	kinds := []model.EventKind{model.Restart, model.Restart, model.Stop, model.Lose, model.Lose, model.Duplicate, model.Split,
		model.Split}
	f := Fault{Kind: pick(d, kinds...), Scope: d.scope(), Budget: d.between(1, 2)}
	switch {
	case f.Kind == model.Split && d.symmetric:
		f.Scope = model.Scope{Names: slices.Clone(d.Roles[0].Actors)}
	case f.Kind == model.Split:
		names := append(d.some(d.names), d.names[d.IntN(2)])
		if d.creates && d.chance(50) {
			names = append(names, childName(d.names[1], 0))
		}
		if d.chance(30) {
			names = append(names, adversaries...)
		}
		f.Scope = model.Scope{Names: union(names, nil)}
	case f.Kind == model.Duplicate && d.mix.tables > 0 && d.chance(40), d.chance(20) && f.Kind != model.Duplicate && !d.hasQuorums():
		f.Budget = model.Unbounded
	}
	if d.symmetric {
		f.Budget = min(f.Budget, 1)
	}
	if f.Kind == model.Lose || f.Kind == model.Duplicate && f.Budget != model.Unbounded {
		d.spare(&f)
	}
	return f
}

// spare draws which messages a fault does not happen to.
func (d *dice) spare(f *Fault) {
	f.SparesSelf = d.chance(50)
	switch {
	case !d.chance(30):
	case d.symmetric:
		f.Senders = slices.Clone(pick(d, d.Roles...).Actors)
	default:
		f.Senders = append(d.some(d.names), d.names[0])
	}
}

func (d *dice) hasQuorums() bool {
	return slices.ContainsFunc(d.Classes, func(c Class) bool {
		return slices.ContainsFunc(c.Handlers, func(h Handler) bool { return h.Quorum != nil })
	})
}

var adversaries = []string{"eve", "fay"}

// betrayal draws what adversaries may send. What answers them vanishes.
func (d *dice) betrayal() Fault {
	who := adversaries[:d.between(1, 2)]
	f := Fault{Kind: model.Byzantine, Scope: model.Scope{Names: who}, Budget: d.between(1, 2)}
	for range d.between(1, 3) {
		m := Mail{From: pick(d, who...), To: pick(d, d.names...), Kind: d.IntN(d.kinds), Value: d.IntN(fieldBound), Hops: d.IntN(2)}
		if !d.symmetric {
			f.Domain = append(f.Domain, m)
			continue
		}
		f.Budget, f.Scope.Names = 1, adversaries
		for _, m.From = range adversaries {
			for _, m.To = range d.Roles[0].Actors {
				f.Domain = append(f.Domain, m)
			}
		}
	}
	if d.symmetric && d.Names {
		d.Roles = append(d.Roles, model.Role{Name: "liar", Actors: adversaries})
	}
	return f
}

// queue makes all channels keep the order of messages, most of which have the same sender, and has a fault of one of them.
func (d *dice) queue() {
	d.FIFO = model.Scope{All: true}
	kind := pick(d, model.Lose, model.Lose, model.Duplicate, model.Duplicate, model.Duplicate, model.Split)
	d.Faults = []Fault{{Kind: kind, Scope: model.Scope{Names: d.names[:1]}, Budget: 1}}
	for i := range d.Mail {
		if d.chance(80) {
			d.Mail[i].From, d.Mail[i].To = d.names[1], d.names[0]
		}
	}
	for len(d.Mail) < 4 {
		d.Mail = append(d.Mail, Mail{From: d.names[1], To: d.names[0], Kind: d.IntN(min(d.kinds, 3))})
	}
}

// properties draws conditions of which most hold mostly, and a final condition. Sets are permanent only where there is no final
// condition.
func (d *dice) properties() {
	for range pick(d, 1, 2, 2) {
		d.Invariants = append(d.Invariants, Property{Facts: d.facts(3), History: d.records && d.chance(50)})
	}
	if d.chance(40) && !(d.sets && (d.chance(60) || d.hasQuorums())) {
		d.Final = &Property{Facts: d.facts(2 - min(1, d.mix.tables))}
	}
}

func (d *dice) facts(most int) []Fact {
	var facts []Fact
	if d.Names {
		most = 2
	}
	for range d.between(1, most) {
		a := pick(d, d.Actors...)
		f := Fact{Actor: a.Name, Test: Test{d.IntN(d.Classes[a.Class].Fields), pick(d, "==", "==", ">="), d.between(1, 2)}}
		switch {
		case d.symmetric || d.chance(25) || d.creates && d.chance(30):
			f.Actor, f.Class, f.Least = "", a.Class, d.IntN(3)
			f.Fewer = d.chance(10)
		case d.creates && d.chance(30):
			f.Actor, f.Field, f.Needs = childName(a.Name, 0), d.IntN(2), d.chance(10)
		case d.mix.tables > 0:
			f.Value = pick(d, 0, 1, 1, 2, 2)
		}
		facts = append(facts, f)
	}
	return facts
}

// tame bounds duplication where there would be infinitely many states or no terminal ones.
func (d *dice) tame() {
	hasQueues := d.FIFO.All || len(d.FIFO.Names) > 0
	for i, f := range d.Faults {
		endless := f.Kind == model.Duplicate && f.Budget == model.Unbounded
		if endless && ((d.hasQuorums() || d.crashesWithin()) && (d.Final != nil || len(d.Liveness) > 0 || hasQueues) ||
			d.Delivery != model.M && hasQueues) {
			d.Faults[i].Budget = 1
		}
	}
}

// Watch has properties of a program read the messages in flight and who has stopped. Its channels keep the order of messages, lose and
// duplicate them, which such properties can see.
func (p *Protocol) Watch(seed uint64) *Protocol {
	d := &dice{Rand: rand.New(rand.NewPCG(seed, 0xc2b2ae3d27d4eb4f)), Protocol: p, mix: Mix{tables: 1}}
	for _, a := range p.Actors {
		d.names = append(d.names, a.Name)
	}
	if d.chance(60) {
		p.FIFO = d.scope()
	}
	if d.chance(60) {
		kind := pick(d, model.Lose, model.Lose, model.Duplicate)
		p.Faults = append(p.Faults, Fault{Kind: kind, Scope: model.Scope{All: true}, Budget: 1})
	}
	for i := range p.Faults {
		if f := &p.Faults[i]; f.Kind == model.Duplicate && f.Budget == model.Unbounded {
			f.Budget = 1
		}
	}
	for _, of := range [][]Property{p.Invariants, p.Predicates} {
		for i := range of {
			of[i].Facts = append(d.watched(), of[i].Facts[:d.IntN(len(of[i].Facts)+1)]...)
		}
	}
	p.program = nil
	return p
}

// watched draws facts that are about the network.
func (d *dice) watched() (facts []Fact) {
	for range d.between(1, 2) {
		f := Fact{Sent: &Mail{To: pick(d, d.names...), Kind: d.IntN(leastKinds)}, Least: pick(d, 1, 1, 2), Fewer: d.chance(40)}
		if d.chance(30) {
			f.Sent.From = pick(d, d.names...)
		}
		if d.chance(25) {
			class := pick(d, d.Actors...).Class
			f = Fact{Stopped: true, Class: class, Test: Test{d.IntN(d.Classes[class].Fields), pick(d, "==", ">="), d.IntN(2)}}
		}
		facts = append(facts, f)
	}
	return facts
}

// Leak makes the auxiliary part of a program matter somewhere: in steps, or in a property. It says what it did.
func (p *Protocol) Leak(seed uint64) string {
	d := &dice{Rand: rand.New(rand.NewPCG(seed, 0x94d049bb133111eb)), Protocol: p}
	test := Test{pick(d, OfLog, OfTag), "==", d.IntN(4)}
	class, what := d.IntN(len(p.Classes)), pick(d, 0, 1, 2, 3, 3)
	for i := range p.Classes[class].Handlers {
		p.Classes[class].Handlers[i].leak(what, test)
	}
	if what == 3 {
		log := Fact{Actor: pick(d, p.Actors...).Name, Test: Test{OfLog, "==", test.Value}}
		p.Invariants = append(p.Invariants, Property{Facts: []Fact{log}})
	}
	return fmt.Sprintf("%d: %+v in class %d", what, test, class)
}

// leak makes a handler depend on something: whether it runs, to what it leads, or what it sends.
func (h *Handler) leak(what int, test Test) {
	if what == 0 {
		h.Guard = append(slices.Clone(h.Guard), test)
	}
	for k, acts := range h.Outcomes {
		if what == 1 {
			h.Outcomes[k] = append(acts, Act{Do: "add", Value: 1, When: []Test{test}})
		}
		for i := range acts {
			if what == 2 && acts[i].Do == "send" {
				acts[i].When = append(slices.Clone(acts[i].When), test)
			}
		}
	}
}
