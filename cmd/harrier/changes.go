package main

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

	"github.com/spf13/cobra"

	"harrier/bridge"
	"harrier/internal/process/launch/codebase"
	"harrier/internal/process/sandbox"
	"harrier/internal/report"
)

// glance is how often it is looked whether a program changed.
const glance = 50 * time.Millisecond

// verdicts are what exit codes of checks are called.
var verdicts = map[int]report.Verdict{
	report.ExitVerified: report.Verified, report.ExitViolated: report.Violated, report.ExitInconclusive: report.Inconclusive,
}

// checkOnChanges checks, and again whenever the program or its libraries change, until it is interrupted. It says how verdicts differ.
func (k *checking) checkOnChanges(c *cobra.Command) error {
	next := k.ahead(c, false)
	for last := report.Verdict(""); ; {
		before := k.files()
		err := next.run()
		if next.lost && c.Context().Err() == nil {
			next = k.ahead(c, false)
			err = next.run()
		}
		if c.Context().Err() != nil {
			return err
		}
		now, ok := verdicts[exitCode(c.Context(), err, c.ErrOrStderr(), nil)]
		if !ok {
			now = "not checked"
		}
		change := ""
		switch last {
		case "":
		case now:
			change = ", as before"
		default:
			change = ", and was " + string(last) + " before"
		}
		complain(c.ErrOrStderr(), fmt.Sprintf("%s%s; waiting for changes of %s", now, change, k.program), nil)
		last, next = now, k.ahead(c, ok)
		if !k.await(c, before) {
			next.stop()
			return c.Context().Err()
		}
		if !next.canRead(k) {
			next.stop()
			next = k.ahead(c, false)
		}
	}
}

// next is a check whose process is started before the program changes, so that Java and its compiler are ready.
type next struct {
	begin   chan struct{}
	signals chan os.Signal
	grants  []sandbox.Grant
	libs    string // as in task
	ended   chan error
	lost    bool // as in task, once it has ended
}

// ahead starts the next check, up to where it reads the program. If it loads it before, as it is, it is quicker afterwards.
func (k *checking) ahead(c *cobra.Command, loads bool) *next {
	n := &next{begin: make(chan struct{}), signals: notify(), ended: make(chan error, 1)}
	var t *task
	planned := make(chan struct{})
	plan := func() (_ *task, err error) {
		defer close(planned)
		if t, err = k.plan(c); err == nil {
			n.grants, n.libs, t.begin, t.loads, t.signals = t.reach.Grants(), t.libs, n.begin, loads, n.signals
		}
		return t, err
	}
	go func() {
		err := k.supervised(c, plan, nil)
		n.lost = t != nil && t.lost
		n.ended <- err
	}()
	<-planned
	return n
}

// canRead reports whether the sandbox of the process admits what the program consists of now.
func (n *next) canRead(k *checking) bool {
	t, err := newTask(k.program, k.classPath, k.allow)
	return err == nil && t.libs == n.libs && slices.EqualFunc(n.grants, t.reach.Grants(), sandbox.Grant.Same)
}

// run has the check begin, and returns when it has ended.
func (n *next) run() error {
	close(n.begin)
	defer signal.Stop(n.signals)
	return <-n.ended
}

// stop ends the process.
func (n *next) stop() {
	select {
	case n.signals <- syscall.SIGTERM:
	default: // it was told already
	}
	<-n.ended
	signal.Stop(n.signals)
}

// wait has Java's compiler see the program as it is, and perhaps all that loads it, and returns when the check is to begin.
func (k *checking) wait(ctx context.Context, jvm *bridge.JVM, begun <-chan struct{}, loads bool) error {
	select {
	case <-begun:
		return nil
	default:
	}
	if err := jvm.Prepare(ctx, k.planned.Source); err != nil {
		return err
	}
	if loads && len(k.planned.Source.Allow) == 0 { // else it may leave something in the JDK
		source := k.planned.Source
		source.Answers = ""
		_, _ = jvm.Load(ctx, source) // what is wrong the check says
	}
	select {
	case <-begun:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// await waits for files to change, and for the changes to be whole. It reports whether they did before the command was interrupted.
func (k *checking) await(c *cobra.Command, before string) bool {
	pause := glance
	for last := before; ; {
		select {
		case <-c.Context().Done():
			return false
		case <-time.After(pause):
		}
		now := k.files()
		if now != before && now == last {
			return true
		}
		if last = now; now != before {
			pause = glance / 5
		}
	}
}

// files describes the files of the program and its libraries: their sizes, and when they were changed.
func (k *checking) files() string {
	var all strings.Builder
	libraries, _ := codebase.ExpandClassPath(k.classPath) // what is wrong with it the check says
	for _, path := range append([]string{k.program}, libraries...) {
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
