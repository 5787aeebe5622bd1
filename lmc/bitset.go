package lmc

import "slices"

// A bitset is a set of small numbers. Zeros at its end do not matter.
type bitset []uint64

func (b bitset) has(i int) bool { return i/64 < len(b) && b[i/64]&(1<<(i%64)) != 0 }

// with adds a number in place, as far as there is room.
func (b bitset) with(i int) bitset {
	for i/64 >= len(b) {
		b = append(b, 0)
	}
	b[i/64] |= 1 << (i % 64)
	return b
}

// isWithin reports whether all of b is in o.
func (b bitset) isWithin(o bitset) bool {
	for i, word := range b {
		if i < len(o) {
			word &^= o[i]
		}
		if word != 0 {
			return false
		}
	}
	return true
}

// add adds all of o in place, and reports whether that makes a difference. They are as long as each other.
func (b bitset) add(o bitset) (isMore bool) {
	for i, word := range o {
		isMore = isMore || word&^b[i] != 0
		b[i] |= word
	}
	return isMore
}

// full has the first n numbers.
func full(n int) bitset {
	b := slices.Repeat(bitset{^uint64(0)}, (n+63)/64)
	if n%64 != 0 {
		b[len(b)-1] = 1<<(n%64) - 1
	}
	return b
}
