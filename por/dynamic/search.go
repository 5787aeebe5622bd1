package dynamic

import (
	"cmp"
	"context"

	"harrier/dbss"
	"harrier/internal/model"
	"harrier/internal/model/space"
	"harrier/internal/property"
)

// Search follows the runs of a program, of those that differ only in the order of commuting steps as few as it can. It finds
// the same failures, terminal states and violated invariants as a search of all runs. Of the options MaxStates, KeepGoing and
// NoDeadlock count, and MaxDepth is refused: races beyond a cut of a run would not be seen. States are counted
// as often as they are met. As with dbss.Search, ctx ends it, and the error is that of an oracle that could not answer.
func Search(ctx context.Context, actors *space.Actors, properties *property.Checker, o dbss.Options,
	p *dbss.Progress) (*dbss.Result, error) {
	if o.MaxDepth > 0 {
		return nil, &model.UsageError{Text: "--por dynamic needs whole runs: leave out --max-depth, or check with --por off"}
	}
	program := actors.Program()
	if err := cmp.Or(
		program.RefuseRounds("--por dynamic", "--por off"), program.RefuseMailboxes("--por dynamic", "--por off"),
		program.RefuseBounds("--por dynamic", "--por off"), program.RefuseConnections("--por dynamic", "--por off"),
		program.RefuseDisplacing("--por dynamic", "--por off"),
	); err != nil {
		return nil, err // a step that an arrival disables is in no run after it, so the race would not be seen
	}
	x := newExplorer(newNodes(actors), actors.Initial())
	x.cuts = !program.SeesNetwork()
	r, err := dbss.Search(ctx, actors, &checker{properties, x}, dbss.Options{
		Order: dbss.Stateless, MaxStates: o.MaxStates, KeepGoing: o.KeepGoing, NoDeadlock: o.NoDeadlock, Run: o.Run, Explorer: x,
	}, p)
	if err == nil && r.Violation != nil && r.Violation.State != nil {
		err = x.open(ctx, r.Violation)
	}
	return r, err
}
