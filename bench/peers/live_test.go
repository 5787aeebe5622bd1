package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"
)

// TestVerdictsOnLiveness holds harrier, TLC and, if it is there, Spin to the verdicts of the smallest cases, and the states of the cases
// without a violation to each other. It takes minutes, so it runs where `make bench-liveness` has put TLC.
func TestVerdictsOnLiveness(t *testing.T) {
	if why := unavailable("tlc"); why != "" {
		t.Skip(why)
	}
	tools := []string{"tlc"}
	if why := unavailable("spin-plain"); why != "" {
		t.Logf("without Spin: %s", why)
	} else {
		tools = append(tools, "spin")
	}
	var stdout bytes.Buffer
	code, err := run(t.Context(), []string{
		"-harrier", harrierBuilt(), "-folder", ".", "-examples", "../../examples", "-runs", "1", "-liveness", "1", "-only", strings.Join(tools, ","),
	}, &stdout, t.Output())
	if code != 0 || err != nil {
		t.Fatalf("%d, %v", code, err)
	}
	if rows := strings.Count(stdout.String(), "\n| "); rows != len(liveCases(1)) {
		t.Errorf("%d rows:\n%s", rows, &stdout)
	}
}

func TestAnotherVerdictOnLivenessIsNoted(t *testing.T) {
	s := settings{folder: t.TempDir(), runs: 1, timeout: time.Minute}
	says := liveTool{
		key: "says", name: "says", able: func(liveCase) bool { return true },
		prepare: func(context.Context, liveCase, string, io.Writer) error { return nil },
		command: func(liveCase) []string { return []string{"echo", "violated"} },
		read:    func(output string) (bool, uint64, error) { return output == "violated\n", 7, nil },
	}
	if r, err := s.ask(t.Context(), liveCase{violated: true}, says, io.Discard); err != nil || r.states != 7 {
		t.Errorf("%+v, %v", r, err)
	}
	var different unequal
	if _, err := s.ask(t.Context(), liveCase{}, says, io.Discard); !errors.As(err, &different) {
		t.Errorf("%v", err)
	}
	says.command = func(liveCase) []string { return []string{"sleep", "1000"} }
	s.timeout = 10 * time.Millisecond
	if r, err := s.ask(t.Context(), liveCase{}, says, io.Discard); err != nil || r.note == "" {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestOtherStatesOfAPropertyThatHoldsAreNoted(t *testing.T) {
	tools := []liveTool{{key: "harrier-plain"}, {key: "tlc"}}
	for _, c := range []struct {
		violated     bool
		harrier, tlc uint64
		equal        bool
	}{{false, 7, 7, true}, {false, 7, 8, false}, {true, 7, 8, true}, {false, 7, 0, true}} {
		err := equalStates(liveCase{violated: c.violated}, tools, []liveResult{{states: c.harrier}, {states: c.tlc}})
		if (err == nil) != c.equal {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

func TestReadVerdictsOnLiveness(t *testing.T) {
	const (
		tlc     = "Model checking completed. No error has been found.\n150 states generated, 29 distinct states found, 0 states left on queue.\n"
		lasso   = "pan:1: acceptance cycle (at depth 63)\nWarning: Search not completed\n"
		wrong   = "Error: Temporal properties were violated.\n"
		verdict = "No error has been found"
	)
	violated := strings.Replace(pan, "errors: 0", "errors: 1", 1)
	for _, c := range []struct {
		name, output string
		read         func(string) (bool, uint64, error)
		violated     bool
		states       uint64 // 0 if there is no verdict
	}{
		{"TLC, verified", tlc, readLiveTLC, false, 29},
		{"TLC, violated", strings.Replace(tlc, verdict, wrong, 1), readLiveTLC, true, 29},
		{"TLC, an invariant is violated", strings.Replace(tlc, verdict, "Invariant Agreement is violated", 1), readLiveTLC, false, 0},
		{"Spin, verified", pan, readLiveSpin, false, 2895505},
		{"Spin, violated", lasso + violated, readLiveSpin, true, 2895505},
		{"Spin, an assertion is violated", violated, readLiveSpin, false, 0},
		{"Spin, cut off", pan + "Warning: Search not completed", readLiveSpin, false, 0},
		{"Spin, too deep", "error: max search depth too small\n" + pan, readLiveSpin, false, 0},
		{"harrier, verified", `{"verdict": "verified", "liveness": [{"states": 3}, {"states": 5}]}`, readLiveHarrier, false, 5},
		{"harrier, inconclusive", `{"verdict": "inconclusive", "liveness": [{"states": 3}]}`, readLiveHarrier, false, 0},
		{"harrier, no property of runs", `{"verdict": "verified"}`, readLiveHarrier, false, 0},
	} {
		got, states, err := c.read(c.output)
		if got != c.violated || states != c.states || (err != nil) != (c.states == 0) {
			t.Errorf("%s: %v, %d, %v", c.name, got, states, err)
		}
	}
}
