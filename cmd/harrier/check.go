package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"harrier/audit"
	"harrier/bridge"
	"harrier/dbss"
	"harrier/internal/memory"
	"harrier/live"
	"harrier/model"
	"harrier/property"
	"harrier/report"
	"harrier/symmetry"
)

// check is one run of the check command.
type check struct {
	jvmFlags
	programFlags
	show []string
	profileFlags
	method
	program    string
	maxDepth   int
	maxStates  uint64
	timeout    time.Duration
	maxMemory  string
	keepGoing  bool
	recheck    string
	noDeadlock bool
	strict     bool
	audit      bool
	out        string
	json       bool
	html       bool
	from       string // a snapshot in which it begins, "" for none
	brief      bool   // what is no violation is printed in one line

	load      bridge.Source
	flags     *pflag.FlagSet
	reproduce string // the command line of this check
	unreduced string // the same over single steps, all of which are followed
	memory    memoryLimit
	started   time.Time
	setUp     time.Duration
	relaxed   []string      // rules, each as name=value
	local     *report.Local // figures of a local search
	progress  dbss.Progress
	actors    atomic.Pointer[model.Actors] // set once they exist, for the progress line
}

func checkCommand() *cobra.Command {
	k := &check{}
	c := &cobra.Command{
		Use:   "check PROGRAM",
		Short: "Explore every order in which a program's messages can arrive",
		Long: `Explores every order in which a program's messages can arrive and tests its properties in every state.

PROGRAM is a .java file, a folder of sources, a folder of classes, or a jar. It holds a scenario: a class
that extends harrier.Scenario. Libraries that it needs are named with --classpath.

Exit codes: 0 verified, 1 violated, 2 wrong use, 3 inconclusive, 4 the program broke a rule (a step is not
a function of state and message, state that cannot be captured), 5 internal error, 129, 130 and 143 on signals.`,
		Example: `  harrier check examples/paxos
  harrier check Paxos.java --set acceptors=5
  harrier check Cluster.java --classpath 'lib/*'
  harrier check build/classes --scenario MyScenario --timeout 10m --json`,
		Args: exactly(1, programArgument),
		RunE: func(c *cobra.Command, args []string) error {
			k.program, k.started = args[0], time.Now()
			if err := k.parse(c); err != nil {
				return usageError{err}
			}
			return k.supervised(c, func() (*task, error) { return k.plan(c) }, k.run)
		},
	}
	k.register(c)
	c.Flags().StringVar(&k.from, "from", "", "begin in the state of a live run, from a `file` that watch wrote")
	return c
}

// register adds the flags that check has in common with watch.
func (k *check) register(c *cobra.Command) {
	k.jvmFlags.register(c)
	k.programFlags.register(c)
	c.Flags().StringArrayVar(&k.show, "show", nil, "show objects of a class by the text of a method: `CLASS=METHOD`; repeatable")
	k.method.register(c)
	k.profileFlags.register(c)
	f := c.Flags()
	f.IntVar(&k.maxDepth, "max-depth", 0, "follow runs of at most this many transitions")
	f.Uint64Var(&k.maxStates, "max-states", 0, "end after this many states")
	f.DurationVar(&k.timeout, "timeout", 0, "end after this long, set-up included, such as 90s; 0 for no limit")
	f.StringVar(&k.maxMemory, "max-memory", "", "end at this much memory, such as 4g; none for no limit (default: nine tenths)")
	f.BoolVar(&k.keepGoing, "keep-going", false, "count violations instead of ending at the first")
	f.BoolVar(&k.noDeadlock, "no-deadlock", false, "leave out expectFinal")
	f.BoolVar(&k.strict, "strict", false, "inconclusive instead of verified where the verdict has reservations")
	f.StringVar(&k.recheck, "recheck", "all", "which steps are executed twice and compared: all, none, or a share such as 10%")
	f.BoolVar(&k.audit, "audit", false, "compare all steps that reductions rely on, not only a sample")
	f.StringVar(&k.out, "out", "harrier-out", "folder for traces")
	f.BoolVar(&k.html, "html", false, "write the picture of a counterexample beside its trace, for a browser")
	f.BoolVar(&k.json, "json", false, "print one JSON document instead of text")
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

// plan is what checking asks of the child process.
func (k *check) plan(c *cobra.Command) (*task, error) {
	reach, err := reachOf(k.program, k.load.ClassPath)
	if err != nil {
		return nil, usageError{err}
	}
	if k.from != "" {
		reach.Read = append(reach.Read, k.from)
	}
	out, err := openOut(k.out)
	if err != nil && c.Flags().Changed("out") {
		return nil, usageError{fmt.Errorf("--out: %w", err)}
	}
	return &task{program: k.program, reach: reach, out: out, profile: k.profileFlags, timeout: k.timeout, remarks: true}, nil
}

func (k *check) run(c *cobra.Command) (err error) {
	finish, err := profile(childOf(c.Context()).setup.Profiles)
	if err != nil {
		return err
	}
	defer func() {
		if failed := finish(); failed != nil && err == nil {
			err = usageError{fmt.Errorf("writing a profile: %w", failed)}
		}
	}()
	without := append([]string{"json", "html", "out", "every", "for"}, profileFlagNames...)
	again := []string{"check", k.program}
	if k.brief {
		again = append(again, "--from", k.from)
	}
	k.flags = c.Flags()
	k.reproduce = commandLine(c, again, without...)
	k.unreduced = commandLine(c, again, append(without, "por", "reduction")...) + " --reduction off"
	return k.work(c)
}

// work checks, and prints what came of it.
func (k *check) work(c *cobra.Command) error {
	stopProgress := k.showProgress(c)
	summary, err := k.check(c.Context())
	stopProgress()
	var internal *bridge.InternalError
	if errors.As(err, &internal) && internal.IsFormat && k.from != "" {
		return usageError{fmt.Errorf("the program cannot read the snapshot: %s", internal.Text)}
	}
	if err != nil {
		return err
	}
	if err := k.print(c.OutOrStdout(), summary); err != nil {
		return err
	}
	if summary.Verdict != report.Verified {
		return verdictError{summary.Verdict}
	}
	return nil
}

func (k *check) print(w io.Writer, summary *report.Summary) error {
	if k.json {
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

func (k *check) parse(c *cobra.Command) error {
	if err := errors.Join(k.jvmFlags.parse(), k.method.parse(c)); err != nil {
		return err
	}
	if k.maxDepth < 0 || k.maxDepth == 0 && c.Flags().Changed("max-depth") {
		return errors.New("--max-depth must be at least 1")
	}
	if k.maxStates == 0 && c.Flags().Changed("max-states") {
		return errors.New("--max-states must be at least 1")
	}
	if err := errors.Join(k.parseReduction(k.maxDepth), k.parsePOR(k.maxDepth)); err != nil {
		return err
	}
	if k.audit && k.por == "static" && k.hashing == "full" {
		return errors.New("--audit compares the relevant parts of states with --por static: leave out --hashing full")
	}
	var err error
	k.load, err = k.source(k.program)
	k.load.Show = k.show
	if err != nil {
		return err
	}
	k.load.Delivery = k.delivery
	if k.load.Recheck, err = parseRecheck(k.recheck); err != nil {
		return err
	}
	k.memory, err = newMemoryLimit(k.maxMemory)
	return err
}

// limits gives a context that ends, with the reason, when time or memory is used up.
func (k *check) limits(parent context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(parent)
	if k.timeout > 0 {
		reason := &model.LimitError{Text: fmt.Sprintf("the time of %v is used up (--timeout)", k.timeout)}
		time.AfterFunc(time.Until(k.started.Add(k.timeout)), func() { cancel(reason) })
	}
	if k.memory.bytes > 0 {
		go memory.Watch(ctx, k.memory.bytes, func() { cancel(&model.LimitError{Text: k.memory.usedUp()}) })
	}
	return ctx, func() { cancel(nil) }
}

func (k *check) showProgress(c *cobra.Command) func() {
	if !isTerminal(c.ErrOrStderr()) {
		return func() {}
	}
	return report.StartProgress(c.ErrOrStderr(), func() int { return columns(c.ErrOrStderr()) }, k.figures).Stop
}

func (k *check) figures() report.Figures {
	f := report.Figures{
		States:      k.progress.States.Load(),
		Transitions: k.progress.Transitions.Load(),
		Depth:       k.progress.Depth.Load(),
		Frontier:    k.progress.Frontier.Load(),
		MemoryBytes: memory.Resident(), MaxMemoryBytes: k.memory.bytes,
	}
	if a := k.actors.Load(); a != nil {
		f.Executions = a.Stats().Executions
	}
	return f
}

// check does the work: load, search, and execute again what was found.
func (k *check) check(ctx context.Context) (*report.Summary, error) {
	limited, cancel := k.limits(ctx)
	defer cancel()
	jvm, err := k.open(ctx, k.memory, k.workerCount)
	if err != nil {
		return nil, err
	}
	program, domains, err := loadProgram(limited, jvm, k.load)
	if err != nil {
		return nil, beforeSearch(limited, err)
	}
	if err := k.begin(program.Program()); err != nil {
		return nil, usageError{err}
	}
	if err := k.group(program.Program()); err != nil {
		return nil, err
	}
	childOf(ctx).link.Doing(working)
	oracle := k.watched(program)
	actors, err := model.NewActors(oracle, program.Decomposition(k.hash()))
	if err != nil {
		return nil, err
	}
	k.actors.Store(actors)
	k.setUp = time.Since(k.started)
	notes, err := program.Notes(ctx)
	if err != nil {
		return nil, err
	}
	k.relaxed = append([]string{}, notes.Allowed...)
	var differences []*symmetry.Difference
	for {
		summary, err := k.tested(ctx, limited, program, oracle, actors, differences)
		var d *symmetry.Difference
		if k.symmetry == "auto" && errors.As(err, &d) {
			differences = append(differences, d)
			k.progress.Reset()
			continue
		}
		if err != nil {
			return nil, err
		}
		adversaries(actors.Program(), domains, summary)
		for _, d := range differences {
			summary.Remarks = append(summary.Remarks, notPermuted(actors.Program(), d))
		}
		if remark := childOf(ctx).setup.Remark; remark != "" {
			summary.Remarks = append(summary.Remarks, remark)
		}
		return summary, addNotes(limited, program, summary)
	}
}

// begin has the program begin in a snapshot, if one is given. Messages may be lost in it, so any terminal state may come about.
func (k *check) begin(program *model.Program) error {
	if k.from == "" {
		return nil
	}
	s, err := live.ReadSnapshotFile(k.from)
	if err == nil {
		err = s.Of(program)
	}
	if err != nil {
		return err
	}
	program.Initial, program.Live, k.noDeadlock = s.Initial, true, true
	return nil
}

// tested searches a program, and executes again what was found. Actors that a difference is about are not permuted. The error is a
// *symmetry.Difference if others turn out to be.
func (k *check) tested(ctx, limited context.Context, program *bridge.Program, oracle model.Oracle, actors *model.Actors, differences []*symmetry.Difference) (*report.Summary, error) {
	checker := property.NewChecker(oracle, actors)
	options := k.options()
	options.MaxDepth, options.MaxStates = k.maxDepth, k.maxStates
	options.KeepGoing, options.NoDeadlock = k.keepGoing, !k.asksFinal()
	group, err := k.permute(actors, checker, &options, differences)
	if err != nil {
		return nil, err
	}
	reducer, err := k.reduce(actors, &options)
	if err != nil {
		return nil, err
	}
	result, err := k.explore(limited, actors, group, checker, options)
	if err != nil {
		return nil, err
	}
	summary := k.summary(actors, checker, result)
	summary.Allowed = k.relaxed // which the trace has as well
	summary.SetUpSeconds = k.setUp.Seconds()
	summary.Seconds = (time.Since(k.started) - k.setUp).Seconds()
	tellSymmetry(group, summary)
	k.describeLocal(summary)
	k.describeReduction(reducer, result, actors, summary)
	if result.Violation != nil {
		recording, cancel := recordingContext(limited, recordTime)
		defer cancel()
		if err = k.counterexample(recording, program, actors, checker, result.Violation, summary); err != nil {
			return nil, k.broken(recording, actors, checker, err)
		}
		if k.search == "bfs" && result.Reduced > 0 {
			summary.Violation.Shorter = k.unreduced
		}
	}
	if !result.Complete && result.Violation == nil && ctx.Err() == nil {
		looking, cancel := recordingContext(limited, recordTime)
		summary.Remarks = append(summary.Remarks, report.Growth(looking, actors)...)
		cancel()
	}
	if k.auditing(actors, result.Violation != nil) && limited.Err() == nil {
		err = k.auditDecomposition(limited, actors, checker, summary)
	}
	if err == nil && result.Violation == nil && limited.Err() == nil {
		_, err = audit.Observations(limited, actors, checker, sampleBound)
	}
	// What is verified is printed with how much of it was compared, even if nothing was.
	if err == nil && (limited.Err() == nil || summary.Verdict == report.Verified) {
		err = k.checkSymmetry(limited, actors, checker, group, summary)
	}
	if err != nil {
		return nil, err
	}
	k.reserve(actors, summary)
	summary.Remarks = append(summary.Remarks, k.withoutEffect(actors, group, result, summary)...)
	return summary, nil
}

// beforeSearch says of a limit that it was reached before the search began.
func beforeSearch(limited context.Context, err error) error {
	var limit *model.LimitError
	if errors.As(context.Cause(limited), &limit) && errors.Is(err, limit) {
		return &model.LimitError{Text: limit.Text + " before the search began: the program was being compiled and set up"}
	}
	return err
}

// addNotes puts what was noted of the program into the summary. Java may be stuck in a step, and then says
// nothing more.
func addNotes(ctx context.Context, program *bridge.Program, summary *report.Summary) error {
	recording, cancel := recordingContext(ctx, notesTime)
	defer cancel()
	notes, err := program.Notes(recording)
	var limit *model.LimitError
	if errors.As(err, &limit) || recording.Err() != nil {
		return nil
	}
	summary.Remarks = append(summary.Remarks, notes.Seen...)
	return err
}
