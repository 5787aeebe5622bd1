package launch

import (
	"harrier/internal/process/memory"
	"harrier/internal/process/supervisor"
)

// isolation has the processes that run Java for a child: one here, and the workers of a cluster, if any.
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
