// Package examples holds example programs. Its test checks each against the verdict that its comment
// states and against the golden counts.
package examples

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"harrier/bridge"
	"harrier/dbss"
	"harrier/internal/twin"
	"harrier/model"
	"harrier/property"
	"harrier/report"
)

// jvm is the virtual machine of all tests: a process can have one.
var jvm *bridge.JVM

func TestMain(m *testing.M) {
	jdk, err := bridge.FindJDK("")
	if err == nil {
		jvm, err = bridge.Open(jdk, bridge.Options{})
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// golden is a line of golden.txt.
type golden struct {
	program, parameters, search string
	verdict                     string
	states, transitions         uint64
	depth                       int
}

func readGolden(t *testing.T) []golden {
	f, err := os.Open("golden.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var lines []golden
	for s := bufio.NewScanner(f); s.Scan(); {
		if strings.HasPrefix(s.Text(), "#") {
			continue
		}
		var g golden
		if _, err := fmt.Sscan(s.Text(), &g.program, &g.parameters, &g.search, &g.verdict, &g.states, &g.transitions, &g.depth); err != nil {
			t.Fatalf("line %q: %v", s.Text(), err)
		}
		lines = append(lines, g)
	}
	return lines
}

func load(t *testing.T, program, parameters string, recheck bool) *bridge.Program {
	t.Helper()
	values := map[string]string{}
	if parameters != "-" {
		for _, p := range strings.Split(parameters, ",") {
			name, value, _ := strings.Cut(p, "=")
			values[name] = value
		}
	}
	p, err := jvm.Load(context.Background(), bridge.Source{Path: program, Parameters: values, Recheck: recheck})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// explore searches a program and executes again what is found.
func explore(t *testing.T, p *bridge.Program, o dbss.Options) (*model.Actors, *dbss.Result) {
	t.Helper()
	actors, err := model.NewActors(p, model.Decomposition{})
	if err != nil {
		t.Fatal(err)
	}
	result, err := dbss.Search(context.Background(), actors, property.NewChecker(p, actors), o, &dbss.Progress{})
	if err != nil {
		t.Fatal(err)
	}
	if v := result.Violation; v != nil {
		actions, err := actors.Actions(v.Path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := report.Record(context.Background(), p, actors.Decomposition, report.Found{Kind: v.Kind, Property: v.Property, Actions: actions}); err != nil {
			t.Errorf("the counterexample does not replay: %v", err)
		}
	}
	return actors, result
}

// awaiting are the examples whose properties read histories: the search does not keep any yet.
var awaiting = map[string]bool{"register": true, "register-wrong": true}

func TestGoldenCounts(t *testing.T) {
	orders := map[string]dbss.Order{"dfs": dbss.DepthFirst, "bfs": dbss.BreadthFirst}
	for _, want := range readGolden(t) {
		t.Run(want.program+" "+want.parameters+" "+want.search, func(t *testing.T) {
			if awaiting[want.program] {
				t.Skip("the search keeps no histories yet")
			}
			if testing.Short() && want.states > 1_000_000 {
				t.Skip("large")
			}
			actors, result := explore(t, load(t, want.program, want.parameters, true), dbss.Options{Order: orders[want.search]})
			got := want
			got.verdict, got.states, got.transitions, got.depth = "verified", result.States, result.Transitions, result.Depth
			if result.Violation != nil {
				got.verdict = "violated"
			} else if !result.Complete {
				got.verdict = "inconclusive"
			}
			if got != want {
				t.Errorf("got  %v\nwant %v", got, want)
			}
			if stats := actors.Stats(); stats.Executions > 2*stats.LocalSteps {
				t.Errorf("%d executions for %d local steps: more than two each", stats.Executions, stats.LocalSteps)
			}
		})
	}
}

var expected = regexp.MustCompile(`<p>Expected: (verified|violated)\b`)

// TestEveryExampleStatesItsVerdict compares what an example's comment says with the golden verdicts
// of its default parameters, of which there must be some for both orders.
func TestEveryExampleStatesItsVerdict(t *testing.T) {
	verdicts := map[string]map[string]string{}
	for _, g := range readGolden(t) {
		if g.parameters == "-" {
			if verdicts[g.program] == nil {
				verdicts[g.program] = map[string]string{}
			}
			verdicts[g.program][g.search] = g.verdict
		}
	}
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if !entry.IsDir() {
			continue
		}
		folder, stated := entry.Name(), ""
		files, _ := filepath.Glob(filepath.Join(folder, "*.java"))
		for _, file := range files {
			b, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if m := expected.FindSubmatch(b); m != nil {
				stated = string(m[1])
			}
		}
		for _, search := range []string{"dfs", "bfs"} {
			if stated == "" || verdicts[folder][search] != stated {
				t.Errorf("%s: its comment says %q, golden.txt says %q for %s", folder, stated, verdicts[folder][search], search)
			}
		}
	}
}

// TestTwinAgrees compares the search with the dumb twin, which asks Java for every step of every
// state anew, on complete searches of every example at sizes that the twin can bear.
func TestTwinAgrees(t *testing.T) {
	for _, c := range []struct{ program, parameters string }{
		{"pingpong", "-"},
		{"pingpong", "players=3,rounds=2"},
		{"paxos", "proposers=1"},
		{"paxos", "acceptors=2"},
		{"paxos", "-"},
		{"paxos-faulty", "acceptors=2"},
		{"paxos-faulty", "-"},
		{"paxos-faulty2", "acceptors=2"},
	} {
		t.Run(c.program+" "+c.parameters, func(t *testing.T) {
			p := load(t, c.program, c.parameters, false)
			want := twin.Explore(p, twin.Options{})
			for _, order := range []dbss.Order{dbss.DepthFirst, dbss.BreadthFirst} {
				actors, r := explore(t, p, dbss.Options{Order: order, KeepGoing: true})
				got := [...]uint64{r.States, r.Transitions, r.Terminal, r.Leftover, r.Violations, actors.Stats().LocalSteps}
				wanted := [...]uint64{want.States, want.Transitions, want.Terminal, want.Leftover, want.Violations, want.LocalSteps}
				if got != wanted {
					t.Errorf("order %d: states, transitions, ends, leftovers, violations, local steps %v; the twin has %v", order, got, wanted)
				}
			}
			_, r := explore(t, p, dbss.Options{Order: dbss.BreadthFirst})
			if (r.Violation != nil) != (want.Violations > 0) {
				t.Fatalf("violation %v; the twin met %d", r.Violation, want.Violations)
			}
			if r.Violation != nil && len(r.Violation.Path) != want.Shortest {
				t.Errorf("the counterexample has %d steps, the shortest %d", len(r.Violation.Path), want.Shortest)
			}
		})
	}
}
