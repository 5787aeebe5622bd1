package launch

import (
	"errors"
	"fmt"
	"syscall"

	"harrier/internal/report"
)

// Failure is an error that is no verdict, as it is reported, with its exit code.
type Failure struct {
	Document report.Error
	Code     int
}

func (f *Failure) Error() string { return f.Document.Text }

// usage is the failure of wrong use.
func usage(err error) error {
	return &Failure{report.Error{Kind: report.UsageKind, Text: err.Error()}, report.ExitUsage}
}

// notStarted is the error where the child could not be started. Limits that the user's shell has set are no fault of harrier's.
func notStarted(err error) error {
	err = fmt.Errorf("starting the process that runs Java: %w", err)
	for _, limit := range []syscall.Errno{syscall.EMFILE, syscall.ENFILE, syscall.EFBIG, syscall.EAGAIN, syscall.ENOMEM, syscall.ENOSPC} {
		if errors.Is(err, limit) {
			return usage(fmt.Errorf("%w; there is a limit of the system for this process: "+
				"'ulimit -a' prints those that can be raised", err))
		}
	}
	return err
}
