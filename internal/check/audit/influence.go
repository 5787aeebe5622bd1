package audit

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"harrier/internal/model"
	"harrier/internal/model/differ"
	"harrier/internal/model/space"
	"harrier/internal/property"
	"harrier/serializer"
)

// An Influence names auxiliary fields or senders, of which at least one influences a handler or a property.
type Influence struct {
	Fields  []model.Field // as many as two local states, or two messages, differ in
	Senders []model.Sender
	By      string // the handler or property, with its place
	// OfObservation reports whether the fields are ones that a property was found not to read.
	OfObservation bool
	detail        []string
}

// OfStep names the auxiliary parts that a local step depends on.
func OfStep(actors *space.Actors, e *space.VariationError) (Influence, error) {
	program := actors.Program()
	by := differ.Handler(e.Answer, e.OtherAnswer)
	i := Influence{By: by, detail: differ.Steps(program, differ.Step{Question: e.Question, Answer: e.Answer},
		differ.Step{Question: e.Other, Answer: e.OtherAnswer})}
	if e.Broken != nil {
		i.By, i.detail = differ.Handler(e.Answer, e.Answer), append(i.detail[:len(i.detail)-1], "in the other:   "+e.Broken.Error())
	}
	if k := slices.IndexFunc(program.Handlers, func(h model.Handler) bool { return h.Label == by }); k >= 0 && program.Handlers[k].Place != "" {
		i.By += " (" + program.Handlers[k].Place + ")"
	}
	i.Fields = differing(program, e.Question.Local, e.Other.Local)
	for k, m := range e.Question.Event.Messages {
		other := e.Other.Event.Messages[k]
		i.Fields = append(i.Fields, differing(program, m.Payload, other.Payload)...)
		if fact := actors.Values.Decomposition.SenderFact; m.Sender != other.Sender && fact != nil {
			if s, known := fact(m); known {
				i.Senders = append(i.Senders, s)
			}
		}
	}
	if len(i.Fields)+len(i.Senders) == 0 {
		return i, fmt.Errorf("%s depends on an auxiliary part, and no field or sender is in it: check with --hashing full", i.By)
	}
	return i, nil
}

// OfProperty names the parts that an evaluation depends on against the analysis.
func OfProperty(actors *space.Actors, e *property.VariationError) (Influence, error) {
	program := actors.Program()
	asked := program.Properties[e.Evaluation.Property]
	i := Influence{By: fmt.Sprintf("the property %q", asked.Name), OfObservation: e.IsOfObservation}
	if asked.Place != "" {
		i.By += " (" + asked.Place + ")"
	}
	var states, others [][]byte
	for k, a := range e.Evaluation.Actors {
		if other := e.Other.Actors[k].Local; !bytes.Equal(a.Local, other) {
			i.Fields, states, others = append(i.Fields, differing(program, a.Local, other)...), append(states, a.Local), append(others, other)
		}
	}
	i.detail = differ.Evaluations(program, states, others, property.AnswerOf(e.Judgement), property.AnswerOf(e.OtherJudgement))
	if i.OfObservation {
		i.Fields = nil
	} else if len(i.Fields) == 0 {
		return i, fmt.Errorf("%s depends on an auxiliary part, and no field is in it: check with --hashing full", i.By)
	}
	return i, nil
}

// Concede makes all of it relevant.
func (i Influence) Concede(program *model.Program) {
	for _, f := range i.Fields {
		program.FindFieldRelevant(f, i.reason())
	}
	for _, s := range i.Senders {
		program.FindSenderRelevant(s, i.reason())
	}
}

func (i Influence) reason() string {
	return "where another value was tried, " + i.By + " did something else"
}

// String describes the influence in one line.
func (i Influence) String() string {
	if i.OfObservation {
		return i.By + " reads more than the bytecode shows"
	}
	names := i.names()
	if len(names) == 1 {
		return fmt.Sprintf("%s matters, though the bytecode does not show it: with another one %s does something else", names[0], i.By)
	}
	return fmt.Sprintf("one of %s matters, though the bytecode does not show it: with other ones %s does something else",
		strings.Join(names, ", "), i.By)
}

func (i Influence) names() (names []string) {
	for _, f := range i.Fields {
		names = append(names, "the field "+f.String())
	}
	for _, s := range i.Senders {
		names = append(names, "the sender of "+s.Label)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Refusal is the error of fields and senders marked @Auxiliary that influence steps; nil if none of them is marked.
func (i Influence) Refusal() *model.RuleError {
	isMarked := slices.ContainsFunc(i.Fields, func(f model.Field) bool { return f.Verdict == model.Believed }) ||
		slices.ContainsFunc(i.Senders, func(s model.Sender) bool { return s.Verdict == model.Believed })
	if !isMarked {
		return nil
	}
	return &model.RuleError{
		Text: fmt.Sprintf("%s matters, though it is marked @Auxiliary: %s does different things where nothing else differs: remove the mark, or check with --hashing full",
			strings.Join(i.names(), ", or "), i.By),
		Detail: i.detail,
	}
}

// differing gives the auxiliary fields in which two values differ: those without which they would not be
// the same if the other ones were left out.
func differing(program *model.Program, first, second []byte) (fields []model.Field) {
	if bytes.Equal(first, second) {
		return nil
	}
	auxiliary := program.Auxiliary()
	var left []serializer.FieldName
	for _, f := range auxiliary {
		left = append(left, serializer.FieldName{Class: f.Class, Field: f.Name})
	}
	for i, f := range auxiliary {
		others := serializer.NewProjection(slices.Delete(slices.Clone(left), i, i+1))
		one, errOne := others.Project(first)
		other, errOther := others.Project(second)
		if errOne == nil && errOther == nil && !bytes.Equal(one, other) {
			fields = append(fields, f)
		}
	}
	return fields
}
