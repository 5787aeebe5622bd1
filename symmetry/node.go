package symmetry

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"slices"

	"harrier/model"
	"harrier/serializer"
)

// A node is a model's node, or what is global, as canonical states need it.
type node struct {
	thing
	position int    // in the model's states
	owner    int    // the point that it belongs to, -1 for none
	mask     uint64 // of its points: a bit for each, modulo 64
	form     uint64 // with all names hidden, but which of them are the owner's
	marked   []uint64
}

// others are the points that a node mentions beside its owner; marked has its form for each.
func (n *node) others() []uint8 { return n.points[:len(n.marked)] }

// node is what is known of a node of the model. Each has one position.
func (t *tables) node(id model.NodeID, position int) (*node, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if n, ok := t.nodes[id]; ok {
		if n.position != position {
			return nil, fmt.Errorf("node %d is that of %s and of %s", id, t.actors.PositionName(n.position), t.actors.PositionName(position))
		}
		return n, nil
	}
	n, err := t.newNode(t.actors.NodeParts(id), position)
	t.nodes[id] = n
	return n, err
}

func (t *tables) newNode(parts model.NodeParts, position int) (*node, error) {
	g := gathering{tables: t, owner: t.owner(t.actors.PositionName(position)), tag: "node "}
	if parts.Stopped {
		g.tag = "stopped "
	}
	if parts.Local != 0 {
		x, err := t.local(parts.Local, position)
		if err != nil {
			return nil, err
		}
		g.add(0, x)
	}
	for i, messages := range [][]model.MessageID{parts.Waiting, parts.Delivered} {
		for _, id := range messages {
			x, err := t.letter(id)
			if err != nil {
				return nil, err
			}
			g.add(1+i, x)
		}
	}
	return g.node(position)
}

// global is what is known of what is global.
func (t *tables) global(id uint32) (*node, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if n, ok := t.globals[id]; ok {
		return n, nil
	}
	n, err := t.newGlobal(t.actors.GlobalParts(id))
	t.globals[id] = n
	return n, err
}

func (t *tables) newGlobal(parts model.GlobalParts) (*node, error) {
	g := gathering{tables: t, owner: -1, tag: fmt.Sprintf("global %d %v %d %d ", parts.Budgets, parts.HasLast, parts.Last.Kind, parts.Last.Fault)}
	history, err := t.newHistory(parts.History)
	if err != nil {
		return nil, err
	}
	g.add(0, history)
	for _, m := range parts.Last.Messages {
		x, err := t.newPart(-1, "processed ", []string{m.Receiver, m.Sender}, m.Payload)
		if err != nil {
			return nil, err
		}
		x.sender, x.isQueued = m.Sender, t.actors.Program().FIFO.Has(m.Receiver)
		g.add(1, x)
	}
	return g.node(0)
}

// newHistory is a part whose forms are those of its operations. The history itself has none with hidden names, since its
// order follows from names.
func (t *tables) newHistory(b []byte) (*part, error) {
	x := &part{}
	points, err := t.seen(nil, b)
	if err != nil {
		return nil, err
	}
	x.form, x.marked, err = t.operations(points, b)
	if err != nil {
		return nil, err
	}
	x.thing, err = t.add(points, func(p []uint8) (string, error) {
		content, err := written(t.renaming(p), nil, b)
		return "history " + content, err
	})
	return x, err
}

// operations sums up which points have operations at which moments.
func (t *tables) operations(points []uint8, b []byte) (form uint64, marked []uint64, err error) {
	marked = make([]uint64, len(points))
	if len(b) == 0 {
		return 0, marked, nil
	}
	v, err := serializer.Decode(b)
	if err != nil || len(v.Fields) == 0 {
		return 0, marked, err
	}
	for _, operation := range v.Fields[0].Value.Elements {
		who, moments := -1, []byte("operation")
		for _, f := range operation.Fields {
			if f.Name == "actor" {
				who = t.owner(f.Value.Name())
			}
			moments = binary.AppendVarint(moments, f.Value.Int)
		}
		sum := hash(string(moments))
		form += mix(sum)
		if i := slices.Index(points, uint8(who)); who >= 0 && i >= 0 {
			marked[i] += mix(sum + 1)
		}
	}
	return form, marked, nil
}

// A gathering makes a node of parts, which are in groups: the local state, what waits for it, what was delivered.
type gathering struct {
	*tables
	owner  int
	tag    string
	groups [3][]*part
}

func (g *gathering) add(group int, x *part) { g.groups[group] = append(g.groups[group], x) }

func (g *gathering) node(position int) (*node, error) {
	n := &node{position: position, owner: g.owner}
	n.form = g.form(func(x *part) uint64 { return x.form })
	var points []uint8
	for _, group := range g.groups {
		for _, x := range group {
			for _, point := range x.points {
				if int(point) != g.owner && !slices.Contains(points, point) {
					points = append(points, point)
				}
			}
		}
	}
	slices.Sort(points)
	for _, point := range points {
		n.marked = append(n.marked, g.form(func(x *part) uint64 { return x.markedAt(point) }))
	}
	if g.owner >= 0 {
		points = append(points, uint8(g.owner))
	}
	for _, point := range points {
		n.mask |= 1 << (point % 64)
	}
	var err error
	n.thing, err = g.tables.add(points, g.rename)
	return n, err
}

// form is made of the forms of the parts, in which the order of messages counts within queues only.
func (g *gathering) form(of func(x *part) uint64) uint64 {
	sum := hash(g.tag)
	for i, group := range g.groups {
		queues := map[string]uint64{}
		for _, x := range group {
			if x.isQueued {
				queues[x.sender] = mix(queues[x.sender]*3 + of(x))
			} else {
				sum += mix(of(x) + uint64(i)<<32)
			}
		}
		for _, queue := range queues {
			sum += mix(queue + uint64(i+3)<<32)
		}
	}
	return mix(sum)
}

// rename is the content of the node after a permutation: messages are sorted again, those in queues by their senders.
func (g *gathering) rename(p []uint8) (string, error) {
	ids := make([]uint32, 0, 8)
	of := g.renaming(p)
	for _, group := range g.groups {
		type placed struct {
			queue string
			id    uint32
		}
		var all []placed
		for _, x := range group {
			id, err := g.find(&x.thing, p)
			if err != nil {
				return "", err
			}
			at := placed{id: id}
			if x.isQueued {
				at = placed{of(x.sender), id}
			}
			all = append(all, at)
		}
		slices.SortStableFunc(all, func(a, b placed) int {
			if len(group) > 0 && group[0].isQueued {
				return cmp.Compare(a.queue, b.queue)
			}
			return cmp.Compare(a.id, b.id)
		})
		ids = append(ids, uint32(len(all)))
		for _, at := range all {
			ids = append(ids, at.id)
		}
	}
	return idsContent(g.tag, ids...), nil
}

// hash is a hash of a form. What two forms of one hash stand for is not told apart by it alone, which costs time and
// nothing else.
func hash(form string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(form))
	return mix(h.Sum64())
}

// mix is the finalizer of SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators).
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
