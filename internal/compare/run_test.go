package compare

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"harrier/internal/plan"
	"harrier/internal/report"
	"harrier/internal/testkit/must"
)

// TestWhatDecidesAResult changes one thing after another; after each, what was kept before must not be found.
func TestWhatDecidesAResult(t *testing.T) {
	program := filepath.Join(t.TempDir(), "A.java")
	write(t, program, "class A")
	r := Runner{Identity: "build 1", Store: Store{t.TempDir()}}
	job := func(argument string) Job {
		return Job{must.Get(ParseProgram(argument, "", nil)), must.Get(plan.ParseModes("stateful"))[0], Limits{Time: time.Minute}, 0}
	}
	j := job(program)
	for _, c := range []struct {
		name   string
		change func()
	}{
		{"at first", func() {}},
		{"content", func() { write(t, program, "class A {}") }},
		{"parameters", func() { j = job(program + ":n=1") }},
		{"scenario", func() { j.Program.Scenario = "A" }},
		{"mode", func() { j.Mode.Name = "dbss" }},
		{"time", func() { j.Limits.Time *= 2 }},
		{"memory", func() { j.Limits.Memory = 1 << 30 }},
		{"flags", func() { r.Flags = []string{"--java-heap", "2g"} }},
		{"round", func() { j.Round = 1 }},
		{"what the program read beside its classes", func() { write(t, filepath.Join(filepath.Dir(program), "most"), "1") }},
		{"build", func() { r.Identity = "build 2" }},
		{"a file that is kept and was changed", func() {
			for _, path := range must.Get(filepath.Glob(filepath.Join(r.Store.Dir, "runs", "*"))) {
				write(t, path, strings.Replace(string(must.Get(os.ReadFile(path))), `"build"`, `"built"`, 1))
			}
		}},
		{"a file that is kept and cannot be read", func() {
			for _, path := range must.Get(filepath.Glob(filepath.Join(r.Store.Dir, "runs", "*"))) {
				write(t, path, "{")
			}
		}},
	} {
		c.change()
		k := must.Get(r.key(j))
		if _, found := r.Store.find(j, k); found {
			t.Errorf("%s: the result of another run was found", c.name)
		}
		must.Do(r.Store.keep(j, k, Result{Note: c.name, beside: []string{"most"}}))
		if result, found := r.Store.find(j, must.Get(r.key(j))); !found || result.Note != c.name {
			t.Errorf("%s: the result was not found again", c.name)
		}
	}
}

func TestEndings(t *testing.T) {
	broke := func(kind report.ErrorKind, text string, detail ...string) []byte {
		var document bytes.Buffer
		report.WriteJSON(&document, report.NewErrorDocument(report.Error{Kind: kind, Text: text, Detail: detail}))
		return document.Bytes()
	}
	open := fmt.Appendf(nil, `{"version": %d, "verdict": "inconclusive", "reason": "the time is used up"}`, report.SummaryVersion)
	for _, c := range []struct {
		name       string
		ending     ending
		verdict    report.Verdict
		note       string // a part of it
		repeatable bool
	}{
		{"inconclusive", ending{stdout: open, code: 3}, report.Inconclusive, "the time is used up", true},
		{"inconclusive without figures", ending{stdout: broke(report.LimitKind, "A.on takes too long"), code: 3}, report.Inconclusive, "A.on takes too long", true},
		{"other input", ending{stdout: bytes.Replace(open, []byte("{"), []byte(`{"input": true, "states": 1, `), 1), code: 3}, report.Inconclusive, "the time is used up", false},
		{"refused", ending{stdout: broke(report.UsageKind, "--hashing selective needs --search dfs"), code: 2}, NotApplicable, "--hashing selective needs --search dfs", false},
		{"with details", ending{stdout: broke(report.UsageKind, "A.java does not compile:", "A.java:1: error"), code: 2}, NotApplicable, "A.java does not compile: A.java:1: error", false},
		{"a broken rule", ending{stdout: broke(report.RuleKind, "A.on depends on chance"), code: 4}, Failed, "A.on depends on chance", true},
		{"a fault", ending{stdout: broke(report.InternalKind, "oh"), code: 5}, Failed, "internal error: oh", false},
		{"a panic", ending{stderr: []byte("panic: oh\n\ngoroutine 1\n"), code: 2}, Failed, "exit code 2: panic: oh", false},
		{"a document of another version", ending{stdout: []byte(`{"version": 1}`)}, Failed, "exit code 0 without a document", false},
		{"killed by others", ending{code: -1, failure: "signal: killed"}, Failed, "the process ended by itself: signal: killed", false},
		{"terminated by others", ending{stdout: open, code: 143}, Failed, "somebody ended the process", false},
	} {
		r := c.ending.result()
		if r.Verdict != c.verdict || !strings.Contains(r.Note, c.note) || repeatable(&r) != c.repeatable {
			t.Errorf("%s: %s %q, repeatable: %v; want %s %q", c.name, r.Verdict, r.Note, repeatable(&r), c.verdict, c.note)
		}
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	must.Do(os.MkdirAll(filepath.Dir(path), 0o755))
	must.Do(os.WriteFile(path, []byte(text), 0o644))
}
