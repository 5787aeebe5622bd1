// Package supervisor runs a command in a child process and has the last word about it. The program under check runs in the
// child, and may end, crash or stop it; so the exit code is what the child reports as its very last act, over a pipe, and
// nothing else is taken for a result.
//
// Run starts the child: the same file with the same arguments and the same standard streams. Attach is the child's end.
// The child reports its stage, and its result; the supervisor passes on signals. Reports carry a word that only the two
// processes know, so that a program that finds the pipe cannot report a result.
package supervisor

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"harrier/internal/process/clock"
	"harrier/internal/process/memory"
)

// variable names the environment variable that makes a process a child.
const variable = "HARRIER_CHILD"

// The child's descriptors, beside the standard streams.
const (
	reportsFile = 3 + iota
	ordersFile
	messagesFile
	stdoutFile
	stderrFile
	FirstFile // of Child.Files
)

// Child is a process to be run.
type Child struct {
	Setup       any        // what Link.Setup reads, as JSON
	Environment []string   // its variables
	Files       []*os.File // its descriptors from FirstFile on
	// Quiet has what the process writes to its descriptor of standard error taken down among its messages: what the runtimes of Go
	// and Java say when they break down. The child's own Stderr is as it was.
	Quiet bool
	// Mute keeps the standard streams and the arguments of this process from it: its standard input is empty, and its output is
	// taken down likewise.
	Mute    bool
	Stderr  io.Writer     // where else that goes if it is not quiet; nil for standard error
	Timeout time.Duration // after which it is killed; 0 for never
	// MaxMemory is how many bytes it may take, with what memory.Include has counted, before it is killed; 0 for any number.
	MaxMemory uint64
	Signals   <-chan os.Signal
	Started   func(*os.Process) // is called when it has been started, if it is not nil
	// Begin is closed when the child that waits for it, by Link.Begun, is to begin: its time runs from then on. Nil is closed already.
	Begin <-chan struct{}
}

// End is how a child ended.
type End struct {
	Started  time.Time
	Begun    bool // it was there when it was to begin
	Reported bool
	Code     int    // the exit code, if it was reported
	Kept     string // the text that it gave to be kept, or ""
	Figures  string // its last figures, as JSON, or ""
	Foreign  bool   // it was killed as something else than it wrote to the pipe of its reports
	Doing    string // what the child said last that it was doing
	Late     bool   // it was killed when its time was over
	Over     bool   // it was killed when it took too much memory
	// Signal ended it, if it is not 0.
	Signal   syscall.Signal
	Status   int    // its exit status, if no signal ended it
	Messages string // the content of the file for messages
}

// orders are the first line that a child reads. Each line after that is the number of a signal, begin or synced.
type orders struct {
	Word  string
	Setup json.RawMessage
}

const (
	begin  = 0
	synced = -1 // the answer to syncs
)

// Prefixes of reports that name no stage: texts to be kept, present figures, Sync.
const (
	keep    = "keep "
	figures = "figures "
	syncs   = "syncs" // the child waits for synced, which says that all before this report was heard
)

// mostReport is how long a report may be in bytes.
const mostReport = 64 << 20

// Run runs the child to its end. The error is that it cannot be started.
func Run(c Child) (*End, error) {
	setup, err := json.Marshal(c.Setup)
	if err != nil {
		return nil, err
	}
	o := orders{Word: rand.Text(), Setup: setup}
	reports, reporting, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer reports.Close()
	defer reporting.Close()
	ordered, ordering, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer ordered.Close()
	defer ordering.Close()
	messages, err := scratch()
	if err != nil {
		return nil, err
	}
	defer messages.Close()
	executable, err := os.Executable()
	if err != nil {
		return nil, err
	}
	command := exec.Command(executable)
	command.Args, command.Env = os.Args, append(c.Environment, variable+"=1")
	command.Stdin, command.Stdout, command.Stderr = os.Stdin, messages, os.Stderr
	command.ExtraFiles = append([]*os.File{reporting, ordered, messages, os.Stdout, os.Stderr}, c.Files...)
	if c.Stderr != nil {
		command.Stderr = c.Stderr
	}
	if c.Quiet || c.Mute {
		command.Stderr = messages
	}
	if c.Mute {
		command.Stdin, command.Args = nil, os.Args[:1]
		command.ExtraFiles[stdoutFile-reportsFile], command.ExtraFiles[stderrFile-reportsFile] = messages, messages
	}
	command.SysProcAttr = Attributes()
	// The child ends with the thread that started it, and so with this process whatever ends that.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := command.Start(); err != nil {
		return nil, err
	}
	reporting.Close()
	ordered.Close()
	if c.Started != nil {
		c.Started(command.Process)
	}
	end := &End{Started: time.Now()}
	heard := make(chan struct{})
	over, watched := make(chan struct{}), make(chan struct{})
	sync := make(chan struct{}, 1)
	go func() { end.listen(reports, o.Word, command.Process, sync); close(heard) }()
	go func() { end.watch(c, command.Process, ordering, o, sync, over); close(watched) }()
	_ = command.Wait() // how it ended is in its state
	close(over)
	<-watched
	<-heard
	end.state(command.ProcessState, messages)
	return end, nil
}

// watch passes signals on and kills the child when its time is over or its memory is used up, until it has ended.
func (e *End) watch(c Child, child *os.Process, ordering io.Writer, o orders, sync, over <-chan struct{}) {
	_ = json.NewEncoder(ordering).Encode(o) // it fails only if the child has ended
	running, ended := context.WithCancel(context.Background())
	defer ended()
	late, full := make(chan struct{}, 1), make(chan struct{}, 1)
	if c.MaxMemory > 0 {
		go memory.WatchProcess(running, child.Pid, c.MaxMemory, func() { full <- struct{}{} })
	}
	if c.Begin == nil {
		now := make(chan struct{})
		close(now)
		c.Begin = now
	}
	for {
		select {
		case <-over:
			return
		case <-c.Begin:
			c.Begin = nil
			_, err := fmt.Fprintln(ordering, begin) // it fails only if the child has ended
			e.Begun = err == nil
			if c.Timeout > 0 {
				clock.AfterFunc(running, c.Timeout, func() { late <- struct{}{} })
			}
		case <-late:
			e.Late = true
			_ = child.Kill()
		case <-full:
			e.Over = true
			_ = child.Kill()
		case <-sync:
			fmt.Fprintln(ordering, synced)
		case s := <-c.Signals:
			fmt.Fprintln(ordering, int(s.(syscall.Signal)))
		}
	}
}

// listen takes in reports. Whoever writes others does not know the word: the child, whose pipe it is, is killed then, as its reports may be
// incomplete. Of a line that does not end, as of a child that was killed while it wrote it, nothing is taken.
func (e *End) listen(reports io.Reader, word string, child *os.Process, sync chan<- struct{}) {
	lines := bufio.NewScanner(reports)
	lines.Buffer(nil, mostReport)
	lines.Split(wholeLines)
	for lines.Scan() && !e.Foreign {
		own, report, _ := strings.Cut(lines.Text(), " ")
		if own != word {
			e.Foreign = true
			break
		}
		e.hear(report, sync)
	}
	if e.Foreign = e.Foreign || lines.Err() != nil; e.Foreign {
		_ = child.Kill()
	}
	_, _ = io.Copy(io.Discard, reports) // nobody is to wait for the pipe
}

// wholeLines is a bufio.SplitFunc for lines that end.
func wholeLines(data []byte, atEOF bool) (advance int, line []byte, err error) {
	if i := bytes.IndexByte(data, '\n'); i >= 0 {
		return i + 1, data[:i], nil
	}
	if atEOF {
		return len(data), nil, nil
	}
	return 0, nil, nil
}

func (e *End) hear(report string, sync chan<- struct{}) {
	if code, ok := strings.CutPrefix(report, "exit "); ok {
		n, err := strconv.Atoi(code)
		e.Code, e.Reported = n, err == nil
	} else if result, ok := strings.CutPrefix(report, keep); ok {
		e.Kept = result
	} else if known, ok := strings.CutPrefix(report, figures); ok {
		e.Figures = known
	} else if report == syncs {
		select {
		case sync <- struct{}{}:
		default: // only one Sync waits at a time, and that is answered
		}
	} else {
		e.Doing = report
	}
}

func (e *End) state(state *os.ProcessState, messages io.ReaderAt) {
	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		e.Signal = status.Signal()
	} else {
		e.Status = state.ExitCode()
	}
	e.Messages = readMessages(messages)
}

// mostMessages is the size of the file for messages in bytes: later output is lost.
const mostMessages = 1 << 20

func readMessages(file io.ReaderAt) string {
	text := make([]byte, mostMessages)
	n, _ := file.ReadAt(text, 0)
	return strings.TrimSpace(strings.TrimRight(string(text[:n]), "\x00"))
}
