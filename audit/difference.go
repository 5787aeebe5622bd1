package audit

import (
	"bytes"
	"fmt"
	"strings"

	"harrier/model"
	"harrier/serializer"
)

const mend = "remove @Auxiliary where it stands, or check with --hashing full"

// differentSteps is the error of a step that does something else than on the representatives.
func (a *audit) differentSteps(c comparison, answer model.Answer) error {
	first := a.question(a.representative(c.step))
	second := a.question(c)
	again, err := a.oracle.Steps(a.ctx, []model.Question{first})
	if err != nil {
		return err
	}
	fields := differing(first.Local, second.Local)
	detail := []string{"one state:      " + text(first.Local), "the other:      " + text(second.Local)}
	for i, m := range first.Event.Messages {
		fields = append(fields, differing(m.Payload, second.Event.Messages[i].Payload)...)
		detail = append(detail, "one receives:   "+text(m.Payload), "the other:      "+text(second.Event.Messages[i].Payload))
	}
	detail = append(detail, "the one step:   "+outcomes(again[0]), "the other:      "+outcomes(answer))
	return &model.RuleError{
		Text: fmt.Sprintf("%s: %s does different things in %s where nothing else differs: %s",
			matter(fields), a.actors.Actor(a.steps[c.step].Local).Name, handlers(again[0], answer), mend),
		Detail: detail,
	}
}

// differentJudgement is the error of a property that depends on more than the relevant parts.
func (a *audit) differentJudgement(f form, j model.Judgement) error {
	name := a.actors.Program().Properties[f.Property].Name
	e := a.evaluation(f)
	var fields, detail []string
	for i, r := range f.Reads {
		if r == model.ReadHistory || f.choice[i] == 0 {
			continue
		}
		first, second := a.actors.Actor(f.Locals[r]).Local, e.Actors[r].Local
		fields = append(fields, differing(first, second)...)
		detail = append(detail, "one state:      "+text(first), "the other:      "+text(second))
	}
	detail = append(detail, "in the one:     "+judged(f.Holds, f.Fails), "in the other:   "+judged(j.Holds, j.Failure != nil))
	return &model.RuleError{
		Text:   fmt.Sprintf("%s: the property %q depends on it: %s", matter(fields), name, mend),
		Detail: detail,
	}
}

// matter says that fields which are left out should not be.
func matter(fields []string) string {
	if len(fields) == 1 {
		return "the auxiliary field " + fields[0] + " matters"
	}
	return "the auxiliary fields " + strings.Join(fields, ", ") + " matter"
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

// handlers names the handlers that ran.
func handlers(answers ...model.Answer) string {
	for _, a := range answers {
		for _, o := range a.Outcomes {
			return o.Handler
		}
	}
	return "a handler"
}

// differing names the fields in which two values differ.
func differing(first, second []byte) []string {
	a, errA := serializer.Decode(first)
	b, errB := serializer.Decode(second)
	switch {
	case bytes.Equal(first, second):
		return nil
	case errA != nil || errB != nil:
		return []string{"part"}
	}
	var fields []string
	for _, c := range serializer.Diff(a, b) {
		name, _, _ := strings.Cut(c.Path, "[")
		name, _, _ = strings.Cut(name, ".")
		if f := a.Class() + "." + name; len(fields) == 0 || fields[len(fields)-1] != f {
			fields = append(fields, f)
		}
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
	if len(a.Outcomes) == 0 {
		return "is not enabled"
	}
	var all []string
	for _, o := range a.Outcomes {
		if o.Failure != nil {
			all = append(all, "fails: "+o.Failure.Text)
			continue
		}
		s := text(o.Local)
		for _, m := range o.Sends {
			s += fmt.Sprintf(", sends %s to %s", text(m.Payload), m.Receiver)
		}
		for _, c := range o.Creates {
			s += ", creates " + c.Name
		}
		all = append(all, s)
	}
	return strings.Join(all, "; or ")
}
