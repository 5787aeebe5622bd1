package launch

import (
	"fmt"
	"os"
	"runtime"

	"golang.org/x/sys/unix"

	"harrier/bridge"
	"harrier/internal/cluster"
	"harrier/internal/process/files"
	"harrier/internal/process/memory"
	"harrier/internal/process/sandbox"
	"harrier/internal/process/supervisor"
)

// ExitLost is the exit code that a child reports if the process that runs Java for it has ended (bridge.ErrGone). The supervisor then
// reports how that ended.
const ExitLost = -1

// javaProcess is a process that runs Java for a child that does not: it answers questions over a connection and has no other way to
// the child, to its results or to files, but for a folder of its own that is removed at the end. So classes that it compiles are not
// kept.
type javaProcess struct {
	setup   Setup
	process *os.Process
	ended   chan *supervisor.End
	conn    *os.File // the child's end of the connection
	status  *os.File // the file /proc/PID/status of the process; nil if there is none
}

// startJava starts a process that runs Java as some options say, in a sandbox by the value of --sandbox, in which it may read what a policy
// lets it read.
func startJava(of Setup, o *bridge.Options, mode string, reach sandbox.Policy, environment []string) (_ *javaProcess, err error) {
	w := &javaProcess{ended: make(chan *supervisor.End, 1)}
	w.setup = Setup{JDK: of.JDK, Home: of.Home, Answers: supervisor.FirstFile, Java: o}
	if w.setup.Crashes, err = files.TemporaryFolder(); err != nil {
		return nil, usage(fmt.Errorf("--isolate: making a folder for the process that runs Java: %w", err))
	}
	var own *os.File
	if w.conn, own, err = socketPair(); err != nil {
		w.stop()
		return nil, notStarted(err)
	}
	defer own.Close()
	reach.Write = nil
	p := supervisor.Child{Environment: environment, Mute: true, Files: []*os.File{own}}
	started, failed := make(chan *os.Process), make(chan error)
	p.Started = func(process *os.Process) { started <- process }
	if err := confine(mode, &w.setup, &p, reach); err != nil {
		w.stop()
		return nil, err
	}
	go func() {
		end, err := supervisor.Run(p)
		if closeAll(p.Files[1:]); err != nil {
			failed <- err
			return
		}
		w.ended <- end
	}()
	select {
	case w.process = <-started:
	case err = <-failed:
		w.stop()
		return nil, notStarted(err)
	}
	w.status, _ = os.Open(fmt.Sprintf("/proc/%d/status", w.process.Pid)) // the child cannot find its memory otherwise
	return w, nil
}

// socketPair returns both ends of a connection between processes.
func socketPair() (one, other *os.File, err error) {
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, 0)
	if err != nil {
		return nil, nil, err
	}
	return os.NewFile(uintptr(pair[0]), "connection"), os.NewFile(uintptr(pair[1]), "connection"), nil
}

// give passes to a child the connection over which it asks so many questions at once, and the status of the process.
func (w *javaProcess) give(p *supervisor.Child, s *Setup, conn *os.File, threads int) {
	s.Answers, s.Threads = supervisor.FirstFile+len(p.Files), threads
	p.Files = append(p.Files, conn)
	if w.status != nil {
		s.Status = s.Answers + 1
		p.Files = append(p.Files, w.status)
	}
}

// isolation is what runs Java for a child that does not: a process here, and the workers of a cluster, if there is one.
type isolation struct {
	java   *javaProcess
	spread *spreading // nil for none
}

// isolateJava has a child ask a process here, and the workers of a cluster if the task has one.
func (t *Task) isolateJava(s *Setup, p *supervisor.Child) (e *isolation, err error) {
	e = &isolation{}
	if e.java, err = startJava(*s, t.Isolate, t.Sandbox, t.Reach, p.Environment); err != nil {
		return nil, err
	}
	if e.java.status != nil {
		memory.Include(e.java.status) // for the limit on the child's
	}
	conn, threads := e.java.conn, t.Isolate.Threads
	if t.Cluster != nil {
		if e.spread, err = t.startSpreading(*s, e.java); err != nil {
			e.java.stop()
			return nil, err
		}
		conn, threads = e.spread.conn, MostWorkers
		if e.spread.share != nil {
			s.Share = supervisor.FirstFile + len(p.Files)
			p.Files = append(p.Files, e.spread.share)
		}
	}
	e.java.give(p, s, conn, threads)
	return e, nil
}

// stop ends the process here, and with it the questions to the workers of a cluster.
func (e *isolation) stop() {
	e.java.end()
	if e.spread != nil {
		_ = e.spread.stop() // lostJava has the error
	}
	e.java.stop()
}

// lostJava is the error of a child that could not ask any more while it was doing something: that of the cluster, if it has one, or else
// how the process here ended.
func (t *Task) lostJava(e *isolation, doing string) error {
	of := e.java.end()
	if e.spread != nil {
		if err := e.spread.stop(); err != nil {
			return err
		}
	}
	if of.Doing == answering {
		of.Doing = doing
	}
	return t.ended(of, e.java.setup)
}

// end ends the process, if it has not ended by itself, and returns how it ended.
func (w *javaProcess) end() *supervisor.End {
	_ = w.process.Kill() // it fails only if the process has ended
	e := <-w.ended
	w.ended <- e
	return e
}

// stop ends the process, if it was started, closes its connection, and removes its folder.
func (w *javaProcess) stop() {
	if w.process != nil {
		w.end()
	}
	closeAll([]*os.File{w.conn, w.status})
	files.RemoveTemporary(w.setup.Crashes)
}

func closeAll(files []*os.File) {
	for _, f := range files {
		f.Close() // of a nil one it is an error that does not matter
	}
}

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
		memory.Include(os.NewFile(uintptr(c.Setup.Status), "status of the worker"))
	}
	o.Threads = c.Setup.Threads
	return bridge.Connect(connection(c.Setup.Answers), o)
}

// Workers returns the connection to the workers that explore states for the check.
func (c *Child) Workers() *cluster.Connection {
	return cluster.Connect(connection(c.Setup.Share))
}

// connection is the connection with a descriptor of the setup.
func connection(descriptor int) *os.File {
	_ = unix.SetNonblock(descriptor, true) // else reading holds up a thread
	return os.NewFile(uintptr(descriptor), "connection")
}

// MostWorkers is far above what helps anybody. It is also how many questions a cluster is asked at once.
const MostWorkers = 1024

// Threads is how many questions of so many goroutines that search are answered at once.
func Threads(workers int) int { return min(workers, runtime.NumCPU()) }
