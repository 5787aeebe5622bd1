package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"harrier/bridge"
	"harrier/model"
	"harrier/report"
)

// The exit codes.
const (
	exitVerified     = 0
	exitViolated     = 1
	exitUsage        = 2
	exitInconclusive = 3
	exitRule         = 4
	exitInternal     = 5
)

// usageError is wrong use of the command line.
type usageError struct{ error }

// verdictError carries a verdict other than verified to the exit code. It was reported already.
type verdictError struct{ verdict report.Verdict }

func (v verdictError) Error() string { return string(v.verdict) }

// tableError carries the exit code of a comparison, which was reported already.
type tableError struct{ code int }

func (t tableError) Error() string { return fmt.Sprintf("a comparison that ends with %d", t.code) }

// exitCode reports an error, unless that was done, and gives its exit code.
func exitCode(ctx context.Context, err error, stderr io.Writer) int {
	var (
		signal  interrupted
		verdict verdictError
		table   tableError
		usage   usageError
		program *bridge.UsageError
		rule    *model.RuleError
		limit   *model.LimitError
	)
	switch {
	case err == nil:
		return exitVerified
	case errors.As(err, &table):
		return table.code
	case errors.As(context.Cause(ctx), &signal) && !isVerdict(err, report.Violated):
		if !errors.As(err, &verdict) {
			fmt.Fprintln(stderr, "harrier:", signal)
		}
		return 128 + int(signal.signal)
	case errors.As(err, &verdict):
		if verdict.verdict == report.Violated {
			return exitViolated
		}
		return exitInconclusive
	case errors.As(err, &usage):
		complain(stderr, err.Error(), nil)
		return exitUsage
	case errors.As(err, &program):
		complain(stderr, program.Text, program.Detail)
		return exitUsage
	case errors.As(err, &rule):
		complain(stderr, err.Error(), rule.Detail)
		return exitRule
	case errors.As(err, &limit):
		complain(stderr, limit.Text, nil)
		return exitInconclusive
	}
	complain(stderr, "internal error: "+err.Error(), nil)
	return exitInternal
}

func isVerdict(err error, v report.Verdict) bool {
	var verdict verdictError
	return errors.As(err, &verdict) && verdict.verdict == v
}

func complain(stderr io.Writer, text string, detail []string) {
	fmt.Fprintln(stderr, "harrier: "+text)
	for _, line := range detail {
		fmt.Fprintln(stderr, "  "+strings.TrimRight(line, " "))
	}
}
