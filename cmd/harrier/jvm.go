package main

import (
	"time"

	"github.com/spf13/cobra"

	"harrier/bridge"
	"harrier/internal/memory"
)

// jvmFlags are the flags of commands that run Java.
type jvmFlags struct {
	javaHome string
	heap     string
	stepTime time.Duration
	recheck  bool
}

func (f *jvmFlags) register(c *cobra.Command) {
	c.Flags().StringVar(&f.javaHome, "java-home", "", "Java installation to use (default: JAVA_HOME, then the java on PATH)")
	c.Flags().StringVar(&f.heap, "java-heap", bridge.DefaultHeap, "heap limit of the Java virtual machine")
	c.Flags().DurationVar(&f.stepTime, "step-timeout", 10*time.Second, "how long a handler may run; 0 for no limit")
	c.Flags().BoolVar(&f.recheck, "recheck", true, "execute every step twice, hash collections laid out differently, and compare")
}

// open finds a Java installation and starts its virtual machine.
func (f *jvmFlags) open() (*bridge.JVM, error) {
	if _, err := memory.Parse(f.heap); err != nil {
		return nil, usageError{err}
	}
	jdk, err := bridge.FindJDK(f.javaHome)
	if err != nil {
		return nil, usageError{err}
	}
	return bridge.Open(jdk, bridge.Options{Heap: f.heap, StepTime: f.stepTime})
}
