// Package vectors numbers vectors of ids.
package vectors

import "harrier/internal/ds/pairs"

// A Tree turns vectors of ids into one id, exactly: vectors have equal ids only if they are equal, but for
// trailing zeros. It is the tree compression of LTSmin (Laarman, van de Pol, Weber: Parallel Recursive
// State Compression for Free, SPIN 2011). Two neighbours in the vector become the id of their pair, two
// neighbours among these ids become the id of that pair, and so on. Vectors that differ in few
// positions share most pairs.
//
// A pair with nothing on its right above the lowest level is what is on its left. So a vector may grow: the
// tree just gets higher.
type Tree struct {
	// levels are separate, since the same two ids mean different things on different levels. The pairs of positions are on level 1.
	levels [maxLevel + 1]pairs.Numbering
}

const (
	levelBits = 4 // upper bits of an id, which are its level
	indexBits = 32 - levelBits
	maxLevel  = 1<<levelBits - 1
)

// Compress is the id of a vector. It reports false if the tree is full.
func (t *Tree) Compress(ids []uint32) (id uint32, ok bool) {
	ids = trim(ids)
	l := uint32(1)
	for 1<<l < len(ids) {
		l++
	}
	if l > maxLevel {
		return 0, false
	}
	return t.compressTo(l, ids)
}

// trim is a vector without the zeros at its end.
func trim(ids []uint32) []uint32 {
	for len(ids) > 0 && ids[len(ids)-1] == 0 {
		ids = ids[:len(ids)-1]
	}
	return ids
}

// compressTo is the id of a vector on a level that has room for it.
func (t *Tree) compressTo(l uint32, ids []uint32) (id uint32, ok bool) {
	if l == 1 {
		var p pairs.Pair
		switch len(ids) {
		case 2:
			p.B = ids[1]
			fallthrough
		case 1:
			p.A = ids[0]
		}
		return t.pair(1, p)
	}
	half := min(1<<(l-1), len(ids))
	left, ok := t.compressTo(l-1, ids[:half])
	if !ok || half == len(ids) {
		return left, ok
	}
	right, ok := t.compressTo(l-1, ids[half:])
	if !ok {
		return 0, false
	}
	return t.pair(l, pairs.Pair{A: left, B: right})
}

// pair is the id of a pair on a level.
func (t *Tree) pair(l uint32, p pairs.Pair) (id uint32, ok bool) {
	if isAlone(l, p) {
		return p.A, true
	}
	number, ok := t.levels[l].Number(p)
	return l<<indexBits | number, ok
}

// isAlone reports whether a pair on a level is its left part: nothing is on its right, or in it.
func isAlone(l uint32, p pairs.Pair) bool { return p.B == 0 && (p.A == 0 || l > 1) }

// Decompress appends the vector with an id, and perhaps zeros, to ids.
func (t *Tree) Decompress(id uint32, ids []uint32) []uint32 {
	l := id >> indexBits
	from := len(ids)
	for range uint32(1) << l {
		ids = append(ids, 0)
	}
	t.unfoldTo(ids[from:], l, id)
	return ids
}

// unfoldTo fills zeros with what an id on a level stands for.
func (t *Tree) unfoldTo(ids []uint32, l, id uint32) {
	if id == 0 {
		return
	}
	for ; id>>indexBits < l; l-- {
		ids = ids[:len(ids)/2]
	}
	p := t.levels[l].At(id & (1<<indexBits - 1))
	if l == 1 {
		ids[0], ids[1] = p.A, p.B
		return
	}
	t.unfoldTo(ids[:len(ids)/2], l-1, p.A)
	t.unfoldTo(ids[len(ids)/2:], l-1, p.B)
}

// Bytes is the memory that the pairs take.
func (t *Tree) Bytes() uint64 {
	n := uint64(0)
	for l := range t.levels {
		n += t.levels[l].Bytes()
	}
	return n
}
