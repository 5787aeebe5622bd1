package compare

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/dustin/go-humanize"

	"harrier/internal/memory"
	"harrier/internal/supervisor"
)

// A run that keeps to its limits itself reports more than one that is killed. So it is killed only some
// way beyond them.
const (
	extraTime   = time.Minute            // also for what is before the search and after it
	extraMemory = 512 << 20              // beside a quarter of the limit
	endTime     = 3 * time.Second        // to end when asked to
	lookEvery   = 100 * time.Millisecond // at how much memory it takes
)

// ending is how a process ended.
type ending struct {
	stdout, stderr []byte
	code           int    // -1 if a signal ended it
	signal         string // which, or how else it failed
	killed         string // why we ended it, else ""
	peak           uint64
}

// runProcess runs a process to its end. The error is that it could not be started, or the end of ctx.
func runProcess(ctx context.Context, path string, arguments []string, limits Limits, extra time.Duration) (*ending, error) {
	// The child ends with the thread that started it, and so with this process whatever ends that.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	limited, kill := context.WithCancelCause(ctx)
	defer kill(nil)
	var stdout, stderr bytes.Buffer
	c := exec.CommandContext(limited, path)
	c.Args, c.Stdout, c.Stderr = arguments, &stdout, &stderr
	c.Cancel = func() error { return c.Process.Signal(syscall.SIGTERM) }
	c.WaitDelay = endTime
	c.SysProcAttr = supervisor.Attributes()
	c.SysProcAttr.Setpgid = true // Ctrl-C on a terminal does not reach the child, which is ended by us
	if err := c.Start(); err != nil {
		return nil, fmt.Errorf("starting a run: %w", err)
	}
	if limits.Time > 0 {
		late := fmt.Errorf("it had not ended %v after its time of %v and was killed", extra, limits.Time)
		defer time.AfterFunc(limits.Time+extra, func() { kill(late) }).Stop()
	}
	if limits.Memory > 0 {
		go watchMemory(limited, kill, c.Process.Pid, limits.Memory+limits.Memory/4+extraMemory)
	}
	err := c.Wait()
	killed := context.Cause(limited)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	e := &ending{stdout: stdout.Bytes(), stderr: stderr.Bytes(), code: c.ProcessState.ExitCode(), peak: memory.PeakOf(c.ProcessState)}
	if killed != nil {
		e.killed = killed.Error()
	} else if err != nil && e.code < 0 {
		e.signal = err.Error()
	}
	return e, nil
}

func watchMemory(ctx context.Context, kill context.CancelCauseFunc, pid int, most uint64) {
	ticker := time.NewTicker(lookEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			if memory.ResidentOf(pid) > most {
				kill(fmt.Errorf("it took more than %s, which is far beyond its limit, and was killed", humanize.IBytes(most)))
				return
			}
		}
	}
}

const prefix = "harrier: "

// line is what the process said of its end, in one line; own reports whether it is harrier's word and not
// that of a process which broke down.
func (e *ending) line() (text string, own bool) {
	lines := strings.Split(strings.TrimSpace(string(e.stderr)), "\n")
	for i, l := range lines {
		text, own := strings.CutPrefix(l, prefix)
		if !own {
			continue
		}
		if strings.HasSuffix(text, ":") && i+1 < len(lines) {
			text += " " + strings.TrimSpace(lines[i+1])
		}
		return text, true
	}
	switch {
	case e.signal != "":
		return "the process ended by itself: " + e.signal, false
	case lines[0] != "":
		return fmt.Sprintf("exit code %d: %s", e.code, strings.TrimSpace(lines[0])), false
	}
	return fmt.Sprintf("exit code %d without a word", e.code), false
}
