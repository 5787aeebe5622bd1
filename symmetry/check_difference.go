package symmetry

import (
	"context"
	"fmt"
	"slices"

	"harrier/internal/model"
	"harrier/internal/model/differ"
	"harrier/internal/model/space"
	"harrier/internal/property"
	"harrier/serializer"
)

const mend = "do not let it depend on names or on their order (toString, the first of several actors, an iteration over names), or check with --symmetry off"

// A Difference is the error of a program that tells actors apart.
type Difference struct {
	*model.RuleError
	By    string // the handler or property that tells them apart, with its place
	Moved Permutation
}

func (d *Difference) Unwrap() error { return d.RuleError }

// differentStep is the error of a step that does not commute with a permutation.
func (c *Checking) differentStep(ctx context.Context, st, under space.LocalStep, g action) error {
	question, image := c.actors.LocalSteps.Question(st), c.actors.LocalSteps.Question(under)
	answers, err := c.oracle.Steps(ctx, []model.Question{question, image})
	if err != nil {
		return err
	}
	answer := answers[0]
	outcomes, err := space.Images(answer.Outcomes, g.Outcome)
	if err != nil {
		return err
	}
	program := c.actors.Program()
	detail := differ.Steps(program, differ.Step{Question: question, Answer: answer}, differ.Step{Question: image, Answer: answers[1]})
	by := differ.Handler(answers...)
	if i := slices.IndexFunc(program.Handlers, func(h model.Handler) bool { return h.Label == by }); i >= 0 {
		by = placed(by, program.Handlers[i].Place)
	}
	return &Difference{&model.RuleError{
		Text:   fmt.Sprintf("%s does different things in %s with %s: %s", serializer.ActorName(image.Local), by, g, mend),
		Detail: append(detail, "it should be:   "+differ.Outcomes(program, model.Answer{Outcomes: outcomes, Quorums: answer.Quorums})),
	}, by, g.Permutation}
}

func placed(name, place string) string {
	if place == "" {
		return name
	}
	return name + " (" + place + ")"
}

// differentJudgement is the error of a property that tells actors apart. There is none if the image itself has the same
// answer: another evaluation, with the same known reads, has the other answer.
func (c *Checking) differentJudgement(ctx context.Context, p point, g action, image evaluation) error {
	judgements, err := c.oracle.Evaluate(ctx, []model.Evaluation{image.Evaluation})
	if err != nil {
		return err
	}
	answer := property.AnswerOf(judgements[0])
	if answer == p.Answer {
		return nil
	}
	detail := differ.Evaluations(c.actors.Program(), c.read(p.evaluation), c.read(image), p.Answer, answer)
	asked := c.actors.Program().Properties[p.Property]
	by := placed(fmt.Sprintf("the property %q", asked.Name), asked.Place)
	return &Difference{&model.RuleError{
		Text:   fmt.Sprintf("%s says different things with %s: %s", by, g, mend),
		Detail: detail,
	}, by, g.Permutation}
}

// differentReads is the error of a property that with other names reads actors of which it read none before.
func (c *Checking) differentReads(image evaluation) error {
	asked := c.actors.Program().Properties[image.Property]
	by := placed(fmt.Sprintf("the property %q", asked.Name), asked.Place)
	return &Difference{&model.RuleError{Text: fmt.Sprintf("%s reads other actors with %s: %s", by, image.by, mend)}, by, image.by}
}

// read are the local states that may decide an evaluation.
func (c *Checking) read(e evaluation) [][]byte {
	var read [][]byte
	for _, a := range e.Actors {
		if e.reads[c.label(a.Name)] {
			read = append(read, a.Local)
		}
	}
	return read
}
