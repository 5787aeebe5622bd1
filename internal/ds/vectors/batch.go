package vectors

import (
	"slices"

	"harrier/internal/ds/pairs"
)

// A Batch is vectors that a tree numbers together, a level of all of them after the other: so the processor waits for the memory of
// many look-ups at once. Its room is used again. The zero value is empty.
type Batch struct {
	ids  []uint32 // of the vectors, one after another; then of their pairs, and so on
	ends []int    // by vector

	pairs   []pairs.Pair // of one level
	at      []int        // by pair: where in ids its own id comes
	numbers []uint32
}

// Clear takes all vectors out.
func (b *Batch) Clear() { b.ids, b.ends = b.ids[:0], b.ends[:0] }

// Add puts a vector in.
func (b *Batch) Add(ids []uint32) {
	b.ids = append(b.ids, trim(ids)...)
	b.ends = append(b.ends, len(b.ids))
}

// CompressAll appends what Compress gives for each vector of a batch, which has none then. It reports false if the tree is full.
func (t *Tree) CompressAll(b *Batch, into []uint32) (_ []uint32, ok bool) {
	defer b.Clear()
	for l := uint32(1); b.climb(l); l++ {
		if l > maxLevel {
			return into, false
		}
		b.numbers = slices.Grow(b.numbers[:0], len(b.pairs))[:len(b.pairs)]
		if !t.levels[l].Numbers(b.pairs, b.numbers) {
			return into, false
		}
		for i, number := range b.numbers {
			b.ids[b.at[i]] = l<<indexBits | number
		}
	}
	from := 0
	for _, end := range b.ends {
		id := uint32(0)
		if end > from {
			id = b.ids[from]
		}
		into, from = append(into, id), end
	}
	return into, true
}

// climb replaces each two neighbouring ids of each vector by the id of their pair on level l. Pairs that the tree has to number are put into
// b.pairs, and the indices in b.ids where their ids belong into b.at. It reports false if each vector is a single id already.
func (b *Batch) climb(l uint32) bool {
	b.pairs, b.at = b.pairs[:0], b.at[:0]
	from, to, climbs := 0, 0, false
	for v, end := range b.ends {
		climbs = climbs || end-from > 1 || end-from == 1 && l == 1
		for ; from < end; from += 2 {
			p := pairs.Pair{A: b.ids[from]}
			if from+1 < end {
				p.B = b.ids[from+1]
			}
			if isAlone(l, p) {
				b.ids[to] = p.A
			} else {
				b.pairs, b.at = append(b.pairs, p), append(b.at, to)
			}
			to++
		}
		from, b.ends[v] = end, to
	}
	return climbs
}
