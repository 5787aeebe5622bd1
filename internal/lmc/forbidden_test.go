package lmc_test

import (
	"bytes"
	"context"
	"testing"

	"harrier/dbss"
	"harrier/internal/lmc"
	"harrier/internal/model"
	"harrier/internal/model/space"
	"harrier/internal/property"
	"harrier/internal/testkit/replayed"
)

// forbidding is a program whose only invariant is that two actors are not in two local states at once.
type forbidding struct {
	model.Oracle
	program    *model.Program
	one, other model.Actor
}

func newForbidding(o model.Oracle, one, other model.Actor) forbidding {
	p := *o.Program()
	p.Properties = []model.Property{{Name: "not both"}}
	return forbidding{o, &p, one, other}
}

// Program implements model.Oracle.
func (f forbidding) Program() *model.Program { return f.program }

// Evaluate implements model.Oracle.
func (f forbidding) Evaluate(_ context.Context, evaluations []model.Evaluation) (all []model.Judgement, err error) {
	for _, e := range evaluations {
		j := model.Judgement{}
		for i, a := range e.Actors {
			for _, at := range []model.Actor{f.one, f.other} {
				if a.Name == at.Name {
					j.Reads = append(j.Reads, i)
					j.Holds = j.Holds || !bytes.Equal(a.Local, at.Local)
				}
			}
		}
		j.Holds = j.Holds || len(j.Reads) < 2
		all = append(all, j)
	}
	return all, nil
}

// TestSuspiciousPairs forbids pairs of members of abstract sets, one at a time: each is confirmed or refuted as a plain search, which is
// held to the twin elsewhere, finds it.
func TestSuspiciousPairs(t *testing.T) {
	confirmed, refuted := 0, 0
	for seed := *seed0; confirmed+refuted < 20**programs; seed++ {
		p := kinds[seed%uint64(len(kinds))].make(seed)
		if want := explored(t.Context(), p, space.Decomposition{}); want.TooLarge || want.Err != nil || want.Failures > 0 {
			continue
		}
		own := actorsOf(t, p)
		probe, err := lmc.NewProbe(t.Context(), own, property.NewChecker(p, own), limit)
		if err != nil || probe == nil {
			continue
		}
		for number := range 40 {
			one, other, ok := probe.Pairs(number*7919 + int(seed))
			if !ok {
				continue
			}
			f := newForbidding(p, one, other)
			single := actorsOf(t, f)
			plain, err := dbss.Search(t.Context(), single, property.NewChecker(f, single), dbss.Options{}, &dbss.Progress{})
			if err != nil {
				t.Fatal(err)
			}
			actors := actorsOf(t, f)
			r, err := lmc.Check(t.Context(), actors, property.NewChecker(f, actors), lmc.Options{Options: dbss.Options{Order: dbss.BreadthFirst}}, &dbss.Progress{})
			switch {
			case err != nil:
				t.Fatal(err)
			case !r.Complete && r.Violation == nil, (r.Violation != nil) != (plain.Violation != nil), r.Suspicious == 0:
				t.Fatalf("seed %d, %s and %s: %+v, %v; a plain search finds %v", seed, one.Local, other.Local, r.Figures, r.Violation, plain.Violation)
			case r.Violation == nil:
				refuted++
			default:
				confirmed++
				if problem := replayed.Problem(f, actors, r.Violation); problem != "" {
					t.Fatalf("seed %d: %s", seed, problem)
				}
			}
		}
	}
	t.Logf("%d confirmed, %d refuted", confirmed, refuted)
	if confirmed < 20 || refuted < 20 {
		t.Error("these programs prove too little")
	}
}

func actorsOf(t *testing.T, p model.Oracle) *space.Actors {
	actors, err := space.NewActors(p, space.Decomposition{})
	if err != nil {
		t.Fatal(err)
	}
	return actors
}
