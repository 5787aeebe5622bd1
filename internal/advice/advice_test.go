package advice

import (
	"strings"
	"testing"

	"harrier/internal/model"
	"harrier/internal/report"
	"harrier/internal/testkit/must"
	"harrier/internal/testkit/toy"
)

// cutShort is a check by macro steps that a limit ended.
func cutShort() Ended {
	s := &toy.Script{Start: map[string]string{"ann": "0"}}
	e := Ended{Actors: must.Get(model.NewActors(s, model.Decomposition{})), Summary: &report.Summary{Verdict: report.Inconclusive, Reduction: "macro"}}
	e.Summary.Workers = 1
	return e
}

// TestMacroStepsThatCost has searches with more and with fewer evaluations of properties than single steps would take.
func TestMacroStepsThatCost(t *testing.T) {
	for evaluations, costs := range map[uint64]bool{175_915: true, 22: false} {
		e := cutShort()
		e.Summary.Properties, e.Summary.Evaluations, e.Summary.Transitions = []string{"a", "b"}, evaluations, 10
		if lines := Lines(e); costs != (len(lines) > 0 && strings.HasPrefix(lines[0], "--reduction off: ")) {
			t.Errorf("with %d evaluations: %q", evaluations, lines)
		}
		e.Summary.Reduction = "off"
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
