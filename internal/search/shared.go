package search

import (
	"context"
	"errors"
	"fmt"

	"harrier/dbss"
	"harrier/internal/model/space"
	"harrier/internal/partition"
)

// Shared has the members of a partition explore states or macro states.
type Shared struct{}

// Sharing is what a shared search needs beside the problem.
type Sharing struct {
	Members partition.CoordinatorTransport // nil if the search is not shared
	Options any                            // for the members (partition.Start)
	Journal func(variant []byte) (partition.Journal, error)
}

// Fits implements Strategy.
func (Shared) Fits(o Options) (Options, error) {
	switch {
	case o.Share < 1:
		return o, errors.New("--share takes the number of workers that explore the states: at least 1")
	case !o.IsGiven("cluster"):
		return o, errors.New("--share is for --cluster, whose workers explore the states: name one")
	case o.Search != "bfs" || o.POR != "off":
		return o, fmt.Errorf("--share is for --search bfs without --por, not for %s", o.Search)
	case o.IsGiven("audit"):
		return o, errors.New("--share does not go together with --audit: leave one of them out")
	case o.Given["cluster"] == OwnCluster && (o.IsGiven("checkpoint") || o.IsGiven("resume")):
		return o, errors.New("--share with a checkpoint needs servers that have what workers keep once the check has ended: name them, --cluster nats://…")
	}
	o.Workers = o.Share
	if takesMacroSteps(&o) {
		return MacroSteps{}.Fits(o)
	}
	return SingleSteps{}.Fits(o)
}

// OwnCluster is the value of --cluster that stands for a server of this process.
const OwnCluster = "own"

// Search implements Strategy.
func (Shared) Search(ctx context.Context, p Problem) (f Finding, err error) {
	by := &partition.Coordinator{
		CoordinatorTransport: p.Sharing.Members, Values: p.Actors.Values, Options: p.Sharing.Options, Journal: p.Sharing.Journal,
	}
	if p.Options.Reduction == "macro" {
		f, err = p.macroSteps(ctx, by.Search)
	} else {
		f.Checker = p.Checker
		f.Result, err = by.Search(ctx, &space.SharedActors{Actors: p.Actors}, p.Checker, p.Steps, p.Progress)
	}
	f.Dropped = by.Dropped
	if closed := by.Close(); err == nil {
		err = closed
	}
	return f, err
}

// Explore explores the part of a shared search that falls to a member.
func (Shared) Explore(ctx context.Context, p Problem, variant []byte, member *partition.Member) (*dbss.Result, error) {
	member.System, member.Values = &space.SharedActors{Actors: p.Actors}, p.Actors.Values
	p.Steps.Partition, p.Steps.Between = member, nil
	if p.Options.Reduction != "macro" {
		return dbss.Search(ctx, member.System, p.Checker, p.Steps, p.Progress)
	}
	system := p.MacroSystem()
	member.System = system
	if err := system.Adopt(variant); err != nil {
		return nil, err
	}
	return system.Share(ctx, p.Steps, p.Progress)
}
