package vectors

import "slices"

// An Index finds numbers by ids of a tree, which count up on each level.
type Index [maxLevel + 1][]uint32

// Get is the number that was put for an id.
func (x *Index) Get(id uint32) (number uint32, ok bool) {
	level, i := x[id>>indexBits], id&(1<<indexBits-1)
	if int(i) >= len(level) || level[i] == 0 {
		return 0, false
	}
	return level[i] - 1, true
}

// Put puts a number for an id.
func (x *Index) Put(id, number uint32) {
	level, i := &x[id>>indexBits], int(id&(1<<indexBits-1))
	if i >= len(*level) {
		*level = slices.Grow(*level, i+1-len(*level))[:i+1]
	}
	(*level)[i] = number + 1
}

// Drop removes the number that was put for an id.
func (x *Index) Drop(id uint32) { x[id>>indexBits][id&(1<<indexBits-1)] = 0 }
