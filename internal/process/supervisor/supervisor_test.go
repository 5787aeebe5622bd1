package supervisor

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"harrier/internal/testkit/must"
)

type testSetup struct{ Do string }

// TestMain runs the test binary as a child, if it was started as one.
func TestMain(m *testing.M) {
	link, err := Attach()
	if err != nil {
		fmt.Println(err)
		os.Exit(99)
	}
	if link == nil {
		os.Exit(m.Run())
	}
	var s testSetup
	must.Do(link.Setup(&s))
	link.Doing("working")
	switch s.Do {
	case "report":
		link.Keep([]byte("{}"))
		link.Figures([]byte("[]"))
		var all sync.WaitGroup
		for range 100 { // each returns, also when several wait
			all.Go(link.Sync)
		}
		all.Wait()
		link.Exit(3)
		os.Exit(3)
	case "report and be killed":
		link.Exit(1)
		syscall.Kill(os.Getpid(), syscall.SIGKILL)
	case "be killed while it reports":
		link.Figures([]byte("[]"))
		fmt.Fprint(link.reports, link.word, " figures [1, ")
		syscall.Kill(os.Getpid(), syscall.SIGKILL)
	case "be killed when it begins to report":
		fmt.Fprint(link.reports, link.word[:3])
		syscall.Kill(os.Getpid(), syscall.SIGKILL)
	case "impersonate":
		// What a program can do that finds the pipe.
		fmt.Fprintln(os.NewFile(reportsFile, "reports"), "exit 0")
		fmt.Fprintln(os.NewFile(reportsFile, "reports"), "keep {}")
		fmt.Fprint(os.NewFile(reportsFile, "reports"), strings.Repeat("x", 1<<20))
		link.Sync() // which never returns
		link.Exit(0)
	case "exit":
		fmt.Println("a message")
		fmt.Fprintln(os.Stderr, "another")
		os.Exit(0)
	case "abort":
		syscall.Kill(os.Getpid(), syscall.SIGABRT)
	case "wait to begin":
		<-link.Begun()
		link.Exit(4)
		os.Exit(4)
	case "wait for a signal":
		link.Doing("ready")
		link.Exit(int(128 + (<-link.Signals()).(syscall.Signal)))
		os.Exit(0)
	}
	time.Sleep(time.Hour)
}

func run(t *testing.T, c Child) *End {
	t.Helper()
	c.Environment = os.Environ()
	return must.Get(Run(c))
}

func TestOnlyWhatIsReportedCounts(t *testing.T) {
	for do, want := range map[string]End{
		"report":                             {Kept: "{}", Figures: "[]", Reported: true, Code: 3, Status: 3},
		"report and be killed":               {Reported: true, Code: 1, Signal: syscall.SIGKILL},
		"be killed while it reports":         {Figures: "[]", Signal: syscall.SIGKILL},
		"be killed when it begins to report": {Signal: syscall.SIGKILL},
		"impersonate":                        {Foreign: true, Signal: syscall.SIGKILL},
		"exit":                               {Messages: "a message\nanother"},
	} {
		want.Doing = "working"
		got := run(t, Child{Setup: testSetup{do}, Quiet: true})
		want.Started, want.Begun = got.Started, got.Begun // it may be over before it is told to begin
		if *got != want {
			t.Errorf("%s: %+v, want %+v", do, *got, want)
		}
	}
	if got := run(t, Child{Setup: testSetup{"abort"}}); got.Reported || got.Signal != syscall.SIGABRT && got.Status == 0 {
		t.Errorf("abort: %+v", *got)
	}
}

func TestChildIsKilledWhenItsTimeIsOver(t *testing.T) {
	e := run(t, Child{Setup: testSetup{"hang"}, Timeout: 100 * time.Millisecond})
	if !e.Late || e.Reported || e.Signal != syscall.SIGKILL {
		t.Errorf("%+v", *e)
	}
}

func TestChildIsKilledWhenItTakesTooMuchMemory(t *testing.T) {
	e := run(t, Child{Setup: testSetup{"hang"}, MaxMemory: 1 << 20})
	if !e.Over || e.Reported || e.Signal != syscall.SIGKILL {
		t.Errorf("%+v", *e)
	}
}

func TestChildBeginsWhenItIsTold(t *testing.T) {
	begin := make(chan struct{})
	if e := run(t, Child{Setup: testSetup{"report"}, Begin: begin, Timeout: 1}); e.Late || e.Begun || e.Code != 3 {
		t.Errorf("what it does before is a part of its time: %+v", *e)
	}
	close(begin)
	if e := run(t, Child{Setup: testSetup{"wait to begin"}, Begin: begin}); !e.Begun || e.Code != 4 {
		t.Errorf("%+v", *e)
	}
}

func TestSignalsArePassedOn(t *testing.T) {
	signals := make(chan os.Signal, 1)
	signals <- syscall.SIGHUP
	e := run(t, Child{Setup: testSetup{"wait for a signal"}, Signals: signals})
	if !e.Reported || e.Code != 129 {
		t.Errorf("%+v", *e)
	}
}

func TestVariableOfOthersIsRefused(t *testing.T) {
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), variable+"=1")
	if out, err := c.CombinedOutput(); err == nil || !strings.Contains(string(out), "unset it") {
		t.Errorf("%v: %s", err, out)
	}
}
