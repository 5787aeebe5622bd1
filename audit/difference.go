package audit

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"harrier/model"
	"harrier/serializer"
)

const mend = "remove @Auxiliary where it stands, or check with --hashing full"

// differentSteps is the error of a step that does something else than on the representatives.
func (a *audit) differentSteps(c comparison, answer model.Answer) error {
	first, second := a.question(a.representative(c.step)), a.question(c)
	answers, err := a.oracle.Steps(a.ctx, []model.Question{first})
	if err != nil {
		return err
	}
	fields := a.differing(first.Local, second.Local)
	detail := []string{"one state:      " + text(first.Local), "the other:      " + text(second.Local)}
	for i, m := range first.Event.Messages {
		other := second.Event.Messages[i].Payload
		fields = append(fields, a.differing(m.Payload, other)...)
		detail = append(detail, "one receives:   "+text(m.Payload), "the other:      "+text(other))
	}
	detail = append(detail, "the one step:   "+outcomes(answers[0]), "the other:      "+outcomes(answer))
	return &model.RuleError{
		Text: fmt.Sprintf("%s: %s does different things in %s where nothing else differs: %s",
			matter(fields), a.actors.Actor(a.steps[c.step].Local).Name, firstHandler(answers[0], answer), mend),
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
		first, second := a.actors.Actor(r.Locals[read]).Local, e.Actors[read].Local
		fields = append(fields, a.differing(first, second)...)
		detail = append(detail, "one state:      "+text(first), "the other:      "+text(second))
	}
	one, other := judged(r.Holds, r.Fails), judged(j.Holds, j.Failure != nil)
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

func judged(holds, fails bool) string {
	switch {
	case fails:
		return "evaluating it fails"
	case holds:
		return "it holds"
	}
	return "it does not hold"
}

// firstHandler names a handler that ran.
func firstHandler(answers ...model.Answer) string {
	for _, a := range answers {
		for _, o := range a.Outcomes {
			return o.Handler
		}
	}
	return "a handler"
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

func text(b []byte) string {
	v, err := serializer.Decode(b)
	if err != nil {
		return fmt.Sprintf("%x", b)
	}
	return serializer.Format(v)
}

func outcomes(a model.Answer) string {
	var all []string
	for _, o := range a.Outcomes {
		all = append(all, outcome(o))
	}
	for _, q := range a.Quorums {
		all = append(all, q.Handler+" may take it with others")
	}
	if len(all) == 0 {
		return "is not enabled"
	}
	return strings.Join(all, "; or ")
}

func outcome(o model.Outcome) string {
	if o.Failure != nil {
		return "fails: " + o.Failure.Text
	}
	s := text(o.Local)
	if o.Stopped {
		s = "stops"
	}
	for _, m := range o.Sends {
		s += fmt.Sprintf(", sends %s to %s", text(m.Payload), m.Receiver)
	}
	for _, c := range o.Creates {
		s += ", creates " + text(c.Local)
	}
	for _, r := range o.Records {
		s += fmt.Sprintf(", %s %s", r.Kind, text(r.Payload))
	}
	return s
}
