package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"harrier/bridge"
	"harrier/internal/check"
	"harrier/internal/model"
	"harrier/internal/model/space"
	"harrier/internal/process/launch"
	"harrier/internal/property"
	"harrier/internal/report"
)

// usageError is wrong use of the command line.
type usageError struct{ error }

// verdictError carries a verdict other than verified to the exit code. It was reported already.
type verdictError struct{ verdict report.Verdict }

func (v verdictError) Error() string { return string(v.verdict) }

// reportedError carries the exit code of an error or verdict that was reported already, by a comparison or a child process.
type reportedError struct{ code int }

func (r reportedError) Error() string { return fmt.Sprintf("what ends with %d", r.code) }

// unfinishedError is the error of a check whose search had begun, with a summary of that so far.
type unfinishedError struct {
	error
	known *report.Summary
}

func (u unfinishedError) Unwrap() error { return u.error }

// untilThen is the line on how far the search was that an error ended; none of other errors.
func untilThen(err error) []string {
	var unfinished unfinishedError
	if !errors.As(err, &unfinished) {
		return nil
	}
	progress, err := check.Progress(unfinished.known)
	if err != nil {
		return nil
	}
	return []string{"until then: " + progress}
}

// exitCode reports an error, unless that was done, and gives its exit code. An error is also written
// to documents, if that is not nil.
func exitCode(ctx context.Context, err error, stderr, documents io.Writer) int {
	var (
		signal   interrupted
		verdict  verdictError
		reported reportedError
	)
	switch {
	case err == nil:
		return report.ExitVerified
	case errors.As(err, &reported):
		return reported.code
	case errors.Is(err, bridge.ErrGone):
		return launch.ExitLost
	case errors.As(context.Cause(ctx), &signal) && !isVerdict(err, report.Violated):
		if !errors.As(err, &verdict) {
			complain(stderr, signal.Error(), untilThen(err))
		}
		return report.ExitSignal + int(signal.signal)
	case errors.As(err, &verdict):
		if verdict.verdict == report.Violated {
			return report.ExitViolated
		}
		return report.ExitInconclusive
	}
	what, code := breakdown(err)
	complain(stderr, what.String(), what.Detail)
	if documents != nil {
		// That it cannot be written is no news beside the error itself.
		_ = report.WriteJSON(documents, report.NewErrorDocument(what))
	}
	return code
}

// breakdown returns the report of an error, with how far the search was, and its exit code.
func breakdown(err error) (report.Error, int) {
	what, code := errorOf(err)
	what.Detail = append(slices.Clip(what.Detail), untilThen(err)...)
	return what, code
}

func errorOf(err error) (report.Error, int) {
	var (
		usage    usageError
		program  *model.UsageError
		rule     *model.RuleError
		ofStep   *space.VariationError
		ofAnswer *property.VariationError
		limit    *model.LimitError
		internal *bridge.InternalError
		failure  *launch.Failure
	)
	switch {
	case errors.As(err, &failure):
		return failure.Document, failure.Code
	case errors.As(err, &usage):
		return report.Error{Kind: report.UsageKind, Text: err.Error()}, report.ExitUsage
	case errors.As(err, &program):
		return report.Error{Kind: report.UsageKind, Text: program.Text, Detail: program.Detail}, report.ExitUsage
	case errors.As(err, &rule):
		return report.Error{Kind: report.RuleKind, Text: err.Error(), Detail: rule.Detail}, report.ExitRule
	case errors.As(err, &ofStep), errors.As(err, &ofAnswer):
		return report.Error{Kind: report.RuleKind, Text: err.Error()}, report.ExitRule
	case errors.As(err, &limit):
		return report.Error{Kind: report.LimitKind, Text: limit.Text}, report.ExitInconclusive
	case errors.As(err, &internal):
		return report.Error{Kind: report.InternalKind, Text: "harrier's Java runtime failed: " + internal.Text,
			Detail: internal.Trace}, report.ExitInternal
	}
	return report.Error{Kind: report.InternalKind, Text: err.Error()}, report.ExitInternal
}

func isVerdict(err error, v report.Verdict) bool {
	var verdict verdictError
	return errors.As(err, &verdict) && verdict.verdict == v
}

func complain(stderr io.Writer, text string, detail []string) {
	fmt.Fprintln(stderr, "harrier: "+report.Plain(text))
	for _, line := range detail {
		fmt.Fprintln(stderr, "  "+report.Plain(strings.TrimRight(line, " ")))
	}
}
