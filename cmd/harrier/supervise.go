package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"harrier/bridge"
	"harrier/internal/checkpoint"
	"harrier/internal/process/files"
	"harrier/internal/process/launch/codebase"
	"harrier/internal/process/memory"
	"harrier/internal/process/sandbox"
	"harrier/internal/process/supervisor"
	"harrier/internal/report"
)

// task is what a command asks of the child process that runs Java for it.
type task struct {
	program   string         // whose compiled classes may be kept; "" for none
	entries   []string       // of its class path
	cache     string         // where, if not in the user's cache folder
	reach     sandbox.Policy // what it reads beside harrier's own files
	out       *outFolder     // nil for none
	timeout   time.Duration  // the value of --timeout
	maxMemory uint64         // how many bytes it may take in all; 0 for any number
	// unfinished prints what a child that is killed knew of the check so far; nil for commands that do not search.
	unfinished func(known *report.Summary) error
	isolate    *bridge.Options    // how a worker of its own runs Java; nil if the child does
	cluster    *clusterFlags      // whose workers answer as well; nil for none
	share      int                // how many of them explore the states
	libs       string             // a hash of what is on the class path, and of the rules that are relaxed
	command    checkpoint.Command // that began the search of its checkpoint
	prints     bool               // what the program prints goes to standard error
	remarks    bool               // the command prints remarks itself
	files      []*os.File         // what the child has from supervisor.FirstFile on
	snapshot   string             // as in setup
	begin      <-chan struct{}
	lost       bool         // the child ended before it was to begin
	loads      bool         // as in setup
	reaches    string       // as pastJava
	checkpoint string       // the folder of the checkpoint that the child writes; "" for none
	goOn       string       // the command line that goes on from it
	verdict    *keptVerdict // what may be kept of it; nil for nothing
	signals    chan os.Signal
}

// newTask asks for a child that loads the program at a path, with a class path and relaxed rules as the flags give them.
func newTask(program string, classPath, allow []string) (*task, error) {
	var reach sandbox.Policy
	libs := ""
	expanded, err := codebase.ExpandClassPath(classPath)
	if err == nil {
		reach, err = codebase.Policy(program, expanded)
	}
	if err == nil {
		libs, err = codebase.LibrariesDigest(expanded)
	}
	if err != nil {
		return nil, usageError{err}
	}
	libs = codebase.HashOf(append([]string{libs}, allow...))
	return &task{program: program, entries: expanded, reach: reach, libs: libs, reaches: pastJava(allow)}, nil
}

// pastJava is the first of some relaxed rules by which the program can do what the virtual machine does not guard, "" if there is none.
func pastJava(allow []string) string {
	i := slices.IndexFunc(allow, func(rule string) bool { return strings.HasPrefix(rule, "natives=") || strings.HasPrefix(rule, "jdk=") })
	if i < 0 {
		return ""
	}
	return allow[i]
}

// writeTo has the child write to a folder for results. It is an error that it cannot only if the folder was named.
func (t *task) writeTo(c *cobra.Command, folder string) (err error) {
	if t.out, err = openOut(folder); err != nil && c.Flags().Changed("out") {
		return usageError{fmt.Errorf("--out: %w", err)}
	}
	return nil
}

// serve has this process keep the results of the child, and gives where that finds it. What it returns ends it.
func (t *task) serve() (keeper int, end func(), err error) {
	if t.out == nil {
		return 0, func() {}, nil
	}
	keeper = supervisor.FirstFile + len(t.files)
	from, to, err := t.connect()
	if err == nil {
		go t.out.serve(from, to)
	}
	return keeper, func() {
		for _, f := range append([]*os.File{from, to}, t.files[keeper-supervisor.FirstFile:]...) {
			f.Close()
		}
	}, err
}

// connect gives the child two pipes, and returns the other ends: of the one that it writes to, and of the one that it reads.
func (t *task) connect() (from, to *os.File, err error) {
	in, to, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	from, out, err := os.Pipe()
	t.files = append(t.files, in, out)
	return from, to, err
}

// graceTime is how long a child may go on when its time is over, to print what it has. It ends by itself before, unless it is held up:
// then this process prints what it knew.
const graceTime = 3 * time.Second / 2

// graceShare is the part of its memory by which a child may go beyond that for the same. It is less than a tenth, as the child goes on
// taking memory between two looks at it, and is to be gone before it has taken a tenth more.
const graceShare = 11

// supervised runs a command that runs Java. Programs can end, crash and stop the virtual machine, so that is done by a child in a
// sandbox. This process plans for it, and the exit code is its own.
func (f *jvmFlags) supervised(c *cobra.Command, plan func() (*task, error), run func(c *cobra.Command) error) error {
	if childOf(c.Context()) != nil {
		return run(c)
	}
	t, err := plan()
	if err != nil {
		return err
	}
	defer t.out.close()
	jdk, err := bridge.FindJDK(f.javaHome)
	if err != nil {
		return usageError{err}
	}
	home, err := bridge.Prepare(jdk, t.program, t.libs)
	if err != nil {
		return err
	}
	defer home.Remove()
	if t.cache != "" {
		if err := home.KeepIn(t.cache, t.program, t.libs); err != nil {
			return usageError{fmt.Errorf("--cache: %w: name a folder that only you can write to", err)}
		}
	}
	if launch, ok := c.Context().Value(launcherKey{}).(launcher); ok {
		return launch(c, setup{JDK: jdk, Home: home}, run)
	}
	if t.verdict != nil {
		if found, err := t.verdict.find(c, jdk, home); found || err != nil {
			return err
		}
	}
	return f.supervise(c, t, jdk, home)
}

// A launcher in a context runs commands in place of a child process. Tests have one that takes little time.
type launcher func(c *cobra.Command, s setup, run func(c *cobra.Command) error) error

type launcherKey struct{}

func (f *jvmFlags) supervise(c *cobra.Command, t *task, jdk *bridge.JDK, home *bridge.Home) error {
	environment, ignored := bridge.Environment()
	if len(ignored) > 0 {
		fmt.Fprintf(c.ErrOrStderr(), "harrier: %s: ignored, as harrier sets Java's options itself; unset it\n",
			strings.Join(ignored, ", "))
	}
	keeper, endKeeping, err := t.serve()
	if err != nil {
		return err
	}
	defer endKeeping()
	s := setup{JDK: jdk, Home: home, Keeper: keeper, Crashes: home.Classes, Snapshot: t.snapshot, DebugPort: t.reach.Port,
		Command: t.command, Waits: t.begin != nil, Loads: t.loads, Keeps: t.verdict != nil}
	if t.verdict != nil {
		s.Identity = t.verdict.identity
	}
	printed := &report.PlainWriter{To: c.ErrOrStderr()}
	p := supervisor.Child{Environment: environment, Signals: t.signals, Quiet: !t.prints, Stderr: printed, Files: t.files,
		Begin: t.begin}
	if t.signals == nil {
		p.Signals = notify()
	}
	if t.timeout > 0 {
		p.Timeout = t.timeout + graceTime
	}
	if t.maxMemory > 0 {
		p.MaxMemory = t.maxMemory + t.maxMemory/graceShare
	}
	var java *elsewhere
	if t.isolate != nil {
		if java, err = f.runElsewhere(c, t, &s, &p); err != nil {
			return err
		}
		defer java.stop()
	}
	own := len(p.Files)
	if err := f.confine(&s, &p, t.reach); err != nil {
		return err
	}
	defer func() { closeAll(p.Files[own:]) }()
	if s.Remark != "" && !t.remarks {
		complain(c.ErrOrStderr(), s.Remark, nil)
	}
	end, err := supervisor.Run(p)
	printed.Flush()
	if err != nil {
		return notStarted(err)
	}
	t.lost = t.begin != nil && !end.Begun
	switch {
	case !end.Reported || end.Foreign:
		return t.withFigures(end, t.ended(end, s))
	case end.Code == exitLost:
		return t.lostWorker(java, end.Doing)
	}
	home.Leave(jdk)
	if t.verdict != nil && end.Kept != "" {
		t.verdict.keep([]byte(end.Kept))
	}
	if end.Code != report.ExitVerified {
		return reportedError{end.Code}
	}
	return nil
}

// withFigures is the error of a child that reported no result. What it knew of a search is a part of that; where a limit ended it, it is
// the summary.
func (t *task) withFigures(end *supervisor.End, err error) error {
	known := &report.Summary{}
	if t.unfinished == nil || end.Figures == "" || json.Unmarshal([]byte(end.Figures), known) != nil {
		return err
	}
	what, _ := breakdown(err)
	if what.Kind != report.LimitKind {
		return unfinishedError{err, known}
	}
	known.Reason = what.Text
	if !t.canGoOn() {
		known.GoOn = ""
	}
	return t.unfinished(known)
}

// canGoOn reports whether the child has written a checkpoint from which its search goes on.
func (t *task) canGoOn() bool { return t.checkpoint != "" && checkpoint.Begun(t.checkpoint) }

// notStarted is the error where the child could not be started. Limits that the user's shell has set are no fault of harrier's.
func notStarted(err error) error {
	err = fmt.Errorf("starting the process that runs Java: %w", err)
	for _, limit := range []syscall.Errno{syscall.EMFILE, syscall.ENFILE, syscall.EFBIG, syscall.EAGAIN, syscall.ENOMEM, syscall.ENOSPC} {
		if errors.Is(err, limit) {
			return usageError{fmt.Errorf("%w; there is a limit of the system for this process: "+
				"'ulimit -a' prints those that can be raised", err)}
		}
	}
	return err
}

// confine has a process be started in a sandbox, and says in its setup what that is.
func (f *jvmFlags) confine(s *setup, p *supervisor.Child, reach sandbox.Policy) error {
	ruleset, err := f.ruleset(s, reach)
	if ruleset != nil {
		// The variables may be those of another process, too.
		p.Environment = append(slices.Clip(p.Environment), fmt.Sprintf("%s=%d", sandbox.RulesetVariable, supervisor.FirstFile+len(p.Files)))
		p.Files = append(p.Files, ruleset)
	}
	p.Setup = *s
	return err
}

// ruleset makes the ruleset of the sandbox, nil if there is none.
func (f *jvmFlags) ruleset(s *setup, reach sandbox.Policy) (*os.File, error) {
	support := sandbox.Find()
	missing := support.Missing()
	switch {
	case f.sandbox == "off":
		s.Remark = "the program runs without a sandbox (--sandbox off): it may do whatever its user may"
		return nil, nil
	case missing != "" && f.sandbox == "on":
		return nil, usageError{fmt.Errorf("--sandbox on: on this machine programs can %s", missing)}
	case missing != "":
		s.Remark = "the sandbox has gaps on this machine: the program can " + missing
	}
	s.Filter = support.Seccomp
	if support.Landlock == 0 {
		return nil, nil
	}
	p := reach
	p.Read = append(slices.Clip(p.Read), s.Home.API, s.Home.Runtime, s.Home.Archive, s.Home.Rewritten, s.Home.Classes)
	p.Read = append(p.Read, s.JDK.Folders()...)
	p.Write = slices.Clip(p.Write)
	// Where Go writes what tests cover is for tests of harrier.
	for _, folder := range []string{s.Crashes, os.Getenv("GOCOVERDIR")} {
		if folder != "" {
			p.Write = append(p.Write, folder)
		}
	}
	return p.Ruleset(support)
}

// What a child says that it is doing.
const (
	startingJava = "starting Java"
	loading      = "reading, compiling and setting up the program"
	working      = "checking the program"
	answering    = "answering" // of a worker
)

// ended says how a child ended that reported no result.
func (t *task) ended(e *supervisor.End, s setup) error {
	during := ""
	if e.Doing != "" {
		during = " while harrier was " + e.Doing
	}
	messages, exited := splitMessages(e.Messages)
	b := breakdownError{report.Error{Detail: messages[:min(len(messages), mostDetail)]}, report.ExitInternal}
	switch {
	case e.Foreign:
		b.document.Kind, b.code, b.document.Detail = report.RuleKind, report.ExitRule, nil // it may write anything there, too
		b.document.Text = fmt.Sprintf("the program wrote to a pipe between harrier's processes%s: "+
			"what is checked must leave descriptors alone that it did not open", during)
	case e.Over:
		b.document.Kind, b.code = report.LimitKind, report.ExitInconclusive
		b.document.Text = fmt.Sprintf("the memory of %s is used up (--max-memory), and the process that runs Java had to be killed%s",
			memory.SizeText(t.maxMemory), during)
	case e.Late:
		b.document.Kind, b.code = report.LimitKind, report.ExitInconclusive
		b.document.Text = fmt.Sprintf("the time of %v is used up (--timeout), and the process that runs Java had to be killed%s",
			t.timeout, during)
	case e.Doing == startingJava:
		b.document.Kind, b.code = report.UsageKind, report.ExitUsage
		b.document.Text = fmt.Sprintf("the Java in %s does not start: %s; name another with --java-home", s.JDK.Home, how(e))
	case exited:
		b.document.Kind, b.code = report.RuleKind, report.ExitRule
		b.document.Text = fmt.Sprintf("the program ended the Java virtual machine%s, by System.exit or in another way: "+
			"only a verdict ends a check", during)
	case e.Signal == syscall.SIGKILL || strings.Contains(e.Messages, "insufficient memory for the Java Runtime"):
		b.document.Kind, b.code = report.LimitKind, report.ExitInconclusive
		b.document.Text = fmt.Sprintf("the process that runs Java was killed%s, as the system does when memory runs out: "+
			"a lower --max-memory or --java-heap leaves more of it", during)
	default:
		b.document.Kind = report.InternalKind
		b.document.Text = fmt.Sprintf("the process that runs Java ended without a result%s: %s", during, how(e))
		if t.reaches != "" && !isPanic(e) {
			b.document.Kind, b.code = report.RuleKind, report.ExitRule
			b.document.Text += fmt.Sprintf("; the program can end and crash it by what --allow %s lets it reach", t.reaches)
		}
		if path := evidence(s.Crashes, cmp.Or(t.out.path(), s.Crashes), e.Started, messages); path != "" {
			b.document.Text += "; what is known of it is in " + path
		}
	}
	if b.document.Kind == report.LimitKind && t.canGoOn() {
		b.document.Detail = append(b.document.Detail, "to go on from its checkpoint: "+t.goOn)
	}
	return b
}

// mostDetail is how many lines of messages are printed.
const mostDetail = 5

// mostReport is how much of Java's report of a crash is kept, in bytes: the program may have written it.
const mostReport = 4 << 20

// evidence is the file in a folder that says most about a crash, "" if there is none: Java's report, or else all messages.
// Java leaves its report in another folder, one that the child can write to.
func evidence(from, folder string, since time.Time, messages []string) string {
	content := []byte(strings.Join(messages, "\n") + "\n")
	if report := crashReport(from, since); report != "" {
		if f, err := files.OpenRegular(report); err == nil {
			content, _ = io.ReadAll(io.LimitReader(f, mostReport))
			f.Close()
		}
		os.Remove(report)
	} else if len(messages) <= mostDetail {
		return ""
	}
	path := filepath.Join(folder, fmt.Sprintf("%s%d.log", bridge.CrashPrefix, os.Getpid()))
	if folder == "" || files.WriteWhole(path, content) != nil {
		return ""
	}
	return path
}

// isPanic reports whether a child ended by a fault of Go code, which is harrier's.
func isPanic(e *supervisor.End) bool { return strings.HasPrefix(e.Messages, "panic: ") }

// how says in words how a child ended.
func how(e *supervisor.End) string {
	if isPanic(e) {
		return "harrier failed, whatever the program does"
	}
	if e.Signal != 0 {
		return fmt.Sprintf("it was ended by the signal %v", e.Signal)
	}
	return fmt.Sprintf("it ended with the exit code %d", e.Status)
}

// splitMessages gives the lines that the virtual machine wrote, and whether one says that it was made to exit.
func splitMessages(text string) (lines []string, exited bool) {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "exit ") {
			exited = true
		} else if line != "" {
			lines = append(lines, line)
		}
	}
	return lines, exited
}

// crashReport is Java's report of a crash since some time in a folder, "" if there is none.
func crashReport(folder string, since time.Time) string {
	paths, _ := filepath.Glob(filepath.Join(folder, bridge.CrashPrefix+"*"))
	for _, path := range paths {
		if info, err := os.Lstat(path); err == nil && info.Mode().IsRegular() && info.ModTime().After(since) {
			return path
		}
	}
	return ""
}

// parse refuses values that there are not.
func (f *jvmFlags) parse() error {
	switch f.sandbox {
	case "auto", "on", "off":
	default:
		return fmt.Errorf("--sandbox is auto, on or off, not %q", f.sandbox)
	}
	return nil
}
