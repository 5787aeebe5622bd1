package adversary_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"harrier/internal/check/adversary"
	"harrier/internal/model"
	"harrier/internal/testkit/must"
	"harrier/serializer"
)

// generals are three generals and a log. The first general orders the others what the scenario tells it to; they tell each
// other and the log.
type generals struct{ program model.Program }

func record(class string, fields ...serializer.Field) []byte {
	return serializer.Encode(serializer.Value{Kind: serializer.Record, ClassName: "war." + class, Fields: fields})
}

func field(name string, v serializer.Value) serializer.Field {
	return serializer.Field{Name: name, Value: v}
}

func number(n int64) serializer.Value { return serializer.Value{Kind: serializer.Int, Int: n} }

func word(s string) serializer.Value { return serializer.Value{Kind: serializer.String, Text: s} }

func yes() serializer.Value { return serializer.Value{Kind: serializer.True} }

func newGenerals(sent ...model.Message) *generals {
	actor := func(name, class string) model.Actor {
		return model.Actor{Name: name, Class: "war." + class, Local: []byte(name)}
	}
	return &generals{model.Program{
		Initial: model.Initial{
			Actors:   []model.Actor{actor("g1", "General"), actor("g2", "General"), actor("g3", "General"), actor("log", "Log")},
			Messages: sent,
		},
		Properties: []model.Property{{Name: "must not be asked for"}},
	}}
}

// without are the generals without adversaries, with a fault that leaves open what these send.
func (g *generals) without(adversaries ...string) *model.Program {
	p := g.program
	p.Initial.Actors = slices.DeleteFunc(slices.Clone(p.Initial.Actors), func(a model.Actor) bool { return slices.Contains(adversaries, a.Name) })
	p.Faults = []model.Fault{
		{Kind: model.Lose, Scope: model.Scope{All: true}, Budget: 1, Label: "loss"},
		{Kind: model.Byzantine, Scope: model.Scope{Names: adversaries}, Budget: 2, Label: "Byzantine sends of " + strings.Join(adversaries, ", ")},
	}
	return &p
}

func (g *generals) Program() *model.Program { return &g.program }

func (g *generals) Steps(_ context.Context, questions []model.Question) ([]model.Answer, error) {
	var answers []model.Answer
	for _, q := range questions {
		o := model.Outcome{Handler: "on", Local: q.Local}
		switch m := q.Event.Messages[0]; {
		case strings.Contains(string(m.Payload), "fail"):
			o.Failure = &model.Failure{Text: "it fails"}
		case strings.Contains(string(m.Payload), "hire"):
			aide := model.Actor{Name: m.Receiver + "/aide1", Class: "war.Log", Local: []byte(m.Receiver + "/aide1")}
			o.Creates = []model.Actor{aide}
			o.Sends = []model.Message{{Sender: m.Receiver, Receiver: aide.Name, Payload: serializer.Encode(word("heard"))}}
		case m.Sender == "g1" && strings.Contains(string(m.Payload), "Order"):
			other := map[string]string{"g2": "g3", "g3": "g2"}[m.Receiver]
			relay := record("Relay", field("by", serializer.Value{Kind: serializer.Name, Text: m.Receiver}), field("what", word("attack")))
			o.Sends = []model.Message{
				{Sender: m.Receiver, Receiver: other, Payload: relay},
				{Sender: m.Receiver, Receiver: "log", Payload: serializer.Encode(word("heard"))},
			}
		}
		answers = append(answers, model.Answer{Outcomes: []model.Outcome{o}})
	}
	return answers, nil
}

func (g *generals) Evaluate(context.Context, []model.Evaluation) ([]model.Judgement, error) {
	return nil, errors.New("properties are of no interest here")
}

func (g *generals) Record(context.Context, []model.Extension) ([][]byte, error) {
	return nil, errors.New("nothing is recorded")
}

func order(to string, urgent serializer.Value, at int64) model.Message {
	return model.Message{Sender: "g1", Receiver: to, Payload: record("Order", field("urgent", urgent), field("at", number(at)))}
}

// texts are messages for people, sorted.
func texts(t *testing.T, messages []model.Message) []string {
	t.Helper()
	var all []string
	for _, m := range messages {
		v := must.Get(serializer.Decode(m.Payload))
		all = append(all, fmt.Sprintf("%s>%s %s", m.Sender, m.Receiver, serializer.Format(v)))
	}
	return slices.Sorted(slices.Values(all))
}

func hire(who string) model.Message {
	return model.Message{Receiver: who, Payload: serializer.Encode(word("hire"))}
}

// twice is a message whose parts name each other by numbers.
func twice(n int64) model.Message {
	list := serializer.Value{Kind: serializer.List, ClassName: "java.util.ArrayList", Elements: []serializer.Value{number(n)}}
	ref := serializer.Value{Kind: serializer.Ref}
	return model.Message{Sender: "g1", Receiver: "g2", Payload: record("Twice", field("one", list), field("other", ref), field("n", number(-n)))}
}

func TestMessageDomain(t *testing.T) {
	for _, c := range []struct {
		name string
		sent []model.Message
		want []string
	}{
		// Nobody ever sends g1 anything; orders go to g2, though not from g3; the log gets what it always gets.
		{"all combinations of the values seen", []model.Message{order("g2", yes(), 3), order("g3", yes(), 5)}, []string{
			"g3>g2 Order(urgent=false, at=3)", "g3>g2 Order(urgent=false, at=5)", "g3>g2 Order(urgent=true, at=3)", "g3>g2 Order(urgent=true, at=5)",
			`g3>g2 Relay(by=g2, what="attack")`, `g3>g2 Relay(by=g3, what="attack")`, `g3>log "heard"`,
		}},
		{"to actors that handlers create, but not one's own", []model.Message{hire("g2"), hire("g3")}, []string{`g3>g2/aide1 "heard"`}},
		{"though a handler fails", []model.Message{{Sender: "g1", Receiver: "g2", Payload: serializer.Encode(word("fail"))}, order("g2", yes(), 3)}, []string{
			`g3>g2 "fail"`, "g3>g2 Order(urgent=false, at=3)", "g3>g2 Order(urgent=true, at=3)", `g3>log "heard"`,
		}},
		{"parts that name each other are not taken apart", []model.Message{twice(1), twice(2)}, []string{
			"g3>g2 Twice(one=[1], other=^list, n=-1)", "g3>g2 Twice(one=[2], other=^list, n=-2)",
		}},
	} {
		g := newGenerals(c.sent...)
		program := g.without("g3")
		filled := must.Get(adversary.Fill(context.Background(), g, program))
		if got := texts(t, program.Faults[1].Domain); !slices.Equal(got, c.want) {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, strings.Join(got, "\n"), strings.Join(c.want, "\n"))
		}
		if len(filled) != 1 || filled[0].Fault != program.FaultName(1) || filled[0].Messages != len(c.want) || !filled[0].Complete {
			t.Errorf("%s: %+v", c.name, filled)
		}
		if adversary.Needed(program) {
			t.Errorf("%s: what was filled in is still needed", c.name)
		}
	}
}

func TestTooManyMessagesAndNoneMustBeDeclared(t *testing.T) {
	var many []model.Message
	for i := range int64(11) {
		payload := record("Triple", field("a", number(i)), field("b", number(-i)), field("c", number(2*i)))
		many = append(many, model.Message{Sender: "g1", Receiver: "g2", Payload: payload})
	}
	for want, c := range map[string]struct {
		g           *generals
		adversaries []string
	}{
		"Byzantine sends of g3: there are more than 1000 if the values seen in the fields of each type are combined (Triple: 11 of a, 11 of b, 11 of c); " +
			"declare the messages: faults().byzantine(budget, messages, actors)": {newGenerals(many...), []string{"g3"}},
		"Byzantine sends of log: there is nothing that log could send: without adversaries, no actor of a class of theirs sends the other actors " +
			"anything in the states explored; declare the messages: faults().byzantine(budget, messages, actors)": {newGenerals(order("g2", yes(), 1)), []string{"log"}},
	} {
		_, err := adversary.Fill(context.Background(), c.g, c.g.without(c.adversaries...))
		var usage *model.UsageError
		if !errors.As(err, &usage) || usage.Text != want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
}

func TestTheExplorationIsBounded(t *testing.T) {
	var many []model.Message
	for i := range int64(14) { // any of which may have been received: 2^14 states
		many = append(many, order("g2", yes(), i))
	}
	g := newGenerals(many...)
	filled, err := adversary.Fill(context.Background(), g, g.without("g3"))
	if err != nil || filled[0].States != 10_000 || filled[0].Complete {
		t.Errorf("%+v, %v", filled, err)
	}
}

func TestAnEndedCheckHasNoDomain(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(errors.New("time is up"))
	g := newGenerals(order("g2", yes(), 3))
	if _, err := adversary.Fill(ctx, g, g.without("g3")); err == nil || !strings.Contains(err.Error(), "time is up") {
		t.Errorf("%v", err)
	}
}
