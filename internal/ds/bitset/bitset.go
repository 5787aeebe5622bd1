// Package bitset has sets of small numbers.
package bitset

import (
	"math/bits"
	"slices"
)

// A Set is a set of small numbers. Zeros at its end do not matter.
type Set []uint64

// New is an empty set with room for the numbers below size.
func New(size int) Set { return make(Set, (size+63)/64) }

// Full has the first n numbers.
func Full(n int) Set {
	s := slices.Repeat(Set{^uint64(0)}, (n+63)/64)
	if n%64 != 0 {
		s[len(s)-1] = 1<<(n%64) - 1
	}
	return s
}

// Has reports whether a number is in the set.
func (s Set) Has(i int) bool { return i>>6 < len(s) && s[i>>6]>>(i&63)&1 == 1 }

// Put adds a number and grows the set for it.
func (s *Set) Put(i int) {
	for i>>6 >= len(*s) {
		*s = append(*s, 0)
	}
	(*s)[i>>6] |= 1 << (i & 63)
}

// Add adds a set that has no more words, and reports whether that makes a difference.
func (s Set) Add(o Set) (more bool) {
	for i, w := range o {
		more = more || w&^s[i] != 0
		s[i] |= w
	}
	return more
}

// IsEmpty reports whether the set has no numbers.
func (s Set) IsEmpty() bool { return !slices.ContainsFunc(s, func(w uint64) bool { return w != 0 }) }

// Meets reports whether two sets have a number in common.
func (s Set) Meets(o Set) bool {
	for i := range min(len(s), len(o)) {
		if s[i]&o[i] != 0 {
			return true
		}
	}
	return false
}

// All yields the numbers, ascending.
func (s Set) All(yield func(int) bool) {
	for i, w := range s {
		for ; w != 0; w &= w - 1 {
			if !yield(i<<6 + bits.TrailingZeros64(w)) {
				return
			}
		}
	}
}
