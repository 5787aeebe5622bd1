package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"harrier/internal/check"
	"harrier/internal/compare"
)

// comparing is one run of the compare command.
type comparing struct {
	jvmFlags
	programFlags
	modes     string
	baseline  string
	timeout   time.Duration
	maxMemory string
	format    string
	plot      string
	out       string
	fresh     bool

	chosen []compare.Mode
	limits compare.Limits
	jobs   []compare.Job
}

// formats are the forms of the table.
var formats = map[string]func(*compare.Table, io.Writer) error{
	"text": (*compare.Table).Text, "markdown": (*compare.Table).Markdown,
	"csv": (*compare.Table).CSV, "json": (*compare.Table).JSON,
}

func compareCommand() *cobra.Command {
	k := &comparing{}
	c := &cobra.Command{
		Use:   "compare PROGRAM...",
		Short: "Check programs in several modes and put the figures side by side",
		Long: `Checks each program in each mode, every run in a process of its own, one after another, and prints what came
of them as a table. A program may carry parameters of its own: examples/paxos:acceptors=4,proposers=2. They
go before those of --set, which are for all programs.

Modes, what they set, and what that means; check takes one of them with --mode:
` + modesHelp() + `
Each finished run is kept in the folder that --out names, under what decides its result: the content of the
program, its parameters, the mode, the limits, this build of harrier and the version of Java. The same
command takes it from there, so an interrupted comparison goes on where it was.

Exit codes: 0 all runs finished, 1 verdicts on one program disagree, 2 wrong use, or a program that every
mode refuses, 3 a run was inconclusive, 4 in a run the program broke a rule, 5 internal error in a run, 130
and 143 on signals. Of several that fit, the first of 1, 2, 5, 4, 3.`,
		Example: `  harrier compare examples/paxos --modes stateful,dbss
  harrier compare examples/paxos:acceptors=4 examples/paxos-faulty --modes stateless,stateful,dbss --timeout 1m
  harrier compare Paxos.java --format json --plot states.svg`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usageError{fmt.Errorf("%s takes programs: .java files, folders of sources or classes, or .jars; see '%s --help'", c.CommandPath(), c.CommandPath())}
			}
			return nil
		},
		RunE: k.run,
	}
	k.jvmFlags.register(c)
	k.programFlags.register(c)
	f := c.Flags()
	f.StringVar(&k.modes, "modes", "stateful,dbss", "what to compare: a list of `modes`")
	f.StringVar(&k.baseline, "baseline", "", "the `mode` that ratios are to (default: stateful, else the first)")
	f.DurationVar(&k.timeout, "timeout", 10*time.Minute, "end the search of a run after this long; 0 for no limit")
	f.StringVar(&k.maxMemory, "max-memory", "4g", "end a run that takes this much memory; none for no limit")
	f.StringVar(&k.format, "format", "text", "text, markdown, csv or json")
	f.StringVar(&k.plot, "plot", "", "draw the states into an SVG `file`")
	f.StringVar(&k.out, "out", "harrier-out/compare", "folder for results and traces")
	f.BoolVar(&k.fresh, "fresh", false, "make all runs again, also those that were kept")
	return c
}

// modesHelp lists the modes.
func modesHelp() string {
	var b strings.Builder
	for _, m := range compare.Modes {
		fmt.Fprintf(&b, "  %-13s %s\n                %s\n", m.Name, strings.Join(m.Settings, " "), m.Meaning)
	}
	return b.String()
}

// parse reads the flags and makes the jobs.
func (k *comparing) parse(programs []string) error {
	var err error
	if k.chosen, err = compare.ParseModes(k.modes); err != nil {
		return fmt.Errorf("--modes: %w", err)
	}
	if k.baseline == "" {
		k.baseline = compare.Baseline(k.chosen)
	}
	if names := compare.ModeNames(k.chosen); !slices.Contains(names, k.baseline) {
		return fmt.Errorf("--baseline %s is not among the modes that are compared: %s", k.baseline, strings.Join(names, ", "))
	}
	if formats[k.format] == nil {
		return fmt.Errorf("--format is text, markdown, csv or json, not %q", k.format)
	}
	if k.plot != "" && filepath.Ext(k.plot) != ".svg" {
		return fmt.Errorf("--plot takes a file that ends in .svg, not %q", k.plot)
	}
	if _, err := os.Stat(filepath.Dir(k.plot)); err != nil {
		return fmt.Errorf("--plot: %w", err)
	}
	limit, err := check.NewMemoryLimit(k.maxMemory)
	if err != nil {
		return err
	}
	if _, err := limit.Heap(k.heap); err != nil {
		return err
	}
	k.limits = compare.Limits{Time: k.timeout, Memory: limit.Bytes}
	common, err := parseSet(k.set)
	if err == nil {
		err = checkAllow(k.allow)
	}
	if err != nil {
		return err
	}
	return k.plan(programs, common)
}

// plan makes the jobs: each program in each mode.
func (k *comparing) plan(programs []string, common map[string]string) error {
	classPath, err := expandClassPath(k.classPath)
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	for _, argument := range programs {
		p, err := compare.ParseProgram(argument, k.scenario, common)
		p.ClassPath = classPath
		if err != nil {
			return err
		}
		if seen[p.String()] {
			return fmt.Errorf("the program %s is named twice", p)
		}
		seen[p.String()] = true
		for _, m := range k.chosen {
			k.jobs = append(k.jobs, compare.Job{Program: p, Mode: m, Limits: k.limits})
		}
	}
	return nil
}
