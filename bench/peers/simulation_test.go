package main

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

// TestRandomRunsMeetTheViolations has the tools that are there take random runs, of one seed.
func TestRandomRunsMeetTheViolations(t *testing.T) {
	t.Setenv("CARGO_NET_OFFLINE", "true")
	only := "harrier"
	for _, tool := range []string{"stateright", "tlc"} {
		if why := unavailable(tool); why != "" {
			t.Logf("without %s: %s", tool, why)
		} else {
			only += "," + tool
		}
	}
	var stdout bytes.Buffer
	code, err := run(t.Context(), []string{
		"-harrier", harrierBuilt(), "-folder", ".", "-examples", "../../examples", "-simulation", "1", "-protocol", "paxos-faulty,", "-only", only,
	}, &stdout, t.Output())
	if code != 0 || err != nil {
		t.Fatalf("%d, %v", code, err)
	}
	for line := range strings.Lines(stdout.String()) {
		if strings.HasPrefix(line, "| paxos-faulty,") && !strings.Contains(line, "| 1 of 1 |") {
			t.Error(line)
		}
	}
	if !strings.Contains(stdout.String(), "| harrier, random runs |") {
		t.Error(stdout.String())
	}
}

func TestRunsThatMeetNoViolationAreNoFigures(t *testing.T) {
	for name, c := range map[string]struct {
		read   func(string) (uint64, float64, error)
		output string
		steps  uint64 // 0 for an error
	}{
		"harrier":             {readHarrierRuns, `{"verdict": "violated", "transitions": 7}`, 7},
		"harrier, none":       {readHarrierRuns, `{"verdict": "inconclusive", "transitions": 7}`, 0},
		"TLC":                 {readTLCRuns, "Error: Invariant Agreement is violated.\nThe number of states generated: 7\n", 7},
		"TLC, none":           {readTLCRuns, "The number of states generated: 7\n", 0},
		"Stateright":          {readStaterightRuns, "unique=8 generated=8 seconds=1 violated=true", 7},
		"Stateright, nothing": {readStaterightRuns, "", 0},
	} {
		if steps, _, err := c.read(c.output); steps != c.steps || (err != nil) != (c.steps == 0) {
			t.Errorf("%s: %d, %v", name, steps, err)
		}
	}
}

func TestSlowRunsAreNotAmongTheMedians(t *testing.T) {
	s := settings{timeout: time.Second}
	quick := measured{figures: figures{transitions: 10, seconds: 0.1}, wall: 0.5, cpu: 0.25}
	late := measured{figures: figures{late: true}, wall: 1}
	for _, c := range []struct {
		runs []measured
		want string
	}{
		{[]measured{quick, late}, "p|t|10|0.100|0.50|0.25|1 of 2"},
		{[]measured{late, late}, "p|t|||> 1||0 of 2"},
	} {
		if got := strings.Join(s.simulationCells("p", "t", c.runs), "|"); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
	slow := simulator{command: func(string) []string { return []string{"sleep", "100"} }}
	s.timeout = time.Millisecond
	if m, err := s.simulate(t.Context(), slow, "1"); err != nil || !m.late {
		t.Errorf("%+v, %v", m, err)
	}
	failing := simulator{command: func(string) []string { return []string{"false"} }, read: readTLCRuns}
	s.timeout = time.Minute
	if _, err := s.simulate(t.Context(), failing, "1"); err == nil {
		t.Error("a tool that fails has figures")
	}
}
