package check

import (
	"context"
	"slices"

	"harrier/bridge"
	"harrier/internal/advice"
	"harrier/internal/check/coverage"
	"harrier/internal/model"
)

// cover notes the code that the local steps of the search executed. Later executions, of a counterexample or an audit,
// do not count.
func (c *Check) cover(ctx context.Context) error {
	var found bridge.Coverage
	answers, err := c.askLast(ctx, func(ctx context.Context) (err error) {
		found, err = c.Program.Coverage(ctx)
		return err
	})
	if !answers || err != nil {
		return err
	}
	actors := c.Actors()
	undelivered := coverage.NeverDelivered(actors, found.Kinds)
	for _, k := range undelivered {
		alone := func(h model.Handler) bool { return h.Takes == k.Class && actors.Values.HasActors(h.Class) }
		if c.Result.Complete && !slices.ContainsFunc(actors.Program().Handlers, alone) { // else its handler never ran
			c.remark(k.Label + " was never delivered" + advice.InOrders(c.Result))
		}
	}
	c.known.coverage = coverage.Of(actors, found, undelivered)
	return nil
}
