package main

import (
	"bytes"
	"math"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"harrier/bench/frame"
	"harrier/compare"
)

func paper(t *testing.T) []row {
	t.Helper()
	rows, err := readPaper(paperCSV)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// TestPaperFiguresHangTogether computes the paper's reductions of time from its times, which would notice
// a slip in copying them. Two do not fit in the paper itself.
func TestPaperFiguresHangTogether(t *testing.T) {
	slips := map[string]string{"Register (6), wrong regularity, static": "92", "Zab (6), liveness, dbss": "52"}
	compared, lines := 0, 0
	for _, r := range paper(t) {
		if programs[r.protocol+", "+r.property] == "" {
			t.Errorf("%s, %s has no program", r.protocol, r.property)
		}
		for _, l := range r.lines {
			lines++
			ratio, ok := l.time.Ratio(r.in(l.over).time)
			if !ok || l.reduction == "-" {
				continue
			}
			compared++
			name, want := r.protocol+", "+r.property+", "+l.mode, l.reduction
			if slip := slips[name]; slip != "" {
				want = slip
			}
			if got := strconv.Itoa(int(math.Round(100 * (1 - ratio)))); got != want {
				t.Errorf("%s: %s per cent less time than %s, the table says %s", name, got, l.over, want)
			}
		}
	}
	if lines != 39 || compared != 25 {
		t.Errorf("%d lines, %d reductions compared", lines, compared)
	}
}

func TestModesOfRows(t *testing.T) {
	plans, err := makePlans(paper(t), settings{
		Runs: frame.Runs{Examples: "e", Limits: compare.Limits{Time: time.Hour}}, stateless: compare.Limits{Time: time.Second},
	})
	if err != nil {
		t.Fatal(err)
	}
	names := func(p plan) string {
		var got []string
		for _, j := range p.jobs {
			got = append(got, j.Mode.Name+" "+j.Limits.Time.String())
		}
		return plans[0].jobs[0].Program.String() + ": " + strings.Join(got, ", ")
	}
	want := "e/paxos: stateless 1s, dynamic 1s, stateful 1h0m0s, dbss-all 1h0m0s, dbss 1h0m0s, static 1h0m0s, dbss-static 1h0m0s, " +
		"macro 1h0m0s, dbss-symmetry 1h0m0s, static-symmetry 1h0m0s, macro-symmetry 1h0m0s"
	if got := names(plans[0]); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got := names(plans[1]); got != strings.Replace(want, " dbss-all 1h0m0s,", "", 1) {
		t.Errorf("the paper has no figures of dbss-all there: %s", got)
	}
}

// TestEachColumnIsRun finds a column that was added in one place only.
func TestEachColumnIsRun(t *testing.T) {
	if diff := cmp.Diff(slices.Sorted(slices.Values(columns)), slices.Sorted(slices.Values(inOrder))); diff != "" {
		t.Error(diff)
	}
	for _, name := range drawn {
		if !slices.Contains(columns, name) {
			t.Errorf("%s is drawn and no column", name)
		}
	}
}

// sample are plans of two rows with results that are made up.
func sample(t *testing.T) []plan {
	plans, err := makePlans(paper(t), settings{Runs: frame.Runs{Examples: "e"}})
	if err != nil {
		t.Fatal(err)
	}
	result := func(mode string, v compare.Verdict, states uint64, note string) compare.Result {
		return compare.Result{
			Program: "e/p", Mode: mode, Verdict: v, Note: note,
			Figures: &compare.Figures{States: states, Seconds: float64(states) / 1000},
		}
	}
	plans[0].results = []compare.Result{
		result("stateless", compare.Inconclusive, 90000, "the time is used up"),
		result("stateful", compare.Verified, 2000, ""), result("dbss", compare.Verified, 1000, ""),
		result("dbss-static", compare.Verified, 400, ""), result("macro", compare.Verified, 100, ""),
		result("macro-symmetry", compare.Verified, 50, ""),
	}
	plans[1].results = []compare.Result{
		result("stateless", compare.Violated, 4000, ""), result("stateful", compare.Violated, 1000, ""),
	}
	return plans[:2]
}

func TestMarkdown(t *testing.T) {
	plans := sample(t)
	var b bytes.Buffer
	if err := markdown(&b, plans, settings{Runs: frame.Runs{Limits: compare.Limits{Time: time.Minute, Memory: 20 << 30}, Within: 45 * time.Minute}}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`| Paxos (6), agreement | OK | stateless |  | \>90,000 |  | \>1m30s |  |  |  |  |  | the time is used up |`,
		`| Paxos (6), agreement | OK | stateful | 13,044,613 | 2,000 | 22h19m | 2.00 s | stateless |  |  |  |  | all states |`,
		`| Paxos (6), agreement | OK | dbss | 5,606,047 | 1,000 | 10h22m | 1.00 s | stateful | 0.43 | 0.50 | 0.46 | 0.50 | all states |`,
		`| Faulty-Paxos (6), agreement | CE | stateful | 96,802 | 1,000 | 10m3s | 1.00 s | stateless |  | 0.25 | 0.06 | 0.25 | the first violation |`,
		`| Paxos (6), agreement | OK | dbss-static | 117,369 | 400 | 14m22s | 0.40 s | static | 0.61 |  | 0.61 |  | all states |`,
		`| Paxos (6), agreement | OK | macro |  | 100 |  | 0.10 s | dbss |  | 0.10 |  | 0.10 | all states |`,
		`| Paxos (6), agreement | OK | 111 | 5.00 | 20.00 | macro | 40.00 | macro-symmetry | 47.76 | 10.00 |`,
		`| Faulty-Paxos (6), agreement | CE | 34.75 |  |  |  |  |  | 25.32 |  |`,
		"13 runs are missing, as all together were to end within 45m0s",
		"or at 20g of memory",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%s\nis not in\n%s", want, b.String())
		}
	}
	if code, err := verdict(plans); code != 0 || err != nil {
		t.Errorf("%d, %v", code, err)
	}
}

func TestOtherResultsThanThePapersAreToldAndFail(t *testing.T) {
	plans := sample(t)
	plans[0].results[2].Verdict = compare.NotApplicable
	if code, err := verdict(plans); code != 3 || err == nil {
		t.Errorf("a run that was not made: %d, %v", code, err)
	}
	plans[1].results[1].Verdict = compare.Verified
	code, err := verdict(plans)
	if code != 1 || err == nil || !strings.Contains(err.Error(), "e/p in mode stateful is OK, in the paper CE") {
		t.Errorf("%d, %v", code, err)
	}
	var b bytes.Buffer
	if err := markdown(&b, plans, settings{}); err != nil || !strings.Contains(b.String(), "| CE, OURS IS OK | stateful |") {
		t.Errorf("%v\n%s", err, b.String())
	}
}

// TestFactorsOfSearchesThatDidNotEnd says that they are more than the states met so far tell.
func TestFactorsOfSearchesThatDidNotEnd(t *testing.T) {
	result := func(v compare.Verdict, states uint64) *compare.Result {
		return &compare.Result{Verdict: v, Figures: &compare.Figures{States: states}}
	}
	for want, got := range map[string]string{
		">200":   factor(result(compare.Inconclusive, 2000), result(compare.Verified, 10)),
		"2.00":   factor(result(compare.Verified, 20), result(compare.Verified, 10)),
		"":       factor(result(compare.Verified, 2000), result(compare.Inconclusive, 10)),
		">31.07": paperFactor(line{states: frame.Figure{Value: 51465807, AtLeast: true}}, line{states: frame.Figure{Value: 1656212}}),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if got := factor(result(compare.Violated, 2000), result(compare.Verified, 10)); got != "" {
		t.Errorf("searches to different ends have the factor %s", got)
	}
	if got := factor(nil, result(compare.Verified, 10)) + factor(result(compare.Verified, 10), nil); got != "" {
		t.Errorf("a run that was not made has the factor %s", got)
	}
}

// TestSmallRows makes rows that take a second, with harrier as it is: its results are the paper's, and no reduction
// meets more states than there are without.
func TestSmallRows(t *testing.T) {
	small := []string{"paxos-faulty", "register:objects=3"}
	modes := []string{"stateful", "dbss", "dbss-static", "macro", "macro-symmetry"}
	s := settings{
		Runs: frame.Runs{
			Harrier: filepath.Join(t.TempDir(), "harrier"), Examples: "../../examples", Out: t.TempDir(),
			Limits: compare.Limits{Time: time.Hour, Memory: 4 << 30},
		},
	}
	if out, err := exec.Command("go", "build", "-o", s.Harrier, "harrier/cmd/harrier").CombinedOutput(); err != nil {
		t.Fatalf("building harrier: %v\n%s", err, out)
	}
	var rows []row
	for _, r := range paper(t) {
		for _, name := range small {
			if programs[r.protocol+", "+r.property] == name {
				rows = append(rows, r)
			}
		}
	}
	plans, err := makePlans(rows, s)
	if err != nil {
		t.Fatal(err)
	}
	for i := range plans {
		plans[i].jobs = slices.DeleteFunc(plans[i].jobs, func(j compare.Job) bool { return !slices.Contains(modes, j.Mode.Name) })
	}
	if err := runPlans(t.Context(), plans, s, t.Output()); err != nil {
		t.Fatal(err)
	}
	if _, err := verdict(plans); err != nil {
		t.Error(err)
	}
	finished := 0
	for _, p := range plans {
		full, isFinished := p.result("stateful"), true
		for i := range p.results {
			r := &p.results[i]
			ratio, ok := r.StatesRatio(full)
			isFinished = isFinished && ok
			t.Logf("%s, %s: %s %s %s", p.protocol, p.property, r.Mode, r.Verdict, compare.Ratio(ratio, ok))
			if ratio > 1 && p.expected == "OK" {
				t.Errorf("%s, %s: %s meets %d states, the stateful search %d", p.protocol, p.property, r.Mode, r.States, full.States)
			}
		}
		if isFinished {
			finished++
		}
	}
	if finished < len(small) {
		t.Errorf("only %d of %d rows were finished", finished, len(small))
	}
}
