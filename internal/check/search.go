package check

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"

	"harrier/dbss"
	"harrier/internal/advice"
	"harrier/internal/lmc"
	"harrier/internal/model"
	"harrier/internal/plan"
	"harrier/internal/property"
	"harrier/por/demeter"
	"harrier/por/dynamic"
	"harrier/por/macro"
)

// Search searches, and begins the summary with what it found. The path of a violation is one of single steps.
func Search(ctx context.Context, c *Check) error {
	stop := c.tellWhile()
	f := c.explore(ctx)
	c.sampling.take(&f)
	c.Result, c.Checker = f.result, f.checker
	err := c.decideRuns(ctx, f.err)
	if stop(); err != nil {
		return err
	}
	if c.Memory.Bytes > 0 && c.Memory.Left() == 0 {
		debug.FreeOSMemory() // what the search does not need any more is room to explain how it ended
	}
	c.Summary = c.summarize(f)
	c.tell()
	c.grew(ctx)
	if err := c.cover(ctx); err != nil {
		return err
	}
	return c.judgeVacuity(ctx)
}

// grew begins the advice with what would bound what was still growing when a search ended.
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

// local and global are the names of two searches beside each other.
const local, global = plan.Local, "global"

// finding is what came of a search.
type finding struct {
	first   string            // which of two searches knew first; "" if there was one, or none knows
	result  *dbss.Result      // nil with an error
	figures *lmc.Figures      // of a local search
	traces  *demeter.Figures  // of a search of global skeletons
	checker *property.Checker // whose answers it rests on
	err     error
}

func (f finding) knows() bool {
	return f.err == nil && (f.result.Violation != nil || f.result.Complete)
}

func (c *Check) explore(ctx context.Context) finding {
	f := finding{checker: c.Checker}
	switch {
	case c.Members != nil:
		return c.together(ctx)
	case c.Search == plan.Local && c.Workers > 1:
		return c.sideBySide(ctx)
	case c.Search == plan.Local:
		return c.locally(ctx, c.Checker, &c.progress)
	case c.Search == plan.Random:
		return c.sample(ctx)
	case c.POR == "dynamic":
		f.result, f.err = dynamic.Search(ctx, c.Actors(), c.Checker, c.options, &c.progress)
	case c.Reduction == "macro":
		f.result, f.err = c.globally(ctx, c.options, nil)
	case c.Reduction == "demeter":
		return c.bySkeletons(ctx)
	default:
		f.result, f.err = dbss.Search(ctx, c.Actors(), c.Checker, c.options, &c.progress)
	}
	return f
}

// turns is a global search that takes turns with a local one.
func (c *Check) turns(ctx context.Context, most uint64) (*dbss.Result, error) {
	o := c.options
	o.MaxStates = most
	return c.globally(ctx, o, nil)
}

func (c *Check) locally(ctx context.Context, checker *property.Checker, p *dbss.Progress) finding {
	o := lmc.Options{Options: c.options, LocalEvents: c.LocalEvents, General: c.LocalPruning == "off"}
	if c.Workers <= 1 { // else a global search is beside it
		o.Global = c.turns
	}
	o.Workers = 1
	var r *lmc.Result
	var err error
	c.run(ctx, func(ctx context.Context) { r, err = lmc.Check(ctx, c.Actors(), checker, o, p) })
	if err != nil {
		return finding{err: err}
	}
	return finding{result: r.Result, figures: &r.Figures, checker: checker}
}

// run calls f on a thread that is attached to the virtual machine, if there is one.
func (c *Check) run(ctx context.Context, f func(context.Context)) {
	if c.JVM == nil {
		f(ctx)
		return
	}
	c.JVM.Run(ctx, f)
}

// globally takes macro steps, and explores them as dbss.Search does if explore is nil.
func (c *Check) globally(ctx context.Context, o dbss.Options, explore macro.Explore) (*dbss.Result, error) {
	system := c.macroSystem()
	system.Explore = explore
	r, err := system.Search(ctx, o, &c.progress)
	c.endless = system.Endless()
	return r, err
}

// bySkeletons explores global skeletons.
func (c *Check) bySkeletons(ctx context.Context) finding {
	system, err := demeter.New(c.Actors(), c.Checker)
	if err != nil {
		return finding{err: err}
	}
	r, err := system.Search(ctx, c.options, &c.progress)
	figures := system.Figures()
	return finding{result: r, traces: &figures, checker: c.Checker, err: err}
}

// sideBySide searches locally and globally at once, as Guerraoui and Yabandeh propose; local steps are asked for once. The
// search that knows first ends the other.
func (c *Check) sideBySide(parent context.Context) finding {
	ctx, cancel := context.WithCancel(parent)
	defer cancel()
	ended := make(chan finding, 2)
	go func() {
		f := c.locally(ctx, property.NewChecker(c.Actors().LocalSteps.Oracle(), c.Actors()), &dbss.Progress{})
		f.first = local
		ended <- f
	}()
	go func() {
		o := c.options
		o.Workers--
		r, err := c.globally(ctx, o, nil)
		ended <- finding{first: global, result: r, checker: c.Checker, err: err}
	}()
	first := <-ended
	// What breaks a rule in the global search does so on a run. The local search may break one on none, or not support the program.
	if first.knows() || first.first == global && first.err != nil {
		cancel()
		<-ended
		return first
	}
	second := <-ended
	if second.knows() {
		return second
	}
	if first.first == local {
		return neither(first, second)
	}
	return neither(second, first)
}

// neither merges the findings of a local and a global search that both ended without a verdict.
func neither(local, global finding) finding {
	var unfit *model.UsageError
	switch {
	case global.err != nil:
		return global
	case errors.As(local.err, &unfit):
		local.result = &dbss.Result{Reason: unfit.Text}
	case local.err != nil:
		return local
	}
	global.first, global.figures = "", local.figures
	if one, other := local.result.Reason, global.result.Reason; one != other {
		global.result.Reason = fmt.Sprintf("neither search knows: %s (local); %s (global)", one, other)
	}
	return global
}
