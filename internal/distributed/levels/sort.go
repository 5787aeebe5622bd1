package levels

import (
	"math/bits"
	"slices"
)

// sortRecords sorts records in place: by the bytes of their first words, the highest first (American flag sort: McIlroy, Bostic, McIlroy:
// Engineering Radix Sort, Computing Systems 1993), until few are left that have them in common. The first word is the orbit, or without
// orbits the key.
func sortRecords(all []keyed) {
	least, most := ^uint64(0), uint64(0)
	for i := range all {
		w := all[i].word()
		least, most = min(least, w), max(most, w)
	}
	if len(all) > 0 {
		sortBytes(all, max(0, bits.Len64(least^most)-8))
	}
}

// few is how many records are sorted by comparison: a pass over all values of a byte would take longer.
const few = 32

// word is the first word by which records are compared that is not the same in all of them.
func (k *keyed) word() uint64 {
	if k.Orbit != 0 {
		return k.Orbit
	}
	return k.key
}

// sortBytes sorts records whose first words differ only in the eight bits from shift on, and lower ones.
func sortBytes(all []keyed, shift int) {
	if len(all) <= few {
		slices.SortFunc(all, func(a, b keyed) int { return a.compare(&b) })
		return
	}
	var ends, next [256]int
	at := func(k *keyed) int { return int(k.word()>>shift) & 255 }
	for i := range all {
		ends[at(&all[i])]++
	}
	sum := 0
	for b := range ends {
		next[b] = sum
		sum += ends[b]
		ends[b] = sum
	}
	for b := range ends {
		for next[b] < ends[b] {
			to := at(&all[next[b]])
			if to == b {
				next[b]++
				continue
			}
			all[next[b]], all[next[to]] = all[next[to]], all[next[b]]
			next[to]++
		}
	}
	begin := 0
	for _, end := range ends {
		switch bucket := all[begin:end]; {
		case len(bucket) < 2:
		case shift == 0:
			slices.SortFunc(bucket, func(a, b keyed) int { return a.compare(&b) })
		default:
			sortBytes(bucket, max(0, shift-8))
		}
		begin = end
	}
}
