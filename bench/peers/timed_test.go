package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"harrier/internal/testkit/must"
)

// timedModels are examples in which time goes on, with TLC's verdict on the model in timed/ that has their rounds, and its counts where
// no violation ends the search: distinct states, transitions, and the depth of the last state.
var timedModels = []struct {
	example, parameters string
	constants           []string
	violated            bool
	counts              string
}{
	{"fischer", "-", fischer(2, 1, 2, 0), false, "502\t707\t30"},
	{"fischer", "delta=2", fischer(2, 2, 2, 0), true, ""},
	{"fischer", "delta=2,epsilon=3", fischer(2, 2, 3, 0), false, "611\t869\t30"},
	{"fischer", "drift=1,epsilon=5", fischer(2, 1, 5, 1), true, ""},
	{"fischer", "drift=1,epsilon=6", fischer(2, 1, 6, 1), false, "22834\t133116\t30"},
	{"fischer", "processes=3", fischer(3, 1, 2, 0), false, "4584\t8341\t40"},
	{"fischer", "epsilon=1,processes=3", fischer(3, 1, 1, 0), true, ""},
	{"detector", "-", detector(4, 0, 12), false, "143\t214\t26"},
	{"detector", "timeOut=3", detector(3, 0, 12), true, ""},
	{"detector", "drift=1", detector(4, 1, 12), true, ""},
	{"detector", "drift=1,horizon=10,timeOut=7", detector(7, 1, 10), true, ""},
	{"detector", "drift=1,horizon=10,timeOut=8", detector(8, 1, 10), false, "3018\t10215\t20"},
}

func fischer(processes, delta, epsilon, drift int) []string {
	return []string{fmt.Sprintf("Process = {%s}", strings.Join([]string{`"p1"`, `"p2"`, `"p3"`}[:processes], ", ")),
		fmt.Sprint("Delta = ", delta), fmt.Sprint("Epsilon = ", epsilon), fmt.Sprint("Drift = ", drift), "Horizon = 10"}
}

func detector(timeOut, drift, horizon int) []string {
	return []string{"Period = 2", "Delay = 1", fmt.Sprint("TimeOut = ", timeOut), fmt.Sprint("Drift = ", drift), fmt.Sprint("Horizon = ", horizon)}
}

// TestTimedModelsAreTheExamples holds the golden counts of examples to those of TLC, and its models, where it is there, to these.
func TestTimedModelsAreTheExamples(t *testing.T) {
	golden := string(must.Get(os.ReadFile("../../examples/golden.txt")))
	why := unavailable("tlc")
	for _, m := range timedModels {
		verdict := map[bool]string{false: "verified", true: "violated"}[m.violated]
		line := strings.Join([]string{m.example, m.parameters, "bfs", "fields", verdict, m.counts}, "\t")
		if !strings.Contains(golden, "\n"+line) {
			t.Errorf("examples/golden.txt has no line %q", line)
		}
		if why != "" {
			continue
		}
		if problem := modelled(t, m.example, m.constants, m.violated, m.counts); problem != nil {
			t.Errorf("TLC, %s %s: %v", m.example, m.parameters, problem)
		}
	}
	if why != "" {
		t.Log("TLC is not asked: ", why)
	}
}

// modelled runs TLC, and returns how it says something else than it did.
func modelled(t *testing.T, example string, constants []string, violated bool, counts string) error {
	module, invariant := "Fischer", "Excludes"
	if example == "detector" {
		module, invariant = "Detector", "IsAccurate"
	}
	folder := t.TempDir()
	config := "SPECIFICATION Spec\nINVARIANT " + invariant + "\nCONSTANTS\n" + strings.Join(constants, "\n") + "\n"
	must.Do(os.WriteFile(filepath.Join(folder, module+".cfg"), []byte(config), 0o666))
	must.Do(os.WriteFile(filepath.Join(folder, module+".tla"), must.Get(os.ReadFile("timed/"+module+".tla")), 0o666))
	jar := must.Get(filepath.Abs(settings{folder: "."}.tlcJar()))
	command := exec.CommandContext(t.Context(), "java", "-XX:+UseParallelGC", "-cp", jar, "tlc2.TLC", "-deadlock", "-workers", "1", "-metadir", "states", module)
	command.Dir = folder
	out, _ := command.CombinedOutput() // which says what is wrong
	if violated {
		if !strings.Contains(string(out), "Invariant "+invariant+" is violated") {
			return fmt.Errorf("it finds no violation:\n%s", out)
		}
		return nil
	}
	f, err := readTLC(string(out))
	var depth int
	_, after, _ := strings.Cut(string(out), "The depth of the complete state graph search is ")
	_, noDepth := fmt.Sscan(strings.TrimSuffix(strings.Fields(after + " .")[0], "."), &depth)
	if err := errors.Join(err, noDepth); err != nil {
		return err
	}
	if got := fmt.Sprintf("%d\t%d\t%d", f.states, f.transitions, depth-1); got != counts {
		return fmt.Errorf("it counts %q, and did count %q", got, counts)
	}
	return nil
}
