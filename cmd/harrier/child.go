package main

import (
	"context"
	"encoding/json"
	"os"

	"harrier/bridge"
	"harrier/internal/checkpoint"
	"harrier/internal/process/sandbox"
	"harrier/internal/process/supervisor"
	"harrier/internal/report"
)

// child is this process, if a supervisor started it to run Java.
type child struct {
	link  *supervisor.Link
	setup setup
	jvm   *bridge.JVM // that is running already; nil for one that is to be started
}

// setup is what a supervisor found and opened for its child.
type setup struct {
	JDK     *bridge.JDK
	Home    *bridge.Home
	Crashes string // the folder for the report of a crash, to which the process can write
	Keeper  int    // from which descriptor it reads where results were kept, before the one to which it sends them; 0 for none
	Filter  bool   // its system calls are to be filtered
	// DebugPort is where Java waits for a debugger; 0 for none.
	DebugPort int
	Keeps     bool               // the supervisor keeps verdicts
	Identity  string             // then, as of a disk
	Remark    string             // what the sandbox does not do, "" if it does all
	Answers   int                // the descriptor of its connection: to the worker that runs Java, or of a worker to who asks it; 0 for none
	Threads   int                // how many questions are answered at once over that
	Status    int                // the descriptor of the worker's status; 0 for none
	Share     int                // the descriptor of what carries messages to workers that explore states; 0 for none
	Java      *bridge.Options    // it is a worker, which runs Java so
	Waits     bool               // it begins when it is told to
	Loads     bool               // and loads the program while it waits
	Command   checkpoint.Command // that began the search of its checkpoint
	// Snapshot is the path of the state from which watch has it check.
	Snapshot string
}

// attach returns this process as a child, confined, or nil if it is none.
func attach() (*child, error) {
	link, err := supervisor.Attach()
	if link == nil || err != nil {
		return nil, err
	}
	c := &child{link: link}
	if err := link.Setup(&c.setup); err != nil {
		return nil, err
	}
	err = sandbox.Entered()
	if err == nil && c.setup.Filter {
		err = sandbox.Filter(c.setup.DebugPort != 0)
	}
	return c, err
}

// tellSupervisor has the supervisor know what a check has found so far.
func (c *child) tellSupervisor(known *report.Summary) {
	if document, err := json.Marshal(known); err == nil {
		c.link.Figures(document)
	}
}

// printing is the supervisor's standard output. What a child prints there may be a verdict, which counts only if its reports are its own.
type printing struct {
	*os.File
	link *supervisor.Link
}

func (p printing) Write(b []byte) (int, error) {
	p.link.Sync()
	return p.File.Write(b)
}

type childKey struct{}

// in adds the child to a context.
func (c *child) in(ctx context.Context) context.Context { return context.WithValue(ctx, childKey{}, c) }

// childOf is the child of a context, nil in a supervisor.
func childOf(ctx context.Context) *child { return ctx.Value(childKey{}).(*child) }

// signals are those that ask the process to end.
func (c *child) signals() chan os.Signal {
	if c == nil {
		return notify()
	}
	return c.link.Signals()
}
