package launch

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"harrier/bridge"
	"harrier/internal/process/files"
	"harrier/internal/process/memory"
	"harrier/internal/process/supervisor"
	"harrier/internal/report"
)

// ended is the failure of a child that reported no result.
func (t *Task) ended(e *supervisor.End, s Setup) *Failure {
	during := ""
	if e.Doing != "" {
		during = " while harrier was " + e.Doing
	}
	messages, exited := splitMessages(e.Messages)
	f := &Failure{report.Error{Detail: messages[:min(len(messages), mostDetail)]}, report.ExitInternal}
	switch {
	case e.Foreign:
		f.Document.Kind, f.Code, f.Document.Detail = report.RuleKind, report.ExitRule, nil // it may write anything there, too
		f.Document.Text = fmt.Sprintf("the program wrote to a pipe between harrier's processes%s: "+
			"what is checked must leave descriptors alone that it did not open", during)
	case e.Over:
		f.Document.Kind, f.Code = report.LimitKind, report.ExitInconclusive
		f.Document.Text = fmt.Sprintf("the memory of %s is used up (--max-memory), and the process that runs Java had to be killed%s",
			memory.SizeText(t.MaxMemory), during)
	case e.Late:
		f.Document.Kind, f.Code = report.LimitKind, report.ExitInconclusive
		f.Document.Text = fmt.Sprintf("the time of %v is used up (--timeout), and the process that runs Java had to be killed%s",
			t.Timeout, during)
	case e.Doing == startingJava:
		f.Document.Kind, f.Code = report.UsageKind, report.ExitUsage
		f.Document.Text = fmt.Sprintf("the Java in %s does not start: %s; name another with --java-home", s.JDK.Home, how(e))
	case exited:
		f.Document.Kind, f.Code = report.RuleKind, report.ExitRule
		f.Document.Text = fmt.Sprintf("the program ended the Java virtual machine%s, by System.exit or in another way: "+
			"only a verdict ends a check", during)
	case e.Signal == syscall.SIGKILL || strings.Contains(e.Messages, "insufficient memory for the Java Runtime"):
		f.Document.Kind, f.Code = report.LimitKind, report.ExitInconclusive
		f.Document.Text = fmt.Sprintf("the process that runs Java was killed%s, as the system does when memory runs out: "+
			"a lower --max-memory or --java-heap leaves more of it", during)
	default:
		f.Document.Kind = report.InternalKind
		f.Document.Text = fmt.Sprintf("the process that runs Java ended without a result%s: %s", during, how(e))
		if t.unguarded != "" && !isPanic(e) {
			f.Document.Kind, f.Code = report.RuleKind, report.ExitRule
			f.Document.Text += fmt.Sprintf("; the program can end and crash it by what --allow %s lets it reach", t.unguarded)
		}
		if path := evidence(s.Crashes, cmp.Or(t.Out.Path(), s.Crashes), e.Started, messages); path != "" {
			f.Document.Text += "; what is known of it is in " + path
		}
	}
	if f.Document.Kind == report.LimitKind && t.canGoOn() {
		f.Document.Detail = append(f.Document.Detail, "to go on from its checkpoint: "+t.GoOn)
	}
	return f
}

// mostDetail is how many lines of messages are printed.
const mostDetail = 5

// mostReport is how much of Java's report of a crash is kept, in bytes: the program may have written it.
const mostReport = 4 << 20

// evidence is the file in a folder that says most about a crash, or "": Java's report, or else all messages.
// Java leaves its report in another folder, one that the child can write to.
func evidence(from, folder string, since time.Time, messages []string) string {
	content := []byte(strings.Join(messages, "\n") + "\n")
	if report := crashReport(from, since); report != "" {
		if f, err := files.OpenRegular(report); err == nil {
			content, _ = io.ReadAll(io.LimitReader(f, mostReport))
			f.Close()
		}
		os.Remove(report)
	} else if len(messages) <= mostDetail {
		return ""
	}
	path := filepath.Join(folder, fmt.Sprintf("%s%d.log", bridge.CrashPrefix, os.Getpid()))
	if folder == "" || files.WriteWhole(path, content) != nil {
		return ""
	}
	return path
}

// isPanic reports whether a child ended by a fault of Go code, which is harrier's.
func isPanic(e *supervisor.End) bool { return strings.HasPrefix(e.Messages, "panic: ") }

// how says in words how a child ended.
func how(e *supervisor.End) string {
	if isPanic(e) {
		return "harrier failed, whatever the program does"
	}
	if e.Signal != 0 {
		return fmt.Sprintf("it was ended by the signal %v", e.Signal)
	}
	return fmt.Sprintf("it ended with the exit code %d", e.Status)
}

// crashReport is Java's report of a crash since some time in a folder, or "".
func crashReport(folder string, since time.Time) string {
	paths, _ := filepath.Glob(filepath.Join(folder, bridge.CrashPrefix+"*"))
	for _, path := range paths {
		if info, err := os.Lstat(path); err == nil && info.Mode().IsRegular() && info.ModTime().After(since) {
			return path
		}
	}
	return ""
}
