package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"harrier/bridge"
	"harrier/internal/plan"
	"harrier/internal/process/launch"
	"harrier/internal/report"
)

// jvmFlags are the flags of commands that run Java.
type jvmFlags struct {
	javaHome string
	heap     string
	stepTime time.Duration
	sandbox  string
}

func (f *jvmFlags) register(c *cobra.Command) {
	c.Flags().StringVar(&f.javaHome, "java-home", "", "Java installation to use (default: JAVA_HOME, then the java on PATH)")
	c.Flags().StringVar(&f.heap, "java-heap", "", "heap limit of Java (default: 1g, or half of a small --max-memory)")
	c.Flags().StringVar(&f.sandbox, "sandbox", "auto", "confine the program by the operating system: auto, on, or off")
	c.Flags().DurationVar(&f.stepTime, "step-timeout", 10*time.Second, "how much processor time a handler may take; 0 for no limit")
}

// setJavaFlags lists those of the flags that were set, for a process that this one starts, or a command that is told.
func setJavaFlags(c *cobra.Command) []string {
	set := []string{}
	for _, name := range []string{"java-home", "java-heap", "step-timeout", "sandbox"} {
		if f := c.Flags().Lookup(name); f.Changed {
			set = append(set, "--"+name, f.Value.String())
		}
	}
	return set
}

// parse refuses values that there are not.
func (f *jvmFlags) parse() error {
	switch f.sandbox {
	case "auto", "on", "off":
	default:
		return fmt.Errorf("--sandbox is auto, on or off, not %q", f.sandbox)
	}
	return nil
}

// open returns the virtual machine for a number of goroutines (workers), with a heap that fits under the limit.
func (f *jvmFlags) open(ctx context.Context, limit plan.MemoryLimit, workers int) (*bridge.JVM, error) {
	heap, err := limit.Heap(f.heap)
	if err != nil {
		return nil, usageError{err}
	}
	return childOf(ctx).Open(bridge.Options{Heap: heap, StepTime: f.stepTime, Threads: launch.Threads(workers)})
}

// A job is a command that runs Java. Programs can end, crash and stop the virtual machine, so that is done by a child process.
type job struct {
	plan   func() (*launch.Task, error)        // the task of the child
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
	inPlace, isInPlace := c.Context().Value(launcherKey{}).(launcher)
	t.Unpacked = inPlace.home
	p, err := t.Prepare()
	if err != nil {
		return err
	}
	defer p.Close()
	if isInPlace {
		return inPlace.run(c, launch.Setup{JDK: p.JDK, Home: p.Home}, j.run)
	}
	t.Signals = notify()
	o, err := p.Run()
	return resultOf(o, err, j.answer)
}

// wire sets a task's Java by the flags, and its output to that of the command.
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

// A launcher in a context runs commands in place of a child process, with harrier's own files unpacked once. Tests have one that takes
// little time.
type launcher struct {
	home *bridge.Home
	run  func(c *cobra.Command, s launch.Setup, run func(c *cobra.Command) error) error
}

type launcherKey struct{}

// childKey is the key of the child that this process is, in the context of commands. The child goes with the context, as cobra hands
// nothing else from the process to a command.
type childKey struct{}

// withChild adds this process as a child to a context, or nil in a supervisor.
func withChild(ctx context.Context, c *launch.Child) context.Context {
	return context.WithValue(ctx, childKey{}, c)
}

// childOf is the child of a context, nil in a supervisor.
func childOf(ctx context.Context) *launch.Child { return ctx.Value(childKey{}).(*launch.Child) }
