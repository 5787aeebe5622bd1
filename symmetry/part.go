package symmetry

import (
	"fmt"

	"harrier/internal/ds/slab"
	"harrier/internal/model"
)

// isPart marks elements of states that are no nodes.
const isPart = 1 << 31

// Part returns an element for states that a Canonicalizer gets, in place of the node at a position: a node, if it is not 0, with a tag and
// bytes. Permutations change the names in them.
func (g *Group) Part(position uint32, n model.NodeID, tag string, bytes []byte) (uint32, error) {
	t := g.tables
	t.mu.Lock()
	defer t.mu.Unlock()
	key := slab.Join(slab.Key(position, n), tag, string(bytes))
	if id, known := t.partIDs[key]; known {
		return id | isPart, nil
	}
	b := builder{tables: t, owner: t.owner(t.actors.Values.PositionName(int(position))), tag: "part " + tag}
	if n != 0 {
		parts := t.actors.Nodes.Parts(n)
		b.tag += fmt.Sprint(" of a node ", parts.Stopped)
		b.addNode(parts)
	}
	b.group = 0
	b.add(t.named(b.owner, "bytes ", nil, bytes))
	o, err := b.build(int(position))
	if err != nil {
		return 0, err
	}
	id := uint32(len(t.partIDs) + 1)
	t.partIDs[key] = id
	t.parts.GetOrPut(id, o)
	return id | isPart, nil
}

// element returns the object of an element of a state: a node or a part.
func (t *tables) element(id uint32, position int) (*object, error) {
	if id&isPart != 0 {
		return t.parts.Get(id &^ isPart), nil
	}
	return t.node(id, position)
}
