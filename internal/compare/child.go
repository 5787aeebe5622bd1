package compare

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"time"

	"harrier/internal/process/memory"
	"harrier/internal/process/supervisor"
	"harrier/internal/report"
)

// endTime is how long a check may take to end when it is asked to.
const endTime = 3 * time.Second

// ending is how a check ended, which keeps to its limits itself.
type ending struct {
	stdout, stderr []byte
	code           int    // -1 if a signal ended it
	failure        string // the signal, or how else it failed
	peak           uint64
	processor      time.Duration // of the process, and of those that it started and waited for
}

// runCheck runs a check to its end. The error is that it could not be started, or the cause that ended ctx: then the check was asked to
// end, and the ending has what it printed.
func runCheck(ctx context.Context, path string, arguments []string) (*ending, error) {
	// The child ends with the thread that started it, and so with this process whatever ends that.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var stdout, stderr bytes.Buffer
	c := exec.CommandContext(ctx, path)
	c.Args, c.Stdout, c.Stderr = arguments, &stdout, &stderr
	c.Cancel = func() error { return c.Process.Signal(syscall.SIGTERM) }
	c.WaitDelay = endTime
	c.SysProcAttr = supervisor.Attributes()
	c.SysProcAttr.Setpgid = true // Ctrl-C on a terminal does not reach the child, which is ended by us
	if err := c.Start(); err != nil {
		return nil, fmt.Errorf("starting a run: %w", err)
	}
	err := c.Wait()
	e := &ending{stdout: stdout.Bytes(), stderr: stderr.Bytes(), code: c.ProcessState.ExitCode(), peak: memory.PeakOf(c.ProcessState),
		processor: c.ProcessState.UserTime() + c.ProcessState.SystemTime()}
	if ctx.Err() != nil {
		e.code = report.ExitInconclusive
		return e, context.Cause(ctx)
	}
	if err != nil {
		e.failure = err.Error()
	}
	return e, nil
}

// result reads the result of the run from the document of a check.
func (e *ending) result() Result {
	r := Result{ExitCode: e.code, PeakMemoryBytes: e.peak, ProcessorSeconds: e.processor.Seconds(), Verdict: Failed}
	var summary checkFigures
	broke, note := e.document(&summary)
	switch {
	case note != "":
		r.Note = note
	case broke != nil:
		r.broke(broke)
	default:
		r.summary(&summary)
	}
	return r
}

// document reads what a check printed into a summary, or why there is none. If it is no such document, a note says what happened.
func (e *ending) document(summary any) (broke *report.Error, note string) {
	var document report.ErrorDocument
	err := json.Unmarshal(e.stdout, &document)
	if err == nil {
		err = json.Unmarshal(e.stdout, summary)
	}
	switch {
	case e.code > report.ExitSignal:
		return nil, "somebody ended the process by a signal"
	case err != nil || document.Version != report.SummaryVersion:
		return nil, e.breakdown()
	}
	return document.Error, ""
}

// breakdown says in one line how a process ended that printed no document.
func (e *ending) breakdown() string {
	line, _, _ := strings.Cut(strings.TrimSpace(string(e.stderr)), "\n")
	switch {
	case e.code < 0:
		return "the process ended by itself: " + e.failure
	case line != "":
		return fmt.Sprintf("exit code %d: %s", e.code, strings.TrimSpace(line))
	}
	return fmt.Sprintf("exit code %d without a document that can be read", e.code)
}

// broke takes over why check gave no result.
func (r *Result) broke(e *report.Error) {
	switch e.Kind {
	case report.UsageKind:
		r.Verdict = NotApplicable
	case report.LimitKind:
		r.Verdict = report.Inconclusive
	}
	r.Note = e.String()
	if strings.HasSuffix(r.Note, ":") && len(e.Detail) > 0 {
		r.Note += " " + strings.TrimSpace(e.Detail[0])
	}
}
