package macro_test

import (
	"context"
	"strings"

	"harrier/internal/model"
	"harrier/internal/testkit/must"
	"harrier/internal/testkit/toy"
	"harrier/serializer"
)

// Named is a script whose actors may be permuted: the text after a colon in states and messages is a name.
type named struct {
	*toy.Script
	program *model.Program
}

func newNamed(s *toy.Script) *named {
	n := &named{s, s.Program()}
	for i, a := range n.program.Initial.Actors {
		n.program.Initial.Actors[i].Local = encodeNamed(a.Local)
	}
	n.program.Initial.Messages = encodeMessages(n.program.Initial.Messages)
	return n
}

// encodeNamed writes "ann=word:name", or "word:name" for a message, as structured bytes.
func encodeNamed(b []byte) []byte {
	name, text, ok := strings.Cut(string(b), "=")
	v := serializer.Value{Kind: serializer.Actor, Text: name, ClassName: "Actor"}
	if !ok {
		v, text = serializer.Value{Kind: serializer.Record, ClassName: "Message"}, name
	}
	word, who, _ := strings.Cut(text, ":")
	v.Fields = []serializer.Field{{Name: "word", Value: serializer.Value{Kind: serializer.String, Text: word}}, {Name: "who"}}
	if who != "" {
		v.Fields[1].Value = serializer.Value{Kind: serializer.Name, Text: who}
	}
	return serializer.Encode(v)
}

func decodeNamed(b []byte) []byte {
	v := must.Get(serializer.Decode(b))
	text := v.Fields[0].Value.Text
	if who := v.Fields[1].Value.Text; who != "" {
		text += ":" + who
	}
	if v.Kind == serializer.Actor {
		text = v.Text + "=" + text
	}
	return []byte(text)
}

func encodeMessages(messages []model.Message) (encoded []model.Message) {
	for _, m := range messages {
		m.Payload = encodeNamed(m.Payload)
		encoded = append(encoded, m)
	}
	return encoded
}

// Program implements model.Oracle.
func (n *named) Program() *model.Program { return n.program }

// Steps implements model.Oracle.
func (n *named) Steps(ctx context.Context, questions []model.Question) ([]model.Answer, error) {
	var plain []model.Question
	for _, q := range questions {
		q.Local = decodeNamed(q.Local)
		var messages []model.Message
		for _, m := range q.Event.Messages {
			m.Payload = decodeNamed(m.Payload)
			messages = append(messages, m)
		}
		q.Event.Messages = messages
		plain = append(plain, q)
	}
	answers, err := n.Script.Steps(ctx, plain)
	for _, a := range answers {
		for i, o := range a.Outcomes {
			if o.Failure == nil {
				a.Outcomes[i].Local, a.Outcomes[i].Sends = encodeNamed(o.Local), encodeMessages(o.Sends)
				for k, created := range o.Creates {
					o.Creates[k].Local = encodeNamed(created.Local)
				}
			}
		}
	}
	return answers, err
}

// Record implements model.Oracle.
func (n *named) Record(ctx context.Context, extensions []model.Extension) (histories [][]byte, err error) {
	var plain []model.Extension
	for _, e := range extensions {
		e.History = []byte(historyText(e.History))
		plain = append(plain, e)
	}
	histories, err = n.Script.Record(ctx, plain)
	for i, h := range histories {
		histories[i] = serializer.Encode(serializer.Value{Kind: serializer.String, Text: string(h)})
	}
	return histories, err
}

func historyText(b []byte) string {
	if len(b) == 0 {
		return ""
	}
	return must.Get(serializer.Decode(b)).Text
}
