package launch

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"harrier/bridge"
	"harrier/internal/checkpoint"
	"harrier/internal/process/supervisor"
	"harrier/internal/report"
	"harrier/internal/testkit/must"
)

func TestWhatEndedWithoutAResultIsNoVerdict(t *testing.T) {
	s := Setup{JDK: &bridge.JDK{Home: "/jdk"}}
	for text, c := range map[string]struct {
		end  supervisor.End
		kind report.ErrorKind
		code int
	}{
		"the program ended the Java virtual machine while harrier was checking the program, by System.exit": {
			supervisor.End{Doing: working, Messages: "exit 0"}, report.RuleKind, report.ExitRule,
		},
		"the process that runs Java ended without a result while harrier was checking the program: it ended with the exit code 0": {
			supervisor.End{Doing: working}, report.InternalKind, report.ExitInternal,
		},
		"the process that runs Java ended without a result while harrier was checking the program: harrier failed, whatever the program does": {
			supervisor.End{Doing: working, Status: 2, Messages: "panic: runtime error: index out of range\n"}, report.InternalKind, report.ExitInternal,
		},
		"the process that runs Java ended without a result: it was ended by the signal aborted": {
			supervisor.End{Signal: syscall.SIGABRT}, report.InternalKind, report.ExitInternal,
		},
		"the program ended the Java virtual machine while harrier was loading": {
			supervisor.End{Doing: "loading", Messages: "There is insufficient memory for the Java Runtime, says the program\nexit 0"}, report.RuleKind, report.ExitRule,
		},
		"the process that runs Java was killed while harrier was checking the program, as the system does when memory runs out": {
			supervisor.End{Doing: working, Signal: syscall.SIGKILL}, report.LimitKind, report.ExitInconclusive,
		},
		"the process that runs Java was killed, as the system does": {
			supervisor.End{Messages: "There is insufficient memory for the Java Runtime Environment to continue."}, report.LimitKind, report.ExitInconclusive,
		},
		"the time of 0s is used up (--timeout), and the process that runs Java had to be killed while harrier was reading": {
			supervisor.End{Late: true, Doing: loading, Signal: syscall.SIGKILL}, report.LimitKind, report.ExitInconclusive,
		},
		"the memory of 1 GiB is used up (--max-memory), and the process that runs Java had to be killed while harrier was checking": {
			supervisor.End{Over: true, Doing: working, Signal: syscall.SIGKILL}, report.LimitKind, report.ExitInconclusive,
		},
		"the program wrote to a pipe between harrier's processes while harrier was checking the program": {
			supervisor.End{Foreign: true, Doing: working, Reported: true, Signal: syscall.SIGKILL}, report.RuleKind, report.ExitRule,
		},
		"the Java in /jdk does not start: it ended with the exit code 1; name another with --java-home": {
			supervisor.End{Doing: startingJava, Status: 1, Messages: "exit 1"}, report.UsageKind, report.ExitUsage,
		},
	} {
		told := (&Task{MaxMemory: 1 << 30}).ended(&c.end, s)
		if !strings.HasPrefix(told.Document.Text, text) || told.Document.Kind != c.kind || told.Code != c.code {
			t.Errorf("%+v: %q, %s, %d; want %q, %s, %d", c.end, told.Document.Text, told.Document.Kind, told.Code, text, c.kind, c.code)
		}
	}
}

// TestWhatAKilledChildKnew has limits end with the figures as a summary, and other ends with them beside the error.
func TestWhatAKilledChildKnew(t *testing.T) {
	task := &Task{}
	end := &supervisor.End{Late: true, Figures: `{"reduction": "macro", "sections": [{"name": "states", "value": {"states": 12}, "lines": [{"label": "states", "text": "12 macro states"}]}]}`}
	o, err := task.withFigures(Outcome{}, end, task.ended(end, Setup{}))
	if s := o.Answer; err != nil || s == nil || len(s.Sections) != 1 || s.Sections[0].Lines[0].Text != "12 macro states" || !strings.HasPrefix(s.Reason, "the time of 0s is used up") {
		t.Errorf("%+v, %v", o, err)
	}
	end.Late, end.Messages = false, "exit 0"
	o, err = task.withFigures(Outcome{}, end, task.ended(end, Setup{}))
	if failure := err.(*Failure); failure.Code != report.ExitRule || o.Answer != nil || len(o.Known.Sections) != 1 {
		t.Errorf("%+v, %v", o, err)
	}
	end.Figures = "{"
	if o, err := task.withFigures(Outcome{}, end, task.ended(end, Setup{})); err == nil || o.Known != nil || o.Answer != nil {
		t.Errorf("%+v, %v", o, err)
	}
}

// TestCrashesByWhatIsAllowed has native code end the process, which breaks a rule, and harrier's own, which is an internal error.
func TestCrashesByWhatIsAllowed(t *testing.T) {
	task := &Task{unguarded: unguardedRule([]string{"io=read", "natives=any"})}
	for messages, code := range map[string]int{"SIGSEGV: segmentation violation": report.ExitRule, "panic: index out of range": report.ExitInternal} {
		told := task.ended(&supervisor.End{Status: 2, Messages: messages}, Setup{})
		if told.Code != code || strings.Contains(told.Document.Text, "--allow natives=any") != (code == report.ExitRule) {
			t.Errorf("%s: %+v", messages, told)
		}
	}
}

// TestACheckpointIsNamedOnce has a limit end a child before and after the search of its checkpoint has begun, and has or has not figures.
func TestACheckpointIsNamedOnce(t *testing.T) {
	const line = "harrier check --resume kept"
	task := &Task{Folder: t.TempDir(), GoOn: line}
	for _, begun := range []bool{false, true} {
		if begun {
			must.Do(os.Mkdir(checkpoint.Search(task.Folder), 0o700))
			must.Do(os.WriteFile(filepath.Join(checkpoint.Search(task.Folder), "program.json"), nil, 0o600))
		}
		end := &supervisor.End{Late: true, Figures: `{"resume": "` + line + `"}`}
		told := task.ended(end, Setup{})
		o := must.Get(task.withFigures(Outcome{}, end, told))
		if slices.Contains(told.Document.Detail, "to go on from its checkpoint: "+line) != begun || (o.Answer.GoOn == line) != begun ||
			strings.Contains(told.Document.Text+o.Answer.Reason, line) {
			t.Errorf("begun %t: %+v, and with figures %q, go on %q", begun, told, o.Answer.Reason, o.Answer.GoOn)
		}
	}
}

func TestEvidenceOfACrashIsKept(t *testing.T) {
	s := Setup{Crashes: t.TempDir()}
	lines := strings.Repeat("a line\n", 20)
	told := (&Task{}).ended(&supervisor.End{Messages: lines}, s)
	_, path, _ := strings.Cut(told.Document.Text, "what is known of it is in ")
	if content, err := os.ReadFile(path); err != nil || string(content) != lines || len(told.Document.Detail) != mostDetail {
		t.Errorf("%q has %q, %v; told with %d lines", path, content, err, len(told.Document.Detail))
	}
}

// TestEvidenceIsNoLink plants links and folders where Java leaves its report of a crash.
func TestEvidenceIsNoLink(t *testing.T) {
	folder, out := t.TempDir(), t.TempDir()
	secret := filepath.Join(t.TempDir(), "secret")
	must.Do(os.WriteFile(secret, []byte("secret"), 0o600))
	must.Do(os.Symlink(secret, filepath.Join(folder, bridge.CrashPrefix+"1.log")))
	must.Do(os.Mkdir(filepath.Join(folder, bridge.CrashPrefix+"2.log"), 0o700))
	if path := evidence(folder, out, time.Time{}, nil); path != "" {
		t.Errorf("%s has %s", path, must.Get(os.ReadFile(path)))
	}
	report := filepath.Join(folder, bridge.CrashPrefix+"3.log")
	must.Do(os.WriteFile(report, nil, 0o600))
	must.Do(os.Truncate(report, 1<<40)) // it has no content, and no end to speak of
	if content := must.Get(os.ReadFile(evidence(folder, out, time.Time{}, nil))); len(content) != mostReport {
		t.Errorf("%d bytes are kept", len(content))
	}
	if string(must.Get(os.ReadFile(secret))) != "secret" {
		t.Error("what a link leads to was changed")
	}
}
