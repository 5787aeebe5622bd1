package main

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"harrier/dbss"
	"harrier/model"
	"harrier/property"
	"harrier/report"
	"harrier/symmetry"
)

var symmetries = []string{"auto", "on", "off", "check"}

// symmetryBound is how many steps, and how many evaluations, are compared with their images unless all are wanted: some seconds. Most
// programs have far fewer.
const symmetryBound = 100_000

// parseSymmetry refuses what does not go together with --symmetry.
func (m *method) parseSymmetry() error {
	if !slices.Contains(symmetries, m.symmetry) {
		return fmt.Errorf("--symmetry is auto, on, off or check, not %q", m.symmetry)
	}
	if m.search == "stateless" && (m.symmetry == "on" || m.symmetry == "check") {
		return fmt.Errorf("--symmetry is for searches that remember states: --search stateless remembers none")
	}
	return nil
}

// permute has a search and a checker permute the symmetric actors, but for those that differences are about. It returns the group, nil if
// none are permuted.
func (k *check) permute(actors *model.Actors, checker *property.Checker, options *dbss.Options, differences []*symmetry.Difference) (*symmetry.Group, error) {
	if k.symmetry == "off" || k.search == "stateless" {
		return nil, nil
	}
	var apart []string
	for _, d := range differences {
		for _, r := range rolesApart(actors.Program(), d) {
			apart = append(apart, r.Actors...)
		}
	}
	group, err := symmetry.Find(actors, apart...)
	if err != nil {
		return nil, fmt.Errorf("finding which actors are symmetric: %w", err)
	}
	if !group.IsTrivial() {
		checker.Permute(symmetry.Labels(group.Generators))
		options.Canonical = group.Canonicalizer
	} else if k.symmetry != "auto" {
		return nil, usageError{fmt.Errorf("--symmetry %s: no actors are symmetric: %s", k.symmetry, firstObstacle(group))}
	}
	return group, nil
}

func firstObstacle(group *symmetry.Group) string {
	if group == nil || len(group.Obstacles) == 0 {
		return "the scenario creates no role of several actors"
	}
	return group.Obstacles[0].Text
}

// rolesApart are the roles of the actors that are told apart.
func rolesApart(p *model.Program, d *symmetry.Difference) []model.Role {
	return slices.DeleteFunc(slices.Clone(p.Roles), func(r model.Role) bool {
		return !slices.ContainsFunc(r.Actors, func(name string) bool { return d.Moved.Of(name) != name })
	})
}

// notPermuted says which actors a search did not permute, since they turned out to be told apart.
func notPermuted(p *model.Program, d *symmetry.Difference) string {
	var roles []string
	for _, r := range rolesApart(p, d) {
		roles = append(roles, r.Name)
	}
	return fmt.Sprintf("the actors of %s are not permuted: %s does different things with %s (--symmetry on shows them)", strings.Join(roles, " and "), d.By, d.Moved)
}

// tellSymmetry puts the group into the summary. Programs without one are nothing special: 'explain symmetry' says why.
func tellSymmetry(group *symmetry.Group, summary *report.Summary) {
	if group == nil || group.IsTrivial() {
		return
	}
	summary.Symmetry = &report.Symmetry{Permutations: group.Order, Orbits: orbits(group)}
	if group.Remark != "" {
		summary.Remarks = append(summary.Remarks, group.Remark)
	}
}

func orbits(group *symmetry.Group) []report.Orbit {
	orbits := []report.Orbit{}
	for _, o := range group.Orbits {
		orbits = append(orbits, report.Orbit{Role: o.Role, Actors: o.Actors})
	}
	return orbits
}

// checkSymmetry compares the steps of a search with their images under the group that it used: all of them, unless that takes more
// than symmetryBound steps or evaluations. A violation that was executed again is real whatever the group, but figures of a search
// that went on are not.
func (k *check) checkSymmetry(ctx context.Context, actors *model.Actors, checker *property.Checker, group *symmetry.Group, summary *report.Summary) error {
	whole := k.symmetry == "check"
	if summary.Symmetry == nil || summary.Violation != nil && !whole && !k.keepGoing {
		return nil
	}
	// Each step of the search is compared with its images under all generators at least.
	bound := max(symmetryBound, uint64(len(actors.LocalSteps())*(1+len(group.Generators))))
	if whole {
		bound = math.MaxUint64
	}
	start := time.Now()
	result, err := symmetry.Check(ctx, actors, checker, group.Generators, bound)
	if err != nil {
		return besideViolation(err, summary)
	}
	summary.Symmetry.Check = &report.SymmetryCheck{
		Steps: result.Steps, KnownSteps: result.KnownSteps, Evaluations: result.Evaluations, KnownEvaluations: result.KnownEvaluations,
		Sample: !result.Complete(), Complete: result.Complete(), Reason: result.Reason, Seconds: time.Since(start).Seconds(),
	}
	return nil
}
