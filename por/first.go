package por

import (
	"context"

	"harrier/model"
)

// Reduction chooses which transitions of a state are followed, as dbss.Reduction does.
type Reduction = func(ctx context.Context, s model.State, into []model.Transition) (chosen []model.Transition, isReduced bool, err error)

// First makes, for each worker, a reduction that goes by several of them: by the first that reduces a state. That is right for those of the
// packages closure and static, as docs/soundness.md shows: no cycle of states has choices of both that put something off for ever.
func First(each ...func() Reduction) func() Reduction {
	return func() Reduction {
		var reductions []Reduction
		for _, make := range each {
			reductions = append(reductions, make())
		}
		return func(ctx context.Context, s model.State, into []model.Transition) ([]model.Transition, bool, error) {
			for _, reduce := range reductions {
				chosen, isReduced, err := reduce(ctx, s, into[:0])
				if isReduced || err != nil {
					return chosen, isReduced, err
				}
			}
			return into, false, nil
		}
	}
}
