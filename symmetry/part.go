package symmetry

import (
	"slices"

	"harrier/model"
)

// A part is a local state, a message, or an entry of what is global.
type part struct {
	thing
	isQueued bool     // it is a message in a queue
	sender   string   // of a message
	form     uint64   // with all names hidden, but which of them are the owner's
	marked   []uint64 // by place in points: the form in which that point is marked, too
}

// newPart finds which points bytes mention, and their forms. The owner, if it is a point, is told apart from others in all of
// them. Names that are not in the bytes come along.
func (t *tables) newPart(owner int, tag string, names []string, b []byte) (*part, error) {
	seen, err := t.seen(names, b)
	if err != nil {
		return nil, err
	}
	plain, err := t.hidden(owner, -1, names, b)
	if err != nil {
		return nil, err
	}
	x := &part{form: hash(tag + plain)}
	var points []uint8
	for _, point := range seen {
		if int(point) == owner {
			continue
		}
		form, err := t.hidden(owner, int(point), names, b)
		if err != nil {
			return nil, err
		}
		if form != plain {
			points = append(points, point)
			x.marked = append(x.marked, hash(tag+form))
		}
	}
	if owner >= 0 {
		points = append(points, uint8(owner)) // the last, as it has no mark of its own
	}
	x.thing, err = t.add(points, func(p []uint8) (string, error) {
		content, err := written(t.renaming(p), names, b)
		return tag + content, err
	})
	return x, err
}

// seen are the points that may be mentioned. To find out takes less than to rename them.
func (t *tables) seen(names []string, b []byte) (points []uint8, err error) {
	_, err = written(func(name string) string {
		if i := t.owner(name); i >= 0 && !slices.Contains(points, uint8(i)) {
			points = append(points, uint8(i))
		}
		return name
	}, names, b)
	slices.Sort(points)
	return points, err
}

// hidden is bytes in which names are replaced by what they are the names of: the owner, a marked actor, or another one of an orbit.
func (t *tables) hidden(owner, marked int, names []string, b []byte) (string, error) {
	return written(func(name string) string {
		base, rest := split(name)
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
	}, names, b)
}

func written(rename func(name string) string, names []string, b []byte) (string, error) {
	parts := make([]string, 0, len(names)+1)
	for _, name := range names {
		parts = append(parts, rename(name))
	}
	b, err := renamed(rename, b)
	return joined(append(parts, string(b))...), err
}

// owner is the point that a name belongs to, -1 for none.
func (t *tables) owner(name string) int {
	base, _ := split(name)
	if i, ok := t.index[base]; ok {
		return int(i)
	}
	return -1
}

func (t *tables) local(id model.LocalID, position int) (*part, error) {
	if x, ok := t.locals[id]; ok {
		return x, nil
	}
	b, err := t.actors.HashedLocal(id)
	if err != nil {
		return nil, err
	}
	x, err := t.newPart(t.owner(t.actors.PositionName(position)), "local ", nil, b)
	t.locals[id] = x
	return x, err
}

// letter is a message in flight, which belongs to its receiver.
func (t *tables) letter(id model.MessageID) (*part, error) {
	if x, ok := t.letters[id]; ok {
		return x, nil
	}
	m := t.actors.Message(id)
	b, err := t.actors.HashedPayload(id)
	if err != nil {
		return nil, err
	}
	x, err := t.newPart(t.owner(m.Receiver), "message ", []string{m.Receiver, m.Sender}, b)
	if err != nil {
		return nil, err
	}
	x.sender, x.isQueued = m.Sender, t.actors.Program().FIFO.Has(m.Receiver)
	t.letters[id] = x
	return x, nil
}

// markedAt is the form in which a point is marked; the plain one if the part does not mention it.
func (x *part) markedAt(point uint8) uint64 {
	if i := slices.Index(x.points, point); i >= 0 && i < len(x.marked) {
		return x.marked[i]
	}
	return x.form
}
