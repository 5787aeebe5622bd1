package examples

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"harrier/bridge"
	"harrier/internal/check"
	"harrier/internal/model"
	"harrier/internal/plan"
	"harrier/internal/process/files"
	"harrier/internal/testkit/hidden"
	"harrier/internal/testkit/must"
)

var (
	hiddenPrograms = flag.Int("programs", compiledTogether, "how many random programs with hidden dependence to check")
	seed           = flag.Uint64("seed", 0, "the first of them")
	readings       = flag.Int("readings", 0, "how many steps that have nothing to do with it are among those by default, twice")
	among          = flag.String("hidden", strings.Join(hidden.Dependences, ","), "what their steps depend on")
)

// compiledTogether is how many programs one compiler compiles: to start one takes longer than to check a program.
const compiledTogether = 24

// compiled are the folders with the classes of programs.
func compiled(t *testing.T, cases []hidden.Case) (folders []string) {
	t.Helper()
	sources, classes := t.TempDir(), t.TempDir()
	arguments := []string{"-nowarn", "-g", "-parameters", "-d", classes, "-cp", must.Get(filepath.Abs("../bridge/jar/harrier-api.jar"))}
	for i, c := range cases {
		pack := fmt.Sprint("case", i)
		path := filepath.Join(sources, pack, "Hidden.java")
		must.Do(os.Mkdir(filepath.Dir(path), 0o700))
		must.Do(os.WriteFile(path, []byte(hidden.Source(c, pack)), 0o600))
		arguments = append(arguments, path)
	}
	if out, err := exec.Command("javac", arguments...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for i := range cases {
		pack, folder := fmt.Sprint("case", i), t.TempDir()
		must.Do(os.Rename(filepath.Join(classes, pack), filepath.Join(folder, pack)))
		folders = append(folders, folder)
	}
	return folders
}

// TestHiddenDependence checks random programs whose steps depend on something without any instruction that shows it, by default and
// over plain single steps with whole states. The verdicts are the same.
func TestHiddenDependence(t *testing.T) {
	kinds := strings.Split(*among, ",")
	verdicts, differ := map[string]int{}, map[string]int{}
	for first := 0; first < *hiddenPrograms; first += compiledTogether {
		cases := hidden.Cases(*seed+uint64(first), min(compiledTogether, *hiddenPrograms-first), kinds)
		folders := compiled(t, cases)
		for i, c := range cases {
			plain := single("bfs")
			plain.Hashing = "full"
			want, got := verdict(t, folders[i], 0, plain), verdict(t, folders[i], *readings, plan.Default())
			verdicts[c.Dependence+" "+want]++
			if got != want {
				differ[c.Dependence]++
				t.Errorf("seed %d, case %d, %v: %s by default, %s over plain single steps", *seed+uint64(first), i, c, got, want)
			}
		}
	}
	t.Logf("verdicts over plain single steps %v; how many differ by default %v", verdicts, differ)
	for _, kind := range kinds {
		if kind == "static" && verdicts["static refused"] == 0 || kind != "static" && verdicts[kind+" violated"] == 0 {
			t.Errorf("no program that depends on %s shows it", kind)
		}
	}
}

// verdict returns the verdict of a program, checked beside a number of unrelated steps; "refused" if it broke a rule.
func verdict(t *testing.T, path string, readings int, o plan.Options) string {
	t.Helper()
	o.Source = bridge.Source{Path: path, Parameters: map[string]string{"readings": fmt.Sprint(readings)},
		Recheck: "all", Delivery: model.M, Allow: []string{"reflection=any"}}
	o.MaxStates = 100_000
	c := check.New(must.Get(plan.Resolve(o)), check.Environment{Keep: files.KeepIn(t.TempDir())})
	c.JVM = jvm
	summary, err := c.Run(context.Background())
	var rule *model.RuleError
	if errors.As(err, &rule) {
		return "refused"
	}
	must.Do(err)
	return string(summary.Verdict)
}
