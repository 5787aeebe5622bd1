// Package toy holds programs for tests: implementations of model.Oracle in plain Go, without a JVM.
//
// Random makes a Protocol, a program of random tables: what an actor does with a message is looked
// up by its class, its control state and the message's kind. Decomposed adds auxiliary parts to that, and
// Eventful what actors do by themselves, faults and channels, and Quorums handlers that take several messages, and
// adversaries. A Script is a program written by hand. Both count how often each question is asked.
//
// Every Protocol has finitely many states. A message carries a number of hops. The step that
// consumes it either passes on one message with as many hops or sends several with fewer; all other
// sends use up fuel of the actor. So the messages in flight are bounded, while actors may well go
// round in circles. Children of children never get a message, so there are few of them. A step that consumes several
// messages sends what it would if it consumed only the one of them with the most hops. What adversaries
// forge is bounded by their budget.
package toy

import (
	"context"
	"fmt"
	"sync"

	"harrier/model"
)

// Protocol is a program of random tables.
type Protocol struct {
	classes    []class
	program    model.Program
	properties []judge // one for each property of the program
	leaks      []leak
	Tally
}

// A class of actors: what they do in each control state with each kind of message.
type class struct {
	name    string
	rules   [][]rule  // by control state, then by kind
	itself  []rule    // by control state: what it does by itself; none in most protocols
	restart []outcome // what it does after a crash
	quorums []quorum  // handlers that take several messages; none in most protocols
}

// A rule without outcomes is a guard that is false.
type rule struct {
	atLeast  int // the guard: how high the actor's counter must be
	outcomes []outcome
}

type outcome struct {
	become  int    // control state
	count   int    // added to the counter, modulo counterBound
	relay   *send  // with as many hops; then fewer is empty
	fewer   []send // with one hop less; dropped when the message has none left
	fueled  []send // dropped when there is no fuel
	child   *child
	failure string
	stops   bool
	stir    int         // added to the auxiliary counter, modulo auxiliaryBound
	record  *recordRule // what it adds to the history
}

// A send goes to the actor of that name, or to the sender or the actor itself.
type send struct {
	to     string
	kind   int
	copies int
	tagged bool // the message carries the auxiliary counter
}

const (
	toSender = "sender"
	toSelf   = "self"
)

// A child is created if the actor has not created maxChildren already.
type child struct {
	class, control int
}

const (
	counterBound   = 3
	auxiliaryBound = 3
	maxChildren    = 2
	fueledHops     = 1 // of a message that is paid for with fuel
)

// local is a decoded local state.
type local struct {
	name                                               string
	class, control, counter, fuel, children, auxiliary int
}

func (l local) encode() []byte {
	return append([]byte{byte(l.class), byte(l.control), byte(l.counter), byte(l.fuel), byte(l.children), byte(l.auxiliary)}, l.name...)
}

func decodeLocal(b []byte) local {
	return local{string(b[6:]), int(b[0]), int(b[1]), int(b[2]), int(b[3]), int(b[4]), int(b[5])}
}

func (p *Protocol) actor(l local) model.Actor {
	return model.Actor{Name: l.name, Class: p.classes[l.class].name, Local: l.encode(), Acts: p.acts(l)}
}

// acts says whether an actor may do something by itself.
func (p *Protocol) acts(l local) bool {
	rules := p.classes[l.class].itself
	return l.control < len(rules) && len(rules[l.control].outcomes) > 0
}

func childName(creator string, number int) string {
	return fmt.Sprintf("%s/child%d", creator, number)
}

func message(from, to string, kind, hops, tag int) model.Message {
	return model.Message{Sender: from, Receiver: to, Payload: []byte{byte(kind), byte(hops), byte(tag)}}
}

// Program implements model.Oracle.
func (p *Protocol) Program() *model.Program { return &p.program }

// Steps implements model.Oracle.
func (p *Protocol) Steps(ctx context.Context, questions []model.Question) ([]model.Answer, error) {
	var answers []model.Answer
	for _, q := range questions {
		p.count(q)
		l := decodeLocal(q.Local)
		switch c := &p.classes[l.class]; q.Event.Kind {
		case model.Receive:
			answers = append(answers, p.receive(l, q.Event.Messages))
		case model.Internal:
			answer := p.step(l, nothing(l), &c.itself[l.control], c.name+".itself")
			for i := range answer.Outcomes {
				answer.Outcomes[i].Fired = []byte{byte(i), 0, byte(l.auxiliary)} // as a message is
			}
			answers = append(answers, answer)
		case model.Restart:
			answers = append(answers, p.step(l, nothing(l), &rule{outcomes: c.restart}, c.name+".restart"))
		default:
			return nil, fmt.Errorf("an oracle is not asked for events of the kind %q", q.Event.Kind)
		}
	}
	return answers, nil
}

// nothing stands for the message where there is none. All that is sent then costs fuel.
func nothing(l local) model.Message { return message(l.name, l.name, 0, 0, 0) }

func (p *Protocol) step(l local, m model.Message, r *rule, label string) model.Answer {
	hops, tag := int(m.Payload[1]), int(m.Payload[2])
	leaked := p.leaked(l, tag)
	if l.counter+leaked.counter < r.atLeast {
		return model.Answer{Executions: 1}
	}
	answer := model.Answer{Executions: max(1, len(r.outcomes))}
	for i := range r.outcomes {
		o := model.Outcome{Handler: label, Choices: []int{i}}
		if text := r.outcomes[i].failure; text != "" {
			o.Failure = &model.Failure{Kind: "assertion", Text: text}
		} else {
			l.take(p, &r.outcomes[i], m, hops, leaked, &o)
		}
		answer.Outcomes = append(answer.Outcomes, o)
	}
	return answer
}

// take fills in what a successful outcome does. It works on a copy of the local state.
func (l local) take(p *Protocol, does *outcome, m model.Message, hops int, leaked leaked, o *model.Outcome) {
	l.auxiliary = (l.auxiliary + does.stir + int(m.Payload[2])) % auxiliaryBound
	deliver := func(s send, hops int) {
		to := s.to
		switch {
		case to == toSender && m.Sender != "":
			to = m.Sender
		case to == toSender || to == toSelf:
			to = l.name // what the scenario sent has no sender
		}
		tag := 0
		if s.tagged {
			tag = l.auxiliary
		}
		for range s.copies {
			o.Sends = append(o.Sends, message(l.name, to, s.kind, hops, tag))
		}
	}
	l.control = does.become
	if leaked.become >= 0 {
		l.control = leaked.become
	}
	l.counter = (l.counter + does.count) % counterBound
	if does.relay != nil && !leaked.silent {
		deliver(*does.relay, hops)
	}
	if hops > 0 && !leaked.silent {
		for _, s := range does.fewer {
			deliver(s, hops-1)
		}
	}
	if l.fuel > 0 && len(does.fueled) > 0 {
		l.fuel--
		for _, s := range does.fueled {
			deliver(s, fueledHops)
		}
	}
	if does.child != nil && l.children < maxChildren {
		o.Creates = append(o.Creates, p.actor(local{
			name:    childName(l.name, l.children),
			class:   does.child.class,
			control: does.child.control,
		}))
		l.children++
	}
	if does.record != nil {
		o.Records = append(o.Records, model.Record{Actor: l.name, Kind: does.record.kind, Payload: []byte{does.record.word}})
	}
	o.Local, o.Acts, o.Stopped = l.encode(), p.acts(l), does.stops
}

func (p *Protocol) label(class, kind int) string {
	return fmt.Sprintf("%s.on%d", p.classes[class].name, kind)
}

// Tally counts how often each question was asked.
type Tally struct {
	mu    sync.Mutex
	asked map[string]int
}

func (t *Tally) count(q model.Question) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.asked == nil {
		t.asked = map[string]int{}
	}
	k := append([]byte{byte(q.Event.Kind), byte(len(q.Local))}, q.Local...)
	for _, m := range q.Event.Messages {
		k = append(append(append(k, m.Sender...), '>'), m.Receiver...)
		k = append(append(k, ':'), m.Payload...)
	}
	t.asked[string(k)]++
}

// Asked says how many different questions were asked, and how often the one asked most.
func (t *Tally) Asked() (different, most int) {
	for _, n := range t.asked {
		most = max(most, n)
	}
	return len(t.asked), most
}

// Forget starts the count again.
func (t *Tally) Forget() { t.asked = nil }
