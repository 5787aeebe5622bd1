// Package launch runs Java for a command, in a process of its own. The command fills in a Task and prints its Outcome:
//
//	NewTask        what the child may read of a program and its class path (package codebase)
//	Task.Prepare   finds Java
//	Prepared.Run   looks for a verdict that was kept (package verdicts), or starts the child in a sandbox, perhaps with another process or
//	               a cluster that runs Java for it, has its results kept (package results), and says how it ended
//	Attach, Child  the same from the child's side
//	Ahead          starts a child before its program changes
//	Work           executes steps for checks on other machines
//
// It knows no command line, and prints nothing but what a child writes (Task.Stderr) and lines of its own (Task.Tell).
package launch

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"harrier/bridge"
	"harrier/internal/checkpoint"
	"harrier/internal/process/files"
	"harrier/internal/process/launch/codebase"
	"harrier/internal/process/launch/results"
	"harrier/internal/process/launch/verdicts"
	"harrier/internal/process/sandbox"
	"harrier/internal/process/supervisor"
)

// Task is what a command asks of the child process that runs Java for it.
type Task struct {
	JavaHome string        // of the installation; "" for the one that is found
	Sandbox  string        // auto, on or off
	StepTime time.Duration // how much processor time a handler may take; 0 for no limit

	Program   string             // whose compiled classes may be kept; "" for none
	ClassPath []string           // its entries
	Libs      string             // a hash of the files on the class path, and of the relaxed rules
	Reach     sandbox.Policy     // what the child may read and write beside harrier's own files
	Unpacked  *bridge.Home       // harrier's own files; nil to unpack them for this task
	Cache     string             // where compiled classes are kept, if not in the user's cache folder
	Out       *results.Folder    // nil for none
	Timeout   time.Duration      // the value of --timeout
	MaxMemory uint64             // how many bytes the child may take in all; 0 for any number
	Isolate   *bridge.Options    // how a process of its own runs Java; nil if the child does
	Cluster   *Cluster           // whose workers answer as well; nil for none
	Command   checkpoint.Command // that began the search of its checkpoint
	Folder    string             // of the checkpoint that the child writes; "" for none
	GoOn      string             // the command line that goes on from it
	Snapshot  string             // as in Setup
	Verdict   *verdicts.Check    // the verdict to keep; nil for none

	Signals chan os.Signal // that the child is told of
	Stderr  io.Writer      // gets what the child writes to its standard error, if it is not quiet
	Tell    func(line string)
	Prints  bool // what the program prints goes to standard error
	Remarks bool // the command prints remarks itself

	files     []*os.File      // what the child has from supervisor.FirstFile on
	connected int             // as in Setup
	begin     <-chan struct{} // is closed when the child is to begin; nil for at once
	loads     bool            // as in Setup
	unguarded string          // as unguardedRule
}

// Cluster is where a check has workers execute steps.
type Cluster struct {
	At      string // a URL, or search.OwnCluster
	Twice   bool   // two workers are asked for each step
	Metrics string // the address for Prometheus; "" for none
	Share   string // as in cluster.Job
}

// NewTask asks for a child that loads the program at a path, with a class path and relaxed rules as the flags give them.
func NewTask(program string, classPath, allow []string) (*Task, error) {
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
		return nil, usage(err)
	}
	libs = codebase.HashOf(append([]string{libs}, allow...))
	return &Task{Program: program, ClassPath: expanded, Reach: reach, Libs: libs, unguarded: unguardedRule(allow)}, nil
}

// unguardedRule is the first of some relaxed rules by which the program escapes the guards of the virtual machine, or "".
func unguardedRule(allow []string) string {
	i := slices.IndexFunc(allow, func(rule string) bool { return strings.HasPrefix(rule, "natives=") || strings.HasPrefix(rule, "jdk=") })
	if i < 0 {
		return ""
	}
	return allow[i]
}

// ForTrace asks for a child that loads the program in a trace. That may come from anybody: files kept for it are for traces of the same content.
func ForTrace(trace string) *Task {
	content, _ := files.ReadRegular(trace) // the child reports errors
	return &Task{Program: trace, Libs: codebase.HashOf(content), Reach: sandbox.Policy{Read: []string{trace}}}
}

// WriteTo has the child write to a folder for results. It is an error that it cannot only if the user named the folder.
func (t *Task) WriteTo(folder string, named bool) (err error) {
	if t.Out, err = results.Open(folder); err != nil && named {
		return usage(fmt.Errorf("--out: %w", err))
	}
	return nil
}

// Close removes the folder for results if it is empty.
func (t *Task) Close() { t.Out.Close() }

// serve has this process keep the results of the child, and returns the descriptor by which the child finds it, 0 for none. end ends it.
func (t *Task) serve() (keeper int, end func(), err error) {
	if t.Out == nil {
		return 0, func() {}, nil
	}
	keeper = supervisor.FirstFile + len(t.files)
	from, to, err := t.pipes()
	if err == nil {
		go t.Out.Serve(from, to)
	}
	return keeper, func() {
		for _, f := range append([]*os.File{from, to}, t.files[keeper-supervisor.FirstFile:]...) {
			f.Close()
		}
	}, err
}

// Connect connects this process with the child, and returns its ends: what the child writes, and what the child reads.
func (t *Task) Connect() (from, to *os.File, err error) {
	t.connected = supervisor.FirstFile + len(t.files)
	return t.pipes()
}

// Connection returns the child's ends of Task.Connect's pipes: the one that the supervisor writes to, and the one that it reads.
func (c *Child) Connection() (from, to *os.File) {
	return os.NewFile(uintptr(c.Setup.Connected), "from the supervisor"), os.NewFile(uintptr(c.Setup.Connected+1), "to the supervisor")
}

// pipes gives the child two pipes, and returns the other ends: of the one that it writes to, and of the one that it reads.
func (t *Task) pipes() (from, to *os.File, err error) {
	in, to, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	from, out, err := os.Pipe()
	t.files = append(t.files, in, out)
	return from, to, err
}

// canGoOn reports whether the child has written a checkpoint from which its search goes on.
func (t *Task) canGoOn() bool { return t.Folder != "" && checkpoint.Begun(t.Folder) }
