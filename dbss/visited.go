package dbss

import "harrier/model"

// visited is the exact set of states met, numbered from 0 in the order in which they were met. It
// holds no pointers per state: the vectors lie one after another in chunks, and an open-addressed
// table of 8-byte slots finds them.
//
// Trailing zeros of a vector do not matter, neither for its hash nor for equality, so that states
// from before an actor came to exist stay what they are when vectors grow.
type visited struct {
	slots  []uint64 // hash tag in the upper half, number plus one in the lower; 0 is free
	shift  uint     // a tag's first place in slots is its upper bits: the tag shifted right by this
	chunks [][]uint32
	width  int // ids a state
	count  uint32
}

const (
	chunkStates = 1 << 14
	firstBits   = 10
	tagBits     = 32
	maxStates   = 3 << (tagBits - 2) // what a table of as many slots as there are tags takes
)

func newVisited(width int) *visited {
	return &visited{slots: make([]uint64, 1<<firstBits), shift: tagBits - firstBits, width: width}
}

// add puts a state in the set and returns its number and whether it is new.
func (v *visited) add(s model.State) (number uint32, isNew bool) {
	for len(s) > v.width {
		if s[len(s)-1] == 0 {
			s = s[:len(s)-1]
			continue
		}
		v.widen(len(s))
	}
	tag := hash(s) >> tagBits
	mask := uint64(len(v.slots) - 1)
	for i := tag >> v.shift; ; i = (i + 1) & mask {
		slot := v.slots[i]
		if slot == 0 {
			v.slots[i] = tag<<tagBits | uint64(v.count+1)
			break
		}
		if slot>>tagBits == tag && v.equal(uint32(slot)-1, s) {
			return uint32(slot) - 1, false
		}
	}
	number = v.store(s)
	if 4*uint64(v.count) > 3*uint64(len(v.slots)) {
		v.grow()
	}
	return number, true
}

// load copies a state into s, which it returns with the set's width.
func (v *visited) load(number uint32, s model.State) model.State {
	return append(s[:0], v.at(number)...)
}

func (v *visited) full() bool { return v.count >= maxStates }

// bytes is the memory that the set takes.
func (v *visited) bytes() uint64 {
	return uint64(len(v.slots))*8 + uint64(len(v.chunks))*chunkStates*uint64(v.width)*4
}

func (v *visited) at(number uint32) []uint32 {
	chunk := v.chunks[number/chunkStates]
	start := int(number%chunkStates) * v.width
	return chunk[start : start+v.width]
}

func (v *visited) equal(number uint32, s model.State) bool {
	stored := v.at(number)
	for i, id := range s {
		if stored[i] != id {
			return false
		}
	}
	for _, id := range stored[len(s):] {
		if id != 0 {
			return false
		}
	}
	return true
}

func (v *visited) store(s model.State) uint32 {
	number := v.count
	if number%chunkStates == 0 {
		v.chunks = append(v.chunks, make([]uint32, chunkStates*v.width))
	}
	v.count++
	copy(v.at(number), s)
	return number
}

// grow doubles the table. Tags are enough for that: no state is read.
func (v *visited) grow() {
	slots := make([]uint64, 2*len(v.slots))
	v.shift--
	mask := uint64(len(slots) - 1)
	for _, slot := range v.slots {
		if slot == 0 {
			continue
		}
		i := slot >> tagBits >> v.shift
		for slots[i] != 0 {
			i = (i + 1) & mask
		}
		slots[i] = slot
	}
	v.slots = slots
}

// widen makes room for more ids a state. The table stays: hashes do not depend on the width.
func (v *visited) widen(width int) {
	for c, old := range v.chunks {
		wide := make([]uint32, chunkStates*width)
		for i := range chunkStates {
			copy(wide[i*width:], old[i*v.width:(i+1)*v.width])
		}
		v.chunks[c] = wide
	}
	v.width = width
}

// hash adds up a mix of each id with its position; zeros add nothing.
func hash(s []uint32) uint64 {
	var h uint64
	for i, id := range s {
		if id != 0 {
			x := (uint64(id) + uint64(i)<<32) * 0x9e3779b97f4a7c15
			x ^= x >> 32
			h += x * 0xd6e8feb86659fd93
		}
	}
	return h ^ h>>31
}
