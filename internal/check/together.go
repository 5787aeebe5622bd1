package check

import (
	"context"
	"encoding/json"
	"fmt"

	"harrier/dbss"
	"harrier/internal/model"
	"harrier/internal/partition"
	"harrier/internal/plan"
	"harrier/por/macro"
)

// shareOptions are the options of a check that its members need (partition.Start).
type shareOptions struct {
	plan.Options          // those that say how to search
	Apart        []string // actors that are not permuted
	// The faults, the initial state and whether the program is live, as the check set them in the program that Java described.
	Faults  []model.Fault
	Initial model.Initial
	Live    bool
}

// together has members explore the states, and returns what they find.
func (c *Check) together(ctx context.Context) finding {
	actors := c.Actors()
	by := &partition.Coordinator{CoordinatorTransport: c.Members, Values: actors.Values, Options: shareOptions{
		plan.Options{
			Search: c.Search, Hashing: c.Hashing, Store: c.Store, Push: c.Push, Model: c.Model, Reduction: c.Reduction, POR: c.POR, PCT: c.PCT,
			Components: c.Components, Symmetry: c.Symmetry, MaxDepth: c.MaxDepth, KeepGoing: c.KeepGoing, NoDeadlock: c.NoDeadlock,
		}, c.apart(),
		actors.Program().Faults, actors.Program().Initial, actors.Program().Live,
	}}
	if c.Checkpoint != nil {
		by.Journal = func(variant []byte) (partition.Journal, error) {
			return c.Checkpoint.Journal(fmt.Sprintf("apart %q, %s", c.apart(), variant))
		}
	}
	f := finding{checker: c.Checker}
	if c.Reduction == "macro" {
		f.result, f.err = c.globally(ctx, c.options, by.Search)
	} else {
		f.result, f.err = by.Search(ctx, &model.SharedActors{Actors: actors}, c.Checker, c.options, &c.progress)
	}
	if by.Dropped > 0 {
		c.remark(fmt.Sprintf("%d messages of the shared search were dropped: none of its workers can have sent them", by.Dropped))
	}
	if err := by.Close(); f.err == nil {
		f.err = err
	}
	return f
}

// Share returns the partition.Round of a member: it explores, with so many goroutines, the states that fall to this process, for the check
// that began the round. program returns the program as Java described it.
func Share(workers int, memory plan.MemoryLimit, program func() (LoadedProgram, error)) partition.Round {
	return func(ctx context.Context, start partition.Start, p *partition.Member) (*dbss.Result, error) {
		var s shareOptions
		if err := json.Unmarshal(start.Options, &s); err != nil {
			return nil, fmt.Errorf("reading how to search: %w", err)
		}
		s.Memory, s.Workers = memory, workers
		resolved, err := plan.Resolve(s.Options)
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
		return c.share(ctx, start.Variant, p)
	}
}

// share explores a variant of the system with p as its partition.
func (c *Check) share(ctx context.Context, variant []byte, p *partition.Member) (*dbss.Result, error) {
	actors := c.Actors()
	p.System, p.Values = &model.SharedActors{Actors: actors}, actors.Values
	o := c.options
	o.Partition, o.Between = p, nil
	if c.Reduction != "macro" {
		return dbss.Search(ctx, p.System, c.Checker, o, &c.progress)
	}
	system := c.macroSystem()
	p.System = system
	if err := system.Adopt(variant); err != nil {
		return nil, err
	}
	return system.Share(ctx, o, &c.progress)
}

// macroSystem is the system of macro steps, in which symmetric actors are permuted.
func (c *Check) macroSystem() *macro.System {
	system := macro.New(c.Actors(), c.Checker)
	if c.Group != nil {
		system.Permute(c.Group.Permutations())
	}
	return system
}
