package model_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"harrier/model"
)

// A collector is a program of actors that note down which messages they took together. What waits is given as
// "sender>receiver text".
type collector struct {
	actors    []string // of the class Collector; those whose names begin with "plain" are of the class Plain
	mail      []string
	quorums   func(m model.Message) []model.Quorum // that may take a message with others
	takes     func(text string) bool               // alone
	accepts   func(m []model.Message) bool         // several; nil for all
	sends     func(local string) []model.Message   // in a step that leads to a local state
	creates   func(local string) []model.Actor     // likewise
	internals func(local string) bool              // may act by itself
	facts     func(p *model.Program)               // what else the program declares
	asked     []string                             // the questions, as "local: messages"
}

func (c *collector) Program() *model.Program {
	p := &model.Program{Scenario: "collector", Handlers: []model.Handler{
		{Class: "Collector", Label: "Collector.on(Set<Vote>)", Quorum: true}, {Class: "Collector", Label: "Collector.on(Vote)"},
		{Class: "Plain", Label: "Plain.on(Vote)"},
	}}
	for _, name := range c.actors {
		p.Initial.Actors = append(p.Initial.Actors, c.actor(name+"="))
	}
	for _, m := range c.mail {
		p.Initial.Messages = append(p.Initial.Messages, letter(m))
	}
	if c.facts != nil {
		c.facts(p)
	}
	return p
}

// letter is a message given as "sender>receiver text".
func letter(text string) model.Message {
	from, rest, _ := strings.Cut(text, ">")
	to, text, _ := strings.Cut(rest, " ")
	return model.Message{Sender: from, Receiver: to, Payload: []byte(text)}
}

func (c *collector) actor(local string) model.Actor {
	name, _, _ := strings.Cut(local, "=")
	class := "Collector"
	if strings.HasPrefix(name, "plain") {
		class = "Plain"
	}
	return model.Actor{Name: name, Class: class, Local: []byte(local), Acts: c.internals != nil && c.internals(local)}
}

func (c *collector) Steps(_ context.Context, questions []model.Question) ([]model.Answer, error) {
	var answers []model.Answer
	for _, q := range questions {
		answers = append(answers, c.answer(string(q.Local), q.Event))
	}
	return answers, nil
}

func (c *collector) answer(local string, e model.Event) model.Answer {
	c.asked = append(c.asked, fmt.Sprintf("%s: %s", local, textOf(e)))
	answer := model.Answer{Executions: 1}
	handler, isTaken := "Collector.on(Vote)", true
	switch {
	case e.Kind != model.Receive:
	case len(e.Messages) == 1:
		if !strings.HasPrefix(local, "plain") && c.quorums != nil {
			answer.Quorums = c.quorums(e.Messages[0])
		}
		isTaken = c.takes != nil && c.takes(string(e.Messages[0].Payload))
	default:
		handler, isTaken = "Collector.on(Set<Vote>)", c.fits(e.Messages) && (c.accepts == nil || c.accepts(e.Messages))
	}
	if !isTaken {
		return answer
	}
	after := c.actor(local + "[" + textOf(e) + "]")
	o := model.Outcome{Handler: handler, Local: after.Local, Acts: after.Acts}
	if c.sends != nil {
		o.Sends = c.sends(string(after.Local))
	}
	if c.creates != nil {
		o.Creates = c.creates(string(after.Local))
	}
	answer.Outcomes = []model.Outcome{o}
	return answer
}

// fits says whether a quorum may take messages at once.
func (c *collector) fits(messages []model.Message) bool {
	senders := map[string]bool{}
	for _, m := range messages {
		senders[m.Sender] = true
	}
	return slices.ContainsFunc(c.quorums(messages[0]), func(q model.Quorum) bool {
		isTold := !slices.ContainsFunc(messages, func(m model.Message) bool { return !slices.Contains(c.quorums(m), q) })
		return isTold && (q.Size == 0 || q.Size == len(messages) && q.Size == len(senders))
	})
}

// textOf is an event as "kind sender:text sender:text".
func textOf(e model.Event) string {
	text := e.Kind.String()
	for _, m := range e.Messages {
		text += " " + m.Sender + ":" + string(m.Payload)
	}
	return text
}

func (c *collector) Record(context.Context, []model.Extension) ([][]byte, error) {
	return nil, errors.New("there are no records")
}

func (c *collector) Evaluate(context.Context, []model.Evaluation) ([]model.Judgement, error) {
	return nil, errors.New("there are no properties")
}

// offered lists the events of a program's initial state, and the model that they are of.
func (c *collector) offered(t *testing.T) []string {
	t.Helper()
	actors, err := model.NewActors(c, model.Decomposition{})
	if err != nil {
		t.Fatal(err)
	}
	enabled, err := actors.Enabled(context.Background(), actors.Initial(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var events []string
	for _, tr := range enabled {
		actions, err := actors.Actions([]model.Transition{tr})
		if err != nil {
			t.Fatal(err)
		}
		events = append(events, textOf(actions[0].Event))
	}
	return events
}

func always(string) bool { return true }

func passing(p model.Passing) func(*model.Program) {
	return func(program *model.Program) { program.Passing = p }
}

// quorum has every message taken by one handler.
func quorum(size int, role string) func(model.Message) []model.Quorum {
	return func(model.Message) []model.Quorum {
		return []model.Quorum{{Handler: "Collector.on(Set<Vote>)", Size: size, Role: role}}
	}
}

func expect(t *testing.T, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("got\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(want, "\n  "))
	}
}
