package levels

import (
	"cmp"
	"encoding/binary"
	"io"
	"slices"
)

// A Run is a run file. Several goroutines may read it.
type Run struct {
	fileHead
	order  *Order
	blocks *blocks
	links  int64 // where they begin
}

// A fileHead is what a process knows of a run file once it has read its head, or has written it.
type fileHead struct {
	Kind   Kind
	States int
	Before uint64 // as in Contents

	halves [2][]uint32 // by place in the file: the ids in this process
	states int64       // where they begin
}

// mostText bounds the numbers in the head of a file, so that a damaged one does not make the process run out of memory.
const mostText = 1 << 32

// Open reads the head of a run file, whose states become known in this process. The file is closed with the run.
func Open(file File, name string, o *Order) (*Run, error) {
	b, err := openBlocks(file, name)
	if err != nil {
		return nil, err
	}
	r := &Run{order: o, blocks: b}
	if written := o.head(name); written != nil {
		r.fileHead = *written
	} else if err := r.readHead(b.from(0, b.size)); err != nil {
		return nil, err
	}
	if r.links = b.size; r.Kind&Links != 0 {
		var at [8]byte
		if b.size < r.states+8 {
			return nil, b.damaged("has no end")
		}
		end := b.from(b.size-8, b.size)
		if _, err := io.ReadFull(end, at[:]); err != nil {
			return nil, end.refuse("has no end")
		}
		if r.links = int64(binary.LittleEndian.Uint64(at[:])); r.links < r.states || b.size-8-r.links != int64(r.States)*int64(linkBytes(r.Before)) {
			return nil, b.damaged("has links at a wrong place")
		}
	}
	return r, nil
}

// Close closes the file.
func (r *Run) Close() error {
	r.order.ForgetFile(r.blocks.name)
	return r.blocks.file.Close()
}

// Bytes is the size of the file, and the memory of the run.
func (r *Run) Bytes() (size, memory uint64) {
	return uint64(r.blocks.size) + uint64(len(r.blocks.hashes)), 4*uint64(cap(r.halves[0])+cap(r.halves[1])) + uint64(len(r.blocks.hashes))
}

func (r *Run) readHead(in *blockReader) error {
	begin := make([]byte, len(magic)+1)
	if _, err := io.ReadFull(in, begin); err != nil {
		return in.refuse("is no run file")
	}
	if string(begin[:len(magic)]) != magic || begin[len(magic)] >= byte(Links)<<1 {
		return in.refuse("is no run file of this version")
	}
	r.Kind = Kind(begin[len(magic)])
	var n [5]uint64
	for i := range n {
		if n[i] = in.number(); n[i] > mostText {
			in.refuse("has numbers that are too large")
		}
	}
	r.States, r.Before = int(n[0]), n[1]
	if in.err != nil || 8*n[2]+n[3]+n[4] > uint64(in.size) {
		return in.refuse("has numbers that are too large")
	}
	components, err := r.readComponents(in, n[2])
	if err != nil {
		return err
	}
	for side := range r.halves {
		if err := r.readHalves(in, side, int(n[3+side]), components); err != nil {
			return err
		}
	}
	r.order.include(r.halves)
	r.states = in.at - int64(len(in.rest))
	return in.err
}

// readComponents reads components by their hashes.
func (r *Run) readComponents(in *blockReader, count uint64) ([]Component, error) {
	var bytes [8]byte
	last := uint64(0)
	components := make([]Component, count)
	for i := range components {
		if _, err := io.ReadFull(in, bytes[:]); err != nil {
			return nil, in.refuse("is torn")
		}
		hash := binary.BigEndian.Uint64(bytes[:])
		c, known := r.order.component(hash)
		switch {
		case !known:
			return nil, in.refuse("has a component that no file of texts has")
		case hash <= last:
			return nil, in.refuse("has components in another order")
		}
		components[i], last = c, hash
	}
	return components, nil
}

// readHalves reads the halves of one side.
func (r *Run) readHalves(in *blockReader, side, count int, components []Component) error {
	var places, before []int // of components
	var room []Component
	for range count {
		same, more := in.number(), in.number()
		if in.err != nil || same > uint64(len(before)) || more > uint64(len(components)) {
			return in.refuse("has halves that begin with too much")
		}
		places = append(places[:0], before[:same]...)
		for range more {
			at := in.number()
			if at >= uint64(len(components)) {
				return in.refuse("has halves of components that it has not")
			}
			places = append(places, int(at))
		}
		if len(r.halves[side]) > 0 && slices.Compare(before, places) >= 0 {
			return in.refuse("has halves in another order")
		}
		of, ok := r.sequence(places, components, room[:0])
		if room = of; !ok {
			return in.refuse("has halves with components in another order")
		}
		id, err := r.order.Make(side, of)
		if err != nil {
			return in.refuse("has a half that this program cannot have: ", err.Error())
		}
		r.halves[side] = append(r.halves[side], id)
		places, before = before, places
	}
	return nil
}

// sequence appends the components at some places to an empty slice, in the order of their positions. ok is whether they are in that of halves:
// those at fixed positions by these, and then the others.
func (r *Run) sequence(places []int, components, empty []Component) (of []Component, ok bool) {
	fixed := r.order.Fixed()
	of = empty
	for i, at := range places {
		of = append(of, components[at])
		if i == 0 {
			continue
		}
		last := of[i-1]
		if isLate := of[i].Position >= fixed; !isLate && last.Position >= of[i].Position || isLate && last.Position >= fixed && places[i-1] >= at {
			return nil, false
		}
	}
	byPosition := func(a, b Component) int { return cmp.Compare(a.Position, b.Position) }
	slices.SortFunc(of, byPosition)
	return of, isAscending(of, byPosition)
}

func isAscending[T any](all []T, compare func(a, b T) int) bool {
	for i := 1; i < len(all); i++ {
		if compare(all[i-1], all[i]) >= 0 {
			return false
		}
	}
	return true
}

// A Cursor reads the states of a run in their order.
type Cursor struct {
	run    *Run
	states *blockReader
	links  *blockReader // nil if they are not read
	left   int
	group  uint64 // how many states of the group are left, without orbits
	end    int64  // where the group ends
	lower  uint64 // the place of its lower half, plus 1
	upper  uint64 // the least place of the next upper half
	last   Record
	begun  bool
	link   [8]byte
}

// Cursor begins to read, with links or without.
func (r *Run) Cursor(links bool) *Cursor {
	c := &Cursor{run: r, states: r.blocks.from(r.states, r.links), left: r.States}
	if links && r.Kind&Links != 0 {
		c.links = r.blocks.from(r.links, r.blocks.size-8)
	}
	return c
}

// Next returns the next state; ok is false at the end.
func (c *Cursor) Next() (r Record, ok bool, err error) {
	if c.left == 0 {
		if c.states.at < c.states.end || len(c.states.rest) > 0 || c.group > 0 || c.run.Kind&Orbits == 0 && c.lower != uint64(len(c.run.halves[0])) {
			return r, false, c.states.refuse("has more states than it says")
		}
		return r, false, c.states.err
	}
	c.left--
	var at [2]uint64
	if c.run.Kind&Orbits != 0 {
		r.Orbit = c.last.Orbit + c.states.number()
		at = [2]uint64{c.states.number(), c.states.number()}
	} else {
		if c.group == 0 {
			if c.lower > 0 && c.states.offset() != c.end {
				return r, false, c.states.refuse("has a group of another length")
			}
			c.group, c.lower, c.upper = max(c.states.number(), 1), c.lower+1, 0
			c.end = int64(c.states.number())
			c.end += c.states.offset()
		}
		at = [2]uint64{c.lower - 1, c.upper + min(c.states.number(), mostText)}
		c.group, c.upper = c.group-1, at[1]+1
	}
	for side, halves := range c.run.halves {
		if at[side] >= uint64(len(halves)) {
			return r, false, c.states.refuse("has states of halves that it has not")
		}
		r.State[side] = halves[at[side]]
	}
	if c.links != nil {
		if _, err := io.ReadFull(c.links, c.link[:linkBytes(c.run.Before)]); err != nil {
			return r, false, c.links.refuse("is torn")
		}
		if r.From = binary.LittleEndian.Uint32(c.link[:]); uint64(r.From) >= max(c.run.Before, 1) {
			return r, false, c.links.refuse("has links to states that do not exist")
		}
	}
	if c.states.err != nil {
		return r, false, c.states.err
	}
	if c.run.Kind&Orbits != 0 && c.begun && r.Orbit < c.last.Orbit {
		return r, false, c.states.refuse("has states in another order")
	}
	c.last, c.begun = r, true
	return r, true, nil
}

// At returns the state at a place.
func (r *Run) At(place uint32) (Record, error) {
	c := r.Cursor(true)
	for {
		found, ok, err := c.Next()
		if !ok && err == nil {
			err = r.blocks.damaged("has no such state")
		}
		if err != nil {
			return found, err
		}
		if place == 0 {
			return found, nil
		}
		place--
	}
}
