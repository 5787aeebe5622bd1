package symmetry

import (
	"sync"

	"harrier/internal/ds/pairs"
	"harrier/internal/ds/slab"
	"harrier/internal/model"
	"harrier/internal/model/space"
)

// tables hold the objects of nodes and names, for all workers. Images are interned here, never in the
// model: most of them are never met there.
//
// Who looks up something that is known takes no lock.
type tables struct {
	actors *space.Actors
	points []string // the names of the actors that are moved
	index  map[string]uint8
	orbit  []string // by point: stands for any actor of its orbit

	mu      sync.Mutex        // guards the fields below, but for looking up objects and pairs
	places  map[string]uint32 // by name: the position in a canonical vector
	ids     map[string]uint32 // by content: elements of canonical vectors, and their parts
	numbers uint32            // given to objects, and to the first images of their points

	locals, messages, nodes, globals slab.Pointers[object] // by the model's ids

	partIDs map[string]uint32     // of parts in place of nodes, by position, tag and bytes
	parts   slab.Pointers[object] // by these

	steps   pairs.Map // (number of an object and of images of its first points, image of the next) -> number
	renamed pairs.Map // (number, image of the last point) -> id of what the object becomes
}

func newTables(actors *space.Actors, orbits []Orbit) *tables {
	t := &tables{
		actors: actors, index: map[string]uint8{},
		places: map[string]uint32{}, ids: map[string]uint32{}, partIDs: map[string]uint32{},
	}
	for i, o := range orbits {
		for _, name := range o.Actors {
			t.index[name] = uint8(len(t.points))
			t.points = append(t.points, name)
			t.orbit = append(t.orbit, placeholder+string(rune('a'+i)))
		}
	}
	for position := 1; position < len(actors.Initial()); position++ {
		t.place(actors.Values.PositionName(position))
	}
	return t
}

// isMoved reports whether a permutation moves any of the points.
func (o *object) isMoved(p []uint8) bool {
	for _, point := range o.points {
		if p[point] != point {
			return true
		}
	}
	return false
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

// place is the position of an actor in canonical vectors. Position 0 is that of the global.
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

// image is the id of what an object becomes by a permutation.
func (t *tables) image(o *object, p []uint8) (uint32, error) {
	if id, ok := t.known(o, p); ok {
		return id, nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.find(o, p)
}

// known looks up an image.
func (t *tables) known(o *object, p []uint8) (uint32, bool) {
	if !o.isMoved(p) {
		return o.same, true
	}
	at, last := o.number, len(o.points)-1
	for _, point := range o.points[:last] {
		var ok bool
		if at, ok = t.steps.Get(at, uint32(p[point])); !ok {
			return 0, false
		}
	}
	return t.renamed.Get(at, uint32(p[o.points[last]]))
}

// find is image under the lock.
func (t *tables) find(o *object, p []uint8) (uint32, error) {
	if id, ok := t.known(o, p); ok {
		return id, nil
	}
	content, err := o.rename(p)
	if err != nil {
		return 0, err
	}
	at, last := o.number, len(o.points)-1
	for _, point := range o.points[:last] {
		next, ok := t.steps.Get(at, uint32(p[point]))
		if !ok {
			t.numbers++
			next = t.numbers
			t.steps.Put(at, uint32(p[point]), next)
		}
		at = next
	}
	id := t.id(content)
	t.renamed.Put(at, uint32(p[o.points[last]]), id)
	return id, nil
}

// renaming is what a permutation does to names.
func (t *tables) renaming(p []uint8) func(name string) string {
	return func(name string) string {
		base, rest := model.Origin(name)
		if i, ok := t.index[base]; ok {
			return t.points[p[i]] + rest
		}
		return name
	}
}
