package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"harrier/bridge"
)

func doctorCommand() *cobra.Command {
	var flags jvmFlags
	c := &cobra.Command{
		Use:   "doctor",
		Short: "Say what harrier finds on this machine, what is missing, and the mend",
		Args:  exactly(0, "no arguments"),
		RunE: func(c *cobra.Command, _ []string) error {
			return examine(c.Context(), c.OutOrStdout(), &flags)
		},
	}
	flags.register(c)
	return c
}

// examine prints a line for each thing that harrier or building it needs. Only what running harrier
// needs decides the exit code.
func examine(ctx context.Context, w io.Writer, flags *jvmFlags) error {
	line := func(label, format string, args ...any) {
		fmt.Fprintf(w, "%-10s %s\n", label, fmt.Sprintf(format, args...))
	}
	line("harrier", "%s, built with %s for %s/%s", Version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	if runtime.GOOS != "linux" {
		line("system", "harrier is tested on Linux only")
	}
	javaErr := examineJava(line, flags)
	tool(ctx, line, "gcc", "needed only to build harrier: apt-get install gcc", "--version")
	tool(ctx, line, "go", "needed only to build harrier: Go 1.26 or later", "version")
	tool(ctx, line, "gradle", "needed only to build harrier: apt-get install gradle", "--version")
	return javaErr
}

func examineJava(line func(string, string, ...any), flags *jvmFlags) error {
	jdk, err := bridge.FindJDK(flags.javaHome)
	if err != nil {
		line("java", "missing: %v", err)
		return usageError{errors.New("harrier cannot run on this machine: see above")}
	}
	line("java", "%s in %s (from %s)", jdk.Version, jdk.Home, jdk.Source)
	if jdk.Compiler {
		line("javac", "there, so programs can be checked from their sources")
	} else {
		line("javac", "missing: only compiled programs can be checked; install a JDK, or name one with --java-home")
	}
	heap, err := memoryLimit{}.heap(flags.heap)
	var jvm *bridge.JVM
	if err == nil {
		jvm, err = flags.open(memoryLimit{}, 1)
	}
	if err != nil {
		line("jvm", "cannot be started: %v", err)
		return usageError{errors.New("harrier cannot run on this machine: see above")}
	}
	line("jvm", "starts, with a heap of at most %s", sizeText(heap))
	if jvm.Cache != "" {
		line("cache", "%s", jvm.Cache)
	} else {
		line("cache", "missing: there is no cache folder that can be written, so every check starts anew; set XDG_CACHE_HOME")
	}
	return nil
}

// tool prints the first line with a figure of what a tool says of its version.
func tool(ctx context.Context, line func(string, string, ...any), name, mend, argument string) {
	if _, err := exec.LookPath(name); err != nil {
		line(name, "missing: %s", mend)
		return
	}
	out, err := exec.CommandContext(ctx, name, argument).CombinedOutput()
	if err != nil {
		said, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
		line(name, "there, but '%s %s' fails: %s", name, argument, said)
		return
	}
	for l := range strings.Lines(string(out)) {
		if strings.ContainsAny(l, "0123456789") {
			line(name, "%s", strings.TrimSpace(l))
			return
		}
	}
	line(name, "there")
}
