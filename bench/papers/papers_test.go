package main

import (
	"bytes"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"harrier/internal/compare"
	"harrier/internal/report"
	"harrier/internal/testkit/must"
	"harrier/por/demeter"
)

// read are the rows of a table, planned with limits of a minute, for stateless searches a second.
func read(t *testing.T, table string) []row {
	t.Helper()
	rows, err := readPaper(table)
	if err == nil {
		err = (&runs{examples: "../../examples", limits: compare.Limits{Time: time.Minute}, stateless: time.Second}).plan(rows)
	}
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// TestFiguresHangTogether computes what Table I says was saved from its times, which would notice a slip in copying them. Two do
// not fit in the paper itself.
func TestFiguresHangTogether(t *testing.T) {
	slips := map[string]string{"Register (6), wrong regularity, static": "92", "Zab (6), liveness, dbss": "52"}
	rows, compared := read(t, "table1"), 0
	for _, r := range rows {
		base := find(rows, r.protocol, r.over)
		if base == nil || r.saved == "-" {
			continue
		}
		ratio, ok := r.time.ratio(base.time)
		if !ok {
			continue
		}
		compared++
		name, want := r.protocol+", "+r.mode, r.saved
		if slip := slips[name]; slip != "" {
			want = slip
		}
		if got := strconv.Itoa(int(math.Round(100 * (1 - ratio)))); got != want {
			t.Errorf("%s: %s per cent less time than %s, the table says %s", name, got, r.over, want)
		}
	}
	if compared != 25 {
		t.Errorf("%d times were compared", compared)
	}
}

// TestFiguresAreThoseOfTheText computes what the text of the paper on models says of its table.
func TestFiguresAreThoseOfTheText(t *testing.T) {
	for _, r := range read(t, "mp-models")[:6] {
		if r.mode != "m-mp-symmetry" {
			continue
		}
		// "approximately 1/13 of those in the STS with M-MP"
		base := find(read(t, "mp-models"), r.protocol, r.over)
		states, _ := r.states.ratio(base.states)
		transitions, _ := r.transitions.ratio(base.transitions)
		if min(states, transitions) < 12.5 || max(states, transitions) > 13.5 {
			t.Errorf("%v times as many states, %v times as many transitions", states, transitions)
		}
	}
}

// TestTable2HangsTogether computes the speedups of the paper on DEMETER, and the global traces that its text has (section 5.3).
func TestTable2HangsTogether(t *testing.T) {
	of := func(text string) float64 {
		x, err := strconv.ParseFloat(text, 64)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	applications := 0
	for _, r := range read(t, "table2") {
		if r.mode != "demeter" {
			continue
		}
		applications++
		p := r.paper
		if got, want := of(p.ratio)/of(p.cost), of(p.speedup); math.Abs(got-want) > 0.15 {
			t.Errorf("%s: %.1f over %.1f is %.2f, the table says %.1f", r.protocol, of(p.ratio), of(p.cost), got, want)
		}
		if r.protocol == "Chord-3" && math.Round(of(p.ratio)*of(p.traces)) != 27_588_408 {
			t.Errorf("%.1f times %s traces of Chord", of(p.ratio), p.traces)
		}
	}
	if applications != 12 {
		t.Errorf("%d applications", applications)
	}
}

// TestTable2 writes made-up results: of a run that ended with costs, of one that a limit ended.
func TestTable2(t *testing.T) {
	rows := read(t, "table2")
	set := func(application, mode string, v report.Verdict, seconds float64, terminal uint64, f *demeter.Figures) {
		find(rows, application, mode).ours = &compare.Result{
			Verdict: v, Note: "the time is used up", Mode: mode,
			Figures: &compare.Figures{States: 30, Terminal: terminal, Seconds: seconds, Demeter: f},
		}
	}
	set("DPhi-2", "demeter", report.Verified, 2, 7, &demeter.Figures{LocalTraces: 500, GlobalSkeletons: 7, GlobalTraces: 50000, ReductionRatio: 100})
	set("DPhi-2", "dynamic", report.Inconclusive, 10, 5000, nil)
	set("DPhi-2", "macro", report.Verified, 1, 1, nil)
	set("MPS-3", "demeter", report.Inconclusive, 2, 7, &demeter.Figures{LocalTraces: 50, GlobalSkeletons: 8, GlobalTraces: 500, ReductionRatio: 10})
	var b bytes.Buffer
	table2(&b, rows)
	for _, want := range []string{
		`| DPhi-2 | philosophers:components=2,philosophers=8 | 41.7 | 100 | 6 | 7 | 1510 | 500 | 2.0 | 2.00 | 20.9 | 50.00 | 2.00 s | 30 | 1.00 s | all states |`,
		`| MPS-3 | paxos-replicas:replicas=3 | 542944.0 | \>10.00 | 457 | \>8 | 377965 | \>50 | 2.5 |  | 217177.6 |  | \>2.00 s |  |  | the time is used up |`,
		`| Pastry-2 |  | 4.9 |  | 48 |  | 713 |  | 1.5 |  | 3.3 |  |  |  |  | there is no program |`,
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%s\nis not in\n%s", want, b.String())
		}
	}
}

func TestEachRowHasARunOfItsOwn(t *testing.T) {
	for table, most := range map[string]int{"table1": 103, "hashing": 72, "mp-models": 48, "fig10": 15, "table2": 30} {
		rows, seen := read(t, table), map[string]bool{}
		for _, r := range rows {
			if r.program == "" {
				continue
			}
			seen[r.job.Program.String()+" "+r.mode] = true
			if _, err := os.Stat(r.job.Program.Path); err != nil {
				t.Error(err)
			}
			if r.over != "" && find(rows, r.protocol, r.over) == nil {
				t.Errorf("%s, %s is put in proportion to %s, which is not run", r.protocol, r.mode, r.over)
			}
			if want := map[bool]time.Duration{true: time.Second, false: time.Minute}[remembersNothing(r.mode)]; r.job.Limits.Time != want {
				t.Errorf("%s may take %v", r.mode, r.job.Limits.Time)
			}
		}
		if len(seen) != most {
			t.Errorf("%s has %d different runs", table, len(seen))
		}
	}
	ordered := inOrder(read(t, "table1"))
	if first, last := ordered[0].mode, ordered[len(ordered)-1].mode; first != "macro-symmetry" || last != "stateless" {
		t.Errorf("%s is run first, %s last", first, last)
	}
}

func TestChoose(t *testing.T) {
	rows := read(t, "table1")
	for list, want := range map[string]int{"": 103, "register dbss": 5, "Register (5)": 21, "zab  STATIC ; zab dbss": 4, "Paxos (6), agreement": 21} {
		chosen, err := choose(rows, list)
		if len(chosen) != want || err != nil {
			t.Errorf("%q: %d rows, %v, want %d", list, len(chosen), err, want)
		}
	}
	var b bytes.Buffer
	chosen, err := choose(rows, "paxos dbss")
	if err != nil {
		t.Fatal(err)
	}
	chosen[0].ours = &compare.Result{Verdict: report.Verified, Figures: &compare.Figures{States: 7}}
	if table(&b, chosen); !strings.Contains(b.String(), "| stateful | 0.43 |  | 0.46 |  |") {
		t.Errorf("without the row that a ratio is to, that of the paper is missing:\n%s", b.String())
	}
	for _, list := range []string{"raft", "paxos fast", ";", "paxos; raft"} {
		if _, err := choose(rows, list); err == nil {
			t.Errorf("%q: no error", list)
		}
	}
}

// sample is Table I with some results that are made up.
func sample(t *testing.T) []row {
	rows := read(t, "table1")
	set := func(protocol, mode string, v report.Verdict, states uint64, note string) {
		find(rows, protocol, mode).ours = &compare.Result{
			Verdict: v, Note: note, Mode: mode,
			Figures: &compare.Figures{States: states, Transitions: 2 * states, Seconds: float64(states) / 1000},
		}
	}
	paxos, faulty := "Paxos (6), agreement", "Faulty-Paxos (6), agreement"
	set(paxos, "stateless", report.Inconclusive, 90000, "the time is used up")
	for mode, states := range map[string]uint64{"stateful": 2000, "dbss": 1000, "dbss-static": 400, "macro": 100, "macro-symmetry": 50} {
		set(paxos, mode, report.Verified, states, "")
	}
	set(faulty, "stateless", report.Violated, 4000, "")
	set(faulty, "stateful", report.Violated, 1000, "")
	return rows
}

func TestTable(t *testing.T) {
	rows := sample(t)
	var b bytes.Buffer
	if err := (&settings{runs: runs{within: 45 * time.Minute}}).write(&b, rows); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`| Paxos (6), agreement | OK | stateless |  | \>90,000 |  | \>180,000 |  | \>1m30s |  |  |  |  |  | the time is used up |`,
		`| Paxos (6), agreement | OK | stateful | 13,044,613 | 2,000 |  | 4,000 | 22h19m | 2.00 s | stateless |  |  |  |  | all states |`,
		`| Paxos (6), agreement | OK | dbss | 5,606,047 | 1,000 |  | 2,000 | 10h22m | 1.00 s | stateful | 0.43 | 0.50 | 0.46 | 0.50 | all states |`,
		`| Faulty-Paxos (6), agreement | CE | stateful | 96,802 | 1,000 |  | 2,000 | 10m3s | 1.00 s | stateless |  | 0.25 | 0.06 | 0.25 | the first violation |`,
		`| Paxos (6), agreement | OK | 111 | 5.00 | 20.00 | macro, of those that were run | 40.00 | macro-symmetry, of those that were run |`,
		"95 runs are missing, as all together were to end within 45m0s",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%s\nis not in\n%s", want, b.String())
		}
	}
	if code, err := verdict(rows); code != 0 || err != nil {
		t.Errorf("%d, %v", code, err)
	}
}

func TestOtherAnswersThanThePapersAreToldAndFail(t *testing.T) {
	rows := sample(t)
	rows[0].ours.Verdict = compare.NotApplicable
	if code, err := verdict(rows); code != 3 || err == nil {
		t.Errorf("a run that was not made: %d, %v", code, err)
	}
	find(rows, "Faulty-Paxos (6), agreement", "stateful").ours.Verdict = report.Verified
	code, err := verdict(rows)
	if code != 1 || err == nil || !strings.Contains(err.Error(), "paxos-faulty in mode stateful is OK, in the paper CE") {
		t.Errorf("%d, %v", code, err)
	}
	var b bytes.Buffer
	if table(&b, rows); !strings.Contains(b.String(), "| CE, OURS IS OK | stateful |") {
		t.Error(b.String())
	}
}

// TestFactorsOfSearchesThatDidNotEnd reports that they are more than the states met so far tell.
func TestFactorsOfSearchesThatDidNotEnd(t *testing.T) {
	result := func(v report.Verdict, states uint64) *compare.Result {
		return &compare.Result{Verdict: v, Figures: &compare.Figures{States: states}}
	}
	some := result(report.Verified, 10)
	for _, c := range [][2]string{
		{">200", factor(result(report.Inconclusive, 2000), some)},
		{"2.00", factor(result(report.Verified, 20), some)},
		{"", factor(result(report.Verified, 2000), result(report.Inconclusive, 10))},
		{"", factor(result(report.Violated, 2000), some)},
		{"", factor(nil, some)}, {"", factor(some, nil)},
		{">31.07", paperFactor(figure{value: 51465807, atLeast: true}, figure{value: 1656212})},
	} {
		if c[0] != c[1] {
			t.Errorf("%q, want %q", c[1], c[0])
		}
	}
}

// TestBestOfSomeModes says so where modes were left out by -rows or by the time that could be the best.
func TestBestOfSomeModes(t *testing.T) {
	states := map[string]uint64{"stateful": 90, "dbss": 50, "local-gen": 40, "local": 30, "macro": 20, "macro-symmetry": 10}
	for _, c := range []struct {
		rows, missing string // the list of -rows, and a mode that was not run in time
		want          string
	}{
		{"", "", "4.50 | macro | 9.00 | macro-symmetry |"},
		{"", "stateless", "4.50 | macro | 9.00 | macro-symmetry |"},
		{"", "macro-symmetry", "4.50 | macro | 4.50 | macro, of those that were run |"},
		{"", "dbss", "4.50 | macro, of those that were run | 9.00 | macro-symmetry, of those that were run |"},
		{"stateful; dbss", "", "1.80 | dbss, of those that were run | 1.80 | dbss, of those that were run |"},
		{"stateful; dbss; local-gen; local; macro", "", "4.50 | macro | 4.50 | macro, of those that were run |"},
		{"stateful", "", "|  |  |  |  |"},
	} {
		rows := must.Get(choose(read(t, "fig10"), c.rows))
		for i := range rows {
			if n, ok := states[rows[i].mode]; ok && rows[i].mode != c.missing {
				rows[i].ours = &compare.Result{Verdict: report.Verified, Figures: &compare.Figures{States: n}}
			}
		}
		var b bytes.Buffer
		factors(&b, rows)
		for line := range strings.Lines(b.String()) {
			if strings.HasPrefix(line, "| Paxos, one proposal |") && !strings.HasSuffix(line, c.want+"\n") {
				t.Errorf("-rows %q without %q: %s, want %s", c.rows, c.missing, line, c.want)
			}
		}
		if !strings.Contains(b.String(), "| Paxos, one proposal |") {
			t.Error(b.String())
		}
	}
}

// TestSmallRows makes rows that take a second, with harrier as it is: its answer is the paper's, and the reductions meet no more
// states than there are without. When time is up, the rest is missing.
func TestSmallRows(t *testing.T) {
	modes := []string{"stateful", "macro-symmetry"}
	r := runs{
		harrier: filepath.Join(t.TempDir(), "harrier"), examples: "../../examples", out: t.TempDir(), maxMemory: "4g",
		limits: compare.Limits{Time: time.Hour}, stateless: time.Hour,
	}
	if out, err := exec.Command("go", "build", "-ldflags", "-s -w", "-o", r.harrier, "harrier/cmd/harrier").CombinedOutput(); err != nil {
		t.Fatalf("building harrier: %v\n%s", err, out)
	}
	rows := slices.DeleteFunc(read(t, "table1"), func(r row) bool {
		return r.program != "register:objects=3" || !slices.Contains(modes, r.mode)
	})
	err := r.check()
	if err == nil {
		err = r.plan(rows)
	}
	if err == nil {
		err = r.make(t.Context(), rows, t.Output())
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := verdict(rows); err != nil {
		t.Error(err)
	}
	for _, row := range rows {
		ratio, ok := row.ours.StatesRatio(find(rows, row.protocol, "stateful").ours)
		if !ok || ratio > 1 {
			t.Errorf("%s: %s %s, %v times the states of the stateful search", row.program, row.mode, row.ours.Verdict, ratio)
		}
	}
	testPage(t, r)
	r.within, r.fresh, rows[0].ours = 1, true, nil
	if err := r.make(t.Context(), rows, t.Output()); err != nil || missing(rows) == 0 {
		t.Errorf("%v, %d runs are missing", err, missing(rows))
	}
}

// testPage adds a table to a page for which there is little time: nearly all its runs are missing.
func testPage(t *testing.T, r runs) {
	s, page := settings{runs: r, page: t.TempDir()}, bytes.Buffer{}
	s.out, s.within, s.limits.Time, s.stateless = s.page, time.Second, time.Second, time.Second
	origin, err := s.origin(t.Context())
	if err != nil || origin.Harrier != "development" {
		t.Errorf("%+v, %v", origin, err)
	}
	if code, err := s.addTable(t.Context(), &page, tables[1], origin, t.Output()); code != 0 || err != nil {
		t.Errorf("%d, %v", code, err)
	}
	if want := " runs are missing, as all together were to end within 1s; "; !strings.Contains(page.String(), want) {
		t.Errorf("%q is not in\n%s", want, page.String())
	}
	if strings.Contains(page.String(), "table1.json") {
		for _, file := range []string{"table1.json", "table1.csv", "table1.svg"} {
			must.Get(os.Stat(filepath.Join(s.page, file)))
		}
	}
}

// TestTables has a title for each table.
func TestTables(t *testing.T) {
	for _, file := range must.Get(filepath.Glob("*.csv")) {
		if !slices.ContainsFunc(tables, func(table papersTable) bool { return table.name+".csv" == file }) {
			t.Errorf("%s has no title", file)
		}
	}
	for _, table := range tables {
		if _, err := readPaper(table.name); err != nil {
			t.Error(err)
		}
	}
}

// TestHashings writes made-up results: of a protocol that the paper has with and without last messages, of one whose search without
// them did not end, of one that it does not have.
func TestHashings(t *testing.T) {
	rows := read(t, "hashing")
	set := func(protocol string, states ...uint64) {
		for i, h := range hashings {
			find(rows, protocol, h).ours = &compare.Result{Verdict: report.Verified, Mode: h, Figures: &compare.Figures{States: states[i]}}
		}
	}
	set("Paxos (6), agreement", 1000, 200, 100, 25)
	set("Register (7), regularity", 1000, 200, 100, 25)
	find(rows, "Register (7), regularity", "last").ours.Verdict = report.Inconclusive
	set("Paxos (m=2, n=3), safety, leaders try once", 1000, 200, 200, 200)
	var b bytes.Buffer
	writeHashings(&b, must.Get(choose(rows, "zab (6) full")))
	writeHashings(&b, rows)
	for _, want := range []string{
		`| Paxos (6), agreement | OK | 1,000 | 200 | 100 | 25 | 2.33 | 5.00 | 2.00 | 4.00 |`,
		`| Register (7), regularity | OK | 1,000 | \>200 | 100 | 25 |  |  | \>2.00 | 4.00 |`,
		`| Paxos (m=2, n=3), safety, leaders try once | OK | 1,000 | 200 | 200 | 200 |  | 5.00 | 1.00 | 1.00 |`,
		`| Zab (7), liveness | CE |  |  |  |  | 2.62 |  |  |  |`,
		`| Zab (6), liveness | CE |  |  |  |  |  |  |  |  |`,
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%s\nis not in\n%s", want, b.String())
		}
	}
}
