package symmetry

import (
	"fmt"

	"harrier/internal/differ"
	"harrier/model"
	"harrier/serializer"
)

const mend = "do not let it depend on names or on their order (toString, the first of several actors, an iteration over names), or check with --symmetry off"

// differentStep is the error of a step that does not commute with a permutation.
func (c *checking) differentStep(p point[model.Question, model.Answer], g action, image model.Question) error {
	answers, err := c.oracle.Steps(c.ctx, []model.Question{image})
	if err != nil {
		return err
	}
	should, err := g.answer(p.answer)
	if err != nil {
		return err
	}
	detail := []string{"one state:      " + differ.Text(c.actors.Program(), p.question.Local), "the other:      " + differ.Text(c.actors.Program(), image.Local)}
	for i, m := range p.question.Event.Messages {
		detail = append(detail, "one receives:   "+c.received(m), "the other:      "+c.received(image.Event.Messages[i]))
	}
	return &model.RuleError{
		Text: fmt.Sprintf("%s does different things in %s with %s: %s",
			nameIn(image.Local), differ.Handler(p.answer, answers[0]), g, mend),
		Detail: append(detail, "the one step:   "+differ.Outcomes(c.actors.Program(), p.answer), "the other:      "+differ.Outcomes(c.actors.Program(), answers[0]),
			"it should be:   "+differ.Outcomes(c.actors.Program(), should)),
	}
}

func (c *checking) received(m model.Message) string {
	return differ.Text(c.actors.Program(), m.Payload) + " from " + m.Sender
}

// nameIn is the name of the actor in a local state.
func nameIn(local []byte) string {
	v, err := serializer.Decode(local)
	if err != nil {
		return "an actor"
	}
	return v.Name()
}

// differentJudgement is the error of a property that tells actors apart. There is none if the image itself has the same
// answer: it was another one that has it not, with the same states of what was known to be read.
func (c *checking) differentJudgement(p point[evaluation, model.Judgement], g action, image evaluation) error {
	judgements, err := c.oracle.Evaluate(c.ctx, []model.Evaluation{image.Evaluation})
	if err != nil {
		return err
	}
	j := judgements[0]
	if j.Holds == p.answer.Holds && (j.Failure != nil) == (p.answer.Failure != nil) {
		return nil
	}
	var detail []string
	for _, a := range p.question.Actors {
		if p.question.reads[c.label(a.Name)] {
			detail = append(detail, "one state:      "+differ.Text(c.actors.Program(), a.Local))
		}
	}
	for _, a := range image.Actors {
		if image.reads[c.label(a.Name)] {
			detail = append(detail, "the other:      "+differ.Text(c.actors.Program(), a.Local))
		}
	}
	return &model.RuleError{
		Text: fmt.Sprintf("the property %q says different things with %s: %s",
			c.actors.Program().Properties[p.question.Property].Name, g, mend),
		Detail: append(detail, "in the one:     "+differ.Judged(p.answer.Holds, p.answer.Failure != nil),
			"in the other:   "+differ.Judged(j.Holds, j.Failure != nil)),
	}
}
