package main

import (
	"context"
	"slices"

	"github.com/spf13/cobra"

	"harrier/internal/check"
	"harrier/internal/plan"
	"harrier/internal/report"
	"harrier/symmetry"
)

func explainSymmetryCommand() *cobra.Command {
	return explaining("symmetry", "Print which actors are symmetric, and what distinguishes the others",
		`Lists the roles of a scenario with the actors that are symmetric: there is a permutation of actors, each within
its role, that maps the initial state to itself and one of them to the other. For actors of a role that are not all
symmetric it names what distinguishes some of them first: a field, a message, or what the scenario declares.

A search takes states that differ by such a permutation as one, unless --symmetry off is given.`,
		"paxos", (*explain).symmetry)
}

func (e *explain) symmetry(ctx context.Context, path string) (explanation, error) {
	c, err := e.stages(ctx, path, plan.Default(), check.Load, check.Decompose, check.Reduce)
	if err != nil {
		return nil, err
	}
	group, program := c.Group, c.Program.Program()
	d := report.Interchangeability{
		Heading: report.NewHeading(path, program), Permutations: group.Order,
		Generators: []report.Generator{}, Roles: []report.InterchangeableRole{}, Remarks: []string{},
	}
	for _, r := range program.Roles {
		role := report.InterchangeableRole{Role: r.Name, Actors: r.Actors, Orbits: []symmetry.Orbit{}}
		for _, o := range group.Orbits {
			if o.Role == r.Name {
				role.Orbits = append(role.Orbits, o)
			}
		}
		if i := slices.IndexFunc(group.Obstacles, func(o symmetry.Obstacle) bool { return o.Role == r.Name }); i >= 0 {
			role.Obstacle = group.Obstacles[i].Text
		}
		d.Roles = append(d.Roles, role)
	}
	for _, g := range group.Generators {
		d.Generators = append(d.Generators, report.Generator{Text: g.String(), Moves: g})
	}
	if group.Remark != "" {
		d.Remarks = append(d.Remarks, group.Remark)
	}
	return d, nil
}
