package dir_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"harrier/model"
)

// A table is a random program in which most steps send and few disturb each other, so that many labels are persistent. Messages
// have fewer hops left each time that they are passed on. Some actors do something by themselves again and again, so that they
// have no terminal state.
type table struct {
	program model.Program
	rules   map[string][]entry // by actor, state and message; by actor and state for what it does by itself
}

// An entry is an outcome.
type entry struct {
	next  int
	sends []string // receivers, with kinds
	fails bool
}

// tableKinds is how many kinds of messages there are.
const tableKinds = 2

func newTable(seed uint64) *table {
	r := rand.New(rand.NewPCG(seed, 21))
	p := &table{program: model.Program{Scenario: "table"}, rules: map[string][]entry{}}
	names := []string{"ann", "bob", "cid", "dot"}[:3+r.IntN(2)]
	states := 2 + r.IntN(2)
	failing := r.IntN(4) == 0
	if r.IntN(4) == 0 {
		p.program.FIFO.Names = names[:1+r.IntN(len(names))]
	}
	for _, name := range names {
		friend := names[r.IntN(len(names))]
		idles := r.IntN(3) > 0
		for state := range states {
			if idles {
				p.rules[fmt.Sprint(name, state)] = []entry{{next: []int{state, state, (state + 1) % states}[r.IntN(3)]}}
			}
			for kind := range tableKinds {
				key := fmt.Sprintf("%s%d%d", name, state, kind)
				for range 1 + r.IntN(8)/7 {
					e := entry{next: state, fails: failing && r.IntN(12) == 0}
					if r.IntN(6) == 0 {
						e.next = r.IntN(states)
					}
					if r.IntN(12) > 0 {
						to := friend
						if r.IntN(3) == 0 {
							to = names[r.IntN(len(names))]
						}
						e.sends = []string{to + strconv.Itoa([]int{kind, kind, r.IntN(tableKinds)}[r.IntN(3)])}
					}
					p.rules[key] = append(p.rules[key], e)
				}
			}
		}
		p.program.Initial.Actors = append(p.program.Initial.Actors, p.actor(name, 0))
	}
	for range 2 + r.IntN(3) {
		to := names[r.IntN(len(names))]
		p.program.Initial.Messages = append(p.program.Initial.Messages,
			model.Message{Receiver: to, Payload: fmt.Appendf(nil, "%d%d", r.IntN(tableKinds), 1+r.IntN(4))})
	}
	if r.IntN(4) == 0 {
		p.program.Faults = []model.Fault{{Kind: model.Lose, Label: "a loss", Budget: r.IntN(2), Scope: model.Scope{Names: names[:1]}}}
	}
	return p
}

func (p *table) actor(name string, state int) model.Actor {
	acts := len(p.rules[fmt.Sprint(name, state)]) > 0
	return model.Actor{Name: name, Class: "Table", Local: fmt.Append(nil, name, state), Acts: acts}
}

// Program implements model.Oracle.
func (p *table) Program() *model.Program { return &p.program }

// Steps implements model.Oracle.
func (p *table) Steps(_ context.Context, questions []model.Question) ([]model.Answer, error) {
	answers := make([]model.Answer, len(questions))
	for i, q := range questions {
		key, hops := string(q.Local), 0
		for _, m := range q.Event.Messages {
			key += string(m.Payload[:1])
			hops = int(m.Payload[1] - '0')
		}
		for _, e := range p.rules[key] {
			o := model.Outcome{Handler: "on"}
			if e.fails {
				o.Failure = &model.Failure{Kind: "assertion", Text: key}
			}
			a := p.actor(strings.TrimRight(string(q.Local), "0123456789"), e.next)
			o.Local, o.Acts = a.Local, a.Acts
			for _, to := range e.sends {
				if hops > 0 {
					o.Sends = append(o.Sends, model.Message{Sender: a.Name, Receiver: to[:len(to)-1], Payload: fmt.Append(nil, to[len(to)-1:], hops-1)})
				}
			}
			answers[i].Outcomes = append(answers[i].Outcomes, o)
		}
	}
	return answers, nil
}

// Evaluate implements model.Oracle.
func (p *table) Evaluate(context.Context, []model.Evaluation) ([]model.Judgement, error) {
	return nil, nil
}

// Record implements model.Oracle.
func (p *table) Record(context.Context, []model.Extension) ([][]byte, error) { return nil, nil }
