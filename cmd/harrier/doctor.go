package main

import (
	"errors"
	"fmt"
	"io"
	"runtime"

	"github.com/spf13/cobra"

	"harrier/bridge"
	"harrier/internal/plan"
	"harrier/internal/process/launch"
	"harrier/internal/process/memory"
	"harrier/internal/process/sandbox"
)

func doctorCommand() *cobra.Command {
	var flags jvmFlags
	c := &cobra.Command{
		Use:   "doctor",
		Short: "Report whether harrier can run on this machine, and how to mend what is missing",
		Args:  exactly(0, "no arguments"),
		RunE: func(c *cobra.Command, _ []string) error {
			if err := flags.parse(); err != nil {
				return usageError{err}
			}
			out := c.OutOrStdout()
			return flags.supervised(c, job{plan: func() (*launch.Task, error) { return examine(out, &flags) }, run: flags.startJava})
		},
	}
	flags.register(c)
	return c
}

func doctorLine(w io.Writer, label, format string, args ...any) {
	fmt.Fprintf(w, "%-10s %s\n", label, fmt.Sprintf(format, args...))
}

var errUnfit = usageError{errors.New("harrier cannot run on this machine: see above")}

// examine prints a line for each thing that running harrier needs. Whether Java starts is seen by a child process.
func examine(w io.Writer, flags *jvmFlags) (*launch.Task, error) {
	doctorLine(w, "harrier", "%s, built with %s for %s/%s", Version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	if runtime.GOOS != "linux" {
		doctorLine(w, "system", "harrier is tested on Linux only")
	}
	switch support := sandbox.Find(); {
	case flags.sandbox == "off":
		doctorLine(w, "sandbox", "off (--sandbox off)")
	case support.Missing() != "":
		doctorLine(w, "sandbox", "has gaps: programs can %s", support.Missing())
	default:
		doctorLine(w, "sandbox", "%v: programs read what they need, and neither start processes nor open sockets", support)
	}
	jdk, err := bridge.FindJDK(flags.javaHome)
	if err != nil {
		doctorLine(w, "java", "missing: %v", err)
		return nil, errUnfit
	}
	doctorLine(w, "java", "%s in %s (from %s)", jdk.Version, jdk.Home, jdk.Source)
	if jdk.Compiler {
		doctorLine(w, "javac", "there, so programs can be checked from their sources")
	} else {
		doctorLine(w, "javac", "missing: only compiled programs can be checked; install a JDK, or name one with --java-home")
	}
	if folder, err := bridge.CacheFolder(); err == nil {
		doctorLine(w, "cache", "%s", folder)
	} else {
		doctorLine(w, "cache", "missing, so every check starts anew: %v; set XDG_CACHE_HOME to a folder of yours", err)
	}
	return &launch.Task{Remarks: true}, nil
}

// startJava prints whether the virtual machine starts.
func (f *jvmFlags) startJava(c *cobra.Command) error {
	heap, err := plan.MemoryLimit{}.Heap(f.heap)
	if err == nil {
		_, err = f.open(c.Context(), plan.MemoryLimit{}, 1)
	}
	if err != nil {
		doctorLine(c.OutOrStdout(), "jvm", "cannot be started: %v", err)
		return errUnfit
	}
	archive := "without an archive of its classes yet"
	if childOf(c.Context()).Setup.Home.Archive != "" {
		archive = "with an archive of its classes"
	}
	doctorLine(c.OutOrStdout(), "jvm", "starts, with a heap of at most %s, %s", memory.SizeText(heap), archive)
	return nil
}
