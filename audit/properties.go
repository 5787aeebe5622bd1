package audit

import (
	"fmt"
	"slices"

	"harrier/model"
	"harrier/property"
)

// evaluations repeats the evaluations of properties with all forms of the local states that they read.
func (a *audit) evaluations(checker *property.Checker) error {
	var batched []form
	for _, e := range checker.Evaluated() {
		counts := make([]int, len(e.Reads))
		for i, r := range e.Reads {
			counts[i] = 1
			if r != model.ReadHistory {
				counts[i] = a.locals.count(e.Locals[r])
			}
		}
		for choice := range product(counts) {
			if !slices.ContainsFunc(choice, func(form int) bool { return form > 0 }) {
				continue // the representatives, whose evaluation it is
			}
			if a.report.Evaluations+uint64(len(batched)) >= a.bound {
				a.report.Reason = fmt.Sprintf("%d evaluations of properties were compared", a.bound)
				return a.evaluate(batched)
			}
			if batched = append(batched, form{e, slices.Clone(choice)}); len(batched) == batch {
				if err := a.evaluate(batched); err != nil {
					return err
				}
				batched = batched[:0]
			}
		}
	}
	return a.evaluate(batched)
}

// A form is an evaluation with forms chosen for what it read.
type form struct {
	property.Evaluated
	choice []int
}

func (a *audit) evaluate(forms []form) error {
	if a.ctx.Err() != nil {
		return context.Cause(a.ctx)
	}
	questions := make([]model.Evaluation, len(forms))
	for i, f := range forms {
		questions[i] = a.evaluation(f)
	}
	if len(questions) == 0 {
		return nil
	}
	judgements, err := a.oracle.Evaluate(a.ctx, questions)
	if err != nil {
		return err
	}
	for i, f := range forms {
		a.report.Evaluations++
		if !f.agrees(judgements[i]) {
			return a.differentJudgement(f, judgements[i])
		}
	}
	return nil
}

func (a *audit) evaluation(f form) model.Evaluation {
	e := model.Evaluation{Property: f.Property, History: f.History}
	for _, l := range f.Locals {
		e.Actors = append(e.Actors, a.actors.Actor(l))
	}
	for i, r := range f.Reads {
		if r != model.ReadHistory {
			e.Actors[r].Local = a.locals.at(f.Locals[r], f.choice[i])
		}
	}
	return e
}

// agrees says whether a property is judged as on the representatives. It must read the same, too: what
// it reads beside that was not gone through.
func (f form) agrees(j model.Judgement) bool {
	return j.Holds == f.Holds && (j.Failure != nil) == f.Fails && slices.Equal(j.Reads, f.Reads)
}
