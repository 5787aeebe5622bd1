package dbss

import "harrier/internal/wordset"

// hash is a hash of a state, for the compact store.
func (c *composer) hash(s compressed) uint64 {
	return valid(c.halves[c.half(lower, s.lower)].hash + c.halves[c.half(upper, s.upper)].hash)
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
			sum += mix(uint64(position+i)<<32 | uint64(id))
		}
	}
	return sum
}

// mix is the finalizer of SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators).
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
