package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"
	"golang.org/x/sys/unix"

	"harrier/bridge"
	"harrier/internal/cluster"
	"harrier/internal/process/files"
	"harrier/internal/process/memory"
	"harrier/internal/process/supervisor"
)

// exitLost is the exit code that a child reports if its worker has ended. The supervisor then reports how the worker ended.
const exitLost = -1

// A worker is a process that runs Java for a child that does not: it answers questions over a connection and has no other way to
// the child, to its results or to files, but for a folder of its own that is removed at the end. So classes that it compiles are not
// kept.
type worker struct {
	setup   setup
	process *os.Process
	ended   chan *supervisor.End
	conn    *os.File // the child's end of the connection
	status  *os.File // the file /proc/PID/status of the process; nil if there is none
}

// startWorker starts a worker that may read the files that the task may read.
func (f *jvmFlags) startWorker(t *task, of setup, environment []string) (_ *worker, err error) {
	w := &worker{ended: make(chan *supervisor.End, 1)}
	w.setup = setup{JDK: of.JDK, Home: of.Home, Answers: supervisor.FirstFile, Java: t.isolate}
	if w.setup.Crashes, err = files.TemporaryFolder(); err != nil {
		return nil, usageError{fmt.Errorf("--isolate: making a folder for the process that runs Java: %w", err)}
	}
	var own *os.File
	if w.conn, own, err = socketPair(); err != nil {
		w.stop()
		return nil, notStarted(err)
	}
	defer own.Close()
	reach := t.reach
	reach.Write = nil
	p := supervisor.Child{Environment: environment, Mute: true, Files: []*os.File{own}}
	started, failed := make(chan *os.Process), make(chan error)
	p.Started = func(process *os.Process) { started <- process }
	if err := f.confine(&w.setup, &p, reach); err != nil {
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
	w.status, _ = os.Open(fmt.Sprintf("/proc/%d/status", w.process.Pid)) // the child cannot find the worker's memory otherwise
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

// give passes to a child the connection over which it asks so many questions at once, and the worker's status.
func (w *worker) give(p *supervisor.Child, s *setup, conn *os.File, threads int) {
	s.Answers, s.Threads = supervisor.FirstFile+len(p.Files), threads
	p.Files = append(p.Files, conn)
	if w.status != nil {
		s.Status = s.Answers + 1
		p.Files = append(p.Files, w.status)
	}
}

// elsewhere runs Java for a child that does not: it is a worker here, and those of a cluster, if there is one.
type elsewhere struct {
	worker *worker
	spread *spreading // nil for none
}

// runElsewhere has a child ask a worker here, and those of a cluster if the task has one.
func (f *jvmFlags) runElsewhere(c *cobra.Command, t *task, s *setup, p *supervisor.Child) (e *elsewhere, err error) {
	e = &elsewhere{}
	if e.worker, err = f.startWorker(t, *s, p.Environment); err != nil {
		return nil, err
	}
	if e.worker.status != nil {
		memory.Include(e.worker.status) // for the limit on the child's
	}
	conn, threads := e.worker.conn, t.isolate.Threads
	if t.cluster != nil {
		if e.spread, err = f.startSpreading(c, t, *s, e.worker); err != nil {
			e.worker.stop()
			return nil, err
		}
		conn, threads = e.spread.conn, mostWorkers
		if e.spread.share != nil {
			s.Share = supervisor.FirstFile + len(p.Files)
			p.Files = append(p.Files, e.spread.share)
		}
	}
	e.worker.give(p, s, conn, threads)
	return e, nil
}

// stop ends the worker here, and with it the questions to those of a cluster.
func (e *elsewhere) stop() {
	e.worker.end()
	if e.spread != nil {
		_ = e.spread.stop() // lostWorker has the error
	}
	e.worker.stop()
}

// lostWorker is the error of a child that could not ask any more while it was doing something: that of the cluster, if it has one, or else
// how the worker here ended.
func (t *task) lostWorker(e *elsewhere, doing string) error {
	of := e.worker.end()
	if e.spread != nil {
		if err := e.spread.stop(); err != nil {
			return err
		}
	}
	if of.Doing == answering {
		of.Doing = doing
	}
	return t.ended(of, e.worker.setup)
}

// end ends the worker, if it has not ended by itself, and returns how it ended.
func (w *worker) end() *supervisor.End {
	_ = w.process.Kill() // it fails only if the process has ended
	e := <-w.ended
	w.ended <- e
	return e
}

// stop ends the worker, if it was started, closes its connection, and removes its folder.
func (w *worker) stop() {
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

// answer has a worker answer questions.
func (c *child) answer() error {
	c.link.Doing(startingJava)
	o := *c.setup.Java
	o.Messages, o.Crashes = c.link.Messages(), c.setup.Crashes
	return bridge.Serve(connection(c.setup.Answers), c.setup.JDK, c.setup.Home, o, func() { c.link.Doing(answering) })
}

// connect returns the virtual machine of the worker.
func (c *child) connect(o bridge.Options) (*bridge.JVM, error) {
	if c.setup.Status != 0 {
		memory.Include(os.NewFile(uintptr(c.setup.Status), "status of the worker"))
	}
	o.Threads = c.setup.Threads
	return bridge.Connect(connection(c.setup.Answers), o)
}

// workers returns the connection to the workers that explore states for the check.
func (c *child) workers() *cluster.Connection {
	return cluster.Connect(connection(c.setup.Share))
}

// connection is the connection with a descriptor of the setup.
func connection(descriptor int) *os.File {
	_ = unix.SetNonblock(descriptor, true) // else reading holds up a thread
	return os.NewFile(uintptr(descriptor), "connection")
}
