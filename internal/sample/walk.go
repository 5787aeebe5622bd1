package sample

import (
	"context"
	"math/bits"
	"math/rand/v2"
	"slices"

	"harrier/internal/model"
	"harrier/internal/model/network"
	"harrier/internal/model/space"
)

// A walk is a run that is being taken.
type walk struct {
	strategy
	continues bool   // it begins where an earlier run showed something new, not in the initial state
	number    uint32 // among the independent runs
	shown     shown  // by an independent run
	origin    *entry // nil for the initial state

	state  model.State
	path   []model.Transition // since the origin
	bound  int                // of steps
	faults []int              // after how many steps one is to happen, ascending
	novel  int                // how long the path was when it showed something new last; 0 if it did not
	leaves bool               // it came to a state outside of a bound
	over   bool
}

// strategies are those that runs take turns at.
var strategies = []func(r *rand.Rand, depth, horizon int) strategy{newUniform, newPOS, newPCT}

// newWalk is the run with a number, from 0. It depends on the options and the program alone, so that runs of one kind are independent.
//
// A third of the runs is of each kind; every other one goes on where an earlier run showed something new. Bounds double with half the
// probability each time, so that about as many steps go into runs of each length. A fault happens at steps that are drawn before the
// run, so that faults, which are nearly always enabled, do not crowd out the rest: among the first steps up to a power of two, each
// power as likely, as nobody knows how long the run will be.
func newWalk(o Options, actors *space.Actors, number uint64) *walk {
	r := rand.New(rand.NewPCG(o.Seed, number))
	w := &walk{bound: shortestBound << halvings(r), continues: number/uint64(len(strategies))%2 == 1}
	horizon := 1 << r.IntN(bits.Len(uint(w.bound)))
	w.strategy = strategies[number%uint64(len(strategies))](r, o.Depth, horizon)
	for range faults(r, actors.Program().Faults, horizon) {
		w.faults = append(w.faults, r.IntN(horizon))
	}
	slices.Sort(w.faults)
	return w
}

// shortestBound is the bound of half of the runs: most runs of most protocols are shorter.
const shortestBound = 128

// halvings is n with a probability of 1/2 to the power of n+1, and 12 at most: half a million steps fit into memory.
func halvings(r *rand.Rand) int { return min(bits.TrailingZeros64(r.Uint64()), 12) }

// faults draws how many faults happen in a run of some length: of those with a budget up to that, each number as likely; of others up to
// a number that doubles with half the probability each time.
func faults(r *rand.Rand, of []network.Fault, horizon int) (n int) {
	for _, f := range of {
		most := f.Budget
		if most == network.Unbounded {
			most = 1<<halvings(r) - 1
		}
		n += r.IntN(min(most, horizon) + 1)
	}
	return n
}

// isIndependent reports whether the run is drawn without regard to any other, and each enabled step is as likely.
func (w *walk) isIndependent() bool { return w.isUniform && !w.continues }

// from is how many steps there are before the origin.
func (w *walk) from() int {
	if w.origin == nil {
		return 0
	}
	return w.origin.depth
}

func (w *walk) depth() int { return w.from() + len(w.path) }

// whole is the run from the initial state.
func (w *walk) whole() []model.Transition { return w.origin.whole(w.path) }

// took notes that the actor at a position took a step.
func (w *walk) took(position uint32) {
	for int(position) >= len(w.epochs) {
		w.epochs = append(w.epochs, 0)
	}
	w.epochs[position]++
}

// choose chooses the next step of a run; nil if it is over. In a terminal state the faults that are to come happen at once.
func (s *Sampler) choose(ctx context.Context, w *walk) (*choice, error) {
	w.look()
	for len(w.faults) > 0 && w.faults[0] <= len(w.path) {
		w.faults = w.faults[1:]
		if c, err := s.best(ctx, w, true); c != nil || err != nil {
			return c, err
		}
	}
	c, err := s.best(ctx, w, false)
	for c == nil && err == nil && len(w.faults) > 0 {
		w.faults = w.faults[1:]
		c, err = s.best(ctx, w, true)
	}
	return c, err
}

// best is the step that the strategy prefers among those that are enabled, faults or others; nil if none is.
func (s *Sampler) best(ctx context.Context, w *walk, faults bool) (*choice, error) {
	var disabled []model.Transition
	for {
		var best *choice
		var most score
		for position, n := range w.state[1:] {
			if n == 0 {
				continue
			}
			of := s.choices.of(n)
			for i := range of {
				c := &of[i]
				if (c.facts.Fault != 0) != faults || len(disabled) > 0 && slices.Contains(disabled, c.at) {
					continue
				}
				if now := w.score(c, position+1); best == nil || most.isLess(now) {
					best, most = c, now
				}
			}
		}
		if !faults {
			round, err := s.round(ctx, w)
			if err != nil {
				return nil, err
			}
			if round != nil && (best == nil || most.isLess(w.score(round, 0))) {
				best = round
			}
		}
		if best == nil {
			return nil, nil
		}
		if best.records {
			if err := s.actors.Globals.Prepare(ctx, w.state[0], []uint32{best.update}); err != nil {
				return nil, err
			}
		}
		if best.facts.Guarded && s.actors.Globals.Disables(w.state[0], best.update) {
			disabled = append(disabled, best.at)
			continue
		}
		if !faults && w.demote(best, len(w.path)) {
			continue
		}
		return best, nil
	}
}
