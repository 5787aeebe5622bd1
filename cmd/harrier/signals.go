package main

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"
	"time"

	"harrier/internal/process/launch"
	"harrier/internal/process/supervisor"
	"harrier/internal/report"
)

// interrupted is the cause of a context that a signal ended.
type interrupted struct{ signal syscall.Signal }

func (i interrupted) Error() string {
	switch i.signal {
	case syscall.SIGTERM:
		return "terminated"
	case syscall.SIGHUP:
		return "the terminal was closed"
	}
	return "interrupted"
}

// notify gives the signals that ask the process to end. Under nohup, SIGHUP is not among them.
func notify() chan os.Signal {
	signals := make(chan os.Signal, 2)
	for _, s := range supervisor.Passed {
		if s != syscall.SIGHUP || !signal.Ignored(s) {
			signal.Notify(signals, s)
		}
	}
	return signals
}

// signalsOf returns the signals that ask a process to end; in a child, the signals that the supervisor passes on.
func signalsOf(c *launch.Child) chan os.Signal {
	if c == nil {
		return notify()
	}
	return c.Link.Signals()
}

// withSignals ends the context at the first signal; the second one ends the process.
func withSignals(parent context.Context, signals chan os.Signal) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(parent)
	go func() {
		cancel(interrupted{(<-signals).(syscall.Signal)})
		os.Exit(report.ExitSignal + int((<-signals).(syscall.Signal)))
	}()
	return ctx, func() {
		signal.Stop(signals)
		cancel(errors.New("done"))
	}
}

// withTimeout ends a context after a while, if that is not 0.
func withTimeout(parent context.Context, after time.Duration) (context.Context, context.CancelFunc) {
	if after == 0 {
		return context.WithCancel(parent)
	}
	return context.WithTimeout(parent, after)
}
