package report

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"harrier/internal/model"
	"harrier/internal/section"
	"harrier/serializer"
)

func TestProgressLineFitsTheTerminal(t *testing.T) {
	f := Figures{
		States: 2_838_909, Transitions: 18_990_080, Depth: 34, Frontier: 21,
		Executions: 1476, Evaluations: 711_065, MemoryBytes: 247 << 20, MaxMemoryBytes: 4 << 30,
		Slow: "a: A.on(B) for 5s",
	}
	got := progressLine(f, Figures{Transitions: 17_990_080}, 200*time.Millisecond, 5*time.Second)
	want := "5s  2.84M states  19M transitions 5M/s  711k evaluations  depth 34  frontier 21  247 MiB / 4.0 GiB  1,476 Java steps  in a: A.on(B) for 5s"
	if got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	f.OnRuns, f.RunStates, f.Slow = true, 930_087, ""
	got = progressLine(f, Figures{RunStates: 910_087}, 200*time.Millisecond, 5*time.Second)
	if onRuns := "5s  all 2.84M states explored  runs: 930k states 100k/s  711k evaluations  247 MiB / 4.0 GiB  1,476 Java steps"; got != onRuns {
		t.Errorf("got  %q\nwant %q", got, onRuns)
	}
	if got := fit(want, 40); len(got) != 39 || !strings.HasPrefix(want, got) {
		t.Errorf("on 40 columns: %q", got)
	}
	if got := fit(want, 200); got != want {
		t.Errorf("on 200 columns: %q", got)
	}
}

func TestProgressIsLinesWithoutATerminal(t *testing.T) {
	var log strings.Builder
	called := make(chan bool)
	p := startLine(&log, nil, func(time.Duration) string { called <- true; return "some states" }, time.Millisecond)
	<-called
	<-called // so the first line is written
	go func() {
		for range called {
		}
	}()
	p.Stop()
	if got := log.String(); !strings.HasPrefix(got, "some states\n") || strings.ContainsAny(got, "\r\x1b") {
		t.Errorf("got %q", got)
	}
}

func TestMemoryIsShownAgainstItsLimit(t *testing.T) {
	for _, c := range []struct {
		used, limit uint64
		want        string
	}{
		{247 << 20, 0, "247 MiB"}, {247 << 20, 21 << 30, "247 MiB / 21 GiB"}, {5 << 28, 21 << 30, "1.3 / 21 GiB"},
		{200 << 20, 300 << 20, "200 / 300 MiB"},
	} {
		if got := memoryText(c.used, c.limit); got != c.want {
			t.Errorf("memoryText(%d, %d) = %s, want %s", c.used, c.limit, got, c.want)
		}
	}
}

func TestCommandLineCanBePasted(t *testing.T) {
	got := CommandLine("harrier", "check", "my protocol.java", "--set", "name=it's", "")
	if want := `harrier check 'my protocol.java' --set 'name=it'\''s' ''`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestEqualMessagesToSeveralReceiversAreOneLine(t *testing.T) {
	sends := []Message{
		{Sender: "a", Receiver: "x", Text: "Go()"}, {Sender: "a", Receiver: "y", Text: "Stop()"},
		{Sender: "", Receiver: "z", Text: "Go()"}, {Sender: "a", Receiver: "z", Text: "Go()"},
	}
	got := strings.Join(sendsText(sends, true), "; ")
	if want := "a sends Go() to x, z; a sends Stop() to y; the scenario sends Go() to z"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestLongValuesAreCutAroundWhatChanged(t *testing.T) {
	long := strings.Repeat("x", 1000)
	var text strings.Builder
	Execution{Steps: []Step{{Event: "receive", Actor: "a", Receives: []Message{{Text: long, Sender: "b"}},
		Changes: []serializer.Change{{Path: "log", Old: long + "1" + long, New: long + "2"}}}}}.Text(&text, NewPainter(false))
	for _, want := range []string{
		"receives " + strings.Repeat("x", 400) + "… (600 more characters) from b\n",
		"log: …" + strings.Repeat("x", 40) + "1" + strings.Repeat("x", 358) + "… (642 more characters) -> …" + strings.Repeat("x", 40) + "2\n",
		"long values are cut: --show CLASS=METHOD, or @Show on the scenario, shows ",
	} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("%q is not in\n%s", want, &text)
		}
	}
}

func TestEventsOfModelsAreReadable(t *testing.T) {
	vote := func(sender, text string) Message { return Message{Sender: sender, Receiver: "x", Text: text} }
	for want, s := range map[string]Step{
		"No() from b is delivered to x": {Event: "deliver", Actor: "x", Receives: []Message{vote("b", "No()")}},
		"x receives Yes() from a, c and No() from b  X.on(Set<Vote>)": {
			Event: "receive", Actor: "x", Handler: "X.on(Set<Vote>)",
			Receives: []Message{vote("a", "Yes()"), vote("b", "No()"), vote("c", "Yes()")},
		},
		"b (Byzantine) sends No() to x":              {Event: "byzantine", Actor: "b", Receives: []Message{vote("b", "No()")}},
		"a copy of No() from the scenario reaches x": {Event: "duplicate", Actor: "x", Receives: []Message{vote("", "No()")}},
	} {
		var out bytes.Buffer
		Execution{Steps: []Step{s}}.Text(&out, NewPainter(false))
		if !strings.Contains(out.String(), "   1  "+want+"\n") {
			t.Errorf("%q is not in\n%s", want, out.String())
		}
	}
}

func TestDepartsNamesTheStep(t *testing.T) {
	trace := func(digests ...string) *Trace {
		t := &Trace{Violation: Violation{Message: "m"}}
		for _, d := range digests {
			t.Steps = append(t.Steps, Step{Digest: d})
		}
		return t
	}
	if err := trace("1", "2").Departs(trace("1", "2")); err != nil {
		t.Errorf("equal traces depart: %v", err)
	}
	if err := trace("1", "2").Departs(trace("1", "3")); err == nil || !strings.Contains(err.Error(), "step 2") {
		t.Errorf("error %v, want one that names step 2", err)
	}
	other := trace("1")
	other.Violation.Failure, other.Violation.Message = &model.Failure{}, "n"
	if err := trace("1").Departs(other); err == nil {
		t.Error("another violation is taken for the same")
	}
}

func TestVerdictHasWhatWasNotReached(t *testing.T) {
	s := Summary{Answer: Answer{Scenario: "p.S", Verdict: Verified, Properties: []string{"safe", "live"}, NotReached: []NotReached{{"live", "no operation begins"}}}}
	s.Sections = []section.Section{{Name: "time", Value: struct{}{}, Lines: []section.Line{{Label: "time", Text: "1 s\x1b"}}}}
	var out bytes.Buffer
	s.Text(&out, NewPainter(false))
	if want := "VERIFIED  p.S\n  holds         safe\n  not reached   live: no operation begins\n  time          1 s\\x1b\n"; out.String() != want {
		t.Errorf("got\n%s, want\n%s", out.String(), want)
	}
}
