package toy

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"harrier/model"
)

// Quorums makes a small random protocol, the same for the same seed, in which actors of some classes receive several
// messages at once, and some messages are forged. It has all that Eventful has.
func Quorums(seed uint64) *Protocol {
	d := &dice{Rand: rand.New(rand.NewPCG(seed, 0xd6e8feb86659fd93))}
	d.drawShape()
	d.names, d.faults, d.controls = d.names[:min(3, len(d.names))], 1, min(3, d.controls)
	d.creates = d.creates && d.chance(50)
	if d.hops = d.IntN(2); d.hops > 0 {
		d.messages = 2
	} else {
		d.messages = d.between(3, 4)
	}
	adversaries := []string{"eve", "fay"}[:d.IntN(2)*d.between(1, 2)]
	roles := d.roles(adversaries)
	p := d.eventful(func(c *class) { d.gather(c, roles) })
	p.program.Roles = roles
	d.concentrate(p)
	switch d.IntN(8) {
	case 0:
		d.repeat(p)
	case 1, 2:
		d.queue(p)
	}
	for _, c := range p.classes {
		for _, q := range c.quorums {
			p.program.Handlers = append(p.program.Handlers, model.Handler{Class: c.name, Label: q.label, Quorum: true})
		}
	}
	d.tame(p)
	if len(adversaries) > 0 {
		d.betray(p, adversaries)
	}
	return p
}

// Pass says how messages pass.
func (p *Protocol) Pass(by model.Passing) { p.program.Passing = by }

// A quorum is a handler that takes several messages at once. What it does depends on which these are, as a multiset.
type quorum struct {
	label    string
	kinds    uint // set of the kinds of message that it takes
	controls uint // set of control states in which it takes any
	told     bool // it is told of in all control states, as where the guard finds out
	size     int  // from different senders; or one of those below
	number   int  // the guard: how many messages there must be at least
	senders  int  // from how many senders
	parity   int  // of the sum of hops, -1 for any
	weighs   bool // the actor's counter grows by the messages' kinds, and by one for each
	// rules say what it does, by control state, and whether the messages' kinds and hops and their number have an odd sum.
	rules [][2]rule
}

const (
	anyNumber = 0
	majority  = -1 // of the sender's role
	byCounter = -2 // one more than the actor's counter
)

// roles draws which of the actors and adversaries have roles: two at most.
func (d *dice) roles(adversaries []string) []model.Role {
	roles := []model.Role{{Name: "peers"}, {Name: "clerks"}}
	for _, name := range slices.Concat(d.names, adversaries) {
		switch i := d.IntN(10); {
		case i < 7:
			roles[0].Actors = append(roles[0].Actors, name)
		case i < 9:
			roles[1].Actors = append(roles[1].Actors, name)
		}
	}
	return slices.DeleteFunc(roles, func(r model.Role) bool { return len(r.Actors) == 0 })
}

// kindSet draws a set of kinds of messages.
func (d *dice) kindSet(size int) uint {
	var set uint
	for range size {
		set |= 1 << d.IntN(d.kinds)
	}
	return set
}

// gather draws the quorum handlers of a class. Some of what they take no other handler does, so that it gathers.
func (d *dice) gather(c *class, roles []model.Role) {
	if d.chance(10) {
		return
	}
	for n := range d.between(1, 2) {
		q := quorum{
			label: fmt.Sprintf("%s.quorum%d", c.name, n), kinds: d.kindSet(3),
			controls: d.controlSet(2 * d.controls), told: d.chance(30),
			size: []int{anyNumber, anyNumber, anyNumber, 2, 2, 2, 3, majority, majority, byCounter, 1}[d.IntN(11)], parity: -1, weighs: d.chance(70),
		}
		if len(roles) == 0 && q.size == majority {
			q.size = 2
		}
		switch d.IntN(6) {
		case 0, 1, 2:
			q.kinds, q.controls = 1<<d.kinds-1, 1<<d.controls-1
		case 3:
			q.number = d.between(2, 3)
		case 4:
			q.senders = 2
		default:
			q.parity = d.IntN(2)
		}
		for range d.controls {
			kind := d.IntN(d.kinds)
			q.rules = append(q.rules, [2]rule{d.rule(kind), d.rule(kind)})
		}
		c.quorums = append(c.quorums, q)
		for control := range d.controls {
			for kind := range d.kinds {
				if q.kinds>>kind&1 == 1 && d.chance(65) {
					c.rules[control][kind] = rule{}
				}
			}
		}
	}
}

// repeat makes all channels duplicate without bound. What is in flight is in sets then.
func (d *dice) repeat(p *Protocol) {
	p.program.FIFO = model.Scope{}
	p.program.Faults = []model.Fault{{Kind: model.Duplicate, Scope: model.Scope{All: true}, Budget: model.Unbounded, Label: "copies"}}
	p.program.Properties = slices.DeleteFunc(p.program.Properties, func(q model.Property) bool { return q.Kind == model.Final })
	p.eachOutcome(func(o *outcome) { o.fewer, o.fueled = nil, nil })
}

// queue makes all channels keep the order of messages, most of which have the same sender, and something befall them.
func (d *dice) queue(p *Protocol) {
	p.program.FIFO = model.Scope{All: true}
	kind := []model.EventKind{model.Lose, model.Lose, model.Duplicate, model.Duplicate, model.Duplicate, model.Split}[d.IntN(6)]
	f := model.Fault{Kind: kind, Scope: model.Scope{Names: d.names[:1]}, Budget: 1, Label: "trouble in queues"}
	p.program.Faults = []model.Fault{f}
	for i := range p.program.Initial.Messages {
		if d.chance(80) {
			p.program.Initial.Messages[i].Sender, p.program.Initial.Messages[i].Receiver = d.names[1], d.names[0]
		}
	}
	for range 4 - len(p.program.Initial.Messages) {
		p.program.Initial.Messages = append(p.program.Initial.Messages, message(d.names[1], d.names[0], d.IntN(d.kinds), 0, 0))
	}
}

// concentrate sends many of the first messages to one actor, from everybody.
func (d *dice) concentrate(p *Protocol) {
	messages := p.program.Initial.Messages
	for i := range messages {
		if d.chance(75) {
			messages[i].Receiver = d.names[0]
		}
		if messages[i].Sender != "" && d.chance(50) {
			messages[i].Sender = d.names[i%len(d.names)]
		}
	}
}

// tame bounds duplication where an end of it, or of states, would mean nothing.
func (d *dice) tame(p *Protocol) {
	asksEnds := slices.ContainsFunc(p.program.Properties, func(q model.Property) bool { return q.Kind == model.Final })
	hasQueues := p.program.FIFO.All || len(p.program.FIFO.Names) > 0
	for i, f := range p.program.Faults {
		if f.Kind == model.Duplicate && f.Budget == model.Unbounded && (asksEnds || hasQueues) {
			p.program.Faults[i].Budget = 1
		}
	}
}

// betray draws what adversaries may send, and on which side of a cut they are. What answers them vanishes.
func (d *dice) betray(p *Protocol, adversaries []string) {
	f := model.Fault{Kind: model.Forge, Scope: model.Scope{Names: adversaries}, Budget: d.between(1, 2), Label: "messages forged"}
	for range d.between(1, 3) {
		m := message(adversaries[d.IntN(len(adversaries))], d.names[d.IntN(len(d.names))], d.IntN(d.kinds), d.IntN(2), 0)
		f.Forged = append(f.Forged, m)
	}
	for i, split := range p.program.Faults {
		if split.Kind == model.Split && d.chance(30) {
			p.program.Faults[i].Scope.Names = append(slices.Clone(split.Scope.Names), adversaries...)
			slices.Sort(p.program.Faults[i].Scope.Names)
		}
	}
	p.program.Faults = append(p.program.Faults, f)
}

// receive is the step that consumes messages.
func (p *Protocol) receive(l local, messages []model.Message) model.Answer {
	var answer model.Answer
	c := &p.classes[l.class]
	if len(messages) == 1 {
		kind := int(messages[0].Payload[0])
		answer = p.step(l, messages[0], &c.rules[l.control][kind], p.label(l.class, kind))
	}
	for i := range c.quorums {
		q := &c.quorums[i]
		told, ok := p.quorumOf(q, l, messages)
		if !ok {
			continue
		}
		if len(messages) == 1 && told.Size != 1 {
			answer.Quorums = append(answer.Quorums, told)
		}
		if together, odd, ok := q.accepts(l, told, messages); ok {
			further := p.step(q.weigh(l, messages), together, &q.rules[l.control][odd], q.label)
			answer.Outcomes = append(answer.Outcomes, further.Outcomes...)
			answer.Executions += further.Executions
		}
	}
	return answer
}

// weigh is the local state in which the handler takes messages.
func (q *quorum) weigh(l local, messages []model.Message) local {
	for _, m := range messages {
		if q.weighs {
			l.counter = (l.counter + 1 + int(m.Payload[0])) % counterBound
		}
	}
	return l
}

// quorumOf is what is told of a quorum handler for each of the messages, if it is the same.
func (p *Protocol) quorumOf(q *quorum, l local, messages []model.Message) (told model.Quorum, ok bool) {
	for i, m := range messages {
		if q.kinds>>m.Payload[0]&1 == 0 || !q.told && q.controls>>l.control&1 == 0 {
			return told, false
		}
		of := model.Quorum{Handler: q.label, Size: q.size}
		switch q.size {
		case byCounter:
			of.Size = 1 + l.counter
		case majority:
			r := slices.IndexFunc(p.program.Roles, func(r model.Role) bool { return slices.Contains(r.Actors, m.Sender) })
			if r < 0 {
				return told, false
			}
			of.Role, of.Size = p.program.Roles[r].Name, len(p.program.Roles[r].Actors)/2+1
		}
		if i > 0 && of != told {
			return told, false
		}
		told = of
	}
	return told, true
}

// accepts says whether a handler takes messages in a local state. If so, it gives one message that stands for them,
// and which rule it takes.
func (q *quorum) accepts(l local, told model.Quorum, messages []model.Message) (together model.Message, odd int, ok bool) {
	senders := map[string]bool{}
	sum, hops, most, tags := len(messages), 0, 0, 0
	for i, m := range messages {
		senders[m.Sender] = true
		sum += int(m.Payload[0]) + int(m.Payload[1])
		hops += int(m.Payload[1])
		most = max(most, int(m.Payload[1]))
		tags += int(m.Payload[2])
		if i == 0 || m.Sender < together.Sender {
			together.Sender = m.Sender
		}
	}
	isFit := told.Size == anyNumber || len(messages) == told.Size && len(senders) == told.Size
	isWanted := len(messages) >= q.number && len(senders) >= q.senders && (q.parity < 0 || hops%2 == q.parity)
	together = message(together.Sender, l.name, 0, most, tags%auxiliaryBound)
	return together, sum % 2, isFit && isWanted && q.controls>>l.control&1 == 1
}
