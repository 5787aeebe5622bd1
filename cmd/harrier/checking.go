package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"harrier/bridge"
	"harrier/internal/advice"
	"harrier/internal/check"
	"harrier/internal/cluster"
	"harrier/internal/plan"
	"harrier/internal/process/launch"
	"harrier/internal/report"
	"harrier/internal/search"
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
	// line is printed of a result that is no violation; nil if all is printed.
	line func(*report.Summary) string
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
	f.BoolVar(&k.Profile, "profile", false, "say where time and memory went, and keep profiles for go tool pprof")
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

// keeping has the flags of checkpoints.
type keeping struct {
	checkpoint launch.Checkpoint
	every      time.Duration // how often one is written at most
}

func (k *keeping) register(c *cobra.Command) {
	c.Flags().StringVar(&k.checkpoint.New, "checkpoint", "", "write what a killed search goes on from into this `folder`")
	c.Flags().DurationVar(&k.every, "every", 0, "write a checkpoint at most so often, such as 10m; 0 after each level")
	c.Flags().StringVar(&k.checkpoint.Resumed, "resume", "", "go on with the search whose checkpoint is in this `folder`")
}

// begin returns the program of a check, and with --resume takes over the flags.
func (k *keeping) begin(c *cobra.Command, args []string) (program string, err error) {
	if k.checkpoint.Resumed == "" {
		return args[0], nil
	}
	if k.checkpoint.New != "" {
		return "", errors.New("--resume writes to its own checkpoint: leave out --checkpoint")
	}
	if child := childOf(c.Context()); child != nil {
		k.checkpoint.Command = child.Setup.Command
	} else if err := k.checkpoint.Read(version()); err != nil {
		return "", err
	}
	rest, err := launch.TakeOver(k.checkpoint.Command.Flags, givenFlags(c))
	if err != nil {
		return k.checkpoint.Command.Program, err
	}
	for _, f := range rest {
		for _, v := range f.Values {
			err = errors.Join(err, c.Flags().Set(f.Name, v))
		}
	}
	return k.checkpoint.Command.Program, err
}

// parse makes the options of the flags.
func (k *checking) parse(c *cobra.Command) error {
	if err := settlePlace(c, k.Share); err != nil {
		return err
	}
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

// plan makes the child process's task of checking.
func (k *checking) plan(c *cobra.Command) (*launch.Task, error) {
	t, err := launch.NewTask(k.program, k.classPath, k.allow)
	if err != nil {
		return nil, err
	}
	if k.From != "" {
		t.Reach.Read = append(t.Reach.Read, k.From)
	}
	t.Timeout, t.MaxMemory, t.Remarks, t.Cache = k.Timeout, k.Memory.Bytes, true, k.cache
	if k.cluster != "" {
		t.Cluster = &launch.Cluster{At: k.cluster, Twice: k.answers == "twice", Metrics: k.metrics, Share: k.Share}
	}
	if k.isolate || k.cluster != "" {
		heap, err := k.Memory.Heap(k.heap)
		if err != nil {
			return nil, usageError{err}
		}
		t.Isolate = &bridge.Options{Heap: heap, Threads: launch.Threads(k.planned.Workers)}
	}
	if err := k.checkpoint.Settle(version(), k.program, t.Libs, givenFlags(c), k.Share != ""); err != nil {
		return nil, err
	}
	if err := t.Continue(&k.checkpoint, k.goOn()); err != nil {
		return nil, err
	}
	return t, t.WriteTo(k.out, c.Flags().Changed("out"))
}

func (k *checking) run(c *cobra.Command) error {
	child := childOf(c.Context())
	e := check.Environment{
		Reproduce: k.again(c), JavaFlags: append(setJavaFlags(c), k.allowFlags()...),
		Unreduced: k.again(c, "por", "reduction", "mode") + " --reduction off",
		Remark:    child.Setup.Remark, Keep: child.Keep(k.out),
		Loaded: child.Checking, SoFar: child.TellSupervisor,
	}
	source := &k.planned.Source
	if k.onChange || k.cache != "" {
		source.Answers = child.Setup.Home.Classes
	}
	source.Disk = child.Disk(k.program, source.ClassPath)
	var err error
	if e.Checkpoint, err = child.OpenCheckpoint(&k.checkpoint, k.every); err != nil {
		return err
	}
	if e.Checkpoint != nil {
		defer e.Checkpoint.Close()
		e.GoOn = k.goOn()
		source.Answers = cmp.Or(source.Answers, e.Checkpoint.Path())
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
	tries, smaller := !k.json && k.line == nil && !k.onChange, ""
	if tries && summary.GoOn == "" { // smaller values that are tried need not be advised; the line that says how to go on stays the last one
		summary.Advice, smaller = advice.CutSmaller(summary.Advice)
	}
	err = k.answer(c, summary)
	child.Link.Exit(exitCode(c.Context(), err, io.Discard, nil)) // whatever ends what follows
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

// again is the command line of the same check, but for some flags and those for output.
func (k *checking) again(c *cobra.Command, without ...string) string {
	arguments := []string{"check", k.program}
	if k.line != nil {
		arguments = append(arguments, "--from", k.From)
	}
	return commandLine(c, arguments, append(without, "in-sweep", "json", "html", "witness", "profile", "out", "every", "for", "on-change", "cache",
		"checkpoint", "resume", "cluster", "answers", "metrics", "share")...)
}

// goOn is the command line that goes on with the search.
func (k *checking) goOn() string {
	line := []string{os.Args[0], "check", "--resume", k.checkpoint.Given()}
	if k.Share != "" {
		line = append(line, "--cluster", cluster.Hidden(k.cluster))
	}
	return report.CommandLine(line...)
}

// answer prints a summary, and gives the error with the exit code.
func (k *checking) answer(c *cobra.Command, summary *report.Summary) error {
	if summary.VerdictKept {
		summary.Reproduce = k.again(c)
	}
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
	if child.Setup.Waits {
		if jvm, err = k.open(c.Context(), k.Memory, k.planned.Workers); err != nil {
			return nil, nil, err
		}
		if err = child.AwaitBegin(c.Context(), jvm, k.planned.Source); err != nil {
			return nil, nil, err
		}
	}
	if child.Setup.Share != 0 {
		shared := child.Shared()
		defer shared.Close()
		e.Shared = shared
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
	if err == nil && k.cache != "" && !k.Profile && run.Repeatable() {
		err = child.KeepVerdict(summary)
	}
	return summary, jvm, err
}

func (k *checking) print(w io.Writer, summary *report.Summary) error {
	if k.json && k.InSweep { // which prints the text of some
		return report.WriteJSON(w, summary)
	} else if k.json {
		return summary.JSON(w)
	}
	if k.line != nil && summary.Verdict != report.Violated {
		_, err := fmt.Fprintln(w, k.line(summary))
		return err
	}
	var text bytes.Buffer
	summary.Text(&text, report.NewPainter(colours(w)))
	_, err := text.WriteTo(w)
	return err
}

// widen gives a search two workers for each question that the cluster answers at once, so that none waits for its next one. An error
// is left to the search, whose next question has it too.
func (k *checking) widen(ctx context.Context, run *check.Check) {
	if k.cluster == "" || k.Share != "" || k.planned.Search == search.Local || k.planned.POR == "dynamic" {
		return
	}
	if n, err := run.JVM.Together(ctx); err == nil {
		run.Workers = max(run.Workers, min(2*n, launch.MostWorkers))
	}
}

// parseCluster refuses options that do not go together with --cluster, or are only for it.
func (k *checking) parseCluster(c *cobra.Command) error {
	switch {
	case c.Flags().Changed("answers") && k.answers != "once" && k.answers != "twice":
		return fmt.Errorf("--answers is once or twice, not %q", k.answers)
	case k.cluster == "" && c.Flags().Changed("answers"):
		return errors.New("--answers is for --cluster: leave it out")
	case k.cluster == "" && k.metrics != "":
		return errors.New("--metrics is for --cluster: leave it out")
	case k.cluster == "":
		return nil
	case k.onChange:
		return errors.New("--cluster does not go together with --on-change: leave one of them out")
	}
	if err := checkCredentials(k.cluster, "--cluster=FILE"); err != nil {
		return err
	}
	if rule := check.InputRule(k.allow); rule != "" {
		return fmt.Errorf("--cluster does not go together with --allow %s: what the program reads beside its classes may differ from one machine to another", rule)
	}
	return nil
}
