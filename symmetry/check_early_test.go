package symmetry_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"harrier/dbss"
	"harrier/internal/model"
	"harrier/internal/model/space"
	"harrier/internal/property"
	"harrier/internal/testkit/must"
	"harrier/internal/testkit/toy"
	"harrier/symmetry"
)

// counting counts the local steps that it is asked for.
type counting struct {
	*changed
	asked int
}

func (c *counting) Steps(ctx context.Context, questions []model.Question) ([]model.Answer, error) {
	c.asked += len(questions)
	return c.changed.Steps(ctx, questions)
}

// counters are seven servers that have nine states each: 6,435 states up to permutations.
func counters() *changed {
	count := toy.Handler{Kind: toy.Itself, Outcomes: [][]toy.Act{{{Do: "add", Value: 1}}, {{Do: "add", Field: 1, Value: 1}}}}
	return &changed{Protocol: wired(&count, wire("server", 7, nil)...)}
}

func TestDifferencesAreFoundEarly(t *testing.T) {
	search := func(p *changed, order dbss.Order, workers int) (*dbss.Result, error) {
		g, actors := find(t, p, space.Decomposition{})
		c := symmetry.NewChecking(actors, g.Generators)
		return dbss.Search(context.Background(), actors, property.NewChecker(p, actors), dbss.Options{
			Order: order, Workers: workers, Canonical: g.Canonicalizer, NoDeadlock: true,
			Between: func(ctx context.Context) error { return c.Advance(ctx, math.MaxInt) },
		}, &dbss.Progress{})
	}
	for _, c := range []struct {
		order   dbss.Order
		workers int
	}{{dbss.DepthFirst, 1}, {dbss.BreadthFirst, 1}, {dbss.DepthFirst, 3}, {dbss.BreadthFirst, 3}} {
		if r, err := search(counters(), c.order, c.workers); err != nil || r.States != 6435 {
			t.Fatalf("%+v: %d states, %v", c, r.States, err)
		}
		apart := counters()
		apart.step = func(who string, _ model.Question, a *model.Answer) {
			if who == "server7" {
				a.Outcomes = nil
			}
		}
		r, err := search(apart, c.order, c.workers)
		var d *symmetry.Difference
		if !errors.As(err, &d) || c.workers == 1 && r.States > 1000 {
			t.Errorf("%+v: %d states, %v", c, r.States, err)
		}
	}
}

// TestPartsOfAChecking compares some steps while they come to be known, one alone, and some after a context that ended: a check at the
// end compares the same.
func TestPartsOfAChecking(t *testing.T) {
	checked := func(parts func(c *symmetry.Checking, search func(states uint64))) (symmetry.Checked, int) {
		p := &counting{changed: poll(4, readsAll)}
		actors := must.Get(space.NewActors(p, space.Decomposition{}))
		g := must.Get(symmetry.Find(actors))
		checker := property.NewChecker(p, actors)
		checker.Permute(symmetry.Labels(g.Generators))
		c := symmetry.NewChecking(actors, g.Generators)
		parts(c, func(states uint64) {
			must.Get(dbss.Search(context.Background(), actors, checker, dbss.Options{MaxStates: states}, &dbss.Progress{}))
		})
		got := must.Get(c.Finish(context.Background(), checker))
		got.Seconds = 0
		return got, p.asked
	}
	want, asked := checked(func(_ *symmetry.Checking, search func(uint64)) { search(0) })
	got, askedInParts := checked(func(c *symmetry.Checking, search func(uint64)) {
		search(3)
		must.Do(c.Advance(context.Background(), 10_000))
		search(20)
		must.Do(c.Advance(context.Background(), 1))
		must.Do(c.Advance(context.Background(), 10_000))
		search(0)
	})
	if got != want || askedInParts != asked || !got.Complete || got.Steps == 0 {
		t.Errorf("%+v after %d questions, want %+v after %d", got, askedInParts, want, asked)
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	got, _ = checked(func(c *symmetry.Checking, search func(uint64)) {
		search(3)
		must.Do(c.Advance(context.Background(), 10_000))
		search(0)
		if err := c.Advance(ended, 10_000); !errors.Is(err, context.Canceled) {
			t.Errorf("an ended context: %v", err)
		}
	})
	if got != want {
		t.Errorf("%+v after an error, want %+v", got, want)
	}
}
