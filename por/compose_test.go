package por_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"harrier/model"
	"harrier/por"
)

// TestFirstGoesByTheFirstThatReduces asks reductions of which some say nothing, and one cannot answer.
func TestFirstGoesByTheFirstThatReduces(t *testing.T) {
	says := func(slots ...uint32) func() model.Reduction {
		return func() model.Reduction {
			return func(_ context.Context, _ model.State, into []model.Transition) ([]model.Transition, bool, error) {
				for _, slot := range slots {
					into = append(into, model.Transition{Slot: slot})
				}
				return into, len(slots) > 0, nil
			}
		}
	}
	broken := errors.New("broken")
	fails := func() model.Reduction {
		return func(_ context.Context, _ model.State, into []model.Transition) ([]model.Transition, bool, error) {
			return into, false, broken
		}
	}
	for name, c := range map[string]struct {
		of        []func() model.Reduction
		want      []uint32
		isReduced bool
		err       error
	}{
		"the first one":    {[]func() model.Reduction{says(1, 2), says(3)}, []uint32{1, 2}, true, nil},
		"the second one":   {[]func() model.Reduction{says(), says(3)}, []uint32{3}, true, nil},
		"none":             {[]func() model.Reduction{says(), says()}, nil, false, nil},
		"one that fails":   {[]func() model.Reduction{fails, says(3)}, nil, false, broken},
		"one that is late": {[]func() model.Reduction{says(1), fails}, []uint32{1}, true, nil},
	} {
		chosen, isReduced, err := por.First(c.of...)()(context.Background(), nil, nil)
		var slots []uint32
		for _, transition := range chosen {
			slots = append(slots, transition.Slot)
		}
		if !slices.Equal(slots, c.want) || isReduced != c.isReduced || !errors.Is(err, c.err) {
			t.Errorf("%s: %v, reduced %v, error %v", name, slots, isReduced, err)
		}
	}
}
