package search

import (
	"context"
	"errors"
	"fmt"
	"os"

	"harrier/dbss"
	"harrier/internal/distributed/levels"
	"harrier/internal/distributed/tasks"
	"harrier/internal/model"
	"harrier/internal/model/space"
	"harrier/internal/process/files"
)

// Shared has workers explore states or macro states, level by level (package tasks).
type Shared struct{}

// Sharing is the input of a shared search beside the problem.
type Sharing struct {
	Store   tasks.Store // nil if the search is not shared
	Options any         // for the workers (tasks.Start)
}

// Fits implements Strategy.
func (Shared) Fits(o Options) (Options, error) {
	switch {
	case !o.IsGiven("cluster"):
		return o, errors.New("--share is for --cluster, whose workers explore the states: name one")
	case o.Search != "bfs" || o.POR != "off":
		return o, fmt.Errorf("--share is for --search bfs without --por, not for %s", o.Search)
	case o.IsGiven("audit"):
		return o, errors.New("--share does not go together with --audit: leave one of them out")
	case o.Given["cluster"] == OwnCluster && (o.IsGiven("checkpoint") || o.IsGiven("resume")):
		return o, errors.New("--share with a checkpoint needs servers that have the levels once the check has ended: name them, --cluster nats://…")
	}
	o.Workers = 1
	if takesMacroSteps(&o) {
		return MacroSteps{}.Fits(o)
	}
	return SingleSteps{}.Fits(o)
}

// OwnCluster is the value of --cluster that stands for a server of this process.
const OwnCluster = "own"

// Search implements Strategy.
func (Shared) Search(ctx context.Context, p Problem) (f Finding, err error) {
	p.Steps.Handlers = p.Actors.Values
	watch := func(ctx context.Context, system model.System, checker dbss.Checker, o dbss.Options, progress *dbss.Progress) (*dbss.Result, error) {
		var variant []byte
		if of, ok := system.(model.Shared); ok {
			variant = of.Variant()
		}
		search, err := tasks.Begin(ctx, p.Sharing.Store, p.Sharing.Options, variant)
		if err != nil {
			if reason := model.EndReason(ctx, err); reason != "" {
				return &dbss.Result{Reason: reason}, nil
			}
			return nil, err
		}
		return dbss.Watch(ctx, system, checker, o, progress, tasks.NewFollower(p.Sharing.Store, p.Sharing.Store, search))
	}
	if p.Options.Reduction == "macro" {
		return p.macroSteps(ctx, watch)
	}
	f.Checker = p.Checker
	f.Result, err = watch(ctx, &space.SharedActors{Actors: p.Actors}, p.Checker, p.Steps, p.Progress)
	return f, err
}

// Explore takes tasks of a shared search until the context ends, as a worker with a name. The error is that it cannot.
func (Shared) Explore(ctx context.Context, p Problem, store tasks.Store, start tasks.Start, self string) error {
	var member *tasks.Member
	o := p.Steps
	o.Between, o.KeepGoing, o.MaxStates, o.Handlers = nil, true, 0, p.Actors.Values
	o.Share = &dbss.Share{
		Scratch: func() (*os.File, error) { return files.Scratch("", "harrier-share-") },
		Member: func(order *levels.Order) *tasks.Member {
			member = tasks.NewMember(store, store, start.Search, self, order, tasks.Usual)
			return member
		},
	}
	r, err := p.explore(ctx, start.Variant, o)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if told, failed := dbss.Forgo(ctx, member, err); told || failed != nil {
		if failed == nil {
			<-ctx.Done() // the check will end the search
			failed = context.Cause(ctx)
		}
		return failed
	}
	if err == nil {
		err = errors.New(r.Reason)
	}
	return err
}

// explore explores a variant of the system as options say.
func (p *Problem) explore(ctx context.Context, variant []byte, o dbss.Options) (*dbss.Result, error) {
	if p.Options.Reduction != "macro" {
		return dbss.Search(ctx, &space.SharedActors{Actors: p.Actors}, p.Checker, o, p.Progress)
	}
	system := p.MacroSystem()
	if err := system.Adopt(variant); err != nil {
		return nil, err
	}
	return system.Share(ctx, o, p.Progress)
}
