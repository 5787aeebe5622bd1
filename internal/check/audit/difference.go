package audit

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"harrier/internal/model"
	"harrier/internal/model/differ"
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
	detail := []string{"one state:      " + differ.Text(a.actors.Program(), first.Local),
		"the other:      " + differ.Text(a.actors.Program(), second.Local)}
	for i, m := range first.Event.Messages {
		other := second.Event.Messages[i]
		fields = append(fields, a.differing(m.Payload, other.Payload)...)
		if m.Sender != other.Sender {
			fields = append(fields, "sender of a message")
		}
		detail = append(detail, "one receives:   "+differ.Message(a.actors.Program(), m),
			"the other:      "+differ.Message(a.actors.Program(), other))
	}
	detail = append(detail, "the one step:   "+differ.Outcomes(a.actors.Program(), answers[0]),
		"the other:      "+differ.Outcomes(a.actors.Program(), answer))
	return &model.RuleError{
		Text: fmt.Sprintf("%s: %s does different things in %s where nothing else differs: %s",
			matter(fields), a.actors.Values.Actor(a.steps[c.step].Local).Name, differ.Handler(answers[0], answer), mend),
		Detail: detail,
	}
}

// differentJudgement is the error of a property that depends on more than the relevant parts.
func (a *audit) differentJudgement(r repetition, j model.Judgement) error {
	e := a.evaluation(r)
	var fields, detail []string
	for i, read := range r.Reads {
		if read == model.ReadHistory || r.choice[i] == 0 {
			continue
		}
		first, second := a.actors.Values.Actor(r.Locals[read]).Local, e.Actors[read].Local
		fields = append(fields, a.differing(first, second)...)
		detail = append(detail, "one state:      "+differ.Text(a.actors.Program(), first),
			"the other:      "+differ.Text(a.actors.Program(), second))
	}
	one, other := differ.Judged(r.Holds, r.Fails), differ.Judged(j.Holds, j.Failure != nil)
	if one == other {
		other += ", but other actors are read"
	}
	return &model.RuleError{
		Text: fmt.Sprintf("%s: the property %q depends on it: %s",
			matter(fields), a.actors.Program().Properties[r.Property].Name, mend),
		Detail: append(detail, "in the one:     "+one, "in the other:   "+other),
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
