package check

import (
	"context"
	"testing"
	"time"

	"harrier/internal/model"
	"harrier/internal/plan"
	"harrier/internal/report"
)

// TestNothingIsTriedWithoutTime has no virtual machine, which each try would ask.
func TestNothingIsTriedWithoutTime(t *testing.T) {
	s := &report.Summary{Verdict: report.Inconclusive, SetUpSeconds: 2, Parameters: []model.Parameter{{Name: "n", Value: "3"}}}
	if found := TrySmaller(t.Context(), plan.Plan{Options: plan.Default()}, Environment{}, nil, s, time.Second); found != nil {
		t.Errorf("in less time than the set-up takes: %s", found.Text())
	}
	interrupted, interrupt := context.WithCancel(t.Context())
	interrupt()
	if found := TrySmaller(interrupted, plan.Plan{Options: plan.Default()}, Environment{}, nil, s, time.Hour); found != nil {
		t.Errorf("after Ctrl-C: %s", found.Text())
	}
}
