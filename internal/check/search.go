package check

import (
	"context"
	"runtime/debug"

	"harrier/internal/advice"
	"harrier/internal/search"
)

// Search searches, and begins the summary with the findings. The path of a violation has single steps.
func Search(ctx context.Context, c *Check) error {
	stop := c.tellWhile()
	f, err := search.Of(c.Problem.Options).Search(ctx, c.Problem)
	err = c.sampling.take(f, err)
	c.Result, c.Checker, c.endless = f.Result, f.Checker, f.Endless
	err = c.decideRuns(ctx, err)
	if stop(); err != nil {
		return err
	}
	if c.Memory.Bytes > 0 && c.Memory.Left() == 0 {
		debug.FreeOSMemory() // memory that the search does not need any more is room to explain how it ended
	}
	c.Summary = c.summarize(f)
	c.tell()
	c.grew(ctx)
	if err := c.cover(ctx); err != nil {
		return err
	}
	return c.judgeVacuity(ctx)
}

// grew begins the advice with how to bound fields and inboxes that were still growing when a search ended.
func (c *Check) grew(ctx context.Context) {
	if !c.Summary.IsCutShort() || c.isTrial {
		return
	}
	longer, cancel := c.extended(ctx, overtime)
	defer cancel()
	explain, enough := c.explaining(ctx, longer, overtime/2)
	defer enough()
	c.growth = advice.Growth(explain, c.Actors())
	c.Summary.Advice = c.growth
	c.tell()
}

// run calls f on a thread that is attached to the virtual machine, if there is one.
func (c *Check) run(ctx context.Context, f func(context.Context)) {
	if c.JVM == nil {
		f(ctx)
		return
	}
	c.JVM.Run(ctx, f)
}
