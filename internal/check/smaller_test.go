package check

import (
	"context"
	"testing"
	"time"

	"harrier/internal/model"
	"harrier/internal/plan"
	"harrier/internal/report"
	"harrier/internal/section"
)

// TestNothingIsTriedWithoutTime has no virtual machine, which each try would ask.
func TestNothingIsTriedWithoutTime(t *testing.T) {
	s := &report.Summary{Answer: report.Answer{Verdict: report.Inconclusive, Parameters: []model.Parameter{{Name: "n", Value: "3"}}},
		Sections: []section.Section{Times{SetUpSeconds: 2}.section()}}
	if found := TrySmaller(t.Context(), plan.Plan{Options: plan.Default()}, Environment{}, nil, s, time.Second); found != nil {
		t.Errorf("in less time than the set-up takes: %s", found.Text())
	}
	interrupted, interrupt := context.WithCancel(t.Context())
	interrupt()
	if found := TrySmaller(interrupted, plan.Plan{Options: plan.Default()}, Environment{}, nil, s, time.Hour); found != nil {
		t.Errorf("after Ctrl-C: %s", found.Text())
	}
}
