package property

import (
	"maps"
	"slices"
	"sync"

	"harrier/internal/ds/pairs"
	"harrier/internal/ds/slab"
	"harrier/internal/model"
	"harrier/internal/model/space"
)

// A memory has the answers of one property, as a trie. Node 0 is above the roots, one for each set of live actors. It holds as
// long as the property reads no fields but some: one that reads more gets a new memory.
type memory struct {
	property     int
	actors       *space.Actors
	read         map[int]bool // the numbers of the fields that the property has read
	observations *space.Observations
	products     products

	mu    sync.Mutex // for inserting
	nodes slab.List[trieNode]
	edges pairs.Map // (node, live actors or the observation read) -> node
}

// A trieNode does not change once there is an edge to it.
type trieNode struct {
	leaf      bool   // nothing more is read
	read      uint32 // position that is read next, 0 for the history; not for leaves
	violation *Violation
}

func newMemory(actors *space.Actors, property int, read map[int]bool) *memory {
	m := &memory{property: property, actors: actors, read: read, observations: space.NewObservations(actors, property, read)}
	m.nodes.Add(trieNode{})
	return m
}

// with is the memory for a property that reads some more fields.
func (m *memory) with(fields ...int) *memory {
	if !m.actors.Values.Decomposition.Observes() || !slices.ContainsFunc(fields, func(f int) bool { return !m.read[f] }) {
		return m
	}
	read := maps.Clone(m.read)
	for _, f := range fields {
		read[f] = true
	}
	return newMemory(m.actors, m.property, read)
}

// part identifies what the property reads of s at a position: of an actor or, at position 0, of the history.
func (m *memory) part(s model.State, position uint32) uint32 {
	if position == 0 {
		return m.actors.Globals.HistoryID(s)
	}
	return m.observations.Of(m.actors.Nodes.Visible(s[position]))
}

// find returns the number of the leaf for s, or 0.
func (m *memory) find(s model.State) uint32 {
	n, ok := m.edges.Get(0, m.actors.Nodes.LiveActors(s))
	for ok {
		node := m.nodes.At(n)
		if node.leaf {
			return n
		}
		n, ok = m.edges.Get(n, m.part(s, node.read))
	}
	return 0
}

// path returns which positions of s are read, and the leaf as find does.
func (m *memory) path(s model.State) (reads []uint32, leaf uint32) {
	n, ok := m.edges.Get(0, m.actors.Nodes.LiveActors(s))
	for ok && !m.nodes.At(n).leaf {
		reads = append(reads, m.nodes.At(n).read)
		n, ok = m.edges.Get(n, m.part(s, m.nodes.At(n).read))
	}
	if !ok {
		return nil, 0
	}
	return reads, n
}

var errReads = &model.RuleError{
	Text: "a property reads different actors though what it read before is the same: " +
		"let properties depend on the actors' states alone",
}

// insert adds the path of an evaluation's reads, unless it is there. Evaluations that read differently
// after the same reads are no functions of their reads.
func (m *memory) insert(s model.State, reads []uint32, v *Violation) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	n, label := uint32(0), m.actors.Nodes.LiveActors(s)
	for _, position := range reads {
		n = m.child(n, label, trieNode{read: position})
		if node := m.nodes.At(n); node.leaf || node.read != position {
			return errReads
		}
		label = m.part(s, position)
	}
	if n = m.child(n, label, trieNode{leaf: true, violation: v}); !m.nodes.At(n).leaf {
		return errReads
	}
	return nil
}

// child returns the node below another one by a label; without one, it adds node.
func (m *memory) child(parent, label uint32, node trieNode) uint32 {
	if n, ok := m.edges.Get(parent, label); ok {
		return n
	}
	n := m.nodes.Add(node)
	m.edges.Put(parent, label, n)
	return n
}
