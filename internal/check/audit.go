package check

import (
	"context"
	"errors"
	"fmt"

	"harrier/internal/model"
	"harrier/internal/model/space"
	"harrier/internal/report"
	"harrier/symmetry"
)

const (
	// auditBound is how many pairs of events are executed both ways round, as many as anyone would wait for.
	auditBound = 200_000
)

// Audit compares steps with what the reductions assume of them, unless a limit ended the search. A violation that was executed
// again is real whatever they assume.
func Audit(ctx context.Context, c *Check) error {
	// A search that a limit ended has not verified anything.
	if ctx.Err() == nil || c.Summary.Verdict == report.Verified {
		if err := c.audit(ctx); err != nil {
			return c.besideViolation(err)
		}
	}
	s := c.Summary
	c.known.symmetry = c.symmetryFigures()
	if s.Verdict == report.Verified && !c.isAudited() {
		s.Verdict, s.Reason = report.Inconclusive, c.unaudited
	}
	return nil
}

// audit executes steps and evaluations again on other auxiliary values, and compares a search's local steps with their
// images under the group that it used. It does nothing if Java has executed nothing since the last audit. If a limit ends it, isAudited
// reports false.
func (c *Check) audit(ctx context.Context) error {
	if c.isAudited() {
		return nil
	}
	c.unaudited = ""
	violated := c.Result.Violation != nil
	if !violated {
		if err := c.retry(ctx); err != nil {
			return err
		}
	}
	// Figures of a search that went on after a violation depend on the group, too.
	if c.symmetric != nil && (!violated || c.KeepGoing) {
		checked, err := c.symmetric.Finish(ctx, c.Checker)
		if err != nil {
			return err
		}
		if c.compared = &checked; !checked.Complete {
			c.unaudited = fmt.Sprintf("%s before all steps and evaluations that symmetry rests on were compared", checked.Reason)
		}
	}
	c.auditedAt = inJava(c.Actors(), c.Checker)
	c.audited = c.unaudited == ""
	return nil
}

// retry executes steps and evaluations again with other auxiliary parts. If a limit ends that, unaudited says so.
func (c *Check) retry(ctx context.Context) error {
	for _, retry := range []func() error{
		func() error { return space.Retry(ctx, c.Actors().LocalSteps) },
		func() error { _, err := c.Checker.Retry(ctx); return err },
	} {
		err := context.Cause(ctx)
		if err == nil {
			err = retry()
		}
		if err == nil {
			continue
		}
		reason := model.EndReason(ctx, err)
		if reason == "" {
			return err
		}
		c.unaudited = reason + " before all steps and evaluations were executed again with other auxiliary parts"
	}
	return nil
}

// isAudited reports whether all that Java executed was compared with what the reductions assume.
func (c *Check) isAudited() bool { return c.audited && c.auditedAt == inJava(c.Actors(), c.Checker) }

// besideViolation is the error of an audit. A violation that was executed again is real whatever else is wrong: what the audit
// found is a remark then. But if --keep-going asks for all violations, and actors are told apart that the search permuted, it begins again: states
// with other violations may have been merged with those that it visited.
func (c *Check) besideViolation(err error) error {
	var apart *symmetry.Difference
	if c.KeepGoing && c.Symmetry == "auto" && errors.As(err, &apart) {
		return err
	}
	var broken *model.RuleError
	if errors.As(err, &broken) && c.Summary.Violation != nil {
		c.remark(broken.Text)
		return nil
	}
	return err
}
