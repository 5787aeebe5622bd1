package toy

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// A Mix says what random programs are like: of most features, how many of a hundred have them.
type Mix struct {
	salt         uint64 // differs between mixes
	actors, mail [2]int // the least and the most
	hops         []int  // of first messages: one of these
	faults       []int  // how many there are: one of these
	tables       int    // of classes: look up what to do by f0. In the others most handlers touch fields of their own
	roles, names int    // actors come in roles and are symmetric, for the most part; and of these: have Names

	logs, records, creates, fails, stops, internal, timers, quorums, adversaries, fifo, queues, sets int
}

var (
	// Messages has programs of messages only.
	Messages = Mix{salt: 0x9e3779b97f4a7c15, actors: [2]int{2, 4}, mail: [2]int{3, 5}, hops: []int{1, 1, 1, 1, 1, 2},
		tables: 90, creates: 40, fails: 25}
	// Auxiliary has auxiliary parts and histories as well.
	Auxiliary = Messages.with(0xd1b54a32d192ed03, func(m *Mix) { m.mail, m.logs, m.records = [2]int{3, 4}, 100, 30 })
	// Events has what actors do by themselves, faults and queues as well.
	Events = Auxiliary.with(0xbf58476d1ce4e5b9, func(m *Mix) {
		m.actors, m.mail, m.logs, m.records = [2]int{2, 3}, [2]int{1, 3}, 60, 15
		m.creates, m.stops, m.internal, m.fifo, m.sets, m.faults = 40, 45, 40, 35, 9, []int{0, 1, 2}
	})
	// Quorums has quorum handlers and adversaries as well.
	Quorums = Events.with(0xd6e8feb86659fd93, func(m *Mix) {
		m.quorums, m.adversaries, m.queues, m.sets, m.creates = 100, 60, 25, 18, 35
		m.faults, m.mail, m.hops = []int{0, 1}, [2]int{2, 4}, []int{0, 1}
	})
	// Footprints has programs against which partial-order reduction can be tested: most handlers of an actor touch different
	// fields, so that much commutes, and a few things are in the way of it.
	Footprints = Mix{
		salt: 0x8ebc6af09c88c6e3, actors: [2]int{2, 4}, mail: [2]int{2, 6}, hops: []int{0, 1, 1, 1, 2}, faults: []int{0, 0, 0, 1, 1, 2},
		roles: 20, logs: 30, records: 12, creates: 12, fails: 60, stops: 12, internal: 20, timers: 20, quorums: 20,
		adversaries: 10, fifo: 20, sets: 12,
	}
	// Symmetric has programs in which what an actor does never depends on which name is which, only on whether two are the
	// same. Of one in four, something tells some actors of a role apart at the start.
	Symmetric = Mix{
		salt: 0xa0761d6478bd642f, hops: []int{0, 0, 0, 1}, faults: []int{0, 0, 1, 2}, tables: 100, roles: 100, names: 100,
		logs: 100, records: 25, creates: 25, fails: 50, stops: 20, internal: 25, quorums: 25, adversaries: 12, fifo: 30,
	}
	// Timers has actors with timers, which handlers set, set anew and cancel.
	Timers = Messages.with(0xc2b2ae3d27d4eb4f, func(m *Mix) {
		m.actors, m.mail, m.timers, m.internal, m.creates, m.faults = [2]int{2, 3}, [2]int{1, 3}, 100, 25, 15, []int{0, 0, 1}
	})
	// SymmetricTimers has programs as those of Symmetric with such actors.
	SymmetricTimers = Symmetric.with(0x165667b19e3779f9, func(m *Mix) {
		m.timers, m.quorums, m.logs, m.faults, m.internal = 100, 0, 30, []int{0, 0, 1}, 10
	})
)

func (m Mix) with(salt uint64, change func(m *Mix)) Mix {
	m.salt = salt
	change(&m)
	return m
}

// Random makes a program, the same for the same seed. Where messages are duplicated without bound there may be no end of states.
// Else there are finitely many: a message has hops, and the step that consumes it passes on one message with as many, or sends
// some with fewer; few other messages are sent.
func (m Mix) Random(seed uint64) *Protocol {
	d := &dice{Rand: rand.New(rand.NewPCG(seed, m.salt)), Protocol: &Protocol{}, mix: m}
	d.shape()
	for i := range d.Classes {
		d.draw(i)
	}
	d.hush(seed)
	d.populate()
	d.firstMessages()
	d.trouble()
	d.crashWithin(seed)
	d.properties()
	d.tame()
	d.stayDown(seed)
	d.cutOneWay(seed)
	return d.Protocol
}

// dice are the random choices of a program.
type dice struct {
	*rand.Rand
	*Protocol
	mix   Mix
	names []string // of the first actors
	kinds int
	hops  int
	// Features of the program.
	quorums, timers, internal, creates, records, fails, stops, symmetric bool
	sets                                                                 bool // all channels hold one copy, and for good
}

// chance is true in so many of a hundred cases.
func (d *dice) chance(percent int) bool { return d.IntN(100) < percent }

func (d *dice) between(low, high int) int { return low + d.IntN(high-low+1) }

func pick[T any](d *dice, of ...T) T { return of[d.IntN(len(of))] }

// some is a part of names, sorted.
func (d *dice) some(names []string) []string {
	names = slices.DeleteFunc(slices.Clone(names), func(string) bool { return d.chance(50) })
	slices.Sort(names)
	return names
}

func (d *dice) shape() {
	m := d.mix
	d.kinds, d.hops = d.between(2, leastKinds), pick(d, m.hops...)
	d.quorums, d.timers, d.internal = d.chance(m.quorums), d.chance(m.timers), d.chance(m.internal)
	d.creates, d.records, d.fails, d.stops = d.chance(m.creates), d.chance(m.records), d.chance(m.fails), d.chance(m.stops)
	d.symmetric, d.sets, d.Logs = d.chance(m.roles), d.chance(m.sets), d.chance(m.logs)
	if d.symmetric {
		d.kinds = 2
		d.shapeRoles()
		d.records = d.records && d.Names
		return
	}
	d.names = []string{"ann", "bob", "cid", "dot"}[:d.between(m.actors[0], m.actors[1])]
	for i := range d.between(1, 2) + d.IntN(2)*d.IntN(2) {
		d.Classes = append(d.Classes, Class{Name: fmt.Sprint("Class", i), Fields: d.between(2+min(m.tables, 1), 4),
			Durable: uint(d.IntN(8))})
	}
}

// draw draws what actors of a class do.
func (d *dice) draw(class int) {
	c := &d.Classes[class]
	if d.chance(d.mix.tables) {
		d.table(class)
	} else {
		d.touching(class)
	}
	for i := range c.Handlers {
		h := &c.Handlers[i]
		h.Label = fmt.Sprintf("%s.h%d", c.Name, i)
		if h.Quorum != nil || h.Kind == Itself {
			h.anonymous()
		}
	}
	c.Restart = d.acts(class, Itself)
	c.Restart = slices.DeleteFunc(c.Restart, func(a Act) bool { return a.Do == "create" || a.Do == "fail" || asksForSender(a) })
}

// anonymous takes out what asks for a sender.
func (h *Handler) anonymous() {
	for i := range h.Outcomes {
		h.Outcomes[i] = slices.DeleteFunc(h.Outcomes[i], asksForSender)
	}
}

func asksForSender(a Act) bool { return a.To == "sender" || a.Who == "sender" || a.Do == "befriend" }

// touching draws handlers of which most touch fields of their own.
func (d *dice) touching(class int) {
	c := &d.Classes[class]
	for kind := range d.kinds {
		if d.chance(96) {
			d.handler(class, kind)
		}
		if d.chance(10) {
			d.handler(class, kind)
		}
		if d.quorums && d.chance(40) {
			h := d.handler(class, kind)
			h.Quorum = &Quorum{Size: pick(d, 0, 2, 2, 2, 3), Told: d.chance(40), AtLeast: d.between(1, 2)}
		}
	}
	if d.internal && d.chance(70) {
		h := d.handler(class, Itself)
		if d.chance(70) { // else it goes on for ever
			h.once()
		}
	}
	if d.timers && d.chance(70) {
		d.handler(class, Itself)
		c.Handlers[len(c.Handlers)-1].Timer = true
	}
}

// once makes a handler one that runs once: its first field counts it.
func (h *Handler) once() {
	h.Guard = append(h.Guard, Test{0, "==", 0})
	for i := range h.Outcomes {
		h.Outcomes[i] = append(h.Outcomes[i], Act{Do: "set", Field: 0, Value: 1})
	}
}

func (d *dice) handler(class, kind int) *Handler {
	h := Handler{Kind: kind}
	if d.chance(45) {
		for range d.between(1, 2) {
			h.Guard = append(h.Guard, d.test(class, kind))
		}
	}
	for range 1 + d.IntN(2)*d.IntN(2)*d.IntN(2) {
		h.Outcomes = append(h.Outcomes, d.acts(class, kind))
	}
	return d.add(class, h)
}

func (d *dice) add(class int, h Handler) *Handler {
	c := &d.Classes[class]
	c.Handlers = append(c.Handlers, h)
	return &c.Handlers[len(c.Handlers)-1]
}

// touched draws a field that handlers of a kind touch: mostly one of their own.
func (d *dice) touched(class, kind int) int {
	if kind == Itself {
		kind = leastKinds
	}
	if n := d.Classes[class].Fields; d.chance(65) {
		return kind % n
	}
	return d.IntN(d.Classes[class].Fields)
}

func (d *dice) test(class, kind int) Test {
	t := Test{d.touched(class, kind), pick(d, "==", "==", "!=", ">="), pick(d, 0, 1, 1, 2)}
	switch {
	case kind == Itself:
	case d.Names && d.chance(40):
		t = pick(d, Test{OfKnown, ">=", 1}, Test{OfKnown, ">=", 2}, Test{OfKnowledge, "==", 1}, Test{OfPeer, "==", 1},
			Test{OfVotes, ">=", 1})
	case d.chance(5):
		t = Test{OfSender, "==", d.IntN(2)}
	case d.chance(15):
		t.Field = OfMessage
	}
	return t
}

// acts draws what a handler does with one choice made.
func (d *dice) acts(class, kind int) []Act {
	var acts []Act
	for range d.IntN(3) {
		acts = append(acts, d.change(class, kind))
	}
	for range pick(d, 0, 1, 1, 1, 2) {
		acts = append(acts, d.sending(class, kind))
	}
	acts = append(acts, d.further(class, kind)...)
	if d.fails && d.chance(15) {
		acts = append(acts, Act{Do: "fail", When: []Test{d.test(class, kind), d.test(class, kind)}})
	}
	d.Shuffle(len(acts), func(i, j int) { acts[i], acts[j] = acts[j], acts[i] })
	return acts
}

// further draws acts on what few programs have. In a class that is a table they have no conditions.
func (d *dice) further(class, kind int) (acts []Act) {
	conditions := 50
	if d.mix.tables > 0 {
		conditions = 0
	}
	add := func(is bool, percent int, do string, value int) {
		if is && d.chance(percent) {
			acts = append(acts, Act{Do: do, Value: value, When: d.when(class, kind, conditions)})
		}
	}
	created := d.IntN(len(d.Classes))
	if d.symmetric {
		created = len(d.Classes) - 1
	}
	add(d.creates, 25, "create", created)
	add(d.records, 25, "record", d.IntN(2))
	add(d.stops, 12, "stop", 0)
	add(d.timers, 25, pick(d, "arm", "arm", "disarm"), 0)
	if d.Names {
		acts = append(acts, d.naming()...)
	}
	return acts
}

func (d *dice) when(class, kind, percent int) []Test {
	if d.chance(percent) {
		return []Test{d.test(class, kind)}
	}
	return nil
}

func (d *dice) change(class, kind int) Act {
	act := Act{
		Do:    pick(d, "set", "set", "set", "add", "add", "max", "take", "copy", "befriend", "forget"),
		Field: d.touched(class, kind), From: d.touched(class, kind), Value: d.between(0, 2), When: d.when(class, kind, 20),
	}
	if act.Do == "add" {
		act.Value = 1
	}
	return act
}

// sending draws a message. Few are passed on without losing hops, and fewer without a message that was consumed: there
// would be no end of them, but where channels are sets.
func (d *dice) sending(class, kind int) Act {
	act := Act{Do: "send", Kind: d.IntN(d.kinds), To: d.target(), From: -1, Value: d.IntN(2), When: d.when(class, kind, 20),
		Hops: "less"}
	switch {
	case kind == 0 && act.To != "group" && d.chance(80), d.sets && d.chance(50):
		act.Hops = "same"
	case kind == Itself, d.chance(3):
		act.Hops = "none"
	}
	if d.chance(15) {
		act.From = d.touched(class, kind)
	}
	return act
}

// target draws who gets a message.
func (d *dice) target() string {
	switch {
	case d.Names:
		return pick(d, "sender", "sender", "peer", "role:"+pick(d, d.Roles...).Name, "known", "other", "child", "chosen", "friend")
	case d.creates && d.chance(25):
		return "child"
	case d.mix.tables > 0 && !d.symmetric:
		targets := append([]string{"sender", "sender", "self"}, d.names...)
		if d.creates {
			targets = append(targets, childName(d.names[0], 0), childName(d.names[1], 0), childName(d.names[1], 1))
		}
		return pick(d, targets...)
	}
	return pick(d, "sender", "sender", "self", "peer", "peer", "friend", "group")
}
