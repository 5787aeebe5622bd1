package levels

import (
	"encoding/binary"
	"fmt"
	"io"
	"math/bits"
	"slices"
	"sync"

	"harrier/internal/ds/vectors"
)

// What a run file begins with.
const magic = "harrier run file 2\n"

// A Kind says what each state of a run file has beside its halves.
type Kind uint8

const (
	Orbits Kind = 1 << iota // Record.Orbit
	Links                   // Record.From
)

// Contents is what a run file has.
type Contents struct {
	Kind   Kind
	States int
	Before uint64 // the number of states of the level before, of which Record.From is one
	Halves *Halves
	// Each yields the states in their order. It is called twice.
	Each func(yield func(Record) error) error
}

// linkBytes is how many bytes a place takes among so many.
func linkBytes(before uint64) int { return (bits.Len64(max(before, 1)-1) + 7) / 8 }

// Write writes a run file and returns its name.
func Write(to io.Writer, o *Order, c Contents) (name string, err error) {
	o.include(c.Halves.ids)
	if err := o.settle(); err != nil {
		return "", err
	}
	w := &fileWriter{blockWriter: newBlockWriter(to), order: o, Contents: c, index: indexes.Get().(*[2]vectors.Index)}
	defer w.release()
	if err := w.writeHead(); err != nil {
		return "", err
	}
	if err := w.writeStates(); err != nil {
		return "", err
	}
	if c.Kind&Links != 0 {
		if err := w.writeLinks(); err != nil {
			return "", err
		}
	}
	if name, err = w.close(); err == nil {
		o.remember(name, &fileHead{c.Kind, c.States, c.Before, w.halves, w.states})
	}
	return name, err
}

// A fileWriter writes a run file.
type fileWriter struct {
	*blockWriter
	order *Order
	Contents
	halves [2][]uint32       // by place in the file
	index  *[2]vectors.Index // where halves are in the file
	states int64             // where they begin
	count  int               // of the states that were written
	room   []byte
}

// indexes are empty, and are used again for other files, as each has room for all halves.
var indexes = sync.Pool{New: func() any { return new([2]vectors.Index) }}

// release gives the index back.
func (w *fileWriter) release() {
	for side, ids := range w.halves {
		for _, id := range ids {
			w.index[side].Drop(id)
		}
	}
	indexes.Put(w.index)
}

// writeHead writes what comes before the states: numbers, the hashes of the components, and the halves as places of components.
func (w *fileWriter) writeHead() error {
	o := w.order
	var halves [2][]half
	seen := map[Component]uint32{}
	var all []Component
	o.mu.Lock()
	for side, ids := range w.Halves.ids {
		sorted := slices.Clone(ids)
		slices.SortFunc(sorted, func(a, b uint32) int { return int(o.rank(side, a)) - int(o.rank(side, b)) })
		w.halves[side] = sorted
		var room, before []Component // room is that of all
		for at, id := range sorted {
			w.index[side].Put(id, uint32(at))
			begin := len(room)
			room = o.sequence(side, id, room)
			of := half{of: room[begin:]}
			for of.same < min(len(of.of), len(before)) && of.of[of.same] == before[of.same] {
				of.same++
			}
			for _, c := range of.of[of.same:] {
				if _, known := seen[c]; !known {
					seen[c] = 0
					all = append(all, c)
				}
			}
			halves[side], before = append(halves[side], of), of.of
		}
	}
	slices.SortFunc(all, o.compareComponents)
	var hashes []byte
	for at, c := range all {
		seen[c] = uint32(at)
		hash := o.hash(c)
		hashes = binary.BigEndian.AppendUint64(hashes, hash)
		o.written[hash] = true
	}
	err := o.failed
	o.mu.Unlock()
	if err != nil {
		return err
	}
	b := append([]byte(magic), byte(w.Kind))
	for _, n := range []int{w.States, int(w.Before), len(all), len(halves[0]), len(halves[1])} {
		b = binary.AppendUvarint(b, uint64(n))
	}
	b = append(b, hashes...)
	for _, of := range halves {
		b = appendHalves(b, of, seen)
	}
	_, err = w.Write(b)
	w.states = w.offset()
	return err
}

// A half is the components of one, of which it has the first ones in common with the half before it.
type half struct {
	of   []Component
	same int // how many
}

// appendHalves appends halves: how many components each shares with the one before, how many follow, and these.
func appendHalves(b []byte, halves []half, place map[Component]uint32) []byte {
	for _, h := range halves {
		b = binary.AppendUvarint(b, uint64(h.same))
		b = binary.AppendUvarint(b, uint64(len(h.of)-h.same))
		for _, c := range h.of[h.same:] {
			b = binary.AppendUvarint(b, uint64(place[c]))
		}
	}
	return b
}

// writeStates writes the states. Without orbits, those with one lower half are a group: their number, how many bytes follow, and the places
// of their upper halves among all, of each how much larger than the one before, less one. The lower halves of the groups are all, in their order. With orbits,
// each state has how much larger its orbit is than that of the one before, and the places of its halves.
func (w *fileWriter) writeStates() error {
	var group []uint32
	lower := uint32(0)
	var orbit uint64
	err := w.Each(func(r Record) error {
		w.count++
		at, _ := w.index[0].Get(r.State[0])
		upper, _ := w.index[1].Get(r.State[1])
		if w.Kind&Orbits != 0 {
			b := binary.AppendUvarint(w.room[:0], r.Orbit-orbit)
			b = binary.AppendUvarint(binary.AppendUvarint(b, uint64(at)), uint64(upper))
			w.room, orbit = b, r.Orbit
			_, err := w.Write(b)
			return err
		}
		var err error
		if at != lower {
			err = w.writeGroup(group)
			group, lower = group[:0], at
		}
		group = append(group, upper)
		return err
	})
	if err == nil && len(group) > 0 {
		err = w.writeGroup(group)
	}
	if err == nil && w.count != w.States {
		err = fmt.Errorf("%d states are written, of %d", w.count, w.States)
	}
	return err
}

func (w *fileWriter) writeGroup(uppers []uint32) error {
	b := w.room[:0]
	next := uint32(0)
	for _, u := range uppers {
		b = binary.AppendUvarint(b, uint64(u-next))
		next = u + 1
	}
	w.room = b
	head := binary.AppendUvarint(binary.AppendUvarint(nil, uint64(len(uppers))), uint64(len(b)))
	if _, err := w.Write(head); err != nil {
		return err
	}
	_, err := w.Write(b)
	return err
}

// writeLinks writes from which state each was met, each in as many bytes as the number of all of them takes, the lowest first, and then
// in eight bytes where that begins.
func (w *fileWriter) writeLinks() error {
	began, size := w.offset(), linkBytes(w.Before)
	err := w.Each(func(r Record) error {
		w.room = binary.LittleEndian.AppendUint32(w.room[:0], r.From)
		_, err := w.Write(w.room[:size])
		return err
	})
	if err == nil {
		_, err = w.Write(binary.LittleEndian.AppendUint64(nil, uint64(began)))
	}
	return err
}
