package main

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"harrier/bridge"
	"harrier/internal/checkpoint"
	"harrier/internal/plan"
	"harrier/internal/process/launch"
	"harrier/internal/process/launch/codebase"
	"harrier/internal/report"
)

// Flags of several commands.

// allowed are the values of --allow, or how they begin; harrier.runtime.rules.allow.Rule has the rules.
var allowed = []string{
	"environment=fixed", "io=read", "jdk=", "natives=any", "order=plain", "property=", "randomness=choice:", "randomness=seed:", "randomness=unique:",
	"reflection=any", "statics=frozen", "threads=ignore-sleep", "threads=of-libraries", "threads=sequential-streams", "time=real", "vacuous",
}

// checkAllow refuses a rule that is relaxed twice, unless it may have several values.
func checkAllow(rules []string) error {
	seen := map[string]bool{}
	for _, rule := range rules {
		name, _, _ := strings.Cut(rule, "=")
		if name == "jdk" || name == "property" || name == "threads" {
			name = rule
		}
		if seen[name] {
			return fmt.Errorf("--allow names %s twice", name)
		}
		seen[name] = true
	}
	return nil
}

// checkRecheck refuses values that --recheck does not take.
func checkRecheck(value string) error {
	if value == "all" || value == "none" {
		return nil
	}
	share, ok := strings.CutSuffix(value, "%")
	ok = ok && strings.Trim(share, "0123456789.") == ""
	if percent, err := strconv.ParseFloat(share, 64); !ok || err != nil || !(percent > 0 && percent <= 100) {
		return fmt.Errorf("--recheck is all, none, or a share from 0%% to 100%% such as 10%%, not %q", value)
	}
	return nil
}

// programArgument describes the argument of commands that take a program.
const programArgument = "one program: a .java file, a folder of sources or classes, or a .jar"

// programFlags are the flags of commands that load a program, beside its path.
type programFlags struct {
	scenario  string
	set       []string
	classPath []string
	allow     []string
	threads   string
}

func (f *programFlags) register(c *cobra.Command) {
	c.Flags().StringVar(&f.scenario, "scenario", "", "the scenario to check, where a program has several")
	c.Flags().StringArrayVar(&f.set, "set", nil, "set a parameter of the scenario: `name=value`; repeatable")
	registerClassPath(c, &f.classPath)
	registerAllow(c, &f.allow)
	c.Flags().StringVar(&f.threads, "threads", bridge.Blocking, "where threads of an actor take turns: blocking, or locks as well")
}

// showFlags say how counterexamples show objects.
type showFlags struct {
	shown  []string
	hidden []string
}

func (f *showFlags) register(c *cobra.Command) {
	c.Flags().StringArrayVar(&f.shown, "show", nil, "show objects of a class by the text of a method: `CLASS=METHOD`; repeatable")
	c.Flags().StringArrayVar(&f.hidden, "hide", nil, "leave objects of a `package` or class out of traces; repeatable")
}

// texts are both, as bridge.Source has them.
func (f *showFlags) texts() []string {
	texts := slices.Clone(f.shown)
	for _, name := range f.hidden {
		texts = append(texts, name+"=")
	}
	return texts
}

func registerAllow(c *cobra.Command, values *[]string) {
	c.Flags().StringArrayVar(values, "allow", nil, "relax a rule, such as randomness=seed:42, or vacuous: `name=value`; repeatable")
}

// allowFlags lists the rules that are relaxed, for a process that this one starts.
func (f *programFlags) allowFlags() []string {
	var flags []string
	for _, rule := range f.allow {
		flags = append(flags, "--allow", rule)
	}
	return flags
}

func registerClassPath(c *cobra.Command, values *[]string) {
	c.Flags().StringArrayVar(values, "classpath", nil, "folders of classes and jars that the program needs, a `list` as for java -cp")
}

// source is the program at a path with these flags.
func (f *programFlags) source(path string) (bridge.Source, error) {
	set, err := plan.ParseSet(f.set)
	if err == nil {
		err = checkAllow(f.allow)
	}
	if err == nil && f.threads != bridge.Blocking && f.threads != bridge.Locks {
		err = fmt.Errorf("--threads is blocking or locks, not %q", f.threads)
	}
	if err != nil {
		return bridge.Source{}, err
	}
	classPath, err := codebase.ExpandClassPath(f.classPath)
	return bridge.Source{Path: path, ClassPath: classPath, Scenario: f.scenario, Parameters: set.Parameters(), Allow: f.allow, Threads: f.threads}, err
}

// exactly demands n arguments, and says which.
func exactly(n int, what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) != n {
			return usageError{fmt.Errorf("%s takes %s; see '%s --help'", c.CommandPath(), what, c.CommandPath())}
		}
		return nil
	}
}

// parseWorkers reads a value of --workers.
func parseWorkers(workers string) (int, error) {
	if workers == "auto" {
		return runtime.NumCPU(), nil
	}
	n, err := strconv.Atoi(workers)
	if err != nil || n < 1 || n > launch.MostWorkers {
		return 0, fmt.Errorf("--workers is a number from 1 to %d, or auto, not %q", launch.MostWorkers, workers)
	}
	return n, nil
}

// commandLine is the command that does the same again: its name with its arguments, and the flags that were set, but for
// some.
func commandLine(c *cobra.Command, arguments []string, without ...string) string {
	return report.CommandLine(append(append([]string{os.Args[0]}, arguments...), setFlags(c, without...)...)...)
}

// setFlags are the flags that were set, but for some, as arguments.
func setFlags(c *cobra.Command, without ...string) (arguments []string) {
	c.Flags().Visit(func(f *pflag.Flag) {
		if slices.Contains(without, f.Name) {
			return
		}
		for _, v := range valuesOf(f) {
			switch {
			case f.Value.Type() != "bool":
				arguments = append(arguments, "--"+f.Name, v)
			case v == "true":
				arguments = append(arguments, "--"+f.Name)
			default:
				arguments = append(arguments, "--"+f.Name+"="+v)
			}
		}
	})
	return arguments
}

// givenFlags are the flags that were set, with their values.
func givenFlags(c *cobra.Command) (flags []checkpoint.Flag) {
	c.Flags().Visit(func(f *pflag.Flag) { flags = append(flags, checkpoint.Flag{Name: f.Name, Values: valuesOf(f)}) })
	return flags
}
