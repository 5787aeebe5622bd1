package tasks

import (
	"cmp"
	"slices"

	"harrier/internal/distributed/levels"
	"harrier/internal/ds/vectors"
	"harrier/internal/ds/wordset"
)

// A Split says which states of a level are of one part: those whose components at some positions have the same hash, modulo the number
// of parts, or where there are no positions, those whose orbits have. If these components change rarely, most transitions lead to a
// state of the same part. There may be more parts from level to level, by powers of two: then each is of one of those before.
type Split struct {
	Parts     int
	Positions []uint32 `json:",omitempty"` // ascending
}

// whole is the split of the first levels, whose states are of one part.
var whole = Split{Parts: 1}

// A Divider finds the parts of states.
type Divider struct {
	split  Split
	order  *levels.Order
	halves [2]vectors.Index // of each half, where its sum is
	sums   []uint64         // of the hashes of the components that count
	room   []levels.Component
}

// NewDivider finds the parts of states whose components an order knows, once there is a split.
func NewDivider(o *levels.Order) *Divider { return &Divider{order: o} }

// By has the states be of the parts of a split.
func (d *Divider) By(s Split) {
	if !slices.Equal(d.split.Positions, s.Positions) {
		d.halves, d.sums = [2]vectors.Index{}, nil
	}
	d.split = s
}

// Part is the part of a state.
func (d *Divider) Part(r levels.Record) (int, error) {
	if d.split.Parts == 1 {
		return 0, nil
	}
	sum := r.Orbit
	if len(d.split.Positions) > 0 {
		sum = 0
		for side, half := range r.State {
			at, known := d.halves[side].Get(half)
			if !known {
				of, err := d.sum(side, half)
				if err != nil {
					return 0, err
				}
				at = uint32(len(d.sums))
				d.halves[side].Put(half, at)
				d.sums = append(d.sums, of)
			}
			sum += d.sums[at]
		}
	}
	return int(wordset.Mix(sum) % uint64(d.split.Parts)), nil
}

// sum is the sum of the hashes of the components of a half that count.
func (d *Divider) sum(side int, half uint32) (sum uint64, err error) {
	d.room = d.order.Take(half, side, d.room[:0])
	for _, c := range d.room {
		if _, counts := slices.BinarySearch(d.split.Positions, c.Position); !counts {
			continue
		}
		hash, err := d.order.HashOf(c)
		if err != nil {
			return 0, err
		}
		sum += wordset.Mix(hash)
	}
	return sum, nil
}

// changing are the positions by which to tell apart parts, at most so many, of the levels after one whose states, in their order, were met
// from some of the level before: those whose components differ least often from the state before, as many as it takes to tell apart
// twice as many groups of states as there are parts. There are none where states count as one by their orbits.
func changing(o *levels.Order, parts int, states []levels.Record, before []levels.Record) (positions []uint32) {
	if len(states) > 0 && states[0].Orbit != 0 {
		return nil
	}
	changes := make([]int, o.Fixed())
	ids := make([][]uint32, len(states)) // by position
	for i, r := range states {
		ids[i] = fixed(o, r.State)
		for position, id := range fixed(o, before[r.From].State) {
			if ids[i][position] != id {
				changes[position]++
			}
		}
	}
	var order []uint32
	for position := range changes {
		order = append(order, uint32(position))
	}
	slices.SortStableFunc(order, func(a, b uint32) int { return cmp.Compare(changes[a], changes[b]) })
	groups := make([]uint64, len(states)) // of each state, a number for its components so far
	count := 1
	for _, position := range order {
		if count >= 2*parts {
			break
		}
		finer := map[[2]uint64]uint64{}
		for i := range groups {
			key := [2]uint64{groups[i], uint64(ids[i][position])}
			if _, known := finer[key]; !known {
				finer[key] = uint64(len(finer))
			}
			groups[i] = finer[key]
		}
		if len(finer) > count {
			count = len(finer)
			positions = append(positions, position)
		}
	}
	slices.Sort(positions)
	return positions
}

// fixed are the ids of a state at the positions that are the same in all processes.
func fixed(o *levels.Order, s levels.State) []uint32 {
	ids := make([]uint32, o.Fixed())
	for side, half := range s {
		for _, c := range o.Take(half, side, nil) {
			if c.Position < o.Fixed() {
				ids[c.Position] = c.ID
			}
		}
	}
	return ids
}
