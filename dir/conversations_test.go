package dir_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"harrier/model"
)

// Conversations is a random program like real ones: in several conversations at once actors ask, answer and count what was
// answered. A conversation has phases; what an actor does in it mostly depends on, and changes, its own slot for that, so
// that many labels are persistent. A message has fewer hops left each time that it leads to another one.
type conversations struct {
	program model.Program
	phases  int
	rules   map[string][]entry // by actor, slots and kind of message or "itself" or "restart"
	facts   [][]fact           // of each property, which forbids that all are true
}

// An entry is an outcome.
type entry struct {
	next   string // slots
	sends  []string
	child  bool // is created
	record string
	fails  bool
	stops  bool
}

// A fact is about the slots of an actor, or about the history if it has no name.
type fact struct {
	name string
	slot int
	is   byte
}

// A drawing is the random choices of one program.
type drawing struct {
	*rand.Rand
	*conversations
	names     []string
	slots     int
	receivers [][]string // by kind, which is a conversation and a phase
	isLoose   bool       // conversations disturb each other
	fails     bool
	records   bool
	creates   bool
}

func newConversations(seed uint64) *conversations {
	d := &drawing{Rand: rand.New(rand.NewPCG(seed, 21)), conversations: &conversations{rules: map[string][]entry{}}}
	d.program.Scenario = "conversations"
	d.names = []string{"ann", "bob", "cid", "dot"}[:3+d.IntN(2)]
	d.slots, d.phases = 1+d.IntN(3), 2+d.IntN(2)
	d.isLoose, d.fails, d.records = d.chance(15), d.chance(20), d.chance(20)
	initial := d.names
	if d.creates = d.chance(6); d.creates {
		d.names = append(slices.Clone(d.names), d.names[0]+"/child")
	}
	for range d.phases * (2 + d.IntN(2)) {
		to := []string{d.name()}
		if other := d.name(); d.chance(35) && other != to[0] {
			to = append(to, other)
		}
		d.receivers = append(d.receivers, to)
	}
	d.declareFaults()
	for _, name := range d.names {
		d.drawActor(name)
	}
	for _, name := range initial {
		d.program.Initial.Actors = append(d.program.Initial.Actors, d.actor(name, strings.Repeat("0", d.slots)))
	}
	for kind := 0; kind < len(d.receivers); kind += d.phases {
		d.begin(kind, 1+d.IntN(3))
	}
	for range d.IntN(3) {
		d.begin(d.IntN(len(d.receivers)), d.IntN(3))
	}
	if d.chance(30) {
		d.begin(d.IntN(len(d.receivers)), endless)
	}
	for range d.IntN(3) {
		d.forbid(model.Invariant)
	}
	if d.chance(20) {
		d.forbid(model.Final)
	}
	return d.conversations
}

func (d *drawing) chance(percent int) bool { return d.IntN(100) < percent }

func (d *drawing) name() string { return d.names[d.IntN(len(d.names))] }

func (d *drawing) some() model.Scope {
	names := slices.DeleteFunc(slices.Sorted(slices.Values(d.names)), func(string) bool { return d.chance(50) })
	if len(names) == 0 {
		names = d.names[:1]
	}
	return model.Scope{Names: names}
}

// begin sends the first messages of a kind.
func (d *drawing) begin(kind, hops int) {
	for _, to := range d.receivers[kind] {
		d.program.Initial.Messages = append(d.program.Initial.Messages, model.Message{Receiver: to, Payload: []byte{byte('a' + kind), byte('0' + hops)}})
		if hops == endless {
			return
		}
	}
}

// endless is the hops of a message that leads to one other message again and again.
const endless = 9

func (d *drawing) declareFaults() {
	if d.chance(25) {
		d.program.FIFO = d.some()
	}
	if !d.chance(35) {
		return
	}
	kinds := []model.EventKind{model.Lose, model.Duplicate, model.Restart, model.Restart, model.Stop, model.Split}
	f := model.Fault{Kind: kinds[d.IntN(len(kinds))], Budget: 1, Scope: d.some(), Label: "a fault"}
	if f.Kind == model.Split {
		f.Scope.Names = d.names[:1+d.IntN(2)]
	}
	if d.chance(30) {
		f.Budget = model.Unbounded
	}
	if f.Kind == model.Lose {
		f.SparesSelf = d.chance(50)
	}
	d.program.Faults = append(d.program.Faults, f)
}

// drawActor draws what an actor does.
func (d *drawing) drawActor(name string) {
	styles := make([]int, len(d.receivers))
	for kind := range styles {
		styles[kind] = d.IntN(100)
	}
	bound := 1 + d.IntN(2)
	acts, resets := d.chance(35), d.chance(70)
	for _, slots := range d.values() {
		for kind, style := range styles {
			d.drawRule(name, slots, kind, style, bound)
		}
		if acts && d.chance(60) {
			d.rules[name+slots+"itself"] = []entry{d.unprompted(slots)}
		}
		restarted := d.unprompted(slots)
		if resets {
			restarted.next = strings.Repeat("0", d.slots)
		}
		d.rules[name+slots+"restart"] = []entry{restarted}
	}
}

// values yields all values of slots.
func (d *drawing) values() []string {
	all := []string{""}
	for range d.slots {
		var longer []string
		for _, v := range all {
			longer = append(longer, v+"0", v+"1", v+"2")
		}
		all = longer
	}
	return all
}

// drawRule draws what an actor does with a message: it answers always, counts until there are enough, answers until there are
// enough, or has a table.
func (d *drawing) drawRule(name, slots string, kind, style, bound int) {
	slot := kind / d.phases % d.slots
	value := int(slots[slot] - '0')
	e := entry{next: with(slots, slot, min(value+1, 2)), sends: d.answer(kind)}
	switch {
	case style < 66:
		if style < 48 {
			e.next = slots
		}
	case style < 78:
		if value+1 != bound {
			e.sends = nil
		}
		if value >= bound {
			e.next = slots
		}
	case style < 88:
		if value >= bound {
			e = entry{next: slots}
		}
	case style < 93 && value < bound:
		return // the guard is false
	case d.chance(10):
		return
	default:
		e.next = with(slots, slot, d.IntN(3))
		if d.chance(50) {
			e.sends = nil
		}
	}
	if d.isLoose && d.chance(15) {
		e.next = with(e.next, d.IntN(d.slots), d.IntN(3))
	}
	e.fails = d.fails && d.chance(4)
	e.stops = d.chance(1)
	e.child = d.creates && name == d.names[0] && d.chance(40)
	if d.records && d.chance(15) {
		e.record = string(rune('x' + d.IntN(2)))
	}
	key := name + slots + string(rune('a'+kind))
	d.rules[key] = append(d.rules[key], e)
	if d.chance(5) {
		d.rules[key] = append(d.rules[key], entry{next: with(slots, slot, d.IntN(3)), sends: e.sends})
	}
}

// answer draws what is sent in answer to a message: mostly the next phase, after the last one the first.
func (d *drawing) answer(kind int) (sends []string) {
	next := kind/d.phases*d.phases + (kind+1)%d.phases
	if d.chance(8) {
		next = d.IntN(len(d.receivers))
	}
	for _, to := range d.receivers[next] {
		sends = append(sends, to+string(rune('a'+next)))
		if d.chance(4) {
			sends = append(sends, to+string(rune('a'+d.IntN(len(d.receivers)))))
		}
	}
	return sends
}

// unprompted draws what happens without a message. There are only finitely many states if what is sent then goes to sets.
func (d *drawing) unprompted(slots string) entry {
	e := entry{next: slots}
	if d.chance(60) {
		e.next = with(slots, d.IntN(d.slots), d.IntN(3))
	}
	for _, f := range d.program.Faults {
		if f.Kind == model.Duplicate && f.Budget == model.Unbounded && d.chance(60) {
			kind := d.IntN(len(d.receivers))
			for _, to := range d.receivers[kind] {
				if f.Scope.Has(to) {
					e.sends = append(e.sends, to+string(rune('a'+kind)))
				}
			}
		}
	}
	return e
}

func with(slots string, slot, value int) string {
	b := []byte(slots)
	b[slot] = byte('0' + value)
	return string(b)
}

// forbid draws a property.
func (d *drawing) forbid(kind model.PropertyKind) {
	d.program.Properties = append(d.program.Properties, model.Property{Name: fmt.Sprint("property ", len(d.facts)), Kind: kind})
	var facts []fact
	for range 1 + d.IntN(3) {
		facts = append(facts, fact{d.name(), d.IntN(d.slots), byte('0' + d.IntN(3))})
	}
	if d.records && d.chance(50) {
		facts = slices.Insert(facts, d.IntN(len(facts)+1), fact{is: byte('x' + d.IntN(2))})
		facts = facts[:1+d.IntN(len(facts))]
	}
	d.facts = append(d.facts, facts)
}

func (p *conversations) actor(name, slots string) model.Actor {
	return model.Actor{Name: name, Class: "Actor", Local: []byte(name + " " + slots), Acts: len(p.rules[name+slots+"itself"]) > 0}
}

// Program implements model.Oracle.
func (p *conversations) Program() *model.Program { return &p.program }

// Steps implements model.Oracle.
func (p *conversations) Steps(_ context.Context, questions []model.Question) ([]model.Answer, error) {
	answers := make([]model.Answer, len(questions))
	for i, q := range questions {
		name, slots, _ := strings.Cut(string(q.Local), " ")
		slots, hasChild := strings.CutSuffix(slots, "+")
		event, hops := "itself", byte('1')
		if q.Event.Kind == model.Restart {
			event = "restart"
		}
		for _, m := range q.Event.Messages {
			event, hops = string(m.Payload[:1]), m.Payload[1]
		}
		for _, e := range p.rules[name+slots+event] {
			answers[i].Outcomes = append(answers[i].Outcomes, p.outcome(name, event, hops, e, hasChild))
		}
	}
	return answers, nil
}

func (p *conversations) outcome(name, event string, hops byte, e entry, hasChild bool) model.Outcome {
	o := model.Outcome{Handler: "on " + event, Stopped: e.stops}
	if e.fails {
		o.Failure = &model.Failure{Kind: "assertion", Text: name + event}
		return o
	}
	a := p.actor(name, e.next)
	o.Local, o.Acts = a.Local, a.Acts
	if e.child && !hasChild {
		o.Creates = []model.Actor{p.actor(name+"/child", strings.Repeat("0", len(e.next)))}
	}
	if e.child || hasChild {
		o.Local = append(o.Local, '+')
	}
	for _, send := range e.sends {
		to, kind := send[:len(send)-1], send[len(send)-1]
		switch {
		case hops == '0'+endless && len(o.Sends) == 0:
			o.Sends = append(o.Sends, model.Message{Sender: name, Receiver: to, Payload: []byte{kind, hops}})
		case hops > '0' && hops < '0'+endless:
			o.Sends = append(o.Sends, model.Message{Sender: name, Receiver: to, Payload: []byte{kind, hops - 1}})
		}
	}
	if e.record != "" {
		o.Records = []model.Record{{Actor: name, Payload: []byte(e.record)}}
	}
	return o
}

// Record implements model.Oracle. A history has the last two records.
func (p *conversations) Record(_ context.Context, extensions []model.Extension) ([][]byte, error) {
	var histories [][]byte
	for _, x := range extensions {
		h := slices.Clone(x.History)
		for _, r := range x.Records {
			h = append(h, r.Payload...)
		}
		histories = append(histories, h[max(0, len(h)-2):])
	}
	return histories, nil
}

// Evaluate implements model.Oracle.
func (p *conversations) Evaluate(_ context.Context, evaluations []model.Evaluation) ([]model.Judgement, error) {
	judgements := make([]model.Judgement, len(evaluations))
	for i, e := range evaluations {
		reads := map[int]bool{}
		isTrue := func(f fact) bool {
			k := slices.IndexFunc(e.Actors, func(a model.Actor) bool { return a.Name == f.name })
			if f.name == "" {
				k = model.ReadHistory
			}
			if f.name != "" && k < 0 {
				return false
			}
			if !reads[k] {
				reads[k] = true
				judgements[i].Reads = append(judgements[i].Reads, k)
			}
			if f.name == "" {
				return len(e.History) > 0 && e.History[0] == f.is
			}
			return e.Actors[k].Local[len(f.name)+1+f.slot] == f.is
		}
		judgements[i].Holds = slices.ContainsFunc(p.facts[e.Property], func(f fact) bool { return !isTrue(f) })
	}
	return judgements, nil
}

// String is the program, for people.
func (p *conversations) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "FIFO %v, faults %+v, properties %+v\n", p.program.FIFO, p.program.Faults, p.facts)
	for _, m := range p.program.Initial.Messages {
		fmt.Fprintf(&b, "%s gets %s\n", m.Receiver, m.Payload)
	}
	for _, key := range slices.Sorted(maps.Keys(p.rules)) {
		fmt.Fprintf(&b, "%s %+v\n", key, p.rules[key])
	}
	return b.String()
}
