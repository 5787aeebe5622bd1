package audit

import (
	"context"
	"fmt"
	"slices"

	"harrier/internal/model"
	"harrier/internal/property"
)

// evaluations repeats the evaluations of properties with all variants of the local states that they read.
func (a *audit) evaluations(checker *property.Checker) error {
	var batched []repetition
	evaluated := checker.Evaluated()
	for _, i := range shuffled(len(evaluated)) {
		e := evaluated[i]
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
			if batched = append(batched, repetition{e, slices.Clone(choice)}); len(batched) == batch {
				if err := a.evaluate(batched); err != nil {
					return err
				}
				batched = batched[:0]
			}
		}
	}
	return a.evaluate(batched)
}

// A repetition is an evaluation with variants chosen for what it read.
type repetition struct {
	property.Evaluated
	choice []int
}

func (a *audit) evaluate(repetitions []repetition) error {
	if a.ctx.Err() != nil {
		return context.Cause(a.ctx)
	}
	questions := make([]model.Evaluation, len(repetitions))
	for i, r := range repetitions {
		questions[i] = a.evaluation(r)
	}
	if len(questions) == 0 {
		return nil
	}
	judgements, err := a.oracle.Evaluate(a.ctx, questions)
	if err != nil {
		return err
	}
	for i, r := range repetitions {
		a.report.Evaluations++
		if !r.agrees(judgements[i]) {
			return a.differentJudgement(r, judgements[i])
		}
	}
	return nil
}

func (a *audit) evaluation(r repetition) model.Evaluation {
	e := questionOf(a.actors, r.Evaluated, r.Locals)
	for i, read := range r.Reads {
		if read != model.ReadHistory {
			e.Actors[read].Local = a.locals.at(r.Locals[read], r.choice[i]).bytes
		}
	}
	return e
}

// agrees reports whether a property is judged as on the representatives. It must read the same, too: what
// it reads beside that was not gone through.
func (r repetition) agrees(j model.Judgement) bool {
	return isAnswer(r.Evaluated, j) && slices.Equal(j.Reads, r.Reads)
}

// questionOf asks for an evaluation again, with some local states in place of those that it was of.
func questionOf(actors *model.Actors, of property.Evaluated, locals []model.LocalID) model.Evaluation {
	e := model.Evaluation{Property: of.Property, History: of.History}
	for _, l := range locals {
		e.Actors = append(e.Actors, actors.Values.Actor(l))
	}
	return e
}

// isAnswer reports whether a judgement says what an evaluation said before.
func isAnswer(of property.Evaluated, j model.Judgement) bool {
	return j.Holds == of.Holds && (j.Failure != nil) == of.Fails
}
