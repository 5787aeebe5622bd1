package check

import (
	"context"
	"fmt"
	"strings"

	"harrier/dbss"
	"harrier/internal/check/audit"
	"harrier/internal/confirm"
	"harrier/internal/distributed/levels"
	"harrier/internal/model/space"
	"harrier/internal/sample"
	"harrier/internal/search"
	"harrier/symmetry"
)

var (
	stores = map[string]dbss.Store{"exact": dbss.Exact, "compact": dbss.Compact}
	orders = map[string]dbss.Order{"dfs": dbss.DepthFirst, "bfs": dbss.BreadthFirst, "stateless": dbss.Stateless, search.Local: dbss.BreadthFirst}
)

// Reduce prepares the search: which states it takes as one, and how it is watched.
func Reduce(_ context.Context, c *Check) error {
	actors := c.Actors()
	c.attempt = attempt{}
	c.Problem = search.NewProblem(actors, dbss.Options{
		Order: orders[c.Search], Store: stores[c.Store], Workers: c.Workers, PushAll: c.Push == "all",
		MaxDepth: c.MaxDepth, MaxStates: c.MaxStates, KeepGoing: c.KeepGoing, NoDeadlock: !c.AsksFinal(), Run: c.run,
	})
	c.Problem.Options, c.Problem.Progress = c.Plan.Options.Options, &c.progress
	c.Sampler = func(seed uint64) (*sample.Sampler, error) {
		return c.newSampler(confirm.Grounds{Actors: actors, Checker: c.Checker}, seed)
	}
	if c.Shared != nil {
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
	if c.Memory.Bytes > 0 {
		c.Steps.Left = c.Memory.Left
	}
	if c.Checkpoint != nil {
		c.Steps.Levels = func(variant string) (*levels.Chain, error) {
			return c.Checkpoint.Levels(fmt.Sprintf("%sapart %q, %s", strings.Join(c.refuted.influences, "; "), c.apart(), variant))
		}
		c.Steps.LevelsFailed, c.Steps.Handlers = c.Checkpoint.LevelsFailed, actors.Values
	}
	if c.Audit && c.POR == "static" {
		c.reduction = audit.NewReduction(actors, auditBound)
		c.AuditReduction = c.reduction.Audit
	}
	return nil
}

// leastCompared is how many local steps are compared with their images in each part of a search, or as many as it has states: so violations are
// found about as early as without the comparison.
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

// permute has symmetric actors permuted, but for those that are told apart. While the search goes on, its local steps are
// compared with their images.
func (c *Check) permute(actors *space.Actors) error {
	space.TryRenamings(actors.LocalSteps, nil) // removes the renamings of the attempt before
	if c.Symmetry == "off" || c.Search == "stateless" {
		return nil
	}
	var err error
	if c.Group, err = symmetry.Find(actors, c.apart()...); err != nil {
		return fmt.Errorf("finding which actors are symmetric: %w", err)
	}
	if !c.Group.IsTrivial() {
		c.Checker.Permute(symmetry.Labels(c.Group.Generators))
		c.Checker.Combine(c.Group)
		c.Steps.Canonical, c.Steps.Orbits = c.Group.Canonicalizer, c.Group.Numbers
		c.symmetric = symmetry.NewChecking(actors, c.Group.Generators)
		space.TryRenamings(actors.LocalSteps, c.Group.Renaming)
	} else if c.Symmetry == "on" {
		return usage("--symmetry on: no actors are symmetric: %s", c.Group.FirstObstacle())
	}
	return nil
}
