package bridge

import (
	"context"
	"slices"
	"testing"

	"harrier/internal/model"
	"harrier/internal/testkit/must"
)

// TestStepsAsideExecuteNothing has a step be answered aside first, and then as others are.
func TestStepsAsideExecuteNothing(t *testing.T) {
	p := must.Get(loadSource(t, echo))
	initial := p.Program().Initial
	q := model.Question{Local: initial.Actors[0].Local, Event: model.Event{Kind: model.Receive, Messages: initial.Messages}}
	for _, of := range []struct {
		oracle   model.Oracle
		executes bool
	}{{p.Aside(), false}, {p, true}} {
		answers := must.Get(of.oracle.Steps(context.Background(), []model.Question{q}))
		if len(answers[0].Outcomes) != 1 {
			t.Fatalf("%v", answers)
		}
		covered := must.Get(p.Coverage(context.Background()))
		executes := slices.ContainsFunc(covered.Methods, func(m CoveredMethod) bool {
			return slices.ContainsFunc(m.Lines, func(l CoveredLine) bool { return l.Executed })
		})
		if executes != of.executes {
			t.Errorf("executed: %v", executes)
		}
	}
}
