package symmetry

import (
	"slices"

	"github.com/cespare/xxhash/v2"

	"harrier/internal/ds/slab"
	"harrier/internal/model"
)

// An object is a part of a state that contains names of actors: a local state, a message, a history; or a node or a global,
// which are made of these.
type object struct {
	number uint32
	points []uint8 // that it mentions, its owner last; its image depends on their images alone
	same   uint32  // its id as it is
	// rename gives the content of its image. It is called under the lock.
	rename func(p []uint8) (string, error)

	owner  int      // the point that it belongs to, -1 for none
	mask   uint64   // of its points: a bit for each, modulo 64
	digest uint64   // with all names hidden, but which of them are the owner's
	marked []uint64 // by place in points but for the owner: the digest in which that point is marked, too

	position int    // of a node, in the model's states
	queued   bool   // it is a message in a queue
	sender   string // of a message
}

// others are the points that an object mentions beside its owner.
func (o *object) others() []uint8 { return o.points[:len(o.marked)] }

// digestWith is the digest in which a point is marked; the plain one if that is not mentioned, or -1.
func (o *object) digestWith(point int) uint64 {
	if i := slices.Index(o.others(), uint8(point)); point >= 0 && i >= 0 {
		return o.marked[i]
	}
	return o.digest
}

// object adds an object that belongs to a point, or to none, and mentions others. digest takes the point that is
// marked in it.
func (t *tables) object(owner int, mentioned []uint8, digest func(marked int) (uint64, error),
	rename func(p []uint8) (string, error)) (*object, error) {
	t.numbers++
	o := &object{number: t.numbers, owner: owner, rename: rename}
	var err error
	if o.digest, err = digest(-1); err != nil {
		return nil, err
	}
	slices.Sort(mentioned)
	for _, point := range mentioned {
		if int(point) == owner {
			continue
		}
		marked, err := digest(int(point))
		if err != nil {
			return nil, err
		}
		o.points, o.marked = append(o.points, point), append(o.marked, marked)
	}
	if owner >= 0 {
		o.points = append(o.points, uint8(owner))
	}
	for _, point := range o.points {
		o.mask |= 1 << (point % 64)
	}
	content, err := rename(t.identity())
	o.same = t.id(content)
	return o, err
}

// named makes an object of bytes, and of names that are not in them.
func (t *tables) named(owner int, tag string, names []string, b []byte) (*object, error) {
	mentioned, err := t.mentioned(names, b)
	if err != nil {
		return nil, err
	}
	return t.object(owner, mentioned, func(marked int) (uint64, error) {
		hidden, err := written(t.hiding(owner, marked), names, b)
		return hash(tag + hidden), err
	}, t.renamer(tag, names, b))
}

// renamer gives bytes after a permutation.
func (t *tables) renamer(tag string, names []string, b []byte) func(p []uint8) (string, error) {
	return func(p []uint8) (string, error) {
		content, err := written(t.renaming(p), names, b)
		return tag + content, err
	}
}

// mentioned are the points whose names occur. To find out takes less than to rename them.
func (t *tables) mentioned(names []string, b []byte) (points []uint8, err error) {
	_, err = written(func(name string) string {
		if i := t.owner(name); i >= 0 && !slices.Contains(points, uint8(i)) {
			points = append(points, uint8(i))
		}
		return name
	}, names, b)
	return points, err
}

// hiding replaces names by the kinds of their actors: the owner, a marked actor, or another one of an orbit.
func (t *tables) hiding(owner, marked int) func(name string) string {
	return func(name string) string {
		base, rest := model.Origin(name)
		i, ok := t.index[base]
		switch {
		case !ok:
			return name
		case int(i) == owner:
			return mark + "self" + rest
		case int(i) == marked:
			return mark + "marked" + rest
		}
		return t.orbit[i] + rest
	}
}

func written(rename func(name string) string, names []string, b []byte) (string, error) {
	parts := make([]string, 0, len(names)+1)
	for _, name := range names {
		parts = append(parts, rename(name))
	}
	b, err := renamed(rename, b)
	return slab.Join(append(parts, string(b))...), err
}

// owner is the point that a name belongs to, -1 for none.
func (t *tables) owner(name string) int {
	base, _ := model.Origin(name)
	if i, ok := t.index[base]; ok {
		return int(i)
	}
	return -1
}

// hash is a hash of content. Collisions cost time and nothing else.
func hash(content string) uint64 {
	return xxhash.Sum64String(content)
}
