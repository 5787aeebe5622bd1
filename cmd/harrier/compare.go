package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"harrier/bridge"
	"harrier/internal/compare"
	"harrier/internal/plan"
	"harrier/internal/process/launch/codebase"
	"harrier/internal/report"
)

// comparing is one run of the compare command.
type comparing struct {
	jvmFlags
	programFlags
	modes     string   // a list
	mode      []string // names, and definitions
	baseline  string
	repeat    int
	timeout   time.Duration
	maxMemory string
	format    string
	plot      []string
	out       string
	fresh     bool

	chosen []plan.Mode
	limits compare.Limits
	jobs   []compare.Job
	plots  []plotFile
}

// formats are the forms of the table.
var formats = map[string]func(*compare.Table, io.Writer) error{
	"text": (*compare.Table).Text, "markdown": (*compare.Table).Markdown,
	"latex": (*compare.Table).LaTeX, "csv": (*compare.Table).CSV, "json": (*compare.Table).JSON,
}

func compareCommand() *cobra.Command {
	k := &comparing{}
	c := &cobra.Command{
		Use:   "compare PROGRAM...",
		Short: "Check programs in several modes and put the figures side by side",
		Long: `Checks each program in each mode, every run in a process of its own, one after another, and prints what came
of them as a table. A program may carry parameters of its own: examples/paxos:acceptors=4,proposers=2. They
go before those of --set, which are for all programs. With --set n=1..4 or n=1,2,4 each program is checked with
each of these values.

With --repeat K each program is checked K times in each mode, by turns, so that what else the machine does meets
all modes. Times and memory are then medians, with an interval that has the median of all such runs in it with a
probability of at least 0.95, or the least and the largest of fewer than 6 runs.

Modes, what they set, and what that means; check takes one of them with --mode. Others are made of flags that say
how check is to search, as in --mode two='--mode dbss --workers 2':
` + modesHelp() + `
Plots are bars of states, time and memory by mode; scaling of these by a parameter that takes several numbers;
cactus, how many programs each mode decides within which time; and scatter, the time of each mode by that of the
baseline. Times in plots are processor times.

Each finished run is kept in the folder that --out names, under what decides its result: the content of the
program, its parameters, the mode, the limits, the machine, this build of harrier and the version of Java. The same
command takes it from there, so an interrupted comparison goes on where it was.

Exit codes: 0 all runs finished, 1 verdicts on one program disagree, 2 wrong use, or a program that every
mode refuses, 3 a run was inconclusive, 4 in a run the program broke a rule, 5 internal error in a run, 130
and 143 on signals. Of several that fit, the first of 1, 2, 5, 4, 3.`,
		Example: `  harrier compare examples/paxos --modes stateful,dbss
  harrier compare examples/paxos:acceptors=4 examples/paxos-faulty --modes stateless,stateful,dbss --timeout 1m
  harrier compare examples/paxos --set acceptors=3..5 --repeat 6 --format latex
  harrier compare examples/zab --modes dbss --mode deep='--search dfs --max-depth 20'
  harrier compare examples/paxos --set acceptors=3..5 --plot scaling-time=time.svg --plot scaling-memory=memory.svg
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
	f.StringArrayVar(&k.mode, "mode", nil, "compare a mode, or a new one by flags of check, `NAME='FLAGS'`; repeatable, beside those of --modes if that is given")
	f.StringVar(&k.baseline, "baseline", "", "the `mode` that ratios are to (default: stateful, else the first)")
	f.IntVar(&k.repeat, "repeat", 1, "check so many times in each mode, by turns")
	f.DurationVar(&k.timeout, "timeout", 10*time.Minute, "end the search of a run after this long; 0 for no limit")
	f.StringVar(&k.maxMemory, "max-memory", "4g", "end a run that takes this much memory; none for no limit")
	f.StringVar(&k.format, "format", "text", "text, markdown, latex, csv or json")
	f.StringArrayVar(&k.plot, "plot", nil, "draw a plot into an SVG file, `[PLOT=]FILE`: "+strings.Join(compare.PlotNames(), ", ")+"; repeatable")
	f.StringVar(&k.out, "out", "harrier-out/compare", "folder for results and traces")
	f.BoolVar(&k.fresh, "fresh", false, "make all runs again, also those that were kept")
	return c
}

// modesHelp lists the modes.
func modesHelp() string {
	var b strings.Builder
	for _, m := range plan.Modes {
		fmt.Fprintf(&b, "  %-13s %s\n                %s\n", m.Name, strings.Join(m.Settings, " "), m.Meaning)
	}
	return b.String()
}

// parse reads the flags and makes the jobs.
func (k *comparing) parse(c *cobra.Command, programs []string) error {
	var err error
	if k.chosen, err = k.chooseModes(c); err != nil {
		return err
	}
	if k.baseline == "" {
		k.baseline = compare.Baseline(k.chosen)
	}
	if names := plan.ModeNames(k.chosen); !slices.Contains(names, k.baseline) {
		return fmt.Errorf("--baseline %s is not among the modes that are compared: %s", k.baseline, strings.Join(names, ", "))
	}
	if formats[k.format] == nil {
		return fmt.Errorf("--format is text, markdown, latex, csv or json, not %q", k.format)
	}
	limit, err := plan.NewMemoryLimit(k.maxMemory)
	if err != nil {
		return err
	}
	if _, err := limit.Heap(k.heap); err != nil {
		return err
	}
	k.limits = compare.Limits{Time: k.timeout, Memory: limit.Bytes}
	if k.repeat < 1 || k.repeat > mostRepeats {
		return fmt.Errorf("--repeat takes a number from 1 to %d, not %d", mostRepeats, k.repeat)
	}
	if err := checkAllow(k.allow); err != nil {
		return err
	}
	set, err := plan.ParseSet(k.set)
	if err != nil {
		return err
	}
	settings, err := set.Settings()
	if err != nil {
		return err
	}
	if settings == nil {
		settings = []plan.Set{set}
	}
	var common []map[string]string
	for _, setting := range settings {
		common = append(common, setting.Parameters())
	}
	if err := k.plan(programs, common); err != nil {
		return err
	}
	return k.parsePlots()
}

// plotFile is a plot with the file that gets it.
type plotFile struct {
	compare.Plot
	file string
}

// parsePlots reads the flag --plot, [PLOT=]FILE, once the compared checks are known.
func (k *comparing) parsePlots() error {
	var programs []compare.Program
	for _, job := range k.jobs {
		programs = append(programs, job.Program)
	}
	for _, text := range k.plot {
		name, file, named := strings.Cut(text, "=")
		if !named {
			name, file = "states", text
		}
		if filepath.Ext(file) != ".svg" {
			return fmt.Errorf("--plot takes a file that ends in .svg, not %q", file)
		}
		plot, err := compare.FindPlot(name, programs, k.chosen)
		if err != nil {
			return fmt.Errorf("--plot %s: %w", text, err)
		}
		if _, err := os.Stat(filepath.Dir(file)); err != nil {
			return fmt.Errorf("--plot: %w", err)
		}
		if slices.ContainsFunc(k.plots, func(p plotFile) bool { return p.file == file }) {
			return fmt.Errorf("--plot %s: the file gets another plot already", text)
		}
		k.plots = append(k.plots, plotFile{plot, file})
	}
	return nil
}

// mostRepeats is far above the number that makes an interval narrow.
const mostRepeats = 1000

// plan makes the jobs: each program with each setting of the common parameters, in each mode by turns.
func (k *comparing) plan(programs []string, common []map[string]string) error {
	classPath, err := codebase.ExpandClassPath(k.classPath)
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	for _, argument := range programs {
		for _, parameters := range common {
			p, err := compare.ParseProgram(argument, k.scenario, parameters)
			p.ClassPath = classPath
			if err != nil {
				return err
			}
			if seen[p.String()] {
				return fmt.Errorf("the program %s is named twice", p)
			}
			seen[p.String()] = true
			for round := range k.repeat {
				for _, m := range k.chosen {
					k.jobs = append(k.jobs, compare.Job{Program: p, Mode: m, Limits: k.limits, Round: round})
				}
			}
		}
	}
	return nil
}

// chooseModes are the modes that flags name or define: those of --modes first, each once.
func (k *comparing) chooseModes(c *cobra.Command) (modes []plan.Mode, err error) {
	if len(k.mode) == 0 || c.Flags().Changed("modes") {
		if modes, err = plan.ParseModes(k.modes); err != nil {
			return nil, fmt.Errorf("--modes: %w", err)
		}
	}
	for _, text := range k.mode {
		name, flags, defined := strings.Cut(text, "=")
		mode, known := plan.FindMode(name)
		switch {
		case slices.Contains(plan.ModeNames(modes), name):
			return nil, fmt.Errorf("--mode: the mode %s is named twice", name)
		case defined && known:
			return nil, fmt.Errorf("--mode %s: there is a mode %s already: take another name", text, name)
		case defined:
			if mode, err = defineMode(name, flags); err != nil {
				return nil, fmt.Errorf("--mode %s: %w", cmp.Or(name, text), err)
			}
		case !known:
			return nil, fmt.Errorf("--mode %s: there is no such mode; a new one is written %s='FLAGS', with flags of check; see '%s --help'",
				name, name, c.CommandPath())
		}
		modes = append(modes, mode)
	}
	return modes, nil
}

var modeName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[\pL\pN][\pL\pN_.-]*$`) })

// defineMode makes a mode of search flags of check, divided by spaces.
func defineMode(name, text string) (plan.Mode, error) {
	if !modeName().MatchString(name) {
		return plan.Mode{}, errors.New("the name of a mode is letters, digits, '-', '_' and '.', and begins with one of the first two")
	}
	k, c := &checking{}, &cobra.Command{Use: "check"}
	(&cobra.Command{Use: "harrier"}).AddCommand(c)
	k.register(c)
	c.InitDefaultHelpFlag() // to refuse it
	if err := c.ParseFlags(strings.Fields(text)); err != nil {
		return plan.Mode{}, flagError(c, err)
	}
	if rest := c.Flags().Args(); len(rest) > 0 {
		return plan.Mode{}, fmt.Errorf("%q is no flag; a value stands behind its flag, and has no spaces", rest[0])
	}
	mode := plan.Mode{Name: name, Settings: []string{}, Meaning: strings.TrimSpace("harrier check " + strings.Join(strings.Fields(text), " "))}
	var refused error
	c.Flags().Visit(func(f *pflag.Flag) {
		if !saysHowToSearch(f.Name) {
			refused = fmt.Errorf("--%s does not say how to search: leave it out, or give it to compare for all modes", f.Name)
		}
		for _, value := range valuesOf(f) {
			mode.Settings = append(mode.Settings, f.Name+"="+value)
		}
	})
	if refused != nil {
		return mode, refused
	}
	if err := errors.Join(checkFlags(c), k.parseSearch(c)); err != nil {
		return mode, err
	}
	_, err := plan.Resolve(k.Options)
	return mode, errors.Join(err, checkRecheck(k.Source.Recheck))
}

// saysHowToSearch reports whether a flag of check may be part of a mode. Others choose the program, the limits and the
// output.
func saysHowToSearch(flag string) bool {
	if flag == "max-depth" || flag == "max-states" {
		return true
	}
	return slices.ContainsFunc(flagGroups, func(g flagGroup) bool {
		return slices.Contains([]string{"Search", "Verdict", "Research"}, g.heading) && slices.Contains(g.flags, flag)
	})
}

// run makes the runs, prints their results, and gives the error with the exit code.
func (k *comparing) run(c *cobra.Command, programs []string) error {
	if err := k.parse(c, programs); err != nil {
		return usageError{err}
	}
	jdk, err := bridge.FindJDK(k.javaHome)
	if err != nil {
		return usageError{err}
	}
	executable, err := os.Executable()
	if err != nil {
		return fmt.Errorf("finding harrier's own file: %w", err)
	}
	identity, err := codebase.Identity(executable, jdk.Version)
	if err != nil {
		return err
	}
	var running atomic.Pointer[current]
	runner := compare.Runner{
		Executable: executable, Name: os.Args[0], Identity: identity, Flags: append(setJavaFlags(c), k.allowFlags()...),
		Store: compare.Store{Dir: k.out}, Fresh: k.fresh,
		Starting: func(number int) { running.Store(&current{number, time.Now()}) },
	}
	origin := compare.NewOrigin(Version, jdk.Version)
	stopProgress := k.showProgress(c, &running)
	results, err := runner.Run(c.Context(), k.jobs)
	stopProgress()
	interrupted := c.Context().Err() != nil
	if err != nil && !interrupted {
		return usageError{err}
	}
	table := compare.NewTable(k.chosen, k.baseline, k.limits, results, len(k.jobs)-len(results))
	table.Origin = &origin
	if err := k.print(c, table); err != nil {
		return err
	}
	if interrupted && table.Missing > 0 {
		complain(c.ErrOrStderr(), fmt.Sprintf("%d of %d runs are done; go on with: %s",
			len(results), len(k.jobs), commandLine(c, append([]string{c.Name()}, programs...), "fresh")), nil)
		return err
	}
	if code := table.ExitCode(); code != report.ExitVerified {
		return reportedError{code}
	}
	return nil
}

// print prints the table, and beside it the remarks not to be missed.
func (k *comparing) print(c *cobra.Command, table *compare.Table) error {
	if n := table.Reused(); n > 0 {
		complain(c.ErrOrStderr(), fmt.Sprintf("%d of %d runs were kept in %s and are not made again; --fresh makes them",
			n, len(k.jobs), k.out), nil)
	}
	var text bytes.Buffer
	err := formats[k.format](table, &text)
	if err == nil {
		_, err = text.WriteTo(c.OutOrStdout())
	}
	if err != nil {
		return err
	}
	for _, d := range table.Disagreements() {
		complain(c.ErrOrStderr(), d.String(), nil)
	}
	if table.Missing > 0 {
		return nil
	}
	for _, p := range k.plots {
		var svg bytes.Buffer
		if err := p.Draw(table, &svg); err != nil {
			return err
		}
		if err := os.WriteFile(p.file, svg.Bytes(), 0o644); err != nil {
			return usageError{fmt.Errorf("--plot: %w", err)}
		}
	}
	return nil
}

// current is the run that is being made: its number, from 0, and since when.
type current struct {
	number  int
	started time.Time
}

// showProgress shows which run is being made, and for how long.
func (k *comparing) showProgress(c *cobra.Command, running *atomic.Pointer[current]) func() {
	w := c.ErrOrStderr()
	return report.StartLine(w, width(w), func(time.Duration) string {
		r := running.Load()
		if r == nil {
			return ""
		}
		job := k.jobs[r.number]
		line := fmt.Sprintf("%s  run %d of %d: %s %s", time.Since(r.started).Round(time.Second), r.number+1, len(k.jobs),
			job.Program, job.Mode.Name)
		if job.Limits.Time > 0 {
			line += fmt.Sprintf(", at most %v", job.Limits.Time)
		}
		return line
	}).Stop
}
