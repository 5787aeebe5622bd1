package check

import (
	"context"
	"encoding/json"
	"fmt"

	"harrier/dbss"
	"harrier/internal/model"
	"harrier/internal/partition"
	"harrier/internal/plan"
	"harrier/internal/search"
)

// shareOptions are the options of a check that its members need (partition.Start).
type shareOptions struct {
	search.Options
	Apart []string // actors that are not permuted
	// The faults, the initial state and whether the program is live, as the check set them in the program that Java described.
	Faults  []model.Fault
	Initial model.Initial
	Live    bool
}

// shareOut returns the input of members that explore the states of the check.
func (c *Check) shareOut() search.Sharing {
	program := c.Actors().Program()
	o := shareOptions{c.Plan.Options.Options, c.apart(), program.Faults, program.Initial, program.Live}
	o.Share = 0
	s := search.Sharing{Members: c.Members, Options: o}
	if c.Checkpoint != nil {
		s.Journal = func(variant []byte) (partition.Journal, error) {
			return c.Checkpoint.Journal(fmt.Sprintf("apart %q, %s", o.Apart, variant))
		}
	}
	return s
}

// Share returns the partition.Round of a member: it explores, with so many goroutines, the states that fall to this process, for the check
// that began the round. program returns the program as Java described it.
func Share(workers int, memory plan.MemoryLimit, program func() (LoadedProgram, error)) partition.Round {
	return func(ctx context.Context, start partition.Start, p *partition.Member) (*dbss.Result, error) {
		var s shareOptions
		if err := json.Unmarshal(start.Options, &s); err != nil {
			return nil, fmt.Errorf("reading how to search: %w", err)
		}
		s.Workers = workers
		resolved, err := plan.Resolve(plan.Options{Options: s.Options, Memory: memory})
		if err != nil {
			return nil, err
		}
		c := New(resolved, Environment{})
		c.keptApart = s.Apart
		if c.Program, err = program(); err != nil {
			return nil, err
		}
		facts := c.Program.Program()
		facts.Delivery, facts.Faults, facts.Initial, facts.Live = c.Source.Delivery, s.Faults, s.Initial, s.Live
		ctx, cancel := c.limits(ctx)
		defer cancel()
		if err := c.Do(ctx, Load, Decompose, Reduce); err != nil {
			return nil, err
		}
		return search.Shared{}.Explore(ctx, c.Problem, start.Variant, p)
	}
}
