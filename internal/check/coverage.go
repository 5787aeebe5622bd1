package check

import (
	"context"
	"slices"

	"harrier/bridge"
	"harrier/internal/advice"
	"harrier/internal/model"
	"harrier/internal/report"
)

// cover puts into the summary what the local steps of the search executed. What is executed later, of a counterexample or an audit,
// does not count.
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
	exist := actors.Values.HasActors
	missing := neverDelivered(actors, slices.DeleteFunc(found.Kinds, func(k bridge.MessageKind) bool { return !exist(k.Actor) }))
	covered := &report.Coverage{Kept: actors.LocalSteps.Stats().Kept, Methods: []report.MethodCovered{}, NeverDelivered: []string{}}
	for _, k := range missing {
		covered.NeverDelivered = append(covered.NeverDelivered, k.Label)
		alone := func(h model.Handler) bool { return h.Takes == k.Class && exist(h.Class) }
		if c.Result.Complete && !slices.ContainsFunc(actors.Program().Handlers, alone) { // else its handler never ran
			c.remark(k.Label + " was never delivered" + advice.InOrders(c.Result))
		}
	}
	for _, m := range found.Methods {
		if covered.Kept == 0 && (len(m.Actors) == 0 || slices.ContainsFunc(m.Actors, exist)) {
			covered.Add(methodCovered(m))
		}
	}
	c.Summary.Coverage = covered
	return nil
}

func methodCovered(m bridge.CoveredMethod) report.MethodCovered {
	lines, missedLines := executed(m.Lines)
	branches, missedBranches := executed(m.Branches)
	return report.MethodCovered{
		Method: m.Label, Handler: len(m.Actors) > 0, File: m.File,
		Covered:     report.Covered{Lines: len(m.Lines), LinesExecuted: lines, Branches: len(m.Branches), BranchesExecuted: branches},
		MissedLines: missedLines, MissedBranches: missedBranches,
	}
}

// executed is how many of some lines or branches were executed, and the lines of the others.
func executed(all []bridge.CoveredLine) (executed int, missed []int) {
	missed = []int{}
	for _, l := range all {
		if l.Executed {
			executed++
		} else {
			missed = append(missed, l.Line)
		}
	}
	return executed, missed
}

// neverDelivered are those of some kinds of messages that no local step consumes, each once.
func neverDelivered(actors *model.Actors, kinds []bridge.MessageKind) (never []bridge.MessageKind) {
	consumed := map[string]bool{}
	for payload := range model.Consumed(actors.LocalSteps) {
		consumed[bridge.ClassOf(payload)] = true
	}
	for _, k := range kinds {
		if !consumed[k.Class] {
			consumed[k.Class] = true
			never = append(never, k)
		}
	}
	return never
}
