package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"harrier/internal/check"
	"harrier/internal/explain"
	"harrier/internal/plan"
	"harrier/por/static"
)

func explainPORCommand() *cobra.Command {
	return explaining("por", "Print which handlers depend on each other, and why",
		`Lists what --por static relies on: what the bytecode of each handler reads, writes and sends to whom, and which pairs of them
depend on each other; where that is not known, the instruction that made it so.

A search leaves out orders that make no difference with --por.`,
		"paxos", (*explainRun).por)
}

func (e *explainRun) por(ctx context.Context, path string) (explanation, error) {
	o := plan.Default()
	o.POR = "static"
	c, err := e.stages(ctx, path, o, check.Load, check.Decompose)
	if err != nil {
		return nil, err
	}
	facts, err := static.New(c.Actors(), static.Options{})
	if err != nil {
		return nil, fmt.Errorf("finding what handlers depend on: %w", err)
	}
	return explain.OfPOR(path, c.Program.Program(), facts), nil
}
