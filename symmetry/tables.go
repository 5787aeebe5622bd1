package symmetry

import (
	"encoding/binary"
	"sync"

	"harrier/internal/pairs"
	"harrier/model"
)

// tables hold what is known of nodes and their names, for all workers. What is renamed is interned here, never in the
// model: most of it is never met there.
//
// Who looks up something that is known takes no lock.
type tables struct {
	actors *model.Actors
	points []string // the names of the actors that are moved
	index  map[string]uint8
	orbit  []string // by point: stands for any actor of its orbit

	mu      sync.Mutex // guards what follows, but for looking up pairs
	locals  map[model.LocalID]*part
	letters map[model.MessageID]*part
	nodes   map[model.NodeID]*node
	globals map[uint32]*node
	places  map[string]uint32 // by name: the position in a canonical vector
	ids     map[string]uint32 // by content: what stands in canonical vectors, and parts of it
	numbers uint32            // given to things that can be renamed, and to the first images of their points

	steps   pairs.Map // (number of a thing and of images of its first points, image of the next) -> number
	renamed pairs.Map // (number, image of the last point) -> id of what the thing becomes
}

func newTables(actors *model.Actors, orbits []Orbit) *tables {
	t := &tables{
		actors: actors, index: map[string]uint8{},
		locals: map[model.LocalID]*part{}, letters: map[model.MessageID]*part{},
		nodes: map[model.NodeID]*node{}, globals: map[uint32]*node{},
		places: map[string]uint32{}, ids: map[string]uint32{},
	}
	for i, o := range orbits {
		for _, name := range o.Actors {
			t.index[name] = uint8(len(t.points))
			t.points = append(t.points, name)
			t.orbit = append(t.orbit, placeholder+string(rune('a'+i)))
		}
	}
	for position := 1; position < len(actors.Initial()); position++ {
		t.place(actors.PositionName(position))
	}
	return t
}

// A thing is something that names occur in, with what it becomes by permutations.
type thing struct {
	number uint32
	points []uint8 // that it mentions; what becomes of it depends on their images alone
	same   uint32  // its id as it is
	// rename gives the content of what it becomes. It is called under the lock.
	rename func(p []uint8) (string, error)
}

// isMoved says whether a permutation moves any of the points.
func (x *thing) isMoved(p []uint8) bool {
	for _, point := range x.points {
		if p[point] != point {
			return true
		}
	}
	return false
}

// add makes a thing known.
func (t *tables) add(points []uint8, rename func(p []uint8) (string, error)) (thing, error) {
	t.numbers++
	x := thing{number: t.numbers, points: points, rename: rename}
	content, err := rename(t.identity())
	x.same = t.id(content)
	return x, err
}

func (t *tables) identity() []uint8 {
	p := make([]uint8, len(t.points))
	for i := range p {
		p[i] = uint8(i)
	}
	return p
}

// images are the points that a permutation maps each point to.
func (t *tables) images(p Permutation) []uint8 {
	to := make([]uint8, len(t.points))
	for i, name := range t.points {
		to[i] = t.index[p.Of(name)]
	}
	return to
}

// id gives equal contents equal ids, from 1 up.
func (t *tables) id(content string) uint32 { return numberOf(t.ids, content) }

// place is the position of an actor in canonical vectors. Position 0 is that of what is global.
func (t *tables) place(name string) uint32 { return numberOf(t.places, name) }

// numberOf numbers texts from 1 up, as they come.
func numberOf(numbers map[string]uint32, text string) uint32 {
	n, ok := numbers[text]
	if !ok {
		n = uint32(len(numbers)) + 1
		numbers[text] = n
	}
	return n
}

// image is the id of what a thing becomes by a permutation.
func (t *tables) image(x *thing, p []uint8) (uint32, error) {
	if id, ok := t.known(x, p); ok {
		return id, nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.find(x, p)
}

// known looks up an image.
func (t *tables) known(x *thing, p []uint8) (uint32, bool) {
	if !x.isMoved(p) {
		return x.same, true
	}
	at, last := x.number, len(x.points)-1
	for _, point := range x.points[:last] {
		var ok bool
		if at, ok = t.steps.Get(at, uint32(p[point])); !ok {
			return 0, false
		}
	}
	return t.renamed.Get(at, uint32(p[x.points[last]]))
}

// find is image under the lock.
func (t *tables) find(x *thing, p []uint8) (uint32, error) {
	if id, ok := t.known(x, p); ok {
		return id, nil
	}
	content, err := x.rename(p)
	if err != nil {
		return 0, err
	}
	at, last := x.number, len(x.points)-1
	for _, point := range x.points[:last] {
		next, ok := t.steps.Get(at, uint32(p[point]))
		if !ok {
			t.numbers++
			next = t.numbers
			t.steps.Put(at, uint32(p[point]), next)
		}
		at = next
	}
	id := t.id(content)
	t.renamed.Put(at, uint32(p[x.points[last]]), id)
	return id, nil
}

// renaming is what a permutation does to names.
func (t *tables) renaming(p []uint8) func(name string) string {
	return func(name string) string {
		base, rest := split(name)
		if i, ok := t.index[base]; ok {
			return t.points[p[i]] + rest
		}
		return name
	}
}

// idsContent is the content of something that consists of things with these ids.
func idsContent(tag string, ids ...uint32) string {
	b := []byte(tag)
	for _, id := range ids {
		b = binary.LittleEndian.AppendUint32(b, id)
	}
	return string(b)
}
