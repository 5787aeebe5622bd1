package compare

import (
	"encoding/json"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"harrier/dbss"
	"harrier/model"
	"harrier/report"
)

// The tests' check command is this test binary, called anew. It does what the file that fakeVariable
// names says, and notes in a file beside it how it was called.
const fakeVariable = "HARRIER_COMPARE_TEST"

func TestMain(m *testing.M) {
	if path := os.Getenv(fakeVariable); path != "" {
		os.Exit(fakeCheck(path))
	}
	os.Exit(m.Run())
}

// hangTime is how long a fake check hangs where nobody kills it: longer than these tests may take.
const hangTime = time.Hour

// answer is what a fake check does.
type answer struct {
	If     string // what the arguments contain
	Code   int
	Stderr string
	Error  *report.Error
	States uint64 // with a verdict, a document is printed
	Verdict,
	Reason string
	Hang    bool // and ignore requests to end
	Crashes bool // by a signal
}

func fakeCheck(path string) int {
	arguments := strings.Join(os.Args[1:], " ")
	f, err := os.OpenFile(path+".calls", os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		panic(err)
	}
	fmt.Fprintln(f, arguments)
	f.Close()
	content, err := os.ReadFile(path)
	var answers []answer
	if err == nil {
		err = json.Unmarshal(content, &answers)
	}
	if err != nil {
		panic(err)
	}
	for _, a := range answers {
		if strings.Contains(arguments, a.If) {
			return a.give()
		}
	}
	panic("no answer to " + arguments)
}

func (a answer) give() int {
	fmt.Fprint(os.Stderr, a.Stderr)
	if a.Hang {
		signal.Ignore(syscall.SIGTERM)
		if err := os.WriteFile(os.Getenv(fakeVariable)+".hangs", nil, 0o644); err != nil {
			panic(err)
		}
		time.Sleep(hangTime)
	}
	if a.Crashes {
		syscall.Kill(os.Getpid(), syscall.SIGKILL)
		time.Sleep(hangTime)
	}
	if a.Error != nil {
		report.WriteJSON(os.Stdout, report.NewErrorDocument(*a.Error))
	}
	if a.Verdict != "" {
		s := report.Summary{
			Version: report.SummaryVersion, Verdict: report.Verdict(a.Verdict), Reason: a.Reason,
			Counts: dbss.Counts{States: a.States, Transitions: 2 * a.States, Depth: 7},
			Stats:  model.Stats{LocalSteps: 30, Executions: 60}, SetUpSeconds: 0.5,
			Seconds: float64(a.States) / 1000, PeakMemoryBytes: 100 << 20,
		}
		if a.Verdict == "violated" {
			s.Violation = &report.SummaryViolation{Violation: report.Violation{Property: "all is well"}}
			s.Violation.Steps = make([]report.Step, 12)
		}
		s.JSON(os.Stdout)
	}
	return a.Code
}

// fake is a runner of fake checks.
type fake struct {
	Runner
	t      *testing.T
	script string
}

func newFake(t *testing.T, answers ...answer) *fake {
	t.Helper()
	folder := t.TempDir()
	f := &fake{t: t, script: filepath.Join(folder, "answers.json")}
	content, err := json.Marshal(answers)
	if err == nil {
		err = os.WriteFile(f.script, content, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv(fakeVariable, f.script)
	executable, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	f.Runner = Runner{Executable: executable, Name: "harrier", Identity: "build 1", Store: Store{filepath.Join(folder, "store")}}
	return f
}

// calls are the command lines since the last look.
func (f *fake) calls() []string {
	content, err := os.ReadFile(f.script + ".calls")
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		f.t.Fatal(err)
	}
	os.Remove(f.script + ".calls")
	return strings.Split(strings.TrimSpace(string(content)), "\n")
}

// awaitHanging waits until a check hangs.
func (f *fake) awaitHanging() {
	for {
		if _, err := os.Stat(f.script + ".hangs"); err == nil {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

// source makes a program to be checked.
func source(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	write(t, path, text)
	return path
}

func write(t *testing.T, path, text string) {
	t.Helper()
	err := os.MkdirAll(filepath.Dir(path), 0o755)
	if err == nil {
		err = os.WriteFile(path, []byte(text), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// jobs makes jobs of programs in modes.
func jobs(t *testing.T, modes string, limits Limits, programs ...string) []Job {
	t.Helper()
	chosen, err := ParseModes(modes)
	if err != nil {
		t.Fatal(err)
	}
	var all []Job
	for _, argument := range programs {
		p, err := ParseProgram(argument, "", nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range chosen {
			all = append(all, Job{p, m, limits})
		}
	}
	return all
}

// run makes runs that must not fail.
func (f *fake) run(all []Job) []Result {
	f.t.Helper()
	results, err := f.Run(f.t.Context(), all)
	if err != nil {
		f.t.Fatal(err)
	}
	return results
}
