package advice

import (
	"math/big"
	"runtime"
	"slices"
	"strings"
	"testing"

	"harrier/dbss"
	"harrier/internal/model"
	"harrier/internal/model/space"
	"harrier/internal/report"
	"harrier/internal/testkit/must"
	"harrier/internal/testkit/toy"
	"harrier/symmetry"
)

// cutShort is a check by macro steps that a limit ended.
func cutShort() Ended {
	s := &toy.Script{Start: map[string]string{"ann": "0"}}
	e := Ended{Actors: must.Get(space.NewActors(s, space.Decomposition{})), Result: &dbss.Result{},
		Summary: &report.Summary{Answer: report.Answer{Verdict: report.Inconclusive, Reduction: "macro"}}}
	e.Summary.Workers = 1
	return e
}

// TestMacroStepsThatCost has searches with more and with fewer evaluations of properties than single steps would take.
func TestMacroStepsThatCost(t *testing.T) {
	for evaluations, costs := range map[uint64]bool{175_915: true, 22: false} {
		e := cutShort()
		e.Summary.Properties, e.Evaluations, e.Result.Transitions = []string{"a", "b"}, evaluations, 10
		if lines := Lines(e); costs != (len(lines) > 0 && strings.HasPrefix(lines[0], "--reduction off: ")) {
			t.Errorf("with %d evaluations: %q", evaluations, lines)
		}
		e.OfMode = []string{"reduction"}
		if lines := Lines(e); len(lines) > 0 {
			t.Errorf("in a mode of macro steps: %q", lines)
		}
		e.Summary.Reduction, e.OfMode = "off", nil
		if lines := Lines(e); len(lines) > 0 {
			t.Errorf("without macro steps: %q", lines)
		}
	}
}

// TestNothingIsAdvisedThatGrowsAsMuch has a program in which something grows: neither more workers nor smaller parameters are named.
func TestNothingIsAdvisedThatGrowsAsMuch(t *testing.T) {
	e := cutShort()
	e.Actors.Program().Parameters = []model.Parameter{{Name: "n", Value: "3"}}
	if lines := Lines(e); len(lines) == 0 || !strings.HasPrefix(lines[0], "--set n=2") {
		t.Errorf("where nothing grows: %q", lines)
	}
	e.Growth = []string{"bound it"}
	if lines := Lines(e); len(lines) != 1 || lines[0] != "bound it" {
		t.Errorf("where something grows: %q", lines)
	}
	e.Growth, e.Endless = nil, []string{"ann"}
	if lines := Lines(e); len(lines) != 1 || !strings.HasPrefix(lines[0], "bound what ann keeps") {
		t.Errorf("where ann becomes new states without end: %q", lines)
	}
	e.Endless, e.Actors.Program().Parameters = nil, nil
	if lines := Lines(e); len(lines) > 0 {
		t.Errorf("more workers alone: %q", lines)
	}
}

// TestMoreWorkers has a search that more workers take further: one that the time ended, and no other limit.
func TestMoreWorkers(t *testing.T) {
	for reason, help := range map[string]bool{
		"the time of 1s is used up (--timeout)":                          runtime.NumCPU() > 1,
		"runs longer than 5 transitions were not followed (--max-depth)": false,
		"the memory of 150 MiB is used up (--max-memory)":                false,
		"the search ended after 7 states (--max-states)":                 false,
	} {
		e := cutShort()
		e.Summary.Reason, e.Actors.Program().Parameters = reason, []model.Parameter{{Name: "n", Value: "3"}}
		if got := slices.ContainsFunc(Lines(e), func(line string) bool { return strings.HasPrefix(line, "--workers auto: ") }); got != help {
			t.Errorf("%s: %q", reason, Lines(e))
		}
		e.Given = map[string]string{"share": "servers"}
		if slices.ContainsFunc(Lines(e), func(line string) bool { return strings.HasPrefix(line, "--workers auto: ") }) {
			t.Errorf("%s, of a search that others share: %q", reason, Lines(e))
		}
	}
}

// TestComparisonsLeft has a search that explored all states, and a limit that ended the comparisons with images, or did not.
func TestComparisonsLeft(t *testing.T) {
	e := cutShort()
	e.Result, e.Summary.Complete = &dbss.Result{Complete: true}, true
	e.Symmetry = &symmetry.Figures{Permutations: big.NewInt(5040), Check: &symmetry.Checked{}}
	if lines := Lines(e); len(lines) != 1 || !strings.HasPrefix(lines[0], "--symmetry off, which compares nothing: all states are explored, ") ||
		!strings.HasSuffix(lines[0], "under 5,040 permutations") {
		t.Errorf("%q", lines)
	}
	e.Symmetry.Check.Looking = 2
	if lines := Lines(e); len(lines) != 2 || !strings.HasPrefix(lines[1], "properties that do not find out in which order actors come, ") {
		t.Errorf("where evaluations found out an order: %q", lines)
	}
	e.Symmetry.Check.Complete = true
	if lines := Lines(e); len(lines) > 0 {
		t.Errorf("where all were compared: %q", lines)
	}
}

// TestCostlySettings has flags that a search does without, unless most states take evaluations of their own.
func TestCostlySettings(t *testing.T) {
	e := cutShort()
	e.Given = map[string]string{"reduction": "off", "symmetry": "off", "hashing": "full"}
	e.Summary.Workers, e.Summary.Reduction = 2, "off"
	e.Summary.Hashing, e.Auxiliary = "full", 1
	for evaluations, want := range map[uint64][]string{0: {"without --reduction off: ", "without --hashing full: "}, 9: {"without --hashing full: "}} {
		e.Evaluations = evaluations
		lines := Lines(e)
		if len(lines) != len(want) {
			t.Errorf("with %d evaluations: %q", evaluations, lines)
			continue
		}
		for i, begins := range want {
			if !strings.HasPrefix(lines[i], begins) {
				t.Errorf("with %d evaluations: %q", evaluations, lines)
			}
		}
	}
	e.Given["mode"] = "stateful"
	if lines := Lines(e); len(lines) > 0 {
		t.Errorf("in a mode: %q", lines)
	}
}

// TestLargerMaxStates has a limit of states end a search in which nothing grows, or something does.
func TestLargerMaxStates(t *testing.T) {
	e := cutShort()
	e.Result.States, e.Summary.Reason = 7, "the search ended after 7 states (--max-states)"
	const larger = "a larger --max-states, or none: in the first 7 states nothing was seen to grow"
	if lines := Lines(e); len(lines) != 1 || lines[0] != larger {
		t.Errorf("%q", lines)
	}
	e.Growth = []string{"bound it"}
	if lines := Lines(e); slices.Contains(lines, larger) {
		t.Errorf("where something grows: %q", lines)
	}
}

func TestSmallerIsCutOutOfAdvice(t *testing.T) {
	rest, smaller := CutSmaller([]string{"bound it", "--set n=2, in place of the values above", "--symmetry off"})
	if !slices.Equal(rest, []string{"bound it", "--symmetry off"}) || smaller != "--set n=2, in place of the values above" {
		t.Errorf("%q, %q", rest, smaller)
	}
}
