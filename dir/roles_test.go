package dir_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"

	"harrier/model"
	"harrier/serializer"
)

// Roles is a random program of actors that may be permuted. An actor knows a friend, and most steps answer somebody and disturb
// little else, so that many labels are persistent and many messages are ignored. Messages have fewer hops left each time that they
// are answered.
type roles struct {
	program model.Program
	friends map[string]string
	rules   map[string][]reply // by role, state and kind of message; by role and state for what an actor does by itself
	limits  []limit            // of each property
}

// A reply is an outcome, or one for each actor of a role if it chooses.
type reply struct {
	next  int
	to    string // sender, friend, chosen, a role for all of it, or nobody
	kind  int
	fails bool
}

// A limit is an invariant: so many actors of a role are in a state at most.
type limit struct {
	role        string
	state, most int
}

const chosen = "chosen"

func newRoles(seed uint64) *roles {
	r := rand.New(rand.NewPCG(seed, 23))
	p := &roles{friends: map[string]string{}, rules: map[string][]reply{}}
	p.program.Scenario = "roles"
	var names []string
	for i, size := range [][]int{{2, 1}, {2, 2}, {3, 1}, {2, 1, 1}, {3}, {2, 2, 1}}[r.IntN(6)] {
		role := model.Role{Name: []string{"ant", "bee", "cat"}[i]}
		for k := range size {
			role.Actors = append(role.Actors, role.Name+strconv.Itoa(k+1))
		}
		names = append(names, role.Actors...)
		p.program.Roles = append(p.program.Roles, role)
	}
	states, failing := 2+r.IntN(2), r.IntN(4) == 0
	for _, role := range p.program.Roles {
		p.befriend(r, role)
		var usual [2]reply // whatever the state
		for kind := range usual {
			usual[kind] = reply{to: []string{"sender", "friend", "friend", chosen, p.someRole(r).Name}[r.IntN(5)], kind: r.IntN(2)}
		}
		for state := range states {
			if r.IntN(5) > 0 {
				p.rules[fmt.Sprint(role.Name, state)] = []reply{{next: []int{state, state, state, (state + 1) % states}[r.IntN(4)], to: "nobody"}}
			}
			for kind := range 2 {
				for range 1 + r.IntN(8)/7 {
					e := usual[kind]
					e.next, e.fails = state, failing && r.IntN(10) == 0
					if r.IntN(10) == 0 {
						e.next = r.IntN(states)
					}
					if r.IntN(6) == 0 {
						e.to, e.kind = []string{"sender", "friend", "nobody"}[r.IntN(3)], r.IntN(2)
					}
					key := fmt.Sprint(role.Name, state, ".", kind)
					p.rules[key] = append(p.rules[key], e)
				}
			}
		}
	}
	for _, name := range names {
		p.program.Initial.Actors = append(p.program.Initial.Actors, p.actor(name, 0))
	}
	for range 2 + r.IntN(3) {
		payload := encodeReply(r.IntN(2), 1+r.IntN(3))
		to := p.someRole(r).Actors
		for _, name := range to[:len(to)-r.IntN(2)] {
			p.program.Initial.Messages = append(p.program.Initial.Messages, model.Message{Receiver: name, Payload: payload})
		}
	}
	if r.IntN(5) == 0 {
		p.program.FIFO.Names = p.someRole(r).Actors
	}
	if r.IntN(5) == 0 {
		p.program.Faults = []model.Fault{{Kind: model.Lose, Label: "a loss", Budget: r.IntN(2), Scope: model.Scope{Names: p.someRole(r).Actors}}}
	}
	for range r.IntN(2) {
		l := limit{p.someRole(r).Name, r.IntN(states), r.IntN(3)}
		p.limits = append(p.limits, l)
		p.program.Properties = append(p.program.Properties, model.Property{Name: fmt.Sprint(l)})
	}
	return p
}

// befriend gives the actors of a role friends: the next one of the role, one of another role each, or all the same.
func (p *roles) befriend(r *rand.Rand, role model.Role) {
	shift, friends := 1, role.Actors
	if r.IntN(3) > 0 {
		shift, friends = 0, p.someRole(r).Actors
	}
	for i, name := range role.Actors {
		p.friends[name] = friends[(i+shift)%len(friends)]
	}
}

func (p *roles) someRole(r *rand.Rand) model.Role {
	return p.program.Roles[r.IntN(len(p.program.Roles))]
}

func (p *roles) actor(name string, state int) model.Actor {
	friend := p.friends[name]
	acts := len(p.rules[fmt.Sprint(name[:3], state)]) > 0
	return model.Actor{Name: name, Class: name[:3], Acts: acts, Local: serializer.Encode(serializer.Value{
		Kind: serializer.Actor, Text: name, ClassName: name[:3], Fields: []serializer.Field{
			{Name: "state", Value: serializer.Value{Kind: serializer.Int, Int: int64(state)}},
			{Name: "friend", Value: serializer.Value{Kind: serializer.Name, Text: friend}},
		}})}
}

func encodeReply(kind, hops int) []byte {
	return serializer.Encode(serializer.Value{Kind: serializer.Record, ClassName: "Reply", Fields: []serializer.Field{
		{Name: "kind", Value: serializer.Value{Kind: serializer.Int, Int: int64(kind)}},
		{Name: "hops", Value: serializer.Value{Kind: serializer.Int, Int: int64(hops)}},
	}})
}

// Program implements model.Oracle.
func (p *roles) Program() *model.Program { return &p.program }

// Steps implements model.Oracle.
func (p *roles) Steps(_ context.Context, questions []model.Question) ([]model.Answer, error) {
	answers := make([]model.Answer, len(questions))
	for i, q := range questions {
		local, err := serializer.Decode(q.Local)
		if err != nil {
			return nil, err
		}
		key, sender, hops := fmt.Sprint(local.ClassName, local.Fields[0].Value.Int), "", 0
		for _, m := range q.Event.Messages {
			payload, err := serializer.Decode(m.Payload)
			if err != nil {
				return nil, err
			}
			key += fmt.Sprint(".", payload.Fields[0].Value.Int)
			sender, hops = m.Sender, int(payload.Fields[1].Value.Int)
		}
		for _, e := range p.rules[key] {
			answers[i].Outcomes = append(answers[i].Outcomes, p.outcomes(e, key, local.Text, sender, local.Fields[1].Value.Text, hops)...)
		}
	}
	return answers, nil
}

func (p *roles) outcomes(e reply, key, name, sender, friend string, hops int) (outcomes []model.Outcome) {
	a := p.actor(name, e.next)
	var to [][]string // of each outcome
	switch e.to {
	case "sender":
		to = [][]string{{sender}}
	case "friend":
		to = [][]string{{friend}}
	case chosen:
		for _, other := range p.program.Roles[0].Actors {
			to = append(to, []string{other})
		}
	default:
		i := slices.IndexFunc(p.program.Roles, func(r model.Role) bool { return r.Name == e.to })
		if i >= 0 {
			to = [][]string{p.program.Roles[i].Actors}
		} else {
			to = [][]string{nil}
		}
	}
	for _, receivers := range to {
		o := model.Outcome{Handler: "on", Local: a.Local, Acts: a.Acts}
		if e.fails {
			o.Failure = &model.Failure{Kind: "assertion", Text: key}
		}
		for _, receiver := range receivers {
			if hops > 0 && receiver != "" {
				o.Sends = append(o.Sends, model.Message{Sender: name, Receiver: receiver, Payload: encodeReply(e.kind, hops-1)})
			}
		}
		outcomes = append(outcomes, o)
	}
	return outcomes
}

// Evaluate implements model.Oracle.
func (p *roles) Evaluate(_ context.Context, evaluations []model.Evaluation) ([]model.Judgement, error) {
	judgements := make([]model.Judgement, len(evaluations))
	for i, e := range evaluations {
		l, n := p.limits[e.Property], 0
		for k, a := range e.Actors {
			if a.Class != l.role {
				continue
			}
			judgements[i].Reads = append(judgements[i].Reads, k)
			local, err := serializer.Decode(a.Local)
			if err != nil {
				return nil, err
			}
			if int(local.Fields[0].Value.Int) == l.state {
				n++
			}
		}
		judgements[i].Holds = n <= l.most
	}
	return judgements, nil
}

// Record implements model.Oracle.
func (p *roles) Record(context.Context, []model.Extension) ([][]byte, error) { return nil, nil }
