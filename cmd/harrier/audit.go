package main

import (
	"context"
	"errors"
	"strings"
	"time"

	"harrier/audit"
	"harrier/model"
	"harrier/property"
	"harrier/report"
)

// How many steps, and how many evaluations of properties, an audit repeats. What the analysis shows is sampled, in case
// the analysis is wrong; for what rests on marks, --audit repeats as many as anyone would wait for.
const (
	sampleBound = 500
	auditBound  = 200_000
)

// auditing reports whether the decomposition that a search used is to be audited. A violation that was
// executed again needs none: it is real whatever the decomposition.
func (k *check) auditing(actors *model.Actors, violated bool) bool {
	return actors.Decomposes() && (k.audit || !violated)
}

// auditDecomposition puts what an audit compared into the summary.
func (k *check) auditDecomposition(ctx context.Context, actors *model.Actors, checker *property.Checker, summary *report.Summary) error {
	isOfMarks := k.audit && len(actors.Program().FieldNames(isBelieved)) > 0
	compare, bound := audit.Decomposition, uint64(sampleBound)
	if isOfMarks {
		compare, bound = audit.Marks, auditBound
	}
	start := time.Now()
	result, err := compare(ctx, actors, checker, bound)
	if err != nil {
		return besideViolation(err, summary)
	}
	summary.Audit = &report.Audit{
		Variants: result.Variants, Steps: result.Steps, Evaluations: result.Evaluations,
		Marks: isOfMarks, Sample: !isOfMarks, Complete: result.Complete(), Reason: result.Reason, Seconds: time.Since(start).Seconds(),
	}
	return nil
}

// besideViolation is the error of an audit. A violation that was executed again is real whatever else is wrong: what the audit found
// is a remark then.
func besideViolation(err error, summary *report.Summary) error {
	var broken *model.RuleError
	if errors.As(err, &broken) && summary.Violation != nil {
		summary.Remarks = append(summary.Remarks, broken.Text)
		return nil
	}
	return err
}

// broken explains a counterexample of representatives that does not come about on whole states: the
// auxiliary fields matter. The audit finds out which.
func (k *check) broken(ctx context.Context, actors *model.Actors, checker *property.Checker, err error) error {
	var departure *report.Departure
	if !errors.As(err, &departure) || !actors.Decomposes() {
		return err
	}
	result, found := audit.Decomposition(ctx, actors, checker, auditBound)
	if found != nil {
		return found
	}
	if result.Complete() {
		return err // auxiliary fields do not matter, so the fault is harrier's
	}
	return &model.RuleError{
		Text: "the auxiliary fields matter: a violation that the search met does not come about when they are kept: " +
			"check with --hashing full, and remove @Auxiliary where it stands",
		Detail: []string{departure.Text, "auxiliary: " + strings.Join(auxiliaryFields(actors.Program()), ", ")},
	}
}

// isBelieved reports whether a field is auxiliary only since it is marked so.
func isBelieved(f model.Field) bool { return f.Verdict == model.Believed }

// auxiliaryFields are the fields that are left out of the relevant part.
func auxiliaryFields(program *model.Program) []string {
	return program.FieldNames(func(f model.Field) bool { return f.Verdict.Auxiliary() })
}
