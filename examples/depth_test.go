package examples

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"math"
	"os"
	"testing"
	"time"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/plotutil"
	"gonum.org/v1/plot/vg"

	"harrier/internal/twin"
	"harrier/model"
)

var byDepth = flag.String("by-depth", "", "write what bounded search of Paxos between three nodes takes, by depth, as `FILE`.md and .svg")

// executing counts how often handlers are executed.
type executing struct {
	model.Oracle
	executions uint64
}

func (e *executing) Steps(ctx context.Context, questions []model.Question) ([]model.Answer, error) {
	answers, err := e.Oracle.Steps(ctx, questions)
	for _, a := range answers {
		e.executions += uint64(a.Executions)
	}
	return answers, err
}

// TestBoundedSearchByDepth makes Figures 10 and 11 of Guerraoui, Yabandeh, "Model Checking a Networked System Without the Network" (NSDI
// 2011): its baseline B-DFS is the twin, which executes a handler for each transition and remembers whole states, beside local
// search, which executes it for each local step. B-DFS executes those of states at the bound, too, to see which of them are terminal.
// The order in which states are met does not matter for their number.
func TestBoundedSearchByDepth(t *testing.T) {
	if *byDepth == "" {
		t.Skip("it is measured with -by-depth")
	}
	from := source(t, model.M, "paxos-node", "proposals=1")
	from.Recheck = "none"
	p := loadFrom(t, from)
	o := single("dfs")
	o.Search = "local"
	began := time.Now()
	c := explore(t, p, "selective", o)
	seconds, stats := time.Since(began).Seconds(), c.Actors().Stats()

	var text bytes.Buffer
	fmt.Fprintln(&text, "`make fig10` writes this. ![States by depth](by-depth-states.svg) ![Seconds by depth](by-depth-seconds.svg)")
	fmt.Fprintln(&text)
	fmt.Fprintln(&text, "| search | depth | states | transitions | handlers executed | seconds |\n|---|---:|---:|---:|---:|---:|")
	fmt.Fprintf(&text, "| local | | %d | | %d | %.2f |\n", stats.LocalStates, stats.Executions, seconds)
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
		fmt.Fprintf(&text, "| B-DFS | %d | %d | %d | %d | %.2f |\n", depth, last.States, last.Transitions, e.executions, taken)
		times = append(times, plotter.XY{X: float64(depth), Y: taken})
		states = append(states, plotter.XY{X: float64(depth), Y: float64(last.States)})
	}
	if last.Violations != 0 || last.Transitions <= 10*stats.Executions {
		t.Errorf("%d violations, %d transitions; local search executed %d handlers", last.Violations, last.Transitions, stats.Executions)
	}
	if err := os.WriteFile(*byDepth+".md", text.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	draw(t, "states", states, float64(stats.LocalStates))
	draw(t, "seconds", times, seconds)
}

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
