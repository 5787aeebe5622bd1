package check

import (
	"context"

	"harrier/dbss"
	"harrier/dir"
	"harrier/lmc"
	"harrier/por/dynamic"
)

// Search searches, and begins the summary with what it found. The path of a violation is one of single steps.
func Search(ctx context.Context, c *Check) (err error) {
	var figures *lmc.Figures
	if c.Result, figures, err = c.explore(ctx); err != nil {
		return err
	}
	c.Summary = c.summarize(figures)
	return nil
}

func (c *Check) explore(ctx context.Context) (result *dbss.Result, figures *lmc.Figures, err error) {
	switch actors := c.Actors(); {
	case c.Search == local:
		o := lmc.Options{Options: c.options, LocalEvents: c.LocalEvents, General: c.LocalPruning == "off"}
		r, err := lmc.Check(ctx, actors, c.Checker, o, &c.progress)
		if err != nil {
			return nil, nil, err
		}
		return r.Result, &r.Figures, nil
	case c.POR == "dynamic":
		result, err = dynamic.Search(ctx, actors, c.Checker, c.options, &c.progress)
	case c.Reduction == "macro":
		system := dir.New(actors)
		system.Persistent = c.persistent
		if c.Group != nil {
			system.Permute(c.Group.Permutations())
		}
		result, err = system.Search(ctx, c.Checker, c.options, &c.progress)
	default:
		result, err = dbss.Search(ctx, actors, c.Checker, c.options, &c.progress)
	}
	return result, nil, err
}
