package main

import (
	"context"

	"github.com/spf13/cobra"

	"harrier/internal/check"
	"harrier/internal/explain"
	"harrier/internal/plan"
)

func explainSymmetryCommand() *cobra.Command {
	return explaining("symmetry", "Print which actors are symmetric, and what distinguishes the others",
		`Lists the roles of a scenario with the actors that are symmetric: there is a permutation of actors, each within
its role, that maps the initial state to itself and one of them to the other. For actors of a role that are not all
symmetric it names what distinguishes some of them first: a field, a message, or what the scenario declares.

A search takes states that differ by such a permutation as one, unless --symmetry off is given.`,
		"paxos", (*explainRun).symmetry)
}

func (e *explainRun) symmetry(ctx context.Context, path string) (explanation, error) {
	c, err := e.stages(ctx, path, plan.Default(), check.Load, check.Decompose, check.Reduce)
	if err != nil {
		return nil, err
	}
	return explain.OfSymmetry(path, c.Program.Program(), c.Group), nil
}
