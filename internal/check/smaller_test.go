package check

import (
	"context"
	"testing"
	"time"

	"harrier/internal/model"
	"harrier/internal/report"
)

// TestNothingIsTriedWithoutTime has no virtual machine, which each try would ask.
func TestNothingIsTriedWithoutTime(t *testing.T) {
	s := &report.Summary{Verdict: report.Inconclusive, SetUpSeconds: 2, Parameters: []model.Parameter{{Name: "n", Value: "3"}}}
	if found := TrySmaller(t.Context(), Default(), nil, s, time.Second); found != nil {
		t.Errorf("in less time than the set-up takes: %s", found.Text())
	}
	interrupted, interrupt := context.WithCancel(t.Context())
	interrupt()
	if found := TrySmaller(interrupted, Default(), nil, s, time.Hour); found != nil {
		t.Errorf("after Ctrl-C: %s", found.Text())
	}
}

func TestNumbersThatMayBeSmaller(t *testing.T) {
	found, values := numbers([]model.Parameter{{Name: "clients", Value: "3"}, {Name: "one", Value: "1"}, {Name: "millis", Value: "5000"},
		{Name: "kind", Value: "FAST"}, {Name: "rounds", Value: "100"}})
	if len(found) != 2 || found[0].Name != "clients" || values[0] != 3 || found[1].Name != "rounds" || values[1] != 100 {
		t.Errorf("%v %v", found, values)
	}
}
