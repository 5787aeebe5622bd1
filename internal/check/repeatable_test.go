package check

import (
	"context"
	"testing"

	"harrier/bridge"
	"harrier/internal/check/adversary"
	"harrier/internal/model"
	"harrier/internal/plan"
	"harrier/internal/process/files"
	"harrier/internal/report"
	"harrier/internal/testkit/must"
)

// reading is a program that reads a file.
type reading struct{ LoadedProgram }

func (reading) Notes(context.Context) (bridge.Notes, error) { return bridge.Notes{Input: true}, nil }

// TestRepeatable has checks that would come to the same if they were made again, and others.
func TestRepeatable(t *testing.T) {
	over, end := context.WithCancelCause(t.Context())
	end(&model.LimitError{Text: "the time is used up"})
	for name, c := range map[string]struct {
		change  func(*Check)
		ctx     context.Context
		verdict report.Verdict
		want    bool
	}{
		"violated":         {func(*Check) {}, t.Context(), report.Violated, true},
		"a bound":          {func(c *Check) { c.MaxStates = 3 }, t.Context(), report.Inconclusive, true},
		"the time":         {func(*Check) {}, over, report.Inconclusive, false},
		"a file is read":   {func(c *Check) { c.Program = reading{c.Program} }, t.Context(), report.Violated, false},
		"messages made up": {func(c *Check) { c.domains = []adversary.MessageDomain{{}} }, t.Context(), report.Violated, false},
	} {
		t.Run(name, func(t *testing.T) {
			o := plan.Default()
			check := New(must.Get(plan.Resolve(o)), Environment{Keep: files.KeepIn(t.TempDir())})
			check.Program, check.loaded = loaded(newCounting()), &bridge.Program{}
			c.change(check)
			s := must.Get(check.Run(c.ctx))
			if got := check.Repeatable(); s.Verdict != c.verdict || got != c.want {
				t.Errorf("%s (%s), repeatable: %v", s.Verdict, s.Reason, got)
			}
		})
	}
}
