package main

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"os/exec"
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

// dyingHarrier is harrier whose child does what the file dying says: exit or kill, without a result, or escape from the sandbox,
// where the exit code is 1 if anything of it succeeds.
func dyingHarrier() {
	how, _ := os.ReadFile("dying") // it is beside the program, and so can be read
	c, err := attach()
	switch {
	case err != nil:
		panic(err)
	case c == nil:
		main()
	case strings.TrimSpace(string(how)) == "kill":
		syscall.Kill(os.Getpid(), syscall.SIGKILL)
		select {}
	case strings.TrimSpace(string(how)) == "escape":
		_, read := os.ReadFile("/etc/passwd")
		_, needed := os.ReadFile("P.java")
		code := report.ExitVerified
		_, made := os.Stat("harrier-out")
		if read == nil || needed != nil || made != nil || os.WriteFile("written", nil, 0o644) == nil ||
			os.WriteFile("harrier-out/written", nil, 0o644) == nil || exec.Command("true").Run() == nil {
			code = report.ExitViolated
		}
		c.link.Exit(code)
		os.Exit(code)
	}
	os.Exit(0)
}

func TestWhatEndedWithoutAResultIsNoVerdict(t *testing.T) {
	s := setup{JDK: &bridge.JDK{Home: "/jdk"}}
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
		told, code := breakdown((&task{maxMemory: 1 << 30}).ended(&c.end, s))
		if !strings.HasPrefix(told.Text, text) || told.Kind != c.kind || code != c.code {
			t.Errorf("%+v: %q, %s, %d; want %q, %s, %d", c.end, told.Text, told.Kind, code, text, c.kind, c.code)
		}
	}
}

// TestWhatAKilledChildKnewIsPrinted has limits end with the figures as a summary, and other ends with them in a line.
func TestWhatAKilledChildKnewIsPrinted(t *testing.T) {
	var printed *report.Summary
	task := &task{unfinished: func(known *report.Summary) error { printed = known; return verdictError{report.Inconclusive} }}
	end := &supervisor.End{Late: true, Figures: `{"reduction": "macro", "sections": [{"name": "states", "value": {"states": 12}, "lines": [{"label": "states", "text": "12 macro states"}]}]}`}
	err := task.withFigures(end, task.ended(end, setup{}))
	if !isVerdict(err, report.Inconclusive) || len(printed.Sections) != 1 || printed.Sections[0].Lines[0].Text != "12 macro states" || !strings.HasPrefix(printed.Reason, "the time of 0s is used up") {
		t.Errorf("%+v, %v", printed, err)
	}
	end.Late, end.Messages = false, "exit 0"
	told, code := breakdown(task.withFigures(end, task.ended(end, setup{})))
	if code != report.ExitRule || !slices.Contains(told.Detail, "until then: 12 macro states, 0 transitions, depth 0, 0 local steps, in 0.00 s") {
		t.Errorf("%+v, %d", told, code)
	}
	task.reaches = pastJava([]string{"io=read", "natives=any"})
	for messages, code := range map[string]int{"SIGSEGV: segmentation violation": report.ExitRule, "panic: index out of range": report.ExitInternal} {
		told, got := breakdown(task.ended(&supervisor.End{Status: 2, Messages: messages}, setup{}))
		if got != code || strings.Contains(told.Text, "--allow natives=any") != (code == report.ExitRule) {
			t.Errorf("%s: %+v, %d", messages, told, got)
		}
	}
	end.Figures = "{"
	if told, _ := breakdown(task.withFigures(end, task.ended(end, setup{}))); len(told.Detail) != 0 {
		t.Errorf("%+v", told)
	}
}

// TestACheckpointIsNamedOnce has a limit end a child before and after the search of its checkpoint has begun, and has or has not figures.
func TestACheckpointIsNamedOnce(t *testing.T) {
	const line = "harrier check --resume kept"
	var printed *report.Summary
	task := &task{checkpoint: t.TempDir(), goOn: line, unfinished: func(known *report.Summary) error { printed = known; return nil }}
	for _, begun := range []bool{false, true} {
		if begun {
			must.Do(os.Mkdir(checkpoint.Search(task.checkpoint), 0o700))
			must.Do(os.WriteFile(filepath.Join(checkpoint.Search(task.checkpoint), "program.json"), nil, 0o600))
		}
		end := &supervisor.End{Late: true, Figures: `{"resume": "` + line + `"}`}
		err := task.ended(end, setup{})
		told, _ := breakdown(err)
		must.Do(task.withFigures(end, err))
		if slices.Contains(told.Detail, "to go on from its checkpoint: "+line) != begun || (printed.GoOn == line) != begun ||
			strings.Contains(told.Text+printed.Reason, line) {
			t.Errorf("begun %t: %+v, and with figures %q, go on %q", begun, told, printed.Reason, printed.GoOn)
		}
	}
}

func TestEvidenceOfACrashIsKept(t *testing.T) {
	s := setup{Crashes: t.TempDir()}
	lines := strings.Repeat("a line\n", 20)
	told, _ := breakdown((&task{}).ended(&supervisor.End{Messages: lines}, s))
	_, path, _ := strings.Cut(told.Text, "what is known of it is in ")
	if content, err := os.ReadFile(path); err != nil || string(content) != lines || len(told.Detail) != mostDetail {
		t.Errorf("%q has %q, %v; told with %d lines", path, content, err, len(told.Detail))
	}
}

func TestOutFolderIsGoneUnlessSomethingIsInIt(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "a", "b")
	first := must.Get(openOut(folder))
	second := must.Get(openOut(folder))
	first.close()
	if _, err := os.Stat(folder); err != nil {
		t.Errorf("it was removed while another check uses it: %v", err)
	}
	second.close()
	third := must.Get(openOut(filepath.Join(folder, "c")))
	third.close()
	if entries, err := os.ReadDir(folder); err != nil || len(entries) != 0 {
		t.Errorf("what was there before has %v, %v", entries, err)
	}
	must.Do(os.WriteFile(filepath.Join(folder, "file"), nil, 0o644))
	if _, err := openOut(filepath.Join(folder, "file")); err == nil {
		t.Error("a file was taken for a folder")
	}
}

// TestProgramsKeepResultsAlone has a child ask for files that others read as something else, and for ones in other folders.
func TestProgramsKeepResultsAlone(t *testing.T) {
	folder := t.TempDir()
	o := must.Get(openOut(filepath.Join(folder, "out")))
	defer o.close()
	for _, r := range []toKeep{
		{"ck", map[string][]byte{"command.json": nil}},
		{"runs", map[string][]byte{"Paxos-dbss-0123.json": nil}},
		{"A-1", map[string][]byte{report.TraceFile: nil, "snapshot.json": nil}},
		{"..", map[string][]byte{report.TraceFile: nil}},
		{"../ck", map[string][]byte{report.TraceFile: nil}},
		{filepath.Join(folder, "ck"), map[string][]byte{report.TraceFile: nil}},
	} {
		read, answers := io.Pipe()
		go o.serve(bytes.NewReader(must.Get(json.Marshal(r))), answers)
		var k kept
		must.Do(json.NewDecoder(read).Decode(&k))
		if k.Error == "" || k.Folder != "" {
			t.Errorf("%+v is kept in %q", r, k.Folder)
		}
	}
	if made := must.Get(filepath.Glob(filepath.Join(folder, "*", "*"))); made != nil {
		t.Errorf("%q are there", made)
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
