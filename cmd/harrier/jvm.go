package main

import (
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"harrier/bridge"
)

// jvmFlags are the flags of commands that run Java.
type jvmFlags struct {
	javaHome string
	heap     string
	stepTime time.Duration
}

func (f *jvmFlags) register(c *cobra.Command) {
	c.Flags().StringVar(&f.javaHome, "java-home", "", "Java installation to use (default: JAVA_HOME, then the java on PATH)")
	c.Flags().StringVar(&f.heap, "java-heap", "", "heap limit of the Java virtual machine (default: 1g, or half of what a small --max-memory leaves)")
	c.Flags().DurationVar(&f.stepTime, "step-timeout", 10*time.Second, "how long a handler may run; 0 for no limit")
}

// setJavaFlags lists those of the flags that were set, for a process that this one starts.
func setJavaFlags(c *cobra.Command) []string {
	set := []string{}
	for _, name := range []string{"java-home", "java-heap", "step-timeout"} {
		if f := c.Flags().Lookup(name); f.Changed {
			set = append(set, "--"+name, f.Value.String())
		}
	}
	return set
}

// open finds a Java installation and starts its virtual machine, whose heap fits under a limit, for that many
// goroutines.
func (f *jvmFlags) open(limit memoryLimit, workers int) (*bridge.JVM, error) {
	heap, err := limit.heap(f.heap)
	if err != nil {
		return nil, usageError{err}
	}
	jdk, err := bridge.FindJDK(f.javaHome)
	if err != nil {
		return nil, usageError{err}
	}
	return bridge.Open(jdk, bridge.Options{Heap: heap, StepTime: f.stepTime, Threads: min(workers, runtime.NumCPU())})
}
