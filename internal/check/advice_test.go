package check

import (
	"strings"
	"testing"

	"harrier/internal/report"
)

// TestMacroStepsThatCost has searches with more and with fewer evaluations of properties than single steps would take.
func TestMacroStepsThatCost(t *testing.T) {
	for evaluations, costs := range map[uint64]bool{175_915: true, 22: false} {
		c := New(Default())
		c.Summary = &report.Summary{Verdict: report.Inconclusive, Properties: []string{"a", "b"}, Evaluations: evaluations}
		c.Summary.Transitions = 10
		if advice := c.macroStepsThatCost(); costs != (len(advice) == 1 && strings.HasPrefix(advice[0], "--reduction off: ")) {
			t.Errorf("with %d evaluations: %q", evaluations, advice)
		}
		c.Reduction = "off"
		if advice := c.macroStepsThatCost(); len(advice) > 0 {
			t.Errorf("without macro steps: %q", advice)
		}
	}
}

// TestNothingIsAdvisedThatGrowsAsMuch has a program in which something grows: neither more workers nor smaller parameters are named.
func TestNothingIsAdvisedThatGrowsAsMuch(t *testing.T) {
	c := New(Default())
	c.Summary = &report.Summary{Verdict: report.Inconclusive, Advice: []string{"bound it"}}
	c.endless = []string{"ann"}
	if advice := append(c.fewer(), c.moreWorkers()...); len(advice) > 0 {
		t.Errorf("%q", advice)
	}
	c.endless, c.Summary.Advice = nil, nil
	if advice := c.moreWorkers(); len(advice) > 0 {
		t.Errorf("alone: %q", advice)
	}
}
