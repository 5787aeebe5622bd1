package sample

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"harrier/dbss"
	"harrier/internal/model"
	"harrier/internal/model/space"
	"harrier/internal/property"
	"harrier/internal/testkit/must"
	"harrier/internal/testkit/toy"
	"harrier/internal/testkit/twin"
)

var kinds = []func(seed uint64) *toy.Protocol{
	toy.Messages.Random, toy.Auxiliary.Random, toy.Events.Random, toy.Quorums.Random, toy.Timed(toy.Events.Random), toy.Bounded(toy.Events.Random),
}

func draw(seed uint64) *toy.Protocol { return kinds[seed%uint64(len(kinds))](seed) }

func actorsOf(p *toy.Protocol) (*space.Actors, *property.Checker) {
	actors := must.Get(space.NewActors(p, space.Decomposition{}))
	return actors, property.NewChecker(p, actors)
}

// TestRunsAgreeWithTwin samples random programs: what a run violates, the twin finds violated, and few violations are missed.
func TestRunsAgreeWithTwin(t *testing.T) {
	violated, met := 0, 0
	for seed := range uint64(200) {
		p := draw(seed)
		want := twin.Explore(p, twin.Options{MaxStates: 500})
		if want.TooLarge || want.Err != nil {
			continue
		}
		actors, checker := actorsOf(p)
		found := must.Get(New(actors, checker, Options{Seed: seed, Depth: 3}).Run(t.Context(), 3000))
		if want.Violations > 0 {
			violated++
		}
		if found == nil {
			continue
		}
		met++
		if want.Violations == 0 {
			t.Errorf("seed %d: a run violates %v; the twin met no violation", seed, found.Violation)
		}
		requireRun(t, actors, checker, found)
	}
	if t.Logf("%d of %d", met, violated); violated < 30 || met < violated*98/100 {
		t.Errorf("runs violate %d of %d programs that have violations", met, violated)
	}
}

// requireRun requires that a path is a run from the initial state to what it violates.
func requireRun(t *testing.T, actors *space.Actors, checker *property.Checker, found *dbss.Counterexample) {
	t.Helper()
	s := actors.Initial()
	for i, next := range found.Path {
		if !slices.Contains(must.Get(actors.Enabled(t.Context(), s, nil)), next) {
			t.Fatalf("step %d is not enabled", i+1)
		}
		after, _, err := actors.Apply(s, next, nil)
		if err != nil && (i < len(found.Path)-1 || found.Kind != property.HandlerFailure) {
			t.Fatalf("step %d: %v", i+1, err)
		}
		s = after
	}
	if found.Kind == property.InvariantViolation && must.Get(checker.Invariants(t.Context(), s)) == nil {
		t.Errorf("the last state has the invariants")
	}
	if found.Kind == property.FinalViolation && must.Get(checker.Final(t.Context(), s)) == nil {
		t.Errorf("the last state has the final conditions")
	}
}

// TestSeedDecidesRuns has the same runs be taken whatever was met before, in which order.
func TestSeedDecidesRuns(t *testing.T) {
	compared := 0
	for seed := range uint64(100) {
		var runs [][]model.Action
		for _, explored := range []bool{false, true} {
			p := draw(seed)
			actors, checker := actorsOf(p)
			if explored {
				o := dbss.Options{MaxStates: 50, KeepGoing: true, NoDeadlock: true}
				must.Get(dbss.Search(t.Context(), actors, checker, o, &dbss.Progress{}))
			}
			if found := must.Get(New(actors, checker, Options{Seed: seed, Depth: 3}).Run(t.Context(), 3000)); found != nil {
				runs = append(runs, must.Get(actors.Actions(found.Path)))
			} else {
				runs = append(runs, nil)
			}
		}
		if diff := cmp.Diff(runs[0], runs[1]); diff != "" {
			t.Fatalf("seed %d: %s", seed, diff)
		}
		if runs[0] != nil {
			compared++
		}
	}
	if compared < 20 {
		t.Errorf("only %d runs were compared", compared)
	}
}

// TestIntervalsHoldTheChance compares estimates with how many of further runs show something that those before did not.
func TestIntervalsHoldTheChance(t *testing.T) {
	const runs, further = 40, 50
	held, asked := 0, 0
	for program := range uint64(10) {
		for seed := range uint64(2) {
			p := toy.Quorums.Random(1000 + program)
			p.Invariants = nil // a violation ends the runs
			actors, checker := actorsOf(p)
			s := New(actors, checker, Options{Seed: seed, Depth: 3, NoDeadlock: true})
			for s.unseen.runs < runs {
				if must.Get(s.Run(t.Context(), s.Counts.States+1)) != nil {
					break
				}
			}
			given := Together([]*Sampler{s}).Unseen
			for k, u := range given {
				chance := s.chance(t, kind(k), further)
				if asked++; u.Low <= chance && chance <= u.High {
					held++
				} else {
					t.Logf("program %d, seed %d: %s: %.3f is not in %.3f to %.3f (%.3f, %d runs)", program, seed, u.What, chance, u.Low, u.High, u.Chance, u.Runs)
				}
			}
		}
	}
	if share := float64(held) / float64(asked); asked < 25 || share < 0.95 {
		t.Errorf("%d of %d intervals hold the chance", held, asked)
	}
}

// chance is how many of further independent runs show something of a kind that none so far did, as a share.
func (s *Sampler) chance(t *testing.T, of kind, further uint32) float64 {
	before := s.unseen.discoveries[of].shown
	shown, asked := 0, further
	for number := s.began + 1<<32; further > 0; number++ {
		w := newWalk(s.Options, s.actors, number)
		if !w.isIndependent() {
			continue
		}
		further--
		w.state = s.actors.Initial()
		alone := New(s.actors, s.checker, s.Options)
		alone.choices = s.choices
		must.Get(alone.test(t.Context(), w))
		for !w.over {
			must.Do(alone.actors.Expand(t.Context(), space.NodesOf(w.state)))
			must.Do(alone.choices.add(space.NodesOf(w.state)))
			if must.Get(alone.advance(t.Context(), w, 1<<20)) != nil {
				break
			}
		}
		for what := range alone.unseen.discoveries[of].shown {
			if _, ok := before[what]; !ok {
				shown++
				break
			}
		}
	}
	return float64(shown) / float64(asked)
}
