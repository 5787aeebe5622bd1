package main

import (
	"context"

	"github.com/spf13/cobra"

	"harrier/dbss"
	"harrier/internal/check"
	"harrier/internal/explain"
	"harrier/internal/plan"
)

func explainComponentsCommand() *cobra.Command {
	o := plan.Default()
	o.Symmetry = "off"
	c := explaining("components", "Print what components show one another, and what is internal",
		`Explores the macro states of a program. Prints for each component the labels of its macro steps (messages to others,
records of the history, budgets of faults), the events that are internal, and how many states it can become by
internal steps: all of them are explored in each macro step. It gives no verdict.`,
		"paxos --components proposer1+acceptor1",
		func(e *explainRun, ctx context.Context, path string) (explanation, error) {
			return e.components(ctx, path, o)
		})
	registerComponents(c, &o.Components)
	c.Flags().Uint64Var(&o.MaxStates, "max-states", 0, "end after this many macro states")
	return c
}

func (e *explainRun) components(ctx context.Context, path string, o plan.Options) (explanation, error) {
	c, err := e.stages(ctx, path, o, check.Load, check.Decompose, check.Reduce)
	if err != nil {
		return nil, err
	}
	system, options := c.MacroSystem(), dbss.Options{MaxStates: o.MaxStates, KeepGoing: true, NoDeadlock: true}
	result, err := system.Search(ctx, options, &dbss.Progress{})
	if err != nil {
		return nil, err
	}
	return explain.OfComponents(path, c.Actors(), system, result), nil
}
