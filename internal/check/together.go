package check

import (
	"context"
	"encoding/json"
	"fmt"

	"harrier/internal/distributed/tasks"
	"harrier/internal/model"
	"harrier/internal/plan"
	"harrier/internal/search"
)

// shareOptions are the options of a check that its workers need (tasks.Start).
type shareOptions struct {
	search.Options
	Apart []string // actors that are not permuted
	// The faults, the initial state and whether the program is live, as the check set them in the program that Java described.
	Faults  []model.Fault
	Initial model.Initial
	Live    bool
}

// shareOut returns the input of workers that explore the states of the check.
func (c *Check) shareOut() search.Sharing {
	program := c.Actors().Program()
	o := shareOptions{c.Plan.Options.Options, c.apart(), program.Faults, program.Initial, program.Live}
	o.Share = ""
	return search.Sharing{Store: c.Shared, Options: o}
}

// Share takes tasks of the check that made a store, by a number of goroutines, until the context ends. self is the name of the worker, and
// program returns the program as Java described it.
func Share(ctx context.Context, store tasks.Store, self string, workers int, memory plan.MemoryLimit, program func() (LoadedProgram, error)) error {
	return tasks.Serve(ctx, store, func(ctx context.Context, start tasks.Start) error {
		var s shareOptions
		if err := json.Unmarshal(start.Options, &s); err != nil {
			return fmt.Errorf("reading how to search: %w", err)
		}
		s.Workers = workers
		resolved, err := plan.Resolve(plan.Options{Options: s.Options, Memory: memory})
		if err != nil {
			return err
		}
		c := New(resolved, Environment{})
		c.keptApart = s.Apart
		if c.Program, err = program(); err != nil {
			return err
		}
		facts := c.Program.Program()
		facts.Delivery, facts.Faults, facts.Initial, facts.Live = c.Source.Delivery, s.Faults, s.Initial, s.Live
		ctx, cancel := c.limits(ctx)
		defer cancel()
		if err := c.Do(ctx, Load, Decompose, Reduce); err != nil {
			return err
		}
		return search.Shared{}.Explore(ctx, c.Problem, store, start, self)
	})
}
