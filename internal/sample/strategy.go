package sample

import (
	"math/rand/v2"
	"slices"
)

// A strategy gives the enabled steps of a state scores, of which the highest is taken. Scores are hashes of what a step is, so no state of
// a strategy has to be kept for each step that is pending.
type strategy struct {
	seed   uint64
	now    uint64   // a seed for the step that is next
	epochs []uint64 // how many steps the actor at each position took

	isUniform bool
	// Of PCT: after how many steps the chain of the best step is lowered below all others, ascending; and the lowered chains, the lowest
	// last.
	isPCT   bool
	changes []int
	lowered []uint64
}

// newUniform is the strategy by which each enabled step is as likely.
func newUniform(r *rand.Rand, _, _ int) strategy { return strategy{seed: r.Uint64(), isUniform: true} }

// newPOS is partial-order sampling (Yuan, Yang, Gu: Partial Order Aware Concurrency Sampling, CAV 2018): each event that is enabled has
// a priority drawn once, and a new one whenever it loses a race: when another event of its actor is taken.
func newPOS(r *rand.Rand, _, _ int) strategy { return strategy{seed: r.Uint64()} }

// newPCT is PCT (Burckhardt, Kothari, Musuvathi, Nagarakatte: A Randomized Scheduler with Probabilistic Guarantees of Finding Bugs,
// ASPLOS 2010) for messages: the chains that have priorities are the messages from one actor to another, and what an actor does by
// itself.
func newPCT(r *rand.Rand, depth, horizon int) strategy {
	s := strategy{seed: r.Uint64(), isPCT: true}
	for range depth - 1 {
		s.changes = append(s.changes, r.IntN(horizon))
	}
	slices.Sort(s.changes)
	return s
}

// A score is compared by its first number and, where that is equal, by its second.
type score struct{ first, second uint64 }

func (s score) isLess(o score) bool {
	return s.first < o.first || s.first == o.first && s.second < o.second
}

// look begins the choice of a step.
func (s *strategy) look() { s.now = mix(s.now, s.seed) }

// score is that of a step of the actor at a position.
func (s *strategy) score(c *choice, position int) score {
	switch {
	case s.isUniform || c.facts.Fault != 0:
		return score{mix(s.now, c.hash), 0}
	case !s.isPCT:
		epoch := uint64(0)
		if position < len(s.epochs) {
			epoch = s.epochs[position]
		}
		return score{mix(mix(s.seed, epoch), c.hash), 0}
	}
	if lowest := slices.Index(s.lowered, c.chain); lowest >= 0 {
		return score{uint64(len(s.lowered) - lowest), mix(s.now, c.hash)}
	}
	return score{mix(s.seed, c.chain) | 1<<63, mix(s.now, c.hash)}
}

// demote gives the chain of a step that would be next a priority below all others if that is due after so many steps, and reports
// whether it did.
func (s *strategy) demote(c *choice, steps int) bool {
	if len(s.changes) == 0 || s.changes[0] > steps {
		return false
	}
	s.changes = s.changes[1:]
	s.lowered = append(slices.DeleteFunc(s.lowered, func(chain uint64) bool { return chain == c.chain }), c.chain)
	return true
}
