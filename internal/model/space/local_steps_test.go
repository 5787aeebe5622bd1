package space_test

import (
	"context"
	"testing"

	"harrier/internal/model"
	"harrier/internal/model/space"
	"harrier/internal/testkit/must"
	"harrier/internal/testkit/toy"
)

// failing is an oracle that panics when it is asked first.
type failing struct {
	*toy.Script
	asked int
}

func (f *failing) Steps(ctx context.Context, questions []model.Question) ([]model.Answer, error) {
	if f.asked++; f.asked == 1 {
		panic("asked first")
	}
	return f.Script.Steps(ctx, questions)
}

// TestPanicOfAnOracle is recovered from: its questions can be asked again.
func TestPanicOfAnOracle(t *testing.T) {
	oracle := &failing{Script: toy.Read("start: ann 0\nmail: ann>ann x\nann 0 x -> 1")}
	actors := must.Get(space.NewActors(oracle, space.Decomposition{}))
	ask := func() (enabled []model.Transition, panicked any) {
		defer func() { panicked = recover() }()
		return must.Get(actors.Enabled(t.Context(), actors.Initial(), nil)), nil
	}
	if _, panicked := ask(); panicked != "asked first" {
		t.Errorf("the panic is %v", panicked)
	}
	if enabled, panicked := ask(); len(enabled) != 1 || panicked != nil {
		t.Errorf("after a panic %d transitions are enabled, %v", len(enabled), panicked)
	}
}
