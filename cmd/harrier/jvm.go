package main

import (
	"context"
	"errors"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"harrier/bridge"
	"harrier/internal/plan"
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

// javaThreads is how many of so many goroutines that search are answered at once.
func javaThreads(workers int) int { return min(workers, runtime.NumCPU()) }

// open starts the virtual machine of the Java installation that the supervisor found, whose heap fits under a limit, for that
// many goroutines.
func (f *jvmFlags) open(ctx context.Context, limit plan.MemoryLimit, workers int) (*bridge.JVM, error) {
	heap, err := limit.Heap(f.heap)
	if err != nil {
		return nil, usageError{err}
	}
	child := childOf(ctx)
	if child.jvm != nil {
		return child.jvm, nil
	}
	child.link.Doing(startingJava)
	o := bridge.Options{Heap: heap, StepTime: f.stepTime, Threads: javaThreads(workers),
		Messages: child.link.Messages(), Crashes: child.setup.Crashes, DebugPort: child.setup.DebugPort}
	var jvm *bridge.JVM
	if child.setup.Answers != 0 {
		jvm, err = child.connect(o)
	} else {
		jvm, err = bridge.Open(child.setup.JDK, child.setup.Home, o)
	}
	if errors.Is(err, bridge.ErrGone) {
		return nil, err
	}
	if err != nil {
		said, _ := splitMessages(child.link.Said())
		return nil, breakdownError{report.Error{Kind: report.UsageKind, Text: err.Error(), Detail: said}, report.ExitUsage}
	}
	child.link.Doing(loading)
	return jvm, nil
}
