package audit

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"harrier/internal/model"
	"harrier/internal/model/differ"
	"harrier/internal/property"
	"harrier/serializer"
)

const mend = "remove @Auxiliary where it stands, or check with --hashing full"

// differentSteps is the error of a step that does something else than on the representatives.
func (a *audit) differentSteps(c variantStep, answer model.Answer) error {
	first, second := a.question(a.representative(c.step)), a.question(c)
	answers, err := a.oracle.Steps(a.ctx, []model.Question{first})
	if err != nil {
		return err
	}
	fields := a.differing(first.Local, second.Local)
	for i, m := range first.Event.Messages {
		other := second.Event.Messages[i]
		fields = append(fields, a.differing(m.Payload, other.Payload)...)
		if m.Sender != other.Sender {
			fields = append(fields, "sender of a message")
		}
	}
	return &model.RuleError{
		Text: fmt.Sprintf("%s: %s does different things in %s where nothing else differs: %s",
			matter(fields), a.actors.Values.Actor(a.steps[c.step].Local).Name, differ.Handler(answers[0], answer), mend),
		Detail: differ.Steps(a.actors.Program(), differ.Step{Question: first, Answer: answers[0]}, differ.Step{Question: second, Answer: answer}),
	}
}

// differentJudgement is the error of a property that depends on more than the relevant parts.
func (a *audit) differentJudgement(r repetition, j model.Judgement) error {
	var fields []string
	var states, others [][]byte
	for _, read := range r.Reads {
		if read == model.ReadHistory {
			continue
		}
		one, other := a.actors.Values.Actor(r.Locals[read]).Local, r.question.Actors[read].Local
		fields, states, others = append(fields, a.differing(one, other)...), append(states, one), append(others, other)
	}
	detail := differ.Evaluations(a.actors.Program(), states, others, r.Answer, property.AnswerOf(j))
	if property.AnswerOf(j) == r.Answer {
		detail = append(detail, "in the other:   other actors are read")
	}
	return &model.RuleError{
		Text: fmt.Sprintf("%s: the property %q depends on it: %s",
			matter(fields), a.actors.Program().Properties[r.Property].Name, mend),
		Detail: detail,
	}
}

// matter says that one of the fields that are left out should not be.
func matter(fields []string) string {
	fields = slices.Compact(slices.Sorted(slices.Values(fields)))
	if len(fields) == 1 {
		return "the auxiliary field " + fields[0] + " matters"
	}
	return "one of the auxiliary fields " + strings.Join(fields, ", ") + " matters"
}

// differing names the auxiliary fields in which two values differ: those without which they would not be
// the same if the other ones were left out.
func (a *audit) differing(first, second []byte) []string {
	if bytes.Equal(first, second) {
		return nil
	}
	auxiliary := a.actors.Program().Auxiliary()
	var left []serializer.FieldName
	for _, f := range auxiliary {
		left = append(left, serializer.FieldName{Class: f.Class, Field: f.Name})
	}
	var fields []string
	for i, f := range auxiliary {
		others := serializer.NewProjection(slices.Delete(slices.Clone(left), i, i+1))
		one, errOne := others.Project(first)
		other, errOther := others.Project(second)
		if errOne == nil && errOther == nil && !bytes.Equal(one, other) {
			fields = append(fields, f.String())
		}
	}
	if len(fields) == 0 {
		return []string{"part"}
	}
	return fields
}
