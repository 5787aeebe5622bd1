package model_test

import (
	"context"
	"strings"
	"testing"

	"harrier/internal/model"
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
	actors := must.Get(model.NewActors(stuck{&toy.Script{Start: map[string]string{"ann": "a"}, Mail: []string{"bob>ann x"}}}, model.Decomposition{}))
	for _, c := range []struct {
		ctx     context.Context
		doubted bool
	}{{context.Background(), false}, {model.Speculate(context.Background()), true}, {context.Background(), false}} {
		_, err := actors.Enabled(c.ctx, actors.Initial(), nil)
		if err == nil || strings.HasSuffix(err.Error(), "asks for none") != c.doubted {
			t.Errorf("a step that does not return is %v; to be doubted: %v", err, c.doubted)
		}
	}
}
