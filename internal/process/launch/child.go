package launch

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"strings"

	"golang.org/x/sys/unix"

	"harrier/bridge"
	"harrier/internal/checkpoint"
	"harrier/internal/cluster"
	"harrier/internal/process/files"
	"harrier/internal/process/launch/results"
	"harrier/internal/process/launch/verdicts"
	"harrier/internal/process/memory"
	"harrier/internal/process/sandbox"
	"harrier/internal/process/supervisor"
	"harrier/internal/report"
)

// Child is this process, if a supervisor started it to run Java.
type Child struct {
	Link  *supervisor.Link
	Setup Setup
	JVM   *bridge.JVM // that is running already; nil for one that is to be started
}

// Setup is what a supervisor found and opened for its child.
type Setup struct {
	JDK     *bridge.JDK
	Home    *bridge.Home
	Crashes string // the folder for the report of a crash, to which the process can write
	Keeper  int    // from which descriptor it reads where results were kept, before the one to which it sends them; 0 for none
	// Connected is the descriptor at which it reads from Task.Connect's connection, before the one to which it writes; 0 for none.
	Connected int
	Filter    bool // its system calls are to be filtered
	// DebugPort is where Java waits for a debugger; 0 for none.
	DebugPort int
	Keeps     bool               // the supervisor keeps verdicts
	Identity  string             // then, as of verdicts.Disk
	Remark    string             // what the sandbox does not do, "" if it does all
	Answers   int                // the descriptor of its connection to the process that runs Java for it, or for which it does; 0 for none
	Threads   int                // how many questions are answered at once over that
	Status    int                // the descriptor of the status of that process; 0 for none
	Share     int                // the descriptor of the connection to workers that explore states; 0 for none
	Java      *bridge.Options    // how it runs Java for another process; nil if it does not
	Waits     bool               // it begins when it is told to
	Loads     bool               // and loads the program while it waits
	Command   checkpoint.Command // that began the search of its checkpoint
	// Snapshot is the path of the state from which watch has it check.
	Snapshot string
}

// ExitLost is the exit code that a child reports if the process that runs Java for it has ended (bridge.ErrGone). The supervisor then
// reports how that ended.
const ExitLost = -1

// What a child says that it is doing.
const (
	startingJava = "starting Java"
	loading      = "reading, compiling and setting up the program"
	working      = "checking the program"
	answering    = "answering" // of a process that runs Java for another
)

// Attach returns this process as a child, confined, or nil if no supervisor started it.
func Attach() (*Child, error) {
	link, err := supervisor.Attach()
	if link == nil || err != nil {
		return nil, err
	}
	c := &Child{Link: link}
	if err := link.Setup(&c.Setup); err != nil {
		return nil, err
	}
	err = sandbox.Entered()
	if err == nil && c.Setup.Filter {
		err = sandbox.Filter(c.Setup.DebugPort != 0)
	}
	return c, err
}

// TellSupervisor has the supervisor know what a check has found so far.
func (c *Child) TellSupervisor(known *report.Summary) {
	if document, err := json.Marshal(known); err == nil {
		c.Link.Figures(document)
	}
}

// Stdout is the supervisor's standard output. What a child prints there may be a verdict, which counts only if its reports are its own.
func (c *Child) Stdout() io.Writer { return printing{c.Link.Stdout, c.Link} }

type printing struct {
	*os.File
	link *supervisor.Link
}

func (p printing) Write(b []byte) (int, error) {
	p.link.Sync()
	return p.File.Write(b)
}

// KeepVerdict has the supervisor keep the verdict of a check, if it keeps some.
func (c *Child) KeepVerdict(summary *report.Summary) error {
	document, err := json.Marshal(summary)
	if err == nil && c.Setup.Keeps {
		c.Link.Keep(document)
	}
	return err
}

// Keep keeps results in a folder, by way of the supervisor if that serves the child.
func (c *Child) Keep(folder string) files.Keep {
	if c.Setup.Keeper == 0 {
		return files.KeepIn(folder)
	}
	return results.Send(os.NewFile(uintptr(c.Setup.Keeper), "from the supervisor"), os.NewFile(uintptr(c.Setup.Keeper+1), "to the supervisor"))
}

// Disk digests the files of a program with a class path; it is nil unless the supervisor keeps verdicts.
func (c *Child) Disk(program string, classPath []string) bridge.Disk {
	if c.Setup.Identity == "" {
		return nil
	}
	return verdicts.Disk{Identity: c.Setup.Identity, Program: program, ClassPath: classPath}
}

// Open starts the virtual machine of the Java installation that the supervisor found, or connects to the one that another process runs. Of
// the options, the caller says the heap, the time of a step and the threads.
func (c *Child) Open(o bridge.Options) (jvm *bridge.JVM, err error) {
	if c.JVM != nil {
		return c.JVM, nil
	}
	c.Link.Doing(startingJava)
	o.Messages, o.Crashes, o.DebugPort = c.Link.Messages(), c.Setup.Crashes, c.Setup.DebugPort
	if c.Setup.Answers != 0 {
		jvm, err = c.connect(o)
	} else {
		jvm, err = bridge.Open(c.Setup.JDK, c.Setup.Home, o)
	}
	if errors.Is(err, bridge.ErrGone) {
		return nil, err
	}
	if err != nil {
		said, _ := splitMessages(c.Link.Said())
		return nil, &Failure{report.Error{Kind: report.UsageKind, Text: err.Error(), Detail: said}, report.ExitUsage}
	}
	c.Link.Doing(loading)
	return jvm, nil
}

// Checking has the supervisor know that the program is loaded.
func (c *Child) Checking() { c.Link.Doing(working) }

// Serve answers the questions of another process, if this one is to run Java for that.
func (c *Child) Serve() error {
	c.Link.Doing(startingJava)
	o := *c.Setup.Java
	o.Messages, o.Crashes = c.Link.Messages(), c.Setup.Crashes
	return bridge.Serve(connection(c.Setup.Answers), c.Setup.JDK, c.Setup.Home, o, func() { c.Link.Doing(answering) })
}

// connect returns the virtual machine of the process that runs Java for this one.
func (c *Child) connect(o bridge.Options) (*bridge.JVM, error) {
	if c.Setup.Status != 0 {
		memory.Include(os.NewFile(uintptr(c.Setup.Status), "status of the process that runs Java"))
	}
	o.Threads = c.Setup.Threads
	return bridge.Connect(connection(c.Setup.Answers), o)
}

// Shared returns the store of the workers that explore states for the check, which is to be closed.
func (c *Child) Shared() *cluster.Connection {
	return cluster.Connect(connection(c.Setup.Share))
}

// connection is the connection with a descriptor of the setup.
func connection(descriptor int) *os.File {
	_ = unix.SetNonblock(descriptor, true) // else reading holds up a thread
	return os.NewFile(uintptr(descriptor), "connection")
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
