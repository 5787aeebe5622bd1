package compare

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"harrier/internal/model"
	"harrier/internal/plan"
	"harrier/internal/report"
	"harrier/internal/testkit/must"
)

var writeGolden = flag.Bool("write", false, "write the golden files anew")

// sample has a run of every kind.
func sample(t *testing.T) *Table {
	modes := must.Get(plan.ParseModes("stateless,stateful,dbss,bfs"))
	result := func(program, mode string, v report.Verdict, states uint64, note string) Result {
		r := Result{
			Program: program, Mode: mode, Verdict: v, Note: note, Parameters: []model.Parameter{},
			Started: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), ProcessSeconds: 1.5,
			Reproduce: "harrier check --mode " + mode + " " + program,
		}
		if states > 0 {
			r.PeakMemoryBytes = 114 << 20
			r.Figures = &Figures{
				States: states, Transitions: 5 * states, Depth: 24, Terminal: 10, LocalSteps: 294, Executions: 588,
				SetUpSeconds: 0.72, Seconds: float64(states) / 1e5,
			}
		}
		return r
	}
	paxos, faulty := "examples/paxos:acceptors=4,learners=1", "examples/paxos_faulty"
	results := []Result{
		result(paxos, "stateless", report.Inconclusive, 12345678, "the time of 1m0s is used up (--timeout)"),
		result(paxos, "stateful", report.Verified, 164703, ""),
		result(paxos, "dbss", report.Verified, 70822, ""),
		result(paxos, "bfs", NotApplicable, 0, "--hashing selective needs --search dfs"),
		result(faulty, "stateless", report.Inconclusive, 0, "it had not ended 1m0s after its time of 1m0s and was killed"),
		result(faulty, "stateful", report.Violated, 7081, ""),
		result(faulty, "dbss", report.Violated, 81, ""),
		result(faulty, "bfs", Failed, 0, "A.on depends on chance"),
	}
	results[5].Property, results[5].Steps, results[5].Trace = "agreement", 22, "harrier-out/compare/traces/P-1/trace.json"
	results[6].Property, results[6].Steps = "agreement", 19
	results[3].ExitCode, results[7].ExitCode = 2, 4
	results[0].Seconds, results[0].ExitCode = 60.01, 3
	results[4].PeakMemoryBytes, results[4].ExitCode = 3<<30, -1
	results[1].Reused = true
	table := NewTable(modes, "stateful", Limits{time.Minute, 4 << 30}, results, 0)
	table.Origin = &Origin{
		Harrier: "v1.2", Java: "17.0.1", Machine: Machine{"A processor at 2 GHz", 2, 24 << 30}, Load: 0.25, Started: results[0].Started,
	}
	return table
}

// repeated has three runs of each of two modes.
func repeated(t *testing.T) *Table {
	table := sample(t)
	var runs []Result
	for round := range 3 {
		for _, r := range table.Results[1:3] {
			figures := *r.Figures
			figures.Seconds += float64(round) / 2
			r.Figures, r.ProcessorSeconds, r.PeakMemoryBytes, r.Load = &figures, 3-float64(round), r.PeakMemoryBytes+uint64(round), 1.5
			r.Commit = "0123456789-dirty"
			runs = append(runs, r)
		}
	}
	again := NewTable(table.Modes[1:3], "stateful", table.Limits, runs, 0)
	again.Origin = table.Origin
	return again
}

func TestFormats(t *testing.T) {
	table := sample(t)
	for name, format := range map[string]func(io.Writer) error{
		"table.txt": table.Text, "table.md": table.Markdown, "table.csv": table.CSV, "table.json": table.JSON,
		"table.tex": table.LaTeX, "repeated.txt": repeated(t).Text, "repeated.csv": repeated(t).CSV, "repeated.json": repeated(t).JSON,
	} {
		t.Run(name, func(t *testing.T) {
			var got bytes.Buffer
			must.Do(format(&got))
			path := filepath.Join("testdata", name)
			if *writeGolden {
				write(t, path, got.String())
			}
			want := must.Get(os.ReadFile(path))
			if diff := cmp.Diff(string(want), got.String()); diff != "" {
				t.Errorf("%s\nwith -write the golden files are written anew", diff)
			}
		})
	}
}

// TestPlotIsWellFormed also draws tables that have little to draw.
func TestPlotIsWellFormed(t *testing.T) {
	table := sample(t)
	for _, results := range [][]Result{table.Results, table.Results[:1], table.Results[3:4]} {
		var svg bytes.Buffer
		must.Do(NewTable(table.Modes, "stateful", Limits{}, results, 0).SVG(&svg))
		for d := xml.NewDecoder(bytes.NewReader(svg.Bytes())); ; {
			if _, err := d.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatal(err)
			}
		}
		for _, text := range []string{"states by mode", ">stateless<", ">bfs<"} {
			if !strings.Contains(svg.String(), text) {
				t.Errorf("%q is not in the plot", text)
			}
		}
	}
}

// TestPlots draws all plots of tables with much, little and nothing to draw.
func TestPlots(t *testing.T) {
	grown := sample(t)
	for n := range 3 {
		for _, r := range grown.Results[1:3] {
			r.Program, r.ProcessorSeconds = fmt.Sprintf("examples/zab:leaders=%d,n=x", n+2), float64(n)+0.5
			grown.Results = append(grown.Results, r)
		}
	}
	for _, plot := range Plots {
		var svg bytes.Buffer
		must.Do(plot.Draw(grown, &svg))
		for _, want := range []string{"<svg ", map[string]string{
			"states": ">states by mode<", "time": ">time by mode<", "memory": ">peak memory, MiB<", "scaling-states": ">states by leaders<",
			"scaling-time": ">processor time, s<", "scaling-memory": ">memory by leaders<", "cactus": ">programs decided<", "scatter": ">stateless, at least<",
		}[plot.Name]} {
			if !strings.Contains(svg.String(), want) {
				t.Errorf("%q is not in the plot %s", want, plot.Name)
			}
		}
		refused := *grown
		refused.Results = refused.Results[3:4] // which has no figures
		if strings.HasPrefix(plot.Name, "scaling-") {
			refused.Results = slices.Concat(refused.Results, grown.Results[8:])
		}
		if err := plot.Draw(&refused, &svg); err != nil {
			t.Errorf("%s: %v", plot.Name, err)
		}
	}
}

// TestScalingMarksWholeNumbers has ticks at fractions where the parameter has some.
func TestScalingMarksWholeNumbers(t *testing.T) {
	for _, c := range []struct {
		values, labels []string
		absent         string
	}{
		{[]string{"2", "3"}, []string{">2<", ">3<"}, ">2.5<"},
		{[]string{"1000000", "1000001"}, []string{">1000000<", ">1000001<"}, ">1000000.5<"},
		{[]string{"2", "2.5", "3"}, []string{">2.5<"}, ">1<"},
	} {
		grown := sample(t)
		ended := grown.Results[1]
		grown.Results = nil
		for _, v := range c.values {
			ended.Program = "p:n=" + v
			grown.Results = append(grown.Results, ended)
		}
		var svg bytes.Buffer
		must.Do(grown.scaling(&svg, states))
		for _, label := range c.labels {
			if !strings.Contains(svg.String(), label) || strings.Contains(svg.String(), c.absent) {
				t.Errorf("n=%q: %s is not in the plot, or %s is:\n%s", c.values, label, c.absent, &svg)
			}
		}
	}
}

// TestSwept has the numbers of one parameter, of two, and of none.
func TestSwept(t *testing.T) {
	for want, list := range map[string]string{
		"n": "p:n=1,m=x p:n=2,m=x q:n=1", "m": "p:n=1,m=3 p:n=1,m=4.5 q:n=2,m=3",
		"it needs one parameter that takes several numbers, not m and n":      "p:n=1,m=1 p:n=2,m=2",
		"it needs a parameter that takes several numbers, as by --set n=1..4": "p:n=1 q:n=2",
	} {
		var programs []Program
		for text := range strings.FieldsSeq(list) {
			programs = append(programs, must.Get(ParseProgram(text, "", nil)))
		}
		name, err := swept(programs)
		if err != nil {
			name = err.Error()
		}
		if name != want {
			t.Errorf("%s: %s, want %s", list, name, want)
		}
	}
}

func TestExitCodes(t *testing.T) {
	refusal := Result{Verdict: NotApplicable, Note: "p does not compile", ExitCode: 2}
	other := Result{Verdict: NotApplicable, Note: "--hashing selective needs --search dfs", ExitCode: 2}
	open := Result{Verdict: report.Inconclusive}
	rule, fault := Result{Verdict: Failed, ExitCode: 4}, Result{Verdict: Failed, ExitCode: 5}
	crash := Result{Verdict: Failed, ExitCode: -1}
	good := Result{Verdict: report.Verified, Figures: &Figures{Properties: []string{"p"}}}
	bad := Result{Verdict: report.Violated, ExitCode: 1, Figures: &Figures{Property: "p"}}
	for _, c := range []struct {
		results []Result
		want    int
	}{
		{[]Result{}, 0},
		{[]Result{good, good}, 0},
		{[]Result{bad, bad}, 0},
		{[]Result{good, other}, 0},
		{[]Result{refusal, refusal}, 2},
		{[]Result{refusal}, 2},
		{[]Result{refusal, other}, 0},
		{[]Result{good, open}, 3},
		{[]Result{open, rule}, 4},
		{[]Result{rule, crash, open}, 5},
		{[]Result{fault, rule}, 5},
		{[]Result{good, open, bad, fault}, 1},
	} {
		results := slices.Clone(c.results)
		for i := range results {
			results[i].Mode = plan.Modes[i].Name
		}
		table := NewTable(plan.Modes, "stateful", Limits{}, results, 0)
		if got := table.ExitCode(); got != c.want {
			t.Errorf("%v: exit code %d, want %d", c.results, got, c.want)
		}
	}
}

// TestDisagreementsAreOfOneProgram has the same verdicts on two programs, and on two properties, which are none.
func TestDisagreementsAreOfOneProgram(t *testing.T) {
	result := func(program, mode string, v report.Verdict, property string) Result {
		return Result{Program: program, Mode: mode, Verdict: v, Figures: &Figures{Properties: []string{"safe"}, Property: property}}
	}
	results := []Result{
		result("a", "stateful", report.Verified, ""), result("a", "dbss", report.Verified, ""),
		result("b", "stateful", report.Violated, "safe"), result("b", "dbss", report.Inconclusive, ""), result("b", "mp", report.Inconclusive, ""),
		result("c", "stateful", report.Violated, "expectFinal"), result("c", "mp", report.Verified, ""),
	}
	table := NewTable(plan.Modes, "stateful", Limits{}, results, 0)
	if d := table.Disagreements(); len(d) != 0 {
		t.Errorf("%v", d)
	}
	results[3].Verdict = report.Verified
	want := []Disagreement{{Program: "b", Verified: []string{"dbss"}, Violated: []string{"stateful"}}}
	if diff := cmp.Diff(want, table.Disagreements()); diff != "" {
		t.Error(diff)
	}
	var text bytes.Buffer
	must.Do(table.Text(&text))
	if want := "DISAGREEMENT: the verdicts on b disagree: verified by dbss, violated by stateful\n"; !strings.Contains(text.String(), want) {
		t.Errorf("%q is not in\n%s", want, text.String())
	}
}

// TestTerminalStatesOfModes has as many terminal states as searches may find: partial-order reduction leaves none
// out, but keeps nothing of them that is not relevant.
func TestTerminalStatesOfModes(t *testing.T) {
	result := func(mode string, v report.Verdict, terminal uint64) Result {
		return Result{Program: "a", Mode: mode, Verdict: v, Figures: &Figures{Terminal: terminal}}
	}
	results := []Result{
		result("stateless", report.Verified, 70), result("dynamic", report.Verified, 7),
		result("stateful", report.Verified, 12), result("bfs-stateful", report.Verified, 12), result("static", report.Verified, 6),
		result("dbss", report.Verified, 5), result("bfs", report.Verified, 5), result("dbss-static", report.Verified, 5), result("dbss-all", report.Inconclusive, 3),
		result("dbss-symmetry", report.Verified, 2), result("static-symmetry", report.Verified, 2), result("m-mp", report.Verified, 8), result("macro", report.Verified, 9),
	}
	disagreements := func() string {
		var lines []string
		for _, d := range NewTable(plan.Modes, "stateful", Limits{}, results, 0).Disagreements() {
			lines = append(lines, d.String())
		}
		return strings.Join(lines, "\n")
	}
	if d := disagreements(); d != "" {
		t.Error(d)
	}
	results[7].Terminal, results[10].Terminal = 4, 3
	want := "the terminal states of a disagree: 5 by dbss, 5 by bfs, 4 by dbss-static\nthe terminal states of a disagree: 2 by dbss-symmetry, 3 by static-symmetry"
	if got := disagreements(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestRatiosAreOfSearchesToTheSameEnd(t *testing.T) {
	figures := &Figures{States: 10, Seconds: 1}
	base := &Result{Verdict: report.Verified, Figures: &Figures{States: 20, Seconds: 4}}
	for _, v := range []report.Verdict{report.Verified, report.Violated, report.Inconclusive, NotApplicable, Failed} {
		r := &Result{Verdict: v, Figures: figures}
		states, ok := r.StatesRatio(base)
		if want := v == report.Verified; ok != want || want && states != 0.5 {
			t.Errorf("%s: states %v, %v", v, states, ok)
		}
		seconds, ok := r.TimeRatio(base)
		if want := v == report.Verified; ok != want || want && seconds != 0.25 {
			t.Errorf("%s: time %v, %v", v, seconds, ok)
		}
		r.ProcessorSeconds, base.ProcessorSeconds = 3, 2
		processor, ok := r.ProcessorRatio(base)
		if want := v == report.Verified; ok != want || want && processor != 1.5 {
			t.Errorf("%s: processor time %v, %v", v, processor, ok)
		}
	}
	open := &Result{Verdict: report.Inconclusive, Figures: figures}
	if _, ok := open.StatesRatio(open); ok {
		t.Error("searches that did not end have a ratio")
	}
}

func TestRatio(t *testing.T) {
	for ratio, want := range map[float64]string{1: "1.00", 0.4301: "0.43", 0.0123: "0.012", 0: "0.00", 12.345: "12.35", 1234.5: "1,235"} {
		if got := Ratio(ratio, true); got != want {
			t.Errorf("%v: %s, want %s", ratio, got, want)
		}
	}
}
