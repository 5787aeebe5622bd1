package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"harrier/bridge"
	"harrier/internal/advice"
	"harrier/internal/check"
	"harrier/internal/checkpoint"
	"harrier/internal/plan"
	"harrier/internal/report"
)

// checking is one run of the check command.
type checking struct {
	jvmFlags
	programFlags
	showFlags
	keeping
	clusterFlags
	plan.Options
	planned   plan.Plan // of the options, set by parse
	program   string
	workers   string
	maxMemory string
	out       string
	cache     string // the folder in which answers are kept
	json      bool
	isolate   bool // a process of its own runs Java
	onChange  bool // check again whenever the program changes
	brief     bool // what is no violation is printed in one line
}

func checkCommand() *cobra.Command {
	k := &checking{}
	c := &cobra.Command{
		Use:   "check PROGRAM",
		Short: "Explore every order in which a program's messages can arrive",
		Long: `Explores every order in which a program's messages can arrive and tests its properties in every state.

PROGRAM is a .java file, a folder of sources, a folder of classes, or a jar. It holds a scenario: a class
that extends harrier.Scenario. Libraries that it needs are named with --classpath.

With --set n=1..4 or n=1,2,4 each of these values is checked, smallest first, up to the first violation.

Exit codes: 0 verified, 1 violated, 2 wrong use, 3 inconclusive, 4 the program broke a rule (a step is not
a function of state and message, state that cannot be captured), 5 internal error, 129, 130, 131 and 143 on signals.`,
		Example: `  harrier check examples/paxos
  harrier check Paxos.java --set acceptors=5
  harrier check Paxos.java --set acceptors=3..5 --set proposers=1,2
  harrier check Cluster.java --classpath 'lib/*'
  harrier check build/classes --scenario MyScenario --timeout 10m --json`,
		Args: func(c *cobra.Command, args []string) error {
			args = k.takeURL(c, args)
			if k.resume != "" {
				return exactly(0, "no program with --resume, which has it from the checkpoint")(c, args)
			}
			return exactly(1, programArgument)(c, args)
		},
		RunE: func(c *cobra.Command, args []string) (err error) {
			args = k.takeURL(c, args)
			if k.program, err = k.begin(c, args); err != nil {
				return usageError{err}
			}
			var settings []plan.Set
			set, err := plan.ParseSet(k.set)
			if err == nil {
				settings, err = set.Settings()
			}
			switch {
			case err != nil:
				return usageError{err}
			case settings != nil && k.checkpoint != "":
				return usageError{errors.New("--checkpoint is of one search: give each parameter one value")}
			case settings != nil:
				return k.sweep(c, settings)
			}
			if err := k.parse(c); err != nil {
				return usageError{err}
			}
			switch {
			case k.checkpoint != "" && (k.onChange || k.From != ""):
				return usageError{errors.New("--checkpoint does not go together with --on-change and --from, which begin anew: leave it out")}
			case c.Flags().Changed("every") && k.checkpoint == "" && k.resume == "":
				return usageError{errors.New("--every is for --checkpoint: leave it out")}
			case k.onChange && k.json:
				return usageError{errors.New("--on-change does not go together with --json, which is one document: leave one of them out")}
			case k.onChange && childOf(c.Context()) == nil:
				return k.checkOnChanges(c)
			}
			return k.supervised(c, func() (*task, error) {
				t, err := k.plan(c)
				if err == nil && k.cache != "" && k.From == "" {
					t.verdict = &keptVerdict{checking: k}
				}
				return t, err
			}, k.run)
		},
	}
	k.register(c)
	k.keeping.register(c)
	k.clusterFlags.register(c, &k.Share)
	c.Flags().BoolVar(&k.onChange, "on-change", false, "check again whenever the program changes, until Ctrl-C")
	c.Flags().StringVar(&k.From, "from", "", "begin in the state of a live run, from a `file` that watch wrote")
	return c
}

// register adds the flags that check has in common with watch.
func (k *checking) register(c *cobra.Command) {
	k.Options = plan.Default()
	k.jvmFlags.register(c)
	k.programFlags.register(c)
	k.showFlags.register(c)
	f := c.Flags()
	f.StringVar(&k.Search, "search", k.Search, "search order: auto, bfs, dfs, stateless, sample (random runs) or local")
	f.Uint64Var(&k.Seed, "seed", k.Seed, "seed of random runs")
	f.IntVar(&k.PCT, "pct", k.PCT, "depth of random runs of PCT")
	f.StringVar(&k.Hashing, "hashing", k.Hashing, "what tells states apart: selective, or more: fields, last or full")
	f.StringVar(&k.Store, "store", k.Store, "how states are stored: exact, or compact (64-bit hashes)")
	f.StringVar(&k.workers, "workers", "1", "how many workers search: a number, or auto for one each processor")
	f.StringVar(&k.Model, "model", k.Model, "delivery model: M, MP or M-MP")
	f.StringVar(&k.Symmetry, "symmetry", k.Symmetry, "symmetry reduction: auto, on or off")
	f.StringVar(&k.Reduction, "reduction", k.Reduction, "dynamic interface reduction: macro, demeter or off")
	registerComponents(c, &k.Components)
	f.StringVar(&k.POR, "por", k.POR, "partial-order reduction of single steps: off, static or dynamic")
	f.StringVar(&k.Mode, "mode", "", "search as compare does in this `mode`, such as stateful or dbss")
	f.IntVar(&k.MaxDepth, "max-depth", 0, "follow runs of at most this many transitions")
	f.Uint64Var(&k.MaxStates, "max-states", 0, "end after this many states")
	f.DurationVar(&k.Timeout, "timeout", 0, "end after this long, set-up included, such as 90s; 0 for no limit")
	f.StringVar(&k.maxMemory, "max-memory", "", "end at this much memory, such as 4g; none for no limit (default: nine tenths)")
	f.BoolVar(&k.KeepGoing, "keep-going", false, "do not end at the first violation: count them, name all properties")
	f.StringArrayVar(&k.Source.Properties, "property", nil, "check only the property of this text or method: `name`; repeatable")
	f.BoolVar(&k.NoDeadlock, "no-deadlock", false, "leave out final conditions")
	f.BoolVar(&k.Strict, "strict", false, "inconclusive instead of verified where the verdict has reservations")
	f.StringVar(&k.Source.Recheck, "recheck", "all", "which steps are executed twice and compared: all, none, or a share such as 10%")
	f.BoolVar(&k.Audit, "audit", false, "with --por static, execute events taken to be independent both ways round")
	f.StringVar(&k.out, "out", "harrier-out", "folder for traces")
	f.BoolVar(&k.HTML, "html", false, "write a page for a browser: the counterexample, or tables of the search")
	f.BoolVar(&k.Witness, "witness", false, "write the trace of a run to a state for each @Sometimes")
	f.BoolVar(&k.InSweep, "in-sweep", false, "one of the checks of several values of parameters")
	f.Lookup("in-sweep").Hidden = true // a sweep sets it
	f.BoolVar(&k.isolate, "isolate", false, "run Java in a process apart from the search and the verdict")
	f.StringVar(&k.cache, "cache", "", "keep local steps for later checks in this `folder`")
	f.BoolVar(&k.json, "json", false, "print one JSON document instead of text")
}

// registerComponents adds the flag that says which actors are one component.
func registerComponents(c *cobra.Command, components *string) {
	c.Flags().StringVar(components, "components", "", "components of actors, such as proposer+acceptor,learner; "+
		check.EachActor+" for each alone")
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

// parse makes the options of the flags.
func (k *checking) parse(c *cobra.Command) error {
	source, err := k.source(k.program)
	if err != nil {
		return err
	}
	source.Show, source.Properties, source.Recheck = k.showFlags.texts(), k.Source.Properties, k.Source.Recheck
	k.Source = source
	if err := k.parseSearch(c); err != nil {
		return err
	}
	if k.Memory, err = plan.NewMemoryLimit(k.maxMemory); err != nil {
		return err
	}
	if slices.Contains([]string{"on", "off", "none"}, k.cache) {
		return fmt.Errorf("--cache takes a folder: leave it out to keep no local steps, or write ./%s for a folder of that name", k.cache)
	}
	k.planned, err = plan.Resolve(k.Options)
	return errors.Join(k.jvmFlags.parse(), err, checkRecheck(source.Recheck), k.parseCluster(c))
}

// parseSearch makes the options of the flags that say how to search.
func (k *checking) parseSearch(c *cobra.Command) (err error) {
	k.Given = map[string]string{}
	c.Flags().Visit(func(f *pflag.Flag) {
		if k.Given[f.Name] = f.Value.String(); f.Value.Type() == "bool" {
			k.Given[f.Name] = ""
		}
	})
	k.Workers, err = parseWorkers(k.workers)
	return err
}

// mostWorkers is far above what helps anybody.
const mostWorkers = 1024

func parseWorkers(workers string) (int, error) {
	if workers == "auto" {
		return runtime.NumCPU(), nil
	}
	n, err := strconv.Atoi(workers)
	if err != nil || n < 1 || n > mostWorkers {
		return 0, fmt.Errorf("--workers is a number from 1 to %d, or auto, not %q", mostWorkers, workers)
	}
	return n, nil
}

// plan is what checking asks of the child process.
func (k *checking) plan(c *cobra.Command) (*task, error) {
	t, err := newTask(k.program, k.classPath, k.allow)
	if err != nil {
		return nil, err
	}
	if k.From != "" {
		t.reach.Read = append(t.reach.Read, k.From)
	}
	t.timeout, t.maxMemory, t.remarks, t.cache = k.Timeout, k.Memory.Bytes, true, k.cache
	t.unfinished = func(known *report.Summary) error { return k.answer(c, known) }
	if k.cluster != "" {
		t.cluster, t.share = &k.clusterFlags, k.Share
	}
	if k.isolate || k.cluster != "" {
		heap, err := k.Memory.Heap(k.heap)
		if err != nil {
			return nil, usageError{err}
		}
		t.isolate = &bridge.Options{Heap: heap, Threads: javaThreads(k.planned.Workers)}
	}
	if err := k.settle(c, k.program, t.libs, k.Share > 0); err != nil {
		return nil, err
	}
	t.command = k.command
	folder, err := k.folder()
	if err != nil {
		return nil, usageError{err}
	}
	if folder != "" {
		t.reach.Write = append(t.reach.Write, checkpoint.Search(folder))
		t.checkpoint, t.goOn = folder, k.goOn()
	}
	return t, t.writeTo(c, k.out)
}

func (k *checking) run(c *cobra.Command) error {
	child := childOf(c.Context())
	e := check.Environment{
		Reproduce: k.again(c), JavaFlags: append(setJavaFlags(c), k.allowFlags()...),
		Unreduced: k.again(c, "por", "reduction", "mode") + " --reduction off",
		Remark:    child.setup.Remark, Keep: child.keep(k.out),
		Loaded: func() { child.link.Doing(working) }, SoFar: child.tellSupervisor,
	}
	source := &k.planned.Source
	if k.onChange || k.cache != "" {
		source.Answers = child.setup.Home.Classes
	}
	if child.setup.Identity != "" {
		source.Disk = disk{child.setup.Identity, k.program, source.ClassPath}
	}
	folder, err := k.folder()
	if err == nil && folder != "" {
		if k.command.Key == "" { // it begins in the supervisor, as the key does
			k.command = child.setup.Command
		}
		if e.Checkpoint, err = checkpoint.Open(folder, k.command.Key); err == nil {
			defer e.Checkpoint.Close()
			e.Checkpoint.Every, e.Checkpoint.Java, e.GoOn = k.every, child.setup.JDK.Version, k.goOn()
			source.Answers = cmp.Or(source.Answers, e.Checkpoint.Path())
		}
	}
	if err != nil {
		return err
	}
	started := time.Now()
	summary, jvm, err := k.check(c, e)
	var internal *bridge.InternalError
	if errors.As(err, &internal) && internal.IsFormat && k.From != "" {
		return usageError{fmt.Errorf("the program cannot read the snapshot: %s", internal.Text)}
	}
	if err != nil {
		return err
	}
	tries, smaller := !k.json && !k.brief && !k.onChange, ""
	if tries && summary.GoOn == "" { // what is tried need not be advised; the line that says how to go on stays the last one
		summary.Advice, smaller = advice.CutSmaller(summary.Advice)
	}
	err = k.answer(c, summary)
	child.link.Exit(exitCode(c.Context(), err, io.Discard, nil)) // whatever ends what follows
	if !tries {
		return err
	}
	left := time.Since(started) / 10
	if k.Timeout > 0 {
		left = k.Timeout - time.Since(started)
	}
	k.trySmaller(c, e, jvm, summary, left, smaller)
	return err
}

// trySmaller prints what the check comes to with smaller values of parameters, if a limit ended it. That changes no verdict. If it comes to
// nothing with any, the advice to try some is printed, unless it is "".
func (k *checking) trySmaller(c *cobra.Command, e check.Environment, jvm *bridge.JVM, summary *report.Summary, left time.Duration, untried string) {
	w := c.ErrOrStderr()
	progress := report.StartLine(w, width(w), func(elapsed time.Duration) string {
		return fmt.Sprintf("%s  trying smaller values of parameters, for %s at most", elapsed.Round(time.Second), left.Round(time.Second))
	})
	smaller := check.TrySmaller(c.Context(), k.planned, e, jvm, summary, left)
	progress.Stop()
	switch {
	case smaller != nil:
		fmt.Fprintf(c.OutOrStdout(), "%-13s %s\n", "tried:", report.Plain(smaller.Text()))
	case untried != "":
		fmt.Fprintf(c.OutOrStdout(), "%-13s %s\n", "try:", report.Plain(untried))
	}
}

// again is the command line of the same check, but for some flags and those that say what is printed and kept.
func (k *checking) again(c *cobra.Command, without ...string) string {
	arguments := []string{"check", k.program}
	if k.brief {
		arguments = append(arguments, "--from", k.From)
	}
	return commandLine(c, arguments, append(without, "in-sweep", "json", "html", "witness", "out", "every", "for", "on-change", "cache",
		"checkpoint", "resume", "cluster", "answers", "metrics", "share")...)
}

// answer prints a summary, and gives the error with the exit code.
func (k *checking) answer(c *cobra.Command, summary *report.Summary) error {
	if err := k.print(c.OutOrStdout(), summary); err != nil {
		return err
	}
	if summary.Verdict != report.Verified {
		return verdictError{summary.Verdict}
	}
	return nil
}

// check checks, and shows progress meanwhile. The virtual machine is there for further checks.
func (k *checking) check(c *cobra.Command, e check.Environment) (summary *report.Summary, jvm *bridge.JVM, err error) {
	child := childOf(c.Context())
	if child.setup.Waits {
		if jvm, err = k.open(c.Context(), k.Memory, k.planned.Workers); err != nil {
			return nil, nil, err
		}
		if err = k.wait(c.Context(), jvm, child.link.Begun(), child.setup.Loads); err != nil {
			return nil, nil, err
		}
	}
	if child.setup.Share != 0 {
		e.Members = child.workers()
	}
	loaded := e.Loaded
	run := check.New(k.planned, e)
	w := c.ErrOrStderr()
	defer report.StartProgress(w, width(w), run.Figures).Stop()
	if jvm == nil {
		if jvm, err = k.open(c.Context(), k.Memory, k.planned.Workers); err != nil {
			return nil, nil, err
		}
	}
	run.JVM = jvm
	run.Loaded = func() {
		loaded()
		k.widen(c.Context(), run)
	}
	summary, err = run.Run(c.Context())
	if known := run.Known(); err != nil && known != nil {
		err = unfinishedError{err, known}
	}
	if err == nil && k.cache != "" && run.Repeatable() {
		err = child.keepVerdict(summary)
	}
	return summary, jvm, err
}

func (k *checking) print(w io.Writer, summary *report.Summary) error {
	if k.json && k.InSweep { // which prints the text of some
		return report.WriteJSON(w, summary)
	} else if k.json {
		return summary.JSON(w)
	}
	if k.brief && summary.Verdict != report.Violated {
		_, err := fmt.Fprintln(w, line(summary))
		return err
	}
	var text bytes.Buffer
	summary.Text(&text, report.NewPainter(colours(w)))
	_, err := text.WriteTo(w)
	return err
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
