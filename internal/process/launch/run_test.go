package launch

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"harrier/bridge"
	"harrier/internal/process/sandbox"
	"harrier/internal/report"
	"harrier/internal/testkit/must"
)

// behaviour names the environment variable that says what children of these tests do: they run no Java.
const behaviour = "LAUNCH_TEST"

func TestMain(m *testing.M) {
	c := must.Get(Attach())
	if c == nil {
		os.Exit(m.Run())
	}
	behave(c, os.Getenv(behaviour))
}

// known is a summary as children of these tests have one.
func known() *report.Summary {
	s := &report.Summary{}
	s.Reduction, s.GoOn = "macro", "harrier check --resume kept"
	return s
}

// behave does one thing that a child may do, and ends the process.
func behave(c *Child, how string) {
	switch how {
	case "verifies":
		c.Link.Exit(report.ExitVerified)
	case "violates":
		must.Get(c.Keep("")("P-1", map[string][]byte{report.TraceFile: []byte("{}")}))
		c.Link.Exit(report.ExitViolated)
	case "is killed":
		c.Checking()
		c.TellSupervisor(known())
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
		select {}
	case "crashes":
		c.TellSupervisor(known())
		os.Exit(1)
	case "begins":
		<-c.Link.Begun()
		c.Link.Exit(report.ExitInconclusive)
	case "talks":
		from, to := c.Connection()
		if _, err := io.Copy(to, io.LimitReader(from, 5)); err == nil {
			c.Link.Exit(report.ExitVerified)
		}
	}
	os.Exit(0)
}

// runs has a child do one thing for a task.
func runs(t *testing.T, how string, task *Task) (Outcome, error) {
	t.Setenv(behaviour, how)
	task.Sandbox, task.Stderr, task.Tell, task.Remarks = "off", io.Discard, func(line string) { t.Log(line) }, true
	return (&Prepared{task, &bridge.JDK{}, &bridge.Home{}}).Run()
}

func TestOutcomesOfChildren(t *testing.T) {
	if o, err := runs(t, "verifies", &Task{}); err != nil || o.Code != report.ExitVerified || o.Answer != nil {
		t.Errorf("verified: %+v, %v", o, err)
	}
	o, err := runs(t, "is killed", &Task{})
	if err != nil || o.Answer == nil || o.Answer.Reduction != "macro" || o.Answer.GoOn != "" || !strings.Contains(o.Answer.Reason, "was killed while harrier was checking the program") {
		t.Errorf("killed: %+v, %v", o, err)
	}
	var failure *Failure
	if o, err := runs(t, "crashes", &Task{}); !errors.As(err, &failure) || failure.Code != report.ExitInternal || o.Answer != nil || o.Known.Reduction != "macro" {
		t.Errorf("crashed: %+v, %v", o, err)
	}
}

// TestResultsOfAChild has a child keep a trace, and another one keep nothing.
func TestResultsOfAChild(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "out")
	for _, how := range []string{"verifies", "violates"} {
		task := &Task{}
		must.Do(task.WriteTo(folder, true))
		_, err := runs(t, how, task)
		task.Close()
		kept, _ := filepath.Glob(filepath.Join(folder, "P-1*", report.TraceFile))
		_, missing := os.Stat(folder)
		if err != nil || len(kept) == 1 != (how == "violates") || (missing == nil) != (how == "violates") {
			t.Errorf("a child that %s: %q, %v, %v", how, kept, missing, err)
		}
	}
}

func TestConnectionToAChild(t *testing.T) {
	task := &Task{}
	from, to, err := task.Connect()
	must.Do(err)
	must.Get(io.WriteString(to, "hello"))
	if o, err := runs(t, "talks", task); err != nil || o.Code != report.ExitVerified {
		t.Fatalf("%+v, %v", o, err)
	}
	said := make([]byte, 5)
	if _, err := io.ReadFull(from, said); err != nil || string(said) != "hello" {
		t.Errorf("%q, %v", said, err)
	}
}

// TestChildrenStartedAhead has one wait until it is told to begin, and one end before.
func TestChildrenStartedAhead(t *testing.T) {
	cache := filepath.Join(t.TempDir(), "file")
	must.Do(os.WriteFile(cache, nil, 0o600))
	t.Setenv("XDG_CACHE_HOME", cache) // it is no folder, so nothing is kept
	ahead := func(how string) *Next {
		t.Setenv(behaviour, how)
		return Ahead(func() (*Task, error) {
			return &Task{Sandbox: "off", Signals: make(chan os.Signal, 1), Stderr: io.Discard, Remarks: true, Tell: func(string) {}}, nil
		}, false)
	}
	if o, err := ahead("begins").Run(); err != nil || o.Lost || o.Code != report.ExitInconclusive {
		t.Errorf("one that waits: %+v, %v", o, err)
	}
	gone := ahead("crashes")
	<-gone.ended
	if o, err := gone.Run(); err == nil || !o.Lost {
		t.Errorf("one that ended: %+v, %v", o, err)
	}
	none := Ahead(func() (*Task, error) { return nil, os.ErrInvalid }, false)
	if none.CanRead("P.java", nil, nil) {
		t.Error("what was not started can read a program")
	}
	none.Stop()
	if _, err := none.Run(); err != os.ErrInvalid {
		t.Errorf("one without a plan: %v", err)
	}
}

// TestSandboxOfAChild checks what a child is to be confined to.
func TestSandboxOfAChild(t *testing.T) {
	var s Setup
	if ruleset, err := makeRuleset("off", &s, sandbox.Policy{}); ruleset != nil || err != nil || s.Filter || !strings.Contains(s.Remark, "without a sandbox (--sandbox off)") {
		t.Errorf("off: %+v, %v", s, err)
	}
	missing := sandbox.Find().Missing()
	s = Setup{JDK: &bridge.JDK{}, Home: &bridge.Home{}}
	ruleset, err := makeRuleset("on", &s, sandbox.Policy{})
	if (err == nil) != (missing == "") || (s.Remark == "") != (missing == "") && err == nil {
		t.Errorf("on, where %q is missing: %+v, %v", missing, s, err)
	}
	closeAll([]*os.File{ruleset})
}
