// Package differ shows in what two answers differ that should be the same. Whoever asks a question again in another way, an audit or a
// check of symmetry, reports the difference by Steps or Evaluations.
package differ

import (
	"fmt"
	"strings"

	"harrier/internal/model"
	"harrier/internal/model/space"
	"harrier/serializer"
)

// A Step is a local step with its answer.
type Step struct {
	model.Question
	Answer model.Answer
}

// Steps shows two local steps that should do the same, a line for each text.
func Steps(program *model.Program, one, other Step) []string {
	lines := pair("one state:      ", "the state:      ", Text(program, one.Local), Text(program, other.Local))
	for i, m := range one.Event.Messages {
		lines = append(lines, pair("one receives:   ", "it receives:    ", Message(program, m), Message(program, other.Event.Messages[i]))...)
	}
	return append(lines, pair("the one step:   ", "both steps:     ", Outcomes(program, one.Answer), Outcomes(program, other.Answer))...)
}

// Evaluations shows two evaluations of a property that should give the same, each by the local states that it reads.
func Evaluations(program *model.Program, one, other [][]byte, oneGives, otherGives fmt.Stringer) []string {
	var lines []string
	for i := range one {
		lines = append(lines, pair("one state:      ", "the state:      ", Text(program, one[i]), Text(program, other[i]))...)
	}
	return append(lines, "in the one:     "+oneGives.String(), "in the other:   "+otherGives.String())
}

// pair is a line for each of two texts, or one for both.
func pair(one, both, a, b string) []string {
	if a == b {
		return []string{both + a}
	}
	return []string{one + a, "the other:      " + b}
}

// Text shows structured bytes.
func Text(program *model.Program, b []byte) string {
	v, err := serializer.Decode(b)
	if err != nil {
		return fmt.Sprintf("%x", b)
	}
	return serializer.Labels(program.Labels).Format(v)
}

// Messages shows messages with their senders.
func Messages(actors *space.Actors, messages []model.MessageID) string {
	var texts []string
	for _, id := range messages {
		texts = append(texts, Message(actors.Program(), actors.Values.Message(id)))
	}
	return strings.Join(texts, ", ")
}

// Message shows a message with its sender.
func Message(program *model.Program, m model.Message) string {
	text := Text(program, m.Payload)
	if m.Sender != "" {
		text += " from " + m.Sender
	}
	return text
}

// State shows a state.
func State(actors *space.Actors, s model.State) string {
	var texts []string
	for _, n := range space.NodesOf(s) {
		parts := actors.Nodes.Parts(n.Node)
		text := actors.Values.PositionName(int(n.Position)) + ": "
		switch {
		case parts.Stopped:
			text += "stopped"
		case parts.Local == 0:
			text += "not created yet"
		default:
			text += Text(actors.Program(), actors.Values.Actor(parts.Local).Local)
		}
		if len(parts.Waiting) > 0 {
			text += " before " + Messages(actors, parts.Waiting)
		}
		if len(parts.Delivered) > 0 {
			text += " with " + Messages(actors, parts.Delivered)
		}
		texts = append(texts, text)
	}
	return strings.Join(texts, "; ")
}

// Outcomes says what a step may do.
func Outcomes(program *model.Program, a model.Answer) string {
	var all []string
	for _, o := range a.Outcomes {
		all = append(all, outcome(program, o))
	}
	for _, q := range a.Quorums {
		all = append(all, q.Handler+" may take it with others")
	}
	if len(all) == 0 {
		return "is not enabled"
	}
	return strings.Join(all, "; or ")
}

func outcome(program *model.Program, o model.Outcome) string {
	if o.Failure != nil {
		return "fails: " + o.Failure.Text
	}
	s := Text(program, o.Local)
	if o.Stopped {
		s = "stops"
	}
	if o.Acts {
		s += ", may act by itself"
	}
	for _, m := range o.Sends {
		s += fmt.Sprintf(", sends %s to %s", Text(program, m.Payload), m.Receiver)
	}
	for _, c := range o.Creates {
		s += ", creates " + Text(program, c.Local)
	}
	for _, e := range o.Renewed {
		if e.Task != "" {
			s += fmt.Sprintf(", sets %s anew", e.Task)
		} else {
			s += fmt.Sprintf(", sets timer %s anew", Text(program, e.Timer))
		}
	}
	for _, r := range o.Records {
		s += fmt.Sprintf(", %s %s", r.Kind, Text(program, r.Payload))
	}
	return s
}

// Handler names a handler that ran in one of the answers.
func Handler(answers ...model.Answer) string {
	for _, a := range answers {
		for _, o := range a.Outcomes {
			return o.Handler
		}
	}
	return "a handler"
}
