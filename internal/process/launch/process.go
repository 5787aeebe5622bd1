package launch

import (
	"fmt"
	"os"
	"runtime"

	"golang.org/x/sys/unix"

	"harrier/bridge"
	"harrier/internal/process/files"
	"harrier/internal/process/sandbox"
	"harrier/internal/process/supervisor"
)

// MostWorkers is far above any useful number. It is also how many questions a cluster is asked at once.
const MostWorkers = 1024

// Threads is how many questions of so many goroutines that search are answered at once.
func Threads(workers int) int { return min(workers, runtime.NumCPU()) }

// javaProcess is a process that runs Java for a child that does not: it answers questions over a connection and has no other way to
// the child, to its results or to files, but for a folder of its own that is removed at the end. So classes that it compiles are not
// kept.
type javaProcess struct {
	setup   Setup
	process *os.Process
	ended   chan *supervisor.End
	conn    *os.File // the child's end of the connection
	status  *os.File // the file /proc/PID/status of the process; nil if it has none
}

// startJava starts a process that runs Java as some options say, in a sandbox by the value of --sandbox, in which it may read what a policy
// lets it read.
func startJava(of Setup, o *bridge.Options, mode string, reach sandbox.Policy, environment []string) (_ *javaProcess, err error) {
	j := &javaProcess{ended: make(chan *supervisor.End, 1)}
	j.setup = Setup{JDK: of.JDK, Home: of.Home, Answers: supervisor.FirstFile, Java: o}
	if j.setup.Crashes, err = files.TemporaryFolder(); err != nil {
		return nil, usage(fmt.Errorf("--isolate: making a folder for the process that runs Java: %w", err))
	}
	var own *os.File
	if j.conn, own, err = socketPair(); err != nil {
		j.stop()
		return nil, notStarted(err)
	}
	defer own.Close()
	reach.Write = nil
	p := supervisor.Child{Environment: environment, Mute: true, Files: []*os.File{own}}
	started, failed := make(chan *os.Process), make(chan error)
	p.Started = func(process *os.Process) { started <- process }
	if err := confine(mode, &j.setup, &p, reach); err != nil {
		j.stop()
		return nil, err
	}
	go func() {
		end, err := supervisor.Run(p)
		if closeAll(p.Files[1:]); err != nil {
			failed <- err
			return
		}
		j.ended <- end
	}()
	select {
	case j.process = <-started:
	case err = <-failed:
		j.stop()
		return nil, notStarted(err)
	}
	j.status, _ = os.Open(fmt.Sprintf("/proc/%d/status", j.process.Pid)) // the child cannot find its memory otherwise
	return j, nil
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
func (j *javaProcess) give(p *supervisor.Child, s *Setup, conn *os.File, threads int) {
	s.Answers, s.Threads = supervisor.FirstFile+len(p.Files), threads
	p.Files = append(p.Files, conn)
	if j.status != nil {
		s.Status = s.Answers + 1
		p.Files = append(p.Files, j.status)
	}
}

// end ends the process, if it has not ended by itself, and returns how it ended.
func (j *javaProcess) end() *supervisor.End {
	_ = j.process.Kill() // it fails only if the process has ended
	e := <-j.ended
	j.ended <- e
	return e
}

// stop ends the process, if it was started, closes its connection, and removes its folder.
func (j *javaProcess) stop() {
	if j.process != nil {
		j.end()
	}
	closeAll([]*os.File{j.conn, j.status})
	files.RemoveTemporary(j.setup.Crashes)
}

func closeAll(files []*os.File) {
	for _, f := range files {
		f.Close() // of a nil one it is an error that does not matter
	}
}
