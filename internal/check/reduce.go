package check

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"harrier/dbss"
	"harrier/internal/check/audit"
	"harrier/internal/model"
	"harrier/internal/sample"
	"harrier/internal/search"
	"harrier/por/static"
	"harrier/symmetry"
)

var (
	stores = map[string]dbss.Store{"exact": dbss.Exact, "compact": dbss.Compact}
	orders = map[string]dbss.Order{"dfs": dbss.DepthFirst, "bfs": dbss.BreadthFirst, "stateless": dbss.Stateless, search.Local: dbss.BreadthFirst}
)

// Reduce prepares the search: which states it takes as one, and which transitions it leaves out.
func Reduce(_ context.Context, c *Check) error {
	actors := c.Actors()
	c.Problem = search.NewProblem(actors, dbss.Options{
		Order: orders[c.Search], Store: stores[c.Store], Workers: c.Workers, PushAll: c.Push == "all",
		MaxDepth: c.MaxDepth, MaxStates: c.MaxStates, KeepGoing: c.KeepGoing, NoDeadlock: !c.AsksFinal(), Run: c.run,
	})
	c.Problem.Options, c.Problem.Progress = c.Plan.Options.Options, &c.progress
	c.Sampler = func(seed uint64) (*sample.Sampler, error) { return c.newSampler(grounds{actors, c.Checker}, seed) }
	if c.Members != nil {
		c.Sharing = c.shareOut()
	}
	if c.KeepGoing {
		c.Checker.KeepGoing()
	}
	c.evaluates.Store(c.Checker)
	if err := c.permute(actors); err != nil {
		return err
	}
	if err := c.prepareRuns(actors); err != nil {
		return err
	}
	c.Steps.Between = c.between
	if c.Beside {
		c.Steps.Beside = c.beside
	}
	if c.Checkpoint != nil {
		c.Steps.Log = func(variant string) (dbss.Log, error) {
			return c.Checkpoint.Log(fmt.Sprintf("%sapart %q, %s", strings.Join(c.influences, "; "), c.apart(), variant), actors.Values)
		}
		if c.Memory.Bytes > 0 {
			c.Steps.Left = c.Memory.Left
		}
	}
	if c.POR != "static" {
		return nil // dynamic reduction searches by itself
	}
	s, err := static.New(actors, static.Options{})
	if err != nil {
		return fmt.Errorf("finding what handlers depend on: %w", err)
	}
	c.Steps.Reduction = func() model.Reduction { return s.Reduction() }
	if c.Audit {
		c.reduction = audit.NewReduction(actors, auditBound)
		c.Steps.Reduction = c.reduction.Audit(c.Steps.Reduction)
	}
	return nil
}

// leastCompared is how many local steps are compared with their images in each part of a search, or as many as it has states: so what it
// looks for is not put off for these.
const leastCompared = 1_000

// between is called now and then while the search goes on.
func (c *Check) between(ctx context.Context) error {
	if c.symmetric != nil {
		if err := c.symmetric.Advance(ctx, max(leastCompared, int(c.progress.States.Load()))); err != nil {
			return err
		}
	}
	return c.runs.advance(ctx, c.progress.States.Load())
}

// A difference is one that a search was given up for.
type difference struct {
	*symmetry.Difference
	states uint64 // how many the search had explored
}

// permute has symmetric actors permuted, but for those that differences are about. While the search goes on, its local steps are
// compared with their images.
func (c *Check) permute(actors *model.Actors) error {
	// These are of the group of a search before, where this one begins anew.
	c.symmetric = nil
	model.TryRenamings(actors.LocalSteps, nil)
	if c.Symmetry == "off" || c.Search == "stateless" {
		return nil
	}
	var err error
	if c.Group, err = symmetry.Find(actors, c.apart()...); err != nil {
		return fmt.Errorf("finding which actors are symmetric: %w", err)
	}
	if !c.Group.IsTrivial() {
		c.Checker.Permute(symmetry.Labels(c.Group.Generators))
		c.Steps.Canonical, c.Steps.Orbits = c.Group.Canonicalizer, c.Group.Numbers
		c.symmetric = symmetry.NewChecking(actors, c.Group.Generators)
		model.TryRenamings(actors.LocalSteps, c.Group.Renaming)
	} else if c.Symmetry == "on" {
		return usage("--symmetry on: no actors are symmetric: %s", c.Group.FirstObstacle())
	}
	return nil
}

// apart are the actors that are not permuted, since they turned out to be told apart.
func (c *Check) apart() []string {
	apart := slices.Clone(c.keptApart)
	for _, d := range c.differences {
		for _, r := range rolesApart(c.Actors().Program(), d.Difference) {
			apart = append(apart, r.Actors...)
		}
	}
	return apart
}

// rolesApart are the roles of the actors that are told apart.
func rolesApart(p *model.Program, d *symmetry.Difference) []model.Role {
	return slices.DeleteFunc(slices.Clone(p.Roles), func(r model.Role) bool {
		return !slices.ContainsFunc(r.Actors, func(name string) bool { return d.Moved.Of(name) != name })
	})
}

// text says what told the actors apart.
func (d difference) text() string {
	return fmt.Sprintf("%s does different things with %s", d.By, d.Moved)
}
