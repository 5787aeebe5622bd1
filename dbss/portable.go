package dbss

import (
	"encoding/binary"
	"errors"

	"harrier/internal/ds/vectors"
	"harrier/internal/model"
)

// A record is a state as members send and keep it.
type record struct {
	is    recordKind
	by    link // with the member that has the parent in place of the transition
	state compressed
}

// A stream is a sequence of unsigned varints and bytes. Each entry begins with n*recordKinds + its kind; what n is depends on that:
//
//	isMet, isInside, isLeaf, isOld  a state: n is the place of its parent; the parent's member, the ids of the lower and the upper half
//	isPart                          a part of states: n is its position; its id, a length and as many bytes in portable terms
//	isHalf                          a half of states: n is twice how many parts it has, plus its side; its id, and position and id of each part
//
// Ids are those of the sender. Parts and halves are defined in a stream before they are used there.
type recordKind uint8

const (
	isMet    recordKind = iota // a successor, which may be known already
	isInside                   // a state that is kept, and followed
	isLeaf                     // a state that is kept, and not followed
	isOld                      // a state of a level before the base, which is kept already
	isPart
	isHalf
	recordKinds
)

const (
	batchBytes = 32 << 10 // a batch is sent when it has as many bytes
	pieceBytes = 4 << 20  // a piece is kept when it has as many bytes
)

// An outlet writes a stream.
type outlet struct {
	batch  []byte             // the end of the stream, which was not sent or kept yet
	parts  map[uint64]bool    // the parts that are defined, by position and id
	halves [2]map[uint32]bool // the halves that are defined, by side and id
}

func newOutlet() *outlet {
	return &outlet{parts: map[uint64]bool{}, halves: [2]map[uint32]bool{{}, {}}}
}

func (o *outlet) put(r record) {
	b := binary.AppendUvarint(o.batch, uint64(r.by.parent)*uint64(recordKinds)+uint64(r.is))
	b = binary.AppendUvarint(b, uint64(r.by.transition))
	b = binary.AppendUvarint(b, uint64(r.state.lower))
	o.batch = binary.AppendUvarint(b, uint64(r.state.upper))
}

// define makes sure that the halves of a state are defined in a stream.
func (m *mail) define(to *outlet, s compressed) error {
	for side := range 2 {
		if id := s.side(side); !to.halves[side][id] {
			to.halves[side][id] = true
			if err := m.defineHalf(to, side, id); err != nil {
				return err
			}
		}
	}
	return nil
}

func (m *mail) defineHalf(to *outlet, side int, id uint32) error {
	ids, count := m.c.half(side, id).ids, uint64(0)
	for i, part := range ids {
		if part == 0 {
			continue
		}
		count++
		position := uint32(side*m.c.split + i)
		key := uint64(position)<<32 | uint64(part)
		if to.parts[key] {
			continue
		}
		to.parts[key] = true
		content, err := m.terms.Write(position, part)
		if err != nil {
			return err
		}
		b := binary.AppendUvarint(to.batch, uint64(position)*uint64(recordKinds)+uint64(isPart))
		b = binary.AppendUvarint(b, uint64(part))
		b = binary.AppendUvarint(b, uint64(len(content)))
		to.batch = append(b, content...)
	}
	b := binary.AppendUvarint(to.batch, (2*count+uint64(side))*uint64(recordKinds)+uint64(isHalf))
	b = binary.AppendUvarint(b, uint64(id))
	for i, part := range ids {
		if part != 0 {
			b = binary.AppendUvarint(b, uint64(side*m.c.split+i))
			b = binary.AppendUvarint(b, uint64(part))
		}
	}
	to.batch = b
	return nil
}

// A dictionary translates the ids of a stream to those of this process.
type dictionary struct {
	parts  map[uint64]model.Change // by position and id of the sender; Old is the id here
	halves [2]vectors.Index        // by side, from ids of the sender
}

func newDictionary() *dictionary { return &dictionary{parts: map[uint64]model.Change{}} }

// read appends the states of the next bytes of a stream to into.
func (m *mail) read(d *dictionary, r reader, into []record) ([]record, error) {
	for len(r.b) > 0 {
		first := r.number()
		n := first / uint64(recordKinds)
		switch is := recordKind(first % uint64(recordKinds)); is {
		case isPart:
			id := r.number()
			position, own, err := m.terms.Read(r.bytes())
			if err != nil {
				return into, err
			}
			d.parts[n<<32|id] = model.Change{Position: position, Old: own}
		case isHalf:
			id := uint32(r.number())
			side := int(n % 2)
			half, err := m.half(d, &r, side, n/2)
			if err != nil {
				return into, err
			}
			d.halves[side].Put(id, half)
		default:
			by := link{uint32(n), uint32(r.number())}
			lowerHalf, known := d.halves[lower].Get(uint32(r.number()))
			upperHalf, alsoKnown := d.halves[upper].Get(uint32(r.number()))
			if !known || !alsoKnown {
				return into, errUnknownPart
			}
			into = append(into, record{is, by, compressed{lowerHalf, upperHalf}})
		}
	}
	return into, r.err
}

// half reads the definition of a half of one side that has so many parts, and returns its id in this process.
func (m *mail) half(d *dictionary, r *reader, side int, parts uint64) (uint32, error) {
	var vector model.State
	for range parts {
		part, known := d.parts[r.number()<<32|r.number()]
		if !known || r.err != nil || m.c.sideOf(part.Position) != side {
			return 0, errUnknownPart
		}
		vector, _ = vector.Put(part.Position, part.Old, nil)
	}
	return m.c.id(vector[min(side*m.c.split, len(vector)):])
}

var errUnknownPart = errors.New("it has a part of a state that was not sent, or that the program cannot have there")

// reader reads varints and bytes, and none after an error.
type reader struct {
	b   []byte
	err error
}

func (r *reader) number() uint64 {
	v, n := binary.Uvarint(r.b)
	if n <= 0 {
		r.b, r.err = nil, errUnknownPart
		return 0
	}
	r.b = r.b[n:]
	return v
}

func (r *reader) bytes() []byte {
	size := r.number()
	if size > uint64(len(r.b)) {
		r.b, r.err = nil, errUnknownPart
		return nil
	}
	b := r.b[:size]
	r.b = r.b[size:]
	return b
}

// A PieceReader finds states in pieces that members kept, in a process that is no member.
type PieceReader struct{ m *mail }

// NewPieceReader returns a PieceReader whose states are those of system.
func NewPieceReader(system model.Shared) *PieceReader {
	c := newComposer(system, &store{tree: &vectors.Tree{}})
	return &PieceReader{&mail{peers: &peers{terms: system}, c: c}}
}

// Find returns the state at a place of a level, and from which one it was met. ok is whether the piece has it.
func (p *PieceReader) Find(piece Piece, place uint32) (s model.State, by Origin, ok bool, err error) {
	r := reader{b: piece.Bytes}
	at := piece.First<<chunkBits + uint32(r.number())
	if r.err != nil || place < at {
		return nil, by, false, r.err
	}
	records, err := p.m.read(newDictionary(), r, nil)
	for _, k := range records {
		if k.is != isInside {
			continue
		}
		if at == place {
			c := p.m.c
			return c.decompress(c.find(k.state), nil), originOf(k.by), true, err
		}
		at++
	}
	return nil, by, false, err
}
