package model

import "fmt"

// RuleError says that the program under check broke a rule of the checker: a step that is not a
// function of its input, state that cannot be captured, and the like.
type RuleError struct {
	Text string // what is wrong and how to mend it, one line
	// Detail holds further lines, such as the two outcomes that differ.
	Detail []string
}

func (e *RuleError) Error() string { return e.Text }

// LimitError says that a step could not be finished within a bound.
type LimitError struct {
	Text string
}

func (e *LimitError) Error() string { return e.Text }

// UsageError says that the program, as it was declared, is one that cannot be checked as it was asked for.
type UsageError struct {
	Text string // what is wrong and how to mend it, one line
}

func (e *UsageError) Error() string { return e.Text }

// StepFailure is the error of a transition whose handler fails.
type StepFailure struct {
	Handler string
	Failure *Failure
}

func (e *StepFailure) Error() string {
	return fmt.Sprintf("%s: %s", e.Handler, e.Failure.Text)
}
