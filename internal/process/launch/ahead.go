package launch

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"harrier/bridge"
	"harrier/internal/process/launch/codebase"
	"harrier/internal/process/sandbox"
)

// Next is a child that is started before the program changes, so that Java and its compiler are ready.
type Next struct {
	begin   chan struct{}
	signals chan os.Signal
	grants  []sandbox.Grant
	libs    string        // as in Task
	ended   chan struct{} // is closed when outcome and err are set
	outcome Outcome
	err     error
}

// Ahead plans a task and starts its child, up to where that reads the program. If it loads the program before, as it is, it is quicker
// afterwards. The task's signals are the child's alone. An error is that of Run.
func Ahead(plan func() (*Task, error), loads bool) *Next {
	n := &Next{begin: make(chan struct{}), ended: make(chan struct{})}
	t, err := plan()
	if err != nil {
		n.err = err
		close(n.ended)
		return n
	}
	n.grants, n.libs, n.signals, t.begin, t.loads = t.Reach.Grants(), t.Libs, t.Signals, n.begin, loads
	go func() {
		defer close(n.ended)
		defer signal.Stop(n.signals)
		defer t.Close()
		p, err := t.Prepare()
		if err != nil {
			n.err = err
			return
		}
		defer p.Close()
		n.outcome, n.err = p.Run()
	}()
	return n
}

// CanRead reports whether the sandbox of the process admits the present files of the program. The arguments are those of NewTask.
func (n *Next) CanRead(program string, classPath, allow []string) bool {
	t, err := NewTask(program, classPath, allow)
	return err == nil && t.Libs == n.libs && slices.EqualFunc(n.grants, t.Reach.Grants(), sandbox.Grant.Same)
}

// Run has the child begin, and returns when it has ended.
func (n *Next) Run() (Outcome, error) {
	close(n.begin)
	<-n.ended
	return n.outcome, n.err
}

// Stop ends the process.
func (n *Next) Stop() {
	select {
	case n.signals <- syscall.SIGTERM:
	default: // it was told already, or never started
	}
	<-n.ended
}

// AwaitBegin has Java's compiler see the program as it is, and perhaps all that loads it, and returns when the child is to begin. That is at
// once, unless it was started ahead.
func (c *Child) AwaitBegin(ctx context.Context, jvm *bridge.JVM, source bridge.Source) error {
	if !c.Setup.Waits {
		return nil
	}
	select {
	case <-c.Link.Begun():
		return nil
	default:
	}
	if err := jvm.Prepare(ctx, source); err != nil {
		return err
	}
	if c.Setup.Loads && len(source.Allow) == 0 { // else it may leave something in the JDK
		source.Answers = ""
		_, _ = jvm.Load(ctx, source) // the check reports errors
	}
	select {
	case <-c.Link.Begun():
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// glance is how often it is looked whether a program changed.
const glance = 50 * time.Millisecond

// AwaitChange waits for the files of a program to differ from a stamp, and for the changes to be whole. It reports whether they did before
// the context ended.
func AwaitChange(ctx context.Context, program string, classPath []string, before string) bool {
	pause := glance
	for last := before; ; {
		select {
		case <-ctx.Done():
			return false
		case <-time.After(pause):
		}
		now := Stamp(program, classPath)
		if now != before && now == last {
			return true
		}
		if last = now; now != before {
			pause = glance / 5
		}
	}
}

// Stamp describes the files of a program and of its class path: their sizes, and when they were changed.
func Stamp(program string, classPath []string) string {
	var all strings.Builder
	libraries, _ := codebase.ExpandClassPath(classPath) // the check reports errors
	for _, path := range append([]string{program}, libraries...) {
		_ = filepath.WalkDir(path, func(file string, entry fs.DirEntry, err error) error {
			if err != nil {
				return nil // it may be about to be replaced
			}
			if info, err := entry.Info(); err == nil && !entry.IsDir() {
				fmt.Fprintln(&all, file, info.Size(), info.ModTime().UnixNano())
			}
			return nil
		})
	}
	return all.String()
}
