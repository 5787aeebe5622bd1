package compare

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"harrier/report"
)

// verified answers everything.
var verified = answer{Verdict: "verified", States: 10}

func TestRunsInOrderWithLimits(t *testing.T) {
	f := newFake(t, answer{If: "--push selective", Verdict: "violated", Code: 1, States: 5}, verified)
	f.Flags = []string{"--java-heap", "2g"}
	a, b := source(t, "A.java", "class A"), source(t, "B.java", "class B")
	results := f.run(jobs(t, "stateful,dbss", Limits{90 * time.Second, 3 << 29}, a+":n=2,m=1", b))
	traces := f.Store.traces()
	want := []string{
		"check --search dfs --reduction off --hashing full --symmetry off --por off --push all --set m=1 --set n=2 --timeout 1m30s --max-memory 1536m --java-heap 2g --json --out " + traces + " " + a,
		"check --search dfs --reduction off --hashing selective --symmetry off --por off --push selective --set m=1 --set n=2 --timeout 1m30s --max-memory 1536m --java-heap 2g --json --out " + traces + " " + a,
		"check --search dfs --reduction off --hashing full --symmetry off --por off --push all --timeout 1m30s --max-memory 1536m --java-heap 2g --json --out " + traces + " " + b,
		"check --search dfs --reduction off --hashing selective --symmetry off --por off --push selective --timeout 1m30s --max-memory 1536m --java-heap 2g --json --out " + traces + " " + b,
	}
	if diff := cmp.Diff(want, f.calls()); diff != "" {
		t.Error(diff)
	}
	r := results[1]
	if r.Program != a+":m=1,n=2" || r.Mode != "dbss" || r.Verdict != report.Violated || r.States != 5 || r.Property != "all is well" || r.Steps != 12 {
		t.Errorf("%+v", r)
	}
	reproduce := "harrier check --search dfs --reduction off --hashing selective --symmetry off --por off --push selective --set m=1 --set n=2 --timeout 1m30s --max-memory 1536m --java-heap 2g " + a
	if r.Reproduce != reproduce {
		t.Errorf("reproduce %q, want %q", r.Reproduce, reproduce)
	}
}

// A check has a limit of memory of its own where it is given none.
func TestNoLimitsArePassedOn(t *testing.T) {
	f := newFake(t, verified)
	f.run(jobs(t, "stateless", Limits{}, source(t, "A.java", "")))
	if call := f.calls()[0]; strings.Contains(call, "--timeout") || !strings.Contains(call, "--max-memory none ") {
		t.Error(call)
	}
}

func TestResultsAreFoundAgain(t *testing.T) {
	f := newFake(t, verified)
	program := source(t, "A.java", "class A { Object o = p.B.o; }")
	all := jobs(t, "stateful,dbss", Limits{Time: time.Minute}, program)
	first := f.run(all)
	f.calls()
	again := f.run(all)
	if calls := f.calls(); calls != nil {
		t.Fatalf("runs were made again: %q", calls)
	}
	for i := range first {
		if first[i].Reused || !again[i].Reused {
			t.Errorf("run %d is marked as reused: %v at first, %v then", i, first[i].Reused, again[i].Reused)
		}
		again[i].Reused = false
	}
	if diff := cmp.Diff(first, again); diff != "" {
		t.Error(diff)
	}
	f.Fresh = true
	f.run(all)
	if len(f.calls()) != 2 {
		t.Error("not all runs were made afresh")
	}
}

// TestWhatDecidesAResult changes one thing after another; each must make the run again.
func TestWhatDecidesAResult(t *testing.T) {
	f := newFake(t, verified)
	program := source(t, "A.java", "class A")
	all := jobs(t, "stateful", Limits{Time: time.Minute}, program)
	for _, change := range []struct {
		name   string
		change func()
	}{
		{"at first", func() {}},
		{"content", func() { write(t, program, "class A {}") }},
		{"parameters", func() { all = jobs(t, "stateful", Limits{Time: time.Minute}, program+":n=1") }},
		{"scenario", func() { all[0].Program.Scenario = "A" }},
		{"mode", func() { all[0].Mode.Flags = []string{"--push", "some"} }},
		{"time", func() { all[0].Limits.Time *= 2 }},
		{"memory", func() { all[0].Limits.Memory = 1 << 30 }},
		{"flags", func() { f.Flags = []string{"--java-heap", "2g"} }},
		{"build", func() { f.Identity = "build 2" }},
		{"a file that is kept and cannot be read", func() {
			kept, _ := filepath.Glob(filepath.Join(f.Store.Dir, "runs", "*"))
			for _, path := range kept {
				write(t, path, "{")
			}
		}},
	} {
		change.change()
		if f.run(all); len(f.calls()) != 1 {
			t.Errorf("%s: the run was not made again", change.name)
		}
		if f.run(all); f.calls() != nil {
			t.Errorf("%s: the result was not found again", change.name)
		}
	}
}

func TestInterruptedRunsGoOn(t *testing.T) {
	f := newFake(t, answer{If: "--push selective", Hang: true}, verified)
	all := jobs(t, "stateful,dbss,bfs", Limits{}, source(t, "A.java", ""))
	ctx, cancel := context.WithCancelCause(t.Context())
	cause := errors.New("interrupted")
	f.Starting = func(number int) {
		if number == 1 {
			go func() {
				f.awaitHanging()
				cancel(cause)
			}()
		}
	}
	results, err := f.Run(ctx, all)
	if !errors.Is(err, cause) || len(results) != 1 || results[0].Mode != "stateful" {
		t.Fatalf("%v, %v", results, err)
	}
	if len(f.calls()) != 2 {
		t.Error("not two runs were begun")
	}
	write(t, f.script, `[{"Verdict": "verified", "States": 3}]`)
	results = f.run(all)
	if len(f.calls()) != 2 {
		t.Error("not two runs were left")
	}
	if len(results) != 3 || !results[0].Reused || results[0].States != 10 || results[1].Reused || results[1].States != 3 {
		t.Errorf("%+v", results)
	}
}

func TestEndings(t *testing.T) {
	for _, c := range []struct {
		name    string
		answer  answer
		verdict report.Verdict
		note    string // a part of it
		kept    bool
	}{
		{"inconclusive", answer{Code: 3, Verdict: "inconclusive", Reason: "the time is used up"}, report.Inconclusive, "the time is used up", true},
		{"inconclusive without figures", answer{Code: 3, Error: &report.Error{Kind: report.LimitKind, Text: "A.on takes too long"}}, report.Inconclusive, "A.on takes too long", true},
		{"refused", answer{Code: 2, Error: &report.Error{Kind: report.UsageKind, Text: "--push selective needs --search dfs"}}, NotApplicable, "--push selective needs --search dfs", false},
		{"with details", answer{Code: 2, Stderr: "some warning\n", Error: &report.Error{Kind: report.UsageKind, Text: "A.java does not compile:", Detail: []string{"A.java:1: error"}}}, NotApplicable, "A.java does not compile: A.java:1: error", false},
		{"a broken rule", answer{Code: 4, Error: &report.Error{Kind: report.RuleKind, Text: "A.on depends on chance"}}, Failed, "A.on depends on chance", true},
		{"a fault", answer{Code: 5, Error: &report.Error{Kind: report.InternalKind, Text: "oh"}}, Failed, "internal error: oh", false},
		{"a panic", answer{Code: 2, Stderr: "panic: oh\n\ngoroutine 1\n"}, Failed, "exit code 2: panic: oh", false},
		{"silence", answer{Code: 5}, Failed, "exit code 5 without a document", false},
		{"killed by others", answer{Crashes: true}, Failed, "the process ended by itself: signal: killed", false},
		{"terminated by others", answer{Code: 143, Verdict: "inconclusive", Reason: "terminated"}, Failed, "somebody ended the process", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newFake(t, c.answer)
			all := jobs(t, "dbss", Limits{}, source(t, "A.java", ""))
			r := f.run(all)[0]
			if r.Verdict != c.verdict || !strings.Contains(r.Note, c.note) {
				t.Errorf("%s %q; want %s %q", r.Verdict, r.Note, c.verdict, c.note)
			}
			if _, found := f.Store.find(all[0], must(f.key(all[0]))); found != c.kept {
				t.Errorf("kept: %v, want %v", found, c.kept)
			}
		})
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func TestWhatCannotBeStarted(t *testing.T) {
	f := newFake(t, verified)
	if _, err := f.Run(t.Context(), jobs(t, "dbss", Limits{}, "nowhere:n=1")); err == nil || !strings.Contains(err.Error(), "nowhere does not exist") {
		t.Error(err)
	}
	program := source(t, "A.java", "")
	f.Store.Dir = program
	if _, err := f.Run(t.Context(), jobs(t, "dbss", Limits{}, program)); err == nil || !strings.Contains(err.Error(), "--out names another folder") {
		t.Error(err)
	}
	f.Executable = filepath.Join(t.TempDir(), "nothing")
	if _, err := f.Run(t.Context(), jobs(t, "dbss", Limits{}, program)); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}
