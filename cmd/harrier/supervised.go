package main

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"harrier/internal/process/launch"
	"harrier/internal/report"
)

// A job is a command that runs Java. Programs can end, crash and stop the virtual machine, so that is done by a child process.
type job struct {
	plan   func() (*launch.Task, error)        // what is asked of the child
	run    func(c *cobra.Command) error        // runs the command, in the child
	answer func(summary *report.Summary) error // prints a summary that the child did not print; nil for commands that do not search
}

// supervised runs a job: in a child, or else by one, whose exit code is this process's.
func (f *jvmFlags) supervised(c *cobra.Command, j job) error {
	if childOf(c.Context()) != nil {
		return j.run(c)
	}
	t, err := j.plan()
	if err != nil {
		return err
	}
	defer t.Close()
	f.wire(c, t)
	p, err := t.Prepare()
	if err != nil {
		return err
	}
	defer p.Close()
	if run, ok := c.Context().Value(launcherKey{}).(launcher); ok {
		return run(c, launch.Setup{JDK: p.JDK, Home: p.Home}, j.run)
	}
	t.Signals = notify()
	o, err := p.Run()
	return resultOf(o, err, j.answer)
}

// wire has a task run as the flags say, and write what it says to where the command does.
func (f *jvmFlags) wire(c *cobra.Command, t *launch.Task) {
	t.JavaHome, t.Sandbox, t.StepTime = f.javaHome, f.sandbox, f.stepTime
	t.Stderr, t.Tell = c.ErrOrStderr(), tellOn(c.ErrOrStderr())
}

// tellOn prints lines of harrier's own.
func tellOn(stderr io.Writer) func(line string) {
	return func(line string) { complain(stderr, line, nil) }
}

// resultOf is the error with the exit code of a command whose task has an outcome, or ended with an error.
func resultOf(o launch.Outcome, err error, answer func(*report.Summary) error) error {
	switch {
	case o.Known != nil:
		return unfinishedError{err, o.Known}
	case err != nil:
		return err
	case o.Answer != nil:
		return answer(o.Answer)
	case o.Code != report.ExitVerified:
		return reportedError{o.Code}
	}
	return nil
}

// A launcher in a context runs commands in place of a child process. Tests have one that takes little time.
type launcher func(c *cobra.Command, s launch.Setup, run func(c *cobra.Command) error) error

type launcherKey struct{}

type childKey struct{}

// withChild adds this process as a child to a context, or nil in a supervisor.
func withChild(ctx context.Context, c *launch.Child) context.Context {
	return context.WithValue(ctx, childKey{}, c)
}

// childOf is the child of a context, nil in a supervisor.
func childOf(ctx context.Context) *launch.Child { return ctx.Value(childKey{}).(*launch.Child) }
