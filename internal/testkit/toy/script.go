package toy

import (
	"bytes"
	"context"
	"maps"
	"slices"
	"strings"

	"harrier/internal/model"
)

// Script is a program written by hand: actors whose states are words and messages that are words. Read reads it from text.
type Script struct {
	Start map[string]string // the state of each initial actor
	Mail  []string          // in flight initially: "sender>receiver text", as in "ann>bob ping"
	// Rules say what happens when an actor in a state receives a text; the keys are like
	// "bob idle ping". A message without a rule stays pending. The text is "itself" for what an actor does by
	// itself, "restart" for a crash, "ping+pong" for two messages at once: their texts, sorted; and "within ping" for a crash
	// within what ping does.
	Rules map[string][]Then
	// Quorums are the handlers that take messages together, by the messages' text.
	Quorums    map[string][]model.Quorum
	Roles      []model.Role
	Components [][]string
	Delivery   model.DeliveryModel
	FIFO       model.Scope
	Faults     []model.Fault
	Invariants []Condition
	Final      Condition
	Tally
}

// Then is one outcome of a rule.
type Then struct {
	Become string
	Send   []string // "receiver text"
	Create map[string]string
	Record string // an operation that it records
	Fail   string // what the handler fails with
	Stop   bool
}

const (
	byItself   = "itself"
	restarting = "restart"
	crashing   = "crash"
	together   = "together" // the handler of several messages
)

// Condition is a condition on the states of all actors that exist.
type Condition func(states map[string]string) bool

// BeforeSlash is the relevant part of states and messages of scripts that have auxiliary parts after a slash.
func BeforeSlash(b []byte) ([]byte, error) {
	part, _, _ := bytes.Cut(b, []byte("/"))
	return part, nil
}

func (s *Script) actor(name, state string) model.Actor {
	_, acts := s.Rules[name+" "+state+" "+byItself]
	return model.Actor{Name: name, Class: "Actor", Local: []byte(name + "=" + state), Acts: acts}
}

func (s *Script) actors(states map[string]string) []model.Actor {
	var actors []model.Actor
	for _, name := range slices.Sorted(maps.Keys(states)) {
		actors = append(actors, s.actor(name, states[name]))
	}
	return actors
}

// mailTo is a message given as "receiver text".
func mailTo(from, mail string) model.Message {
	to, text, _ := strings.Cut(mail, " ")
	return model.Message{Sender: from, Receiver: to, Payload: []byte(text)}
}

// Program implements model.Oracle.
func (s *Script) Program() *model.Program {
	p := &model.Program{Scenario: "script", Components: s.Components}
	p.Delivery, p.Roles, p.Channels, p.Faults = s.Delivery, s.Roles, queues(s.FIFO), s.Faults
	if len(s.Quorums) > 0 {
		p.Handlers = []model.Handler{{Class: "Actor", Label: together, Quorum: true}}
	}
	p.Initial.Actors = s.actors(s.Start)
	for _, m := range s.Mail {
		from, rest, _ := strings.Cut(m, ">")
		p.Initial.Messages = append(p.Initial.Messages, mailTo(from, rest))
	}
	for range s.Invariants {
		p.Properties = append(p.Properties, model.Property{Name: "invariant"})
	}
	if s.Final != nil {
		p.Properties = append(p.Properties, model.Property{Name: "final", Kind: model.Final})
	}
	return p
}

// Steps implements model.Oracle.
func (s *Script) Steps(ctx context.Context, questions []model.Question) ([]model.Answer, error) {
	var answers []model.Answer
	for _, q := range questions {
		s.count(questionKey(q))
		name, state, _ := strings.Cut(string(q.Local), "=")
		text := eventText(q.Event)
		answer := model.Answer{Executions: 1}
		for _, then := range s.Rules[name+" "+state+" "+text] {
			o := s.outcome(then, name, text)
			if q.Event.Kind.IsWithin() {
				o.Point = &model.Point{}
			}
			answer.Outcomes = append(answer.Outcomes, o)
		}
		if len(q.Event.Messages) == 1 {
			answer.Quorums = s.Quorums[text]
		}
		answers = append(answers, answer)
	}
	return answers, nil
}

// eventText is how an event is called in rules.
func eventText(e model.Event) string {
	switch e.Kind {
	case model.Internal:
		return byItself
	case model.Restart:
		return restarting
	case model.Crash:
		return crashing
	case model.RestartWithin, model.StopWithin, model.CrashWithin:
		e.Kind = model.Receive
		if len(e.Messages) == 0 {
			e.Kind = model.Internal
		}
		return "within " + eventText(e)
	}
	var texts []string
	for _, m := range e.Messages {
		texts = append(texts, string(m.Payload))
	}
	slices.Sort(texts)
	return strings.Join(texts, "+")
}

func (s *Script) outcome(then Then, name, text string) model.Outcome {
	o := model.Outcome{Handler: "on " + text}
	if strings.Contains(text, "+") {
		o.Handler = together
	}
	if then.Fail != "" {
		o.Failure = &model.Failure{Kind: model.Assertion, Text: then.Fail}
		return o
	}
	after := s.actor(name, then.Become)
	o.Local, o.Acts, o.Stopped = after.Local, after.Acts, then.Stop
	o.Creates = s.actors(then.Create)
	if then.Record != "" {
		o.Records = []model.Record{{Actor: name, Payload: []byte(then.Record)}}
	}
	for _, m := range then.Send {
		o.Sends = append(o.Sends, mailTo(name, m))
	}
	return o
}

// Record implements model.Oracle. A history is the records, one after the other.
func (s *Script) Record(_ context.Context, extensions []model.Extension) ([][]byte, error) {
	var histories [][]byte
	for _, e := range extensions {
		h := slices.Clone(e.History)
		for _, r := range e.Records {
			h = append(append(h, ' '), r.Payload...)
		}
		histories = append(histories, h)
	}
	return histories, nil
}

// Evaluate implements model.Oracle. It reads all actors.
func (s *Script) Evaluate(ctx context.Context, evaluations []model.Evaluation) ([]model.Judgement, error) {
	var judgements []model.Judgement
	for _, e := range evaluations {
		var j model.Judgement
		states := map[string]string{}
		for i, a := range e.Actors {
			name, state, _ := strings.Cut(string(a.Local), "=")
			states[name] = state
			j.Reads = append(j.Reads, i)
		}
		holds := append(slices.Clone(s.Invariants), s.Final)[e.Property]
		j.Holds = holds(states)
		judgements = append(judgements, j)
	}
	return judgements, nil
}
