package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"harrier/bridge"
	"harrier/internal/plan"
	"harrier/internal/process/launch"
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

// open returns the virtual machine, whose heap fits under a limit, for so many goroutines.
func (f *jvmFlags) open(ctx context.Context, limit plan.MemoryLimit, workers int) (*bridge.JVM, error) {
	heap, err := limit.Heap(f.heap)
	if err != nil {
		return nil, usageError{err}
	}
	return childOf(ctx).Open(bridge.Options{Heap: heap, StepTime: f.stepTime, Threads: launch.Threads(workers)})
}
