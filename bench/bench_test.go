// Package bench measures harrier on its examples, in Go's benchmark format. `make bench` runs it.
// Figures are for comparing within one run on one machine; no test depends on them.
package bench

import (
	"encoding/json"
	"os/exec"
	"testing"

	"harrier/report"
)

// BenchmarkCheck runs the command as a user does, from the start of the process to the verdict, and
// reports the figures of its own summary.
func BenchmarkCheck(b *testing.B) {
	for _, c := range []struct {
		name      string
		arguments []string
	}{
		{"paxos/2-3-1/dfs", []string{"../examples/paxos"}},
		{"paxos/2-3-1/bfs", []string{"../examples/paxos", "--search", "bfs"}},
		{"paxos/2-4-1/dfs", []string{"../examples/paxos", "--set", "acceptors=4"}},
		{"paxos/2-4-1/bfs", []string{"../examples/paxos", "--set", "acceptors=4", "--search", "bfs"}},
	} {
		b.Run(c.name, func(b *testing.B) {
			var s report.Summary
			for b.Loop() {
				s = run(b, c.arguments)
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

func run(b *testing.B, arguments []string) report.Summary {
	out, err := exec.Command("../bin/harrier", append([]string{"check", "--json", "--symmetry", "off"}, arguments...)...).Output()
	if err != nil {
		b.Fatalf("bin/harrier check %v: %v; build it with make build", arguments, err)
	}
	var s report.Summary
	if err := json.Unmarshal(out, &s); err != nil {
		b.Fatal(err)
	}
	return s
}
