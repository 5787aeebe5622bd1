package model

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// RuleError says that the program under check broke a rule of the checker: a step that is not a
// function of its input, state that cannot be captured, and the like.
type RuleError struct {
	Text string // the problem and how to mend it, one line
	// Detail holds further lines, such as the two outcomes that differ.
	Detail []string
	// Threads reports whether the program may do it if it is loaded with the rule WithThreads.
	Threads bool
}

// WithThreads is the rule, as name=value, with which threads run although only code of libraries starts them.
const WithThreads = "threads=of-libraries"

func (e *RuleError) Error() string { return e.Text }

// LimitError says that a step could not be finished within a bound.
type LimitError struct {
	Text string
	Ends bool // the step goes on, and no further one can be asked for
}

func (e *LimitError) Error() string { return e.Text }

// UsageError says that a program cannot be loaded, or checked, as it was asked for.
type UsageError struct {
	Text   string   // the problem and how to mend it, one line
	Detail []string // further lines, such as a compiler's
}

func (e *UsageError) Error() string { return e.Text }

// IsOfStep reports whether an error is about the local step that was asked for, which perhaps no run takes, so that others may
// be asked for. The cause of a context that ended is not such an error.
func IsOfStep(ctx context.Context, err error) bool {
	var rule *RuleError
	var usage *UsageError
	var limit *LimitError
	return (ctx.Err() == nil || !errors.Is(err, context.Cause(ctx))) && (errors.As(err, &rule) || errors.As(err, &usage) || errors.As(err, &limit) && !limit.Ends)
}

// doubt is what Doubted adds.
const doubt = "; macro steps ask also for steps that no run takes, and this may be one: --reduction off, without --search local, asks for none"

// Doubted returns the error of a question about steps that perhaps no run takes. One that ends the search says so.
func Doubted(err error) error {
	var limit *LimitError
	if !errors.As(err, &limit) || !limit.Ends || strings.HasSuffix(limit.Text, doubt) {
		return err
	}
	return &LimitError{Text: limit.Text + doubt, Ends: true}
}

// StepFailure is the error of a transition whose handler fails.
type StepFailure struct {
	Handler string
	Failure *Failure
}

func (e *StepFailure) Error() string {
	return fmt.Sprintf("%s: %s", e.Handler, e.Failure.Text)
}

// EndReason is why an error ended work early that is not wrong for that: its context ended, or a bound was reached. It is ""
// for other errors, and for none.
func EndReason(ctx context.Context, err error) string {
	var limit *LimitError
	switch {
	case ctx.Err() != nil && errors.Is(err, context.Cause(ctx)):
		return context.Cause(ctx).Error()
	case errors.As(err, &limit):
		return limit.Error()
	}
	return ""
}
