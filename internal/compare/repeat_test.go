package compare

import (
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"harrier/internal/plan"
	"harrier/internal/report"
	"harrier/internal/testkit/must"
)

// TestRank compares with coverages that are counted: of all ways in which samples can be below or above the median.
func TestRank(t *testing.T) {
	for n := 1; n <= 16; n++ {
		got, coverage := rank(n)
		counted := func(k int) float64 {
			covered := 0
			for sides := range 1 << n {
				below := 0
				for i := range n {
					below += sides >> i & 1
				}
				if below > k && n-below > k {
					covered++
				}
			}
			return float64(covered) / float64(int(1)<<n)
		}
		if want := counted(got); math.Abs(coverage-want) > 1e-12 {
			t.Errorf("%d samples, rank %d: coverage %v, want %v", n, got, coverage, want)
		}
		if got > 0 && coverage < leastCoverage || counted(got+1) >= leastCoverage || n >= 6 && coverage < leastCoverage {
			t.Errorf("%d samples: rank %d is not that of the narrowest interval, which has %v", n, got, coverage)
		}
	}
}

// TestRepeatsThatDisagree has one mode verify what it found violated before, and one run end at a limit.
func TestRepeatsThatDisagree(t *testing.T) {
	run := func(v report.Verdict, terminal uint64) Result {
		r := Result{Program: "p", Mode: "stateful", Verdict: v, Figures: &Figures{Properties: []string{"safe"}, Terminal: terminal}}
		if v == report.Violated {
			r.Property = "safe"
		}
		return r
	}
	for want, runs := range map[string][]Result{
		"": {run(report.Verified, 2), run(report.Inconclusive, 1), run(report.Verified, 2)},
		"the verdicts on p disagree: verified by stateful, violated by stateful": {run(report.Verified, 2), run(report.Verified, 2), run(report.Violated, 1)},
		"the terminal states of p disagree: 2 by stateful, 3 by stateful":        {run(report.Verified, 2), run(report.Verified, 3), run(report.Verified, 2)},
	} {
		table := NewTable(plan.Modes, "stateful", Limits{}, runs, 0)
		var got []string
		for _, d := range table.Disagreements() {
			got = append(got, d.String())
		}
		if strings.Join(got, "; ") != want || len(table.Results) != 1 {
			t.Errorf("%d results, %q, want %q", len(table.Results), got, want)
		}
		if want == "" && table.Results[0].Verdict != report.Inconclusive {
			t.Errorf("a run that ended at a limit is %s with the others", table.Results[0].Verdict)
		}
	}
}

// TestOriginNamesCommits has programs of one commit, of several, and none.
func TestOriginNamesCommits(t *testing.T) {
	of := func(program, commit string) Result { return Result{Program: program, Commit: commit} }
	for want, results := range map[string][]Result{
		"": {}, ", programs in no git checkout": {of("p", "")}, ", programs of commit a": {of("p", "a"), of("p", "a"), of("q", "a")},
		", programs of commit a (p, r), in no git checkout (q)": {of("p", "a"), of("q", ""), of("r", "a")},
	} {
		if got := commits(results); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestCommit(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is missing")
	}
	folder := t.TempDir()
	t.Setenv("GIT_CEILING_DIRECTORIES", filepath.Dir(folder))
	program := filepath.Join(folder, "P.java")
	write(t, program, "class P { }")
	if got := Commit(program); got != "" {
		t.Errorf("outside of a checkout: %q", got)
	}
	git := func(arguments ...string) string {
		c := exec.Command("git", append([]string{"-C", folder, "-c", "user.name=n", "-c", "user.email=e"}, arguments...)...)
		return strings.TrimSpace(string(must.Get(c.Output())))
	}
	git("init", "-q")
	git("add", ".")
	git("commit", "-q", "-m", "first")
	git("tag", "v1")
	head := git("rev-parse", "HEAD")
	if got := Commit(program); got != head || Commit(folder) != head {
		t.Errorf("%q, want %s", got, head)
	}
	must.Do(os.WriteFile(program, []byte("class P { int n; }"), 0o644))
	if got := Commit(program); got != head+"-dirty" {
		t.Errorf("of a changed file: %q", got)
	}
}
