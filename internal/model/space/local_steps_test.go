package space_test

import (
	"context"
	"strings"
	"testing"

	"harrier/internal/model"
	"harrier/internal/model/space"
	"harrier/internal/testkit/must"
	"harrier/internal/testkit/toy"
)

// stuck is a program whose steps do not return.
type stuck struct{ *toy.Script }

func (stuck) Steps(context.Context, []model.Question) ([]model.Answer, error) {
	return nil, &model.LimitError{Text: "ann did not return", Ends: true}
}

// TestLimitAfterStepsThatNoRunMayTake has the error of a step that did not return say what to do if no run takes it.
func TestLimitAfterStepsThatNoRunMayTake(t *testing.T) {
	actors := must.Get(space.NewActors(stuck{&toy.Script{Start: map[string]string{"ann": "a"}, Mail: []string{"bob>ann x"}}}, space.Decomposition{}))
	for _, c := range []struct {
		ctx     context.Context
		doubted bool
	}{{context.Background(), false}, {space.Speculate(context.Background()), true}, {context.Background(), false}} {
		_, err := actors.Enabled(c.ctx, actors.Initial(), nil)
		if err == nil || strings.HasSuffix(err.Error(), "asks for none") != c.doubted {
			t.Errorf("a step that does not return is %v; to be doubted: %v", err, c.doubted)
		}
	}
}

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

// TestPanicOfAnOracle is recovered from: what it was asked for can be asked again.
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
