package static

import (
	"iter"
	"math/bits"
)

// A set is a set of small numbers.
type set []uint64

func newSet(size int) set { return make(set, (size+63)/64) }

func (s set) has(i int) bool { return i>>6 < len(s) && s[i>>6]>>(i&63)&1 == 1 }

// put adds a number and grows the set for it.
func (s *set) put(i int) {
	for i>>6 >= len(*s) {
		*s = append(*s, 0)
	}
	(*s)[i>>6] |= 1 << (i & 63)
}

// add adds a set that has no more words.
func (s set) add(o set) {
	for i, w := range o {
		s[i] |= w
	}
}

func (s set) isEmpty() bool {
	for _, w := range s {
		if w != 0 {
			return false
		}
	}
	return true
}

// meets reports whether two sets have a number in common.
func (s set) meets(o set) bool {
	for i := range min(len(s), len(o)) {
		if s[i]&o[i] != 0 {
			return true
		}
	}
	return false
}

// all are the numbers, ascending.
func (s set) all() iter.Seq[int] {
	return func(yield func(int) bool) {
		for i, w := range s {
			for ; w != 0; w &= w - 1 {
				if !yield(i<<6 + bits.TrailingZeros64(w)) {
					return
				}
			}
		}
	}
}
