package symmetry

import (
	"fmt"
	"slices"

	"harrier/internal/model"
	"harrier/internal/model/differ"
	"harrier/serializer"
)

const mend = "do not let it depend on names or on their order (toString, the first of several actors, an iteration over names), or check with --symmetry off"

// A Difference is the error of a program that tells actors apart.
type Difference struct {
	*model.RuleError
	By    string // the handler or property that does so, with its place
	Moved Permutation
}

func (d *Difference) Unwrap() error { return d.RuleError }

// differentStep is the error of a step that does not commute with a permutation.
func (c *Checking) differentStep(st, under model.LocalStep, g action) error {
	question, image := c.actors.LocalSteps.Question(st), c.actors.LocalSteps.Question(under)
	answers, err := c.oracle.Steps(c.ctx, []model.Question{question, image})
	if err != nil {
		return err
	}
	answer := answers[0]
	outcomes, err := model.Images(answer.Outcomes, g.Outcome)
	if err != nil {
		return err
	}
	program := c.actors.Program()
	detail := pair("one state:      ", "the state:      ", differ.Text(program, question.Local), differ.Text(program, image.Local))
	for i, m := range question.Event.Messages {
		detail = append(detail, pair("one receives:   ", "it receives:    ", c.received(m), c.received(image.Event.Messages[i]))...)
	}
	detail = append(detail, pair("the one step:   ", "both steps:     ", differ.Outcomes(program, answer),
		differ.Outcomes(program, answers[1]))...)
	by := differ.Handler(answers...)
	if i := slices.IndexFunc(program.Handlers, func(h model.Handler) bool { return h.Label == by }); i >= 0 {
		by = placed(by, program.Handlers[i].Place)
	}
	return &Difference{&model.RuleError{
		Text:   fmt.Sprintf("%s does different things in %s with %s: %s", serializer.ActorName(image.Local), by, g, mend),
		Detail: append(detail, "it should be:   "+differ.Outcomes(program, model.Answer{Outcomes: outcomes, Quorums: answer.Quorums})),
	}, by, g.Permutation}
}

// pair is a line for each of two texts, or one for both.
func pair(one, both, a, b string) []string {
	if a == b {
		return []string{both + a}
	}
	return []string{one + a, "the other:      " + b}
}

func placed(name, place string) string {
	if place == "" {
		return name
	}
	return name + " (" + place + ")"
}

func (c *Checking) received(m model.Message) string {
	return differ.Text(c.actors.Program(), m.Payload) + " from " + m.Sender
}

// differentJudgement is the error of a property that tells actors apart. There is none if the image itself has the same
// answer: it was another one that has it not, with the same states of what was known to be read.
func (c *Checking) differentJudgement(p point, g action, image evaluation) error {
	judgements, err := c.oracle.Evaluate(c.ctx, []model.Evaluation{image.Evaluation})
	if err != nil {
		return err
	}
	j := judgements[0]
	if judgedAs(j) == p.judged {
		return nil
	}
	var detail []string
	for _, a := range p.Actors {
		if p.reads[c.label(a.Name)] {
			detail = append(detail, "one state:      "+differ.Text(c.actors.Program(), a.Local))
		}
	}
	for _, a := range image.Actors {
		if image.reads[c.label(a.Name)] {
			detail = append(detail, "the other:      "+differ.Text(c.actors.Program(), a.Local))
		}
	}
	property := c.actors.Program().Properties[p.Property]
	by := placed(fmt.Sprintf("the property %q", property.Name), property.Place)
	return &Difference{&model.RuleError{
		Text: fmt.Sprintf("%s says different things with %s: %s", by, g, mend),
		Detail: append(detail, "in the one:     "+differ.Judged(p.holds, p.fails),
			"in the other:   "+differ.Judged(j.Holds, j.Failure != nil)),
	}, by, g.Permutation}
}
