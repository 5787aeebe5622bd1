package dbss

import "harrier/internal/ds/wordset"

// hash is a hash of a state, for the compact store.
func (c *composer) hash(s compressed) uint64 {
	return valid(c.half(lower, s.lower).hash + c.half(upper, s.upper).hash)
}

// vectorHash is a hash of a canonical vector.
func vectorHash(v []uint32) uint64 { return valid(hash(0, v)) }

// valid is a hash that the set can hold.
func valid(hash uint64) uint64 {
	if hash == wordset.Invalid {
		return 0
	}
	return hash
}

// hash is a 64-bit hash of ids from a position on: the sum of a mix of each id with its position. Zeros add
// nothing.
func hash(position int, ids []uint32) uint64 {
	sum := uint64(0)
	for i, id := range ids {
		if id != 0 {
			sum += wordset.Mix(uint64(position+i)<<32 | uint64(id))
		}
	}
	return sum
}
