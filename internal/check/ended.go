package check

import (
	"slices"

	"harrier/internal/advice"
	"harrier/internal/model"
	"harrier/internal/plan"
	"harrier/internal/report"
)

// ended returns the input of advice and remarks, with the summary as it is.
func (c *Check) ended(s *report.Summary) advice.Ended {
	program := c.Actors().Program()
	usual, _ := plan.NewMemoryLimit("")
	e := advice.Ended{
		Actors: c.Actors(), Group: c.Group, Result: c.Result, Summary: s, Evaluations: c.known.evaluations.Evaluations,
		Remembered: c.known.evaluations.Remembered, Runs: c.known.runs, Symmetry: c.known.symmetry,
		Multipliers: c.known.multipliers, Auxiliary: len(program.AuxiliaryFields()) + len(program.AuxiliarySenderLabels()),
		Domains: c.domains, Limit: c.Memory.Bytes,
		Given: c.Given, OfMode: c.OfMode, NoDeadlock: c.NoDeadlock, DrawsApart: c.toldApartBy, Growth: c.growth, Endless: c.endless, Memory: usual.Bytes,
		RunsLeft:   slices.ContainsFunc(program.Liveness, func(of model.Liveness) bool { return !c.asksRuns(of) }),
		HasAnswers: c.loaded != nil && c.loaded.Answers.HasAny(),
	}
	if c.reduction != nil {
		e.Pairs = c.reduction.Report().Pairs
	}
	if c.JVM != nil {
		e.Slow = c.JVM.Slow()
	}
	for _, d := range c.refuted.symmetry {
		e.ToldApart = append(e.ToldApart, advice.ToldApart{Roles: roleNames(rolesApart(program, d.Difference)), Why: d.text(), States: d.states})
	}
	return e
}
