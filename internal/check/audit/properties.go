package audit

import (
	"context"
	"fmt"
	"slices"

	"harrier/internal/model"
	"harrier/internal/property"
)

// A repetition is an evaluation with the question by which it is asked for again.
type repetition struct {
	property.Evaluated
	question model.Evaluation
}

// repeat asks for evaluations again, and has compare hold the judgements to them until it fails.
func repeat(ctx context.Context, oracle model.Oracle, repetitions []repetition,
	compare func(r repetition, j model.Judgement) error) error {
	if len(repetitions) == 0 {
		return nil
	}
	questions := make([]model.Evaluation, len(repetitions))
	for i, r := range repetitions {
		questions[i] = r.question
	}
	judgements, err := oracle.Evaluate(ctx, questions)
	if err != nil {
		return err
	}
	for i, r := range repetitions {
		if err := compare(r, judgements[i]); err != nil {
			return err
		}
	}
	return nil
}

// Observations repeats evaluations of properties, each with the local states that were met last of those of which the property
// can read the same. It compares at most bound evaluations and returns how many. An error says that the answers differ: then
// the property reads what the analysis of its bytecode overlooked.
func Observations(ctx context.Context, actors *model.Actors, checker *property.Checker, bound int) (int, error) {
	if !actors.Decomposition.Observes() {
		return 0, nil
	}
	var repetitions []repetition
	for _, e := range checker.Evaluated() {
		if len(repetitions) == bound {
			break
		}
		others := slices.Clone(e.Locals)
		for _, r := range e.Reads {
			if r != model.ReadHistory {
				others[r] = checker.Other(e.Property, e.Locals[r])
			}
		}
		if !slices.Equal(others, e.Locals) {
			repetitions = append(repetitions, repetition{e, e.Question(actors, others)})
		}
	}
	err := repeat(ctx, actors.LocalSteps.Oracle(), repetitions, func(r repetition, j model.Judgement) error {
		if property.AnswerOf(j) == r.Answer {
			return nil
		}
		return fmt.Errorf("the property %q reads more than the analysis of its bytecode shows: check with --hashing full",
			actors.Program().Properties[r.Property].Name)
	})
	if err != nil {
		return 0, err
	}
	return len(repetitions), nil
}

// evaluations repeats the evaluations of properties with all variants of the local states that they read.
func (a *audit) evaluations(checker *property.Checker) error {
	var batched []repetition
	for _, e := range checker.Evaluated() {
		counts := make([]int, len(e.Reads))
		for i, r := range e.Reads {
			counts[i] = 1
			if r != model.ReadHistory {
				counts[i] = a.locals.count(e.Locals[r])
			}
		}
		for choice := range product(counts) {
			if !slices.ContainsFunc(choice, func(variant int) bool { return variant > 0 }) {
				continue // the representatives, whose evaluation it is
			}
			if a.report.Evaluations+uint64(len(batched)) >= a.bound {
				a.report.Reason = fmt.Sprintf("%d evaluations of properties were compared", a.bound)
				return a.evaluate(batched)
			}
			if batched = append(batched, a.repetition(e, choice)); len(batched) == batch {
				if err := a.evaluate(batched); err != nil {
					return err
				}
				batched = batched[:0]
			}
		}
	}
	return a.evaluate(batched)
}

// repetition repeats an evaluation with variants chosen for what it read.
func (a *audit) repetition(of property.Evaluated, choice []int) repetition {
	question := of.Question(a.actors, of.Locals)
	for i, read := range of.Reads {
		if read != model.ReadHistory {
			question.Actors[read].Local = a.locals.at(of.Locals[read], choice[i]).bytes
		}
	}
	return repetition{of, question}
}

// evaluate holds repetitions to their evaluations. They must read the same, too: what one reads beside that was not gone through.
func (a *audit) evaluate(repetitions []repetition) error {
	if a.ctx.Err() != nil {
		return context.Cause(a.ctx)
	}
	return repeat(a.ctx, a.oracle, repetitions, func(r repetition, j model.Judgement) error {
		a.report.Evaluations++
		if property.AnswerOf(j) == r.Answer && slices.Equal(j.Reads, r.Reads) {
			return nil
		}
		return a.differentJudgement(r, j)
	})
}
