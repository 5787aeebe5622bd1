package por_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"harrier/internal/model"
	"harrier/internal/model/space"
)

// TestWrongReductionIsSeen reduces in a way that is wrong, and expects both the comparison with the twin and the definition to tell.
func TestWrongReductionIsSeen(t *testing.T) {
	var d saving
	byTwin, byDefinition := 0, 0
	for seed := range uint64(120) {
		s := drawn(seed)
		if s.compareWith(firstActor, seed, &d) != "" {
			byTwin++
		}
		if problem, _ := s.define(firstActor); problem != "" {
			byDefinition++
		}
	}
	t.Logf("of %d programs the twin tells in %d, the definition in %d", 120, byTwin, byDefinition)
	if byTwin < 5 || byDefinition < 2*byTwin {
		t.Error("a wrong reduction is hardly ever seen")
	}
}

// firstActor is a reduction that is wrong: it follows the actor of the first event that is no fault.
func firstActor(actors *space.Actors) (func() model.Reduction, error) {
	return func() model.Reduction {
		return func(ctx context.Context, s model.State, into []model.Transition) ([]model.Transition, bool, error) {
			offered, err := actors.Enabled(ctx, s, nil)
			if err != nil {
				return into, false, err
			}
			for _, t := range offered {
				if _, _, err := actors.Apply(slices.Clone(s), t, nil); errors.Is(err, model.ErrDisabled) {
					continue
				}
				first := len(into) == 0 && !actors.StepOf(s, t).Kind.IsFault()
				if first || len(into) > 0 && into[0].Slot == t.Slot {
					into = append(into, t)
				}
			}
			return into, true, nil
		}
	}, nil
}
