package examples

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"math"
	"os"
	"runtime"
	"testing"
	"time"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/plotutil"
	"gonum.org/v1/plot/vg"

	"harrier/internal/check"
	"harrier/internal/model"
	"harrier/internal/plan"
	"harrier/internal/process/memory"
	"harrier/internal/testkit/twin"
)

var byDepth = flag.String("by-depth", "", "write what bounded search of Paxos between three nodes takes, by depth, as `FILE`.md and .svg")

// executing counts how often handlers are executed, and reads the heap at one of its calls.
type executing struct {
	model.Oracle
	executions    uint64
	calls, readAt int
	heap          uint64
}

func (e *executing) Steps(ctx context.Context, questions []model.Question) ([]model.Answer, error) {
	answers, err := e.Oracle.Steps(ctx, questions)
	for _, a := range answers {
		e.executions += uint64(a.Executions)
	}
	if e.calls++; e.calls == e.readAt {
		e.heap = memory.Live()
	}
	return answers, err
}

// TestBoundedSearchByDepth makes Figures 10 and 11 of Guerraoui, Yabandeh, "Model Checking a Networked System Without the Network" (NSDI
// 2011): its baseline B-DFS is the twin, which executes a handler for each transition and remembers whole states, beside local
// search, which executes it for each local step. B-DFS executes those of states at the bound, too, to see which of them are terminal.
// Plain search tells senders apart as the twin does (fields). The order in which states are met does not matter for their number. Macro steps and local search have no bound of transitions.
// The heap is that at the end, with what the test remembers of Java's answers.
func TestBoundedSearchByDepth(t *testing.T) {
	if *byDepth == "" {
		t.Skip("it is measured with -by-depth")
	}
	from := source(t, model.M, "paxos-node", "proposals=1")
	from.Recheck = "none"
	var text bytes.Buffer
	fmt.Fprintln(&text, "`make fig10` writes this. ![States by depth](by-depth-states.svg) ![Seconds by depth](by-depth-seconds.svg)")
	fmt.Fprintln(&text)
	fmt.Fprintln(&text, "| search | depth | states | transitions | handlers executed | seconds | KiB of Go's heap |\n|---|---:|---:|---:|---:|---:|---:|")
	run := func(name, hashing string, o plan.Options) (*check.Check, float64) {
		p := loadFrom(t, from) // which remembers no steps of the run before
		before, began := memory.Live(), time.Now()
		c := explore(t, p, hashing, o)
		seconds, f := time.Since(began).Seconds(), c.Result
		states, transitions := fmt.Sprint(f.States), fmt.Sprint(f.Transitions)
		if o.Search == "local" {
			states, transitions = fmt.Sprint(c.Actors().LocalSteps.Stats().LocalStates), ""
		}
		fmt.Fprintf(&text, "| %s | %s | %s | %d | %.2f | %d |\n", name, states, transitions, c.Actors().LocalSteps.Stats().Executions, seconds, kib(before, memory.Live()))
		runtime.KeepAlive(p)
		return c, seconds
	}
	o := single("dfs")
	o.Reduction = "macro"
	run("macro |", "selective", o)
	o = single("dfs")
	o.Search, o.LocalPruning = "local", "off"
	run("local-gen |", "selective", o)
	o.LocalPruning = "on"
	c, seconds := run("local |", "selective", o)
	stats := c.Actors().LocalSteps.Stats()
	p := loadFrom(t, from)
	var times, states plotter.XYs
	var last twin.Result
	var e executing
	for depth := 2; depth == 2 || last.Cut; depth += 2 {
		e = executing{Oracle: p.inJava}
		began := time.Now()
		last = twin.Explore(&e, twin.Options{MaxDepth: depth})
		if last.Err != nil {
			t.Fatal(last.Err)
		}
		taken := time.Since(began).Seconds()
		before, again := memory.Live(), executing{Oracle: p.inJava, readAt: e.calls} // at its last call it remembers nearly all
		twin.Explore(&again, twin.Options{MaxDepth: depth})
		fmt.Fprintf(&text, "| B-DFS | %d | %d | %d | %d | %.2f | %d |\n", depth, last.States, last.Transitions, e.executions, taken, kib(before, again.heap))
		o := single("bfs")
		o.MaxDepth = depth
		if c, _ := run(fmt.Sprint("dbss | ", depth), "fields", o); c.Result.States != last.States || c.Result.Transitions != last.Transitions {
			t.Errorf("to depth %d dbss has %d states and %d transitions, B-DFS %d and %d", depth, c.Result.States, c.Result.Transitions, last.States, last.Transitions)
		}
		times = append(times, plotter.XY{X: float64(depth), Y: taken})
		states = append(states, plotter.XY{X: float64(depth), Y: float64(last.States)})
	}
	if last.Violations != 0 || last.Transitions <= 10*stats.Executions {
		t.Errorf("%d violations, %d transitions; local search executed %d handlers", last.Violations, last.Transitions, stats.Executions)
	}
	byNodes(t, &text)
	if err := os.WriteFile(*byDepth+".md", text.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	draw(t, "states", states, float64(stats.LocalStates))
	draw(t, "seconds", times, seconds)
}

// byNodes adds how the ratio of B-DFS to local search grows with the number of nodes. Each runs to its end.
func byNodes(t *testing.T, text *bytes.Buffer) {
	t.Helper()
	fmt.Fprint(text, "\nOne proposal among more nodes, to the end:\n\n"+
		"| nodes | B-DFS: states | transitions | handlers executed | seconds | local: states | handlers executed | seconds | ratio of executions | of seconds |\n"+
		"|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n")
	for _, nodes := range []int{2, 3, 4} {
		from := source(t, model.M, "paxos-node", fmt.Sprintf("proposals=1,nodes=%d", nodes))
		from.Recheck = "none"
		p := loadFrom(t, from)
		o := single("dfs")
		o.Search = "local"
		began := time.Now()
		c := explore(t, p, "selective", o)
		local, stats := time.Since(began).Seconds(), c.Actors().LocalSteps.Stats()
		e := executing{Oracle: p.inJava}
		began = time.Now()
		r := twin.Explore(&e, twin.Options{})
		seconds := time.Since(began).Seconds()
		if r.Err != nil || r.Violations != 0 || !c.Result.Complete {
			t.Errorf("%d nodes: %v, %d violations; local search complete: %v", nodes, r.Err, r.Violations, c.Result.Complete)
		}
		fmt.Fprintf(text, "| %d | %d | %d | %d | %.2f | %d | %d | %.3f | %.0f | %.0f |\n", nodes, r.States, r.Transitions, e.executions, seconds,
			stats.LocalStates, stats.Executions, local, float64(e.executions)/float64(stats.Executions), seconds/local)
	}
}

// kib is by how much the heap grew.
func kib(before, after uint64) int64 { return (int64(after) - int64(before)) / 1024 }

// draw draws a figure of bounded search by depth, and that of local search as a level.
func draw(t *testing.T, what string, bounded plotter.XYs, local float64) {
	t.Helper()
	p := plot.New()
	p.X.Label.Text, p.Y.Label.Text = "depth", what
	p.Y.Scale, p.Y.Tick.Marker = plot.LogScale{}, plot.LogTicks{}
	end := bounded[len(bounded)-1].X
	level := plotter.XYs{{X: bounded[0].X, Y: local}, {X: end, Y: local}}
	p.Y.Min = math.Min(bounded[0].Y, local)
	if err := plotutil.AddLinePoints(p, "B-DFS", bounded, "local", level); err != nil {
		t.Fatal(err)
	}
	p.Legend.Top, p.Legend.Left = true, true
	if err := p.Save(5*vg.Inch, 3*vg.Inch, *byDepth+"-"+what+".svg"); err != nil {
		t.Fatal(err)
	}
}
