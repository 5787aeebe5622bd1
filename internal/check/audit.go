package check

import (
	"context"
	"errors"
	"math"

	"harrier/internal/check/audit"
	"harrier/internal/model"
	"harrier/internal/report"
)

// How many steps, and how many evaluations of properties, an audit repeats. What the analysis shows is sampled, in case
// the analysis is wrong; for what rests on marks, --audit repeats as many as anyone would wait for.
const (
	sampleBound = 500
	auditBound  = 200_000
	// symmetryBound is how many are compared with their images unless all are wanted: some seconds. Most programs have far fewer.
	symmetryBound = 100_000
)

// Audit compares steps with what the reductions assume of them, unless a limit ended the search. A violation that was executed
// again is real whatever they assume.
func Audit(ctx context.Context, c *Check) error {
	violated := c.Result.Violation != nil
	if c.Actors().Decomposition.Decomposes() && (c.Audit || !violated) && ctx.Err() == nil {
		if err := c.auditDecomposition(ctx); err != nil {
			return err
		}
	}
	if !violated && ctx.Err() == nil {
		if _, err := audit.Observations(ctx, c.Actors(), c.Checker, sampleBound); err != nil {
			return err
		}
	}
	// What is verified is printed with how much of it was compared, even if nothing was.
	if ctx.Err() == nil || c.Summary.Verdict == report.Verified {
		return c.auditSymmetry(ctx)
	}
	return nil
}

// auditDecomposition puts what an audit compared into the summary.
func (c *Check) auditDecomposition(ctx context.Context) error {
	program := c.Actors().Program()
	ofMarks := c.Audit && len(program.FieldNames(isBelieved))+len(program.BelievedSenders()) > 0
	compare, bound := audit.Decomposition, uint64(sampleBound)
	if ofMarks {
		compare, bound = audit.Marks, auditBound
	}
	result, err := compare(ctx, c.Actors(), c.Checker, bound)
	if err != nil {
		return c.besideViolation(err)
	}
	result.Sample = !ofMarks
	c.Summary.Audit = &result
	return nil
}

// auditSymmetry compares the steps of a search with their images under the group that it used: all of them, unless that takes more
// than symmetryBound steps or evaluations. Figures of a search that went on after a violation depend on the group.
func (c *Check) auditSymmetry(ctx context.Context) error {
	whole := c.Symmetry == "check"
	if c.Summary.Symmetry == nil || c.Summary.Violation != nil && !whole && !c.KeepGoing {
		return nil
	}
	// Each step of the search is compared with its images under all generators at least.
	bound := max(symmetryBound, c.Actors().LocalSteps.Stats().LocalSteps)
	if whole {
		bound = math.MaxUint64
	}
	result, err := c.symmetric.Finish(ctx, c.Checker, bound)
	if err != nil {
		return c.besideViolation(err)
	}
	c.Summary.Symmetry.Check = &result
	return nil
}

// besideViolation is the error of an audit. A violation that was executed again is real whatever else is wrong: what the audit
// found is a remark then.
func (c *Check) besideViolation(err error) error {
	var broken *model.RuleError
	if errors.As(err, &broken) && c.Summary.Violation != nil {
		c.remark(broken.Text)
		return nil
	}
	return err
}
