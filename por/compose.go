package por

import (
	"context"

	"harrier/model"
)

// First makes, for each worker, a reduction that goes by several of them: by the first that reduces a state. That is right for those of the
// packages closure and static, as docs/soundness.md shows: no cycle of states has choices of both that put something off for ever.
func First(each ...func() model.Reduction) func() model.Reduction {
	return func() model.Reduction {
		var reductions []model.Reduction
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
