package audit

import (
	"context"
	"fmt"
	"slices"

	"harrier/internal/model"
	"harrier/internal/property"
)

// Observations repeats evaluations of properties, each with the local states that were met last of those of which the property
// can read the same. It compares at most bound evaluations and returns how many. An error says that the answers differ: then
// the property reads what the analysis of its bytecode overlooked.
func Observations(ctx context.Context, actors *model.Actors, checker *property.Checker, bound int) (int, error) {
	if !actors.Decomposition.Observes() {
		return 0, nil
	}
	var repeated []property.Evaluated
	var questions []model.Evaluation
	evaluated := checker.Evaluated()
	for _, i := range shuffled(len(evaluated)) {
		if len(questions) == bound {
			break
		}
		e := evaluated[i]
		others := slices.Clone(e.Locals)
		for _, r := range e.Reads {
			if r != model.ReadHistory {
				others[r] = checker.Other(e.Property, e.Locals[r])
			}
		}
		if !slices.Equal(others, e.Locals) {
			repeated, questions = append(repeated, e), append(questions, questionOf(actors, e, others))
		}
	}
	if len(questions) == 0 {
		return 0, nil
	}
	judgements, err := actors.LocalSteps.Oracle().Evaluate(ctx, questions)
	if err != nil {
		return 0, err
	}
	for i, e := range repeated {
		if !isAnswer(e, judgements[i]) {
			return 0, fmt.Errorf("the property %q reads more than the analysis of its bytecode shows: check with --hashing full",
				actors.Program().Properties[e.Property].Name)
		}
	}
	return len(questions), nil
}
