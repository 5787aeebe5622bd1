// Package bench measures harrier on its examples, in Go's benchmark format. `make bench` runs it.
// Figures are for comparing within one run on one machine; no test depends on them.
package bench

import (
	"encoding/json"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"harrier/bench/frame"
)

// BenchmarkCheck runs the command as a user does, from the start of the process to the verdict, and
// reports the figures of its own summary.
func BenchmarkCheck(b *testing.B) {
	for _, c := range []struct {
		name      string
		arguments []string
	}{
		{"paxos/2-3-1/dfs", []string{"../examples/paxos", "--search", "dfs"}},
		{"paxos/2-3-1/bfs", []string{"../examples/paxos", "--search", "bfs"}},
		{"paxos/2-4-1/dfs", []string{"../examples/paxos", "--set", "acceptors=4", "--search", "dfs"}},
		{"paxos/2-4-1/bfs", []string{"../examples/paxos", "--set", "acceptors=4", "--search", "bfs"}},
	} {
		b.Run(c.name, func(b *testing.B) {
			var s frame.Summary
			for b.Loop() {
				s = run(b, append(c.arguments, "--symmetry", "off", "--reduction", "off", "--hashing", "fields"))
			}
			b.ReportMetric(float64(s.States), "states")
			b.ReportMetric(float64(s.Transitions), "transitions")
			b.ReportMetric(float64(s.Transitions)/s.Seconds, "transitions/s")
			b.ReportMetric(float64(s.VisitedBytes+s.FrontierBytes)/float64(s.States), "B/state")
			b.ReportMetric(float64(s.LocalStates), "local-states")
			b.ReportMetric(float64(s.LocalSteps), "local-steps")
			b.ReportMetric(float64(s.Executions), "executions")
			b.ReportMetric(float64(s.PeakMemoryBytes)/(1<<20), "peak-MiB")
			b.ReportMetric(s.SetUpSeconds, "set-up-s")
		})
	}
}

// BenchmarkSymmetry puts searches with and without symmetry side by side, as programs get more symmetric actors. Times are
// of the search, without Java's start, and of the check that they are symmetric.
func BenchmarkSymmetry(b *testing.B) {
	for _, c := range []struct{ program, parameter string }{
		{"two-phase-commit", "managers=3"},
		{"two-phase-commit", "managers=5"},
		{"two-phase-commit", "managers=7"},
		{"paxos", "acceptors=3"},
		{"paxos", "acceptors=4"},
		{"paxos", "proposers=1,acceptors=7"},
	} {
		b.Run(c.program+"/"+c.parameter, func(b *testing.B) {
			arguments := []string{"../examples/" + c.program, "--reduction", "off", "--hashing", "fields"}
			for set := range strings.SplitSeq(c.parameter, ",") {
				arguments = append(arguments, "--set", set)
			}
			var off, on frame.Summary
			for b.Loop() {
				off = run(b, append(slices.Clone(arguments), "--symmetry", "off"))
				on = run(b, append(slices.Clone(arguments), "--symmetry", "on"))
			}
			b.ReportMetric(float64(off.States), "states-off")
			b.ReportMetric(float64(on.States), "states-on")
			b.ReportMetric(float64(off.States)/float64(on.States), "times-fewer-states")
			b.ReportMetric(float64(off.States)/off.Seconds, "states/s-off")
			b.ReportMetric(float64(on.States)/on.Seconds, "states/s-on")
			b.ReportMetric(off.Seconds, "search-s-off")
			b.ReportMetric(on.Seconds, "search-s-on")
			b.ReportMetric(off.Seconds/on.Seconds, "times-faster")
			b.ReportMetric(on.Symmetry.Check.Seconds, "check-s-on")
		})
	}
}

func run(b *testing.B, arguments []string) frame.Summary {
	out, err := exec.Command("../bin/harrier", append([]string{"check", "--json"}, arguments...)...).Output()
	if err != nil {
		b.Fatalf("bin/harrier check %v: %v; build it with make build", arguments, err)
	}
	var s frame.Summary
	if err := json.Unmarshal(out, &s); err != nil {
		b.Fatal(err)
	}
	return s
}
