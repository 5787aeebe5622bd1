package liveness

import (
	"iter"

	"harrier/internal/ds/bitset"
	"harrier/internal/lts"
)

// hopeless is the first state from which no state in which the formula holds can be reached without faults; or -1. The
// successors of unexplored states are not known.
func (s *Search) hopeless() int {
	all := func(yield func(int) bool) {
		for n := 0; n < s.explored && yield(n); n++ {
		}
	}
	reaches := bitset.New(s.explored)
	first := -1
	// Each part comes after those that it leads to.
	for part := range lts.EachPart(s.explored, all, s.withoutFaults) {
		hopeful := false
		for _, n := range part {
			hopeful = hopeful || s.formula.HoldsIn(s.labels[n]) || s.leadsOn(n, reaches)
		}
		for _, n := range part {
			switch {
			case hopeful:
				reaches.Put(n)
			case first < 0 || n < first:
				first = n
			}
		}
	}
	return first
}

// withoutFaults yields the explored states that a state's edges lead to, but for faults.
func (s *Search) withoutFaults(number int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i, to := range s.successors(number) {
			if int(to) < s.explored && !s.faults.Has(int(s.begin[number])+i) && !yield(int(to)) {
				return
			}
		}
	}
}

// leadsOn reports whether an edge that is no fault leads to a state of a set, or to one that is not explored.
func (s *Search) leadsOn(number int, set bitset.Set) bool {
	for i, to := range s.successors(number) {
		if !s.faults.Has(int(s.begin[number])+i) && (int(to) >= s.explored || set.Has(int(to))) {
			return true
		}
	}
	return false
}
