package check

import (
	"context"
	"errors"
	"fmt"

	"harrier/internal/check/audit"
	"harrier/internal/model"
	"harrier/internal/report"
)

// How many steps, and how many evaluations of properties, an audit repeats. What the analysis shows is sampled, in case
// the analysis is wrong; for what rests on marks, --audit repeats as many as anyone would wait for.
const (
	sampleBound = 500
	auditBound  = 200_000
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
	// A search that a limit ended has not verified anything.
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

// auditSymmetry compares the steps of a search with their images under the group that it used. What is verified is so only if all
// were compared. Figures of a search that went on after a violation depend on the group, too.
func (c *Check) auditSymmetry(ctx context.Context) error {
	if c.Summary.Symmetry == nil || c.Summary.Violation != nil && !c.KeepGoing {
		return nil
	}
	checked, err := c.symmetric.Finish(ctx, c.Checker)
	if err != nil {
		return c.besideViolation(err)
	}
	c.Summary.Symmetry.Check = &checked
	if !checked.Complete && c.Summary.Verdict == report.Verified {
		c.Summary.Verdict = report.Inconclusive
		c.Summary.Reason = fmt.Sprintf("%s before all steps and evaluations that symmetry rests on were compared (--symmetry off needs none)", checked.Reason)
	}
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
