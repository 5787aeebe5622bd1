package lmc_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"testing"

	"harrier/dbss"
	"harrier/internal/lmc"
	"harrier/internal/model"
	"harrier/internal/model/space"
	"harrier/internal/property"
	"harrier/internal/testkit/reach"
	"harrier/internal/testkit/replayed"
	"harrier/internal/testkit/toy"
	"harrier/internal/testkit/twin"
)

var (
	programs = flag.Int("programs", 8, "how many random programs of each kind are compared")
	seed0    = flag.Uint64("seed", 0, "the first of them")
)

// mostStates and mostPending bound the programs that the twin explores, limit the sets.
const (
	mostStates  = 1500
	mostPending = 15
	limit       = 20000
)

// A kind is a kind of random programs.
type kind struct {
	name      string
	make      func(seed uint64) *toy.Protocol
	selective bool
	found     []uint64 // seeds of programs that showed a defect
}

var kinds = []kind{
	{name: "plain", make: toy.Messages.Random},
	{name: "events", make: toy.Events.Random},
	{name: "watching", make: toy.Watching(toy.Events.Random)},
	{name: "quorums", make: func(seed uint64) *toy.Protocol { return toy.Quorums.Random(seed).Under(model.DeliveryModel(seed % 3)) }},
	{name: "selective", make: toy.Auxiliary.Random, selective: true, found: []uint64{70188}},
	{name: "fields", make: toy.Footprints.Random, selective: true},
	{name: "conversations", make: toy.Conversations},
	{name: "friends", make: toy.Friends},
}

// tally is what random programs prove.
type tally struct {
	programs, local, refuted, whole, violated, skipped, cut int
}

// TestAgreesWithTwin holds local checking to the dumb twin on random programs with all that programs may do.
func TestAgreesWithTwin(t *testing.T) {
	for _, k := range kinds {
		t.Run(k.name, func(t *testing.T) {
			var n tally
			for i := 0; n.programs < *programs+len(k.found); i++ {
				seed := *seed0 + uint64(i-len(k.found))
				if i < len(k.found) {
					seed = k.found[i]
				}
				p := k.make(seed)
				d := p.Decomposition(space.Selective)
				if !k.selective {
					d.Relevant = nil
					if p.Logs { // where logged senders are relevant
						d.Sender = nil
					}
				}
				want := explored(t.Context(), p, d)
				if want.TooLarge || want.Err != nil || want.States < 5 {
					continue
				}
				n.programs++
				if problem := n.compare(t.Context(), p, d, want); problem != "" {
					t.Fatalf("seed %d: %s", seed, problem)
				}
			}
			t.Logf("%+v", n)
			if n.local == 0 || n.violated == 0 {
				t.Error("these programs prove too little")
			}
		})
	}
}

// explored is what the twin finds in a program. That there are too many states a search finds out sooner.
func explored(ctx context.Context, p *toy.Protocol, d space.Decomposition) twin.Result {
	actors, err := space.NewActors(p, d)
	if err != nil {
		return twin.Result{Err: err}
	}
	o := dbss.Options{Order: dbss.BreadthFirst, KeepGoing: true, MaxStates: mostStates + 1}
	if r, err := dbss.Search(ctx, actors, property.NewChecker(p, actors), o, &dbss.Progress{}); err == nil && !r.Complete {
		return twin.Result{TooLarge: true}
	}
	all := twin.Options{MaxStates: mostStates, MaxPending: mostPending, Relevant: d.Relevant}
	if d.Sender != nil {
		all.UsesSender = p.UsesSender
	}
	return twin.Explore(p, all)
}

// global searches all states of a program.
func global(actors *space.Actors, checker *property.Checker, p *dbss.Progress) func(context.Context, uint64) (*dbss.Result, error) {
	return func(ctx context.Context, most uint64) (*dbss.Result, error) {
		return dbss.Search(ctx, actors, checker, dbss.Options{Order: dbss.BreadthFirst, MaxStates: most}, p)
	}
}

// compare returns the error of local checking of a program, or "".
func (n *tally) compare(ctx context.Context, p model.Oracle, d space.Decomposition, want twin.Result) string {
	actors, err := space.NewActors(p, d)
	if err != nil {
		return err.Error()
	}
	checker := property.NewChecker(p, actors)
	o := lmc.Options{Options: dbss.Options{Order: dbss.BreadthFirst, MaxStates: limit}, General: n.programs == 1, Global: global(actors, checker, &dbss.Progress{})}
	r, err := lmc.Check(ctx, actors, checker, o, &dbss.Progress{})
	var usage *model.UsageError
	switch {
	case errors.As(err, &usage):
		n.skipped++
		return ""
	case err != nil:
		return err.Error()
	case r.Violation == nil && !r.Complete:
		n.cut++
		return ""
	case (r.Violation != nil) != (want.Violations > 0):
		return fmt.Sprintf("violation %v, the twin has %d; %+v", r.Violation, want.Violations, r.Figures)
	case r.Violation != nil:
		n.violated++
		if problem := replayed.Problem(p, actors, r.Violation); problem != "" {
			return problem
		}
	case r.Whole:
		n.whole++
	case r.Suspicious == 0:
		n.local++
	default:
		n.refuted++
	}
	return n.states(ctx, p, d, r)
}

// states compares the sets with all states, one by one.
func (n *tally) states(ctx context.Context, p model.Oracle, d space.Decomposition, r *lmc.Result) string {
	actors, err := space.NewActors(p, d)
	if err != nil {
		return err.Error()
	}
	checker := property.NewChecker(p, actors)
	found, err := reach.Walk{System: actors, Key: reach.Exact, Most: 2 * mostStates}.States(ctx)
	if err != nil {
		return err.Error()
	}
	probe, err := lmc.NewProbe(ctx, actors, checker, limit)
	var usage *model.UsageError
	if model.EndReason(ctx, err) != "" || r.Violation != nil && (errors.Is(err, lmc.ErrRecords) || errors.As(err, &usage)) {
		return "" // a violation was found before the sets were that large
	}
	if err != nil {
		return err.Error()
	}
	if probe == nil {
		return ""
	}
	targets := probe.Targets()
	if len(found.Fails) > 0 && !probe.IsFailing() {
		return "a handler fails, but in no abstract set"
	}
	for _, s := range found.States {
		if name := probe.Lacks(s); name != "" {
			return fmt.Sprintf("a local state of %s is in no abstract set", name)
		}
		v, err := checker.Invariants(ctx, s)
		if err != nil {
			return err.Error()
		}
		if v == nil {
			if terminal, err := reach.IsTerminal(ctx, actors, s); err != nil {
				return err.Error()
			} else if terminal {
				if v, err = checker.Final(ctx, s); err != nil {
					return err.Error()
				}
			}
		}
		if v == nil {
			continue
		}
		if !probe.IsSuspicious(v.Property, s) && probe.Regions() <= lmc.MostRegions {
			return "a state in which a property does not hold is not suspicious"
		}
		if open, err := targets.IsOpen(s); !open || err != nil {
			return fmt.Sprintf("a state in which a property does not hold is left out: %v", err)
		}
	}
	if open, err := targets.IsOpen(actors.Initial()); err != nil || r.Violation != nil && !open {
		return fmt.Sprintf("the initial state is left out: %v", err)
	}
	return ""
}
