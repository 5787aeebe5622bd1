package dbss

import (
	"math"

	"harrier/internal/pairs"
	"harrier/internal/slab"
	"harrier/model"
)

// tree folds states to 64-bit keys, exactly: states have equal keys only if they are equal. It is the
// tree compression of LTSmin (Laarman, van de Pol, Weber: Parallel Recursive State Compression for
// Free, SPIN 2011). Two neighbours in the vector become the id of their pair, two neighbours among
// these ids become the id of that pair, and so on, until two ids are left. These are the key. States
// that differ in few positions share most pairs, so nearly all that a state takes is its key.
//
// The lower half of the positions that the initial state has makes the upper half of the key, all
// others make the lower. Trailing zeros of a vector do not matter, and a pair with nothing on its right
// is what is on its left, so that vectors may grow: the right half of the tree just gets higher.
type tree struct {
	levels [maxLevel + 1]level // the pairs of positions are on level 1
}

// A level is separate from others, since the same two ids mean different things on different levels.
type level struct {
	ids   pairs.Map // (left, right) -> id
	pairs slab.List[pair]
}

type pair struct{ left, right uint32 }

const (
	levelBits = 4 // upper bits of an id, which tell its level
	indexBits = 32 - levelBits
	maxLevel  = 1<<levelBits - 1
)

var errTreeFull = &model.LimitError{
	Text: "the tree that compresses the visited states is full; --store compact does without it",
}

// fold is the id of a pair.
func (t *tree) fold(l uint32, left, right uint32) (uint32, error) {
	if right == 0 && (left == 0 || l > 1) {
		return left, nil
	}
	if id, ok := t.levels[l].ids.Get(left, right); ok {
		return id, nil
	}
	return t.levels[l].ids.GetOrPut(left, right, func() (uint32, error) {
		if t.levels[l].pairs.Len() >= 1<<indexBits-1 {
			return 0, errTreeFull
		}
		return l<<indexBits | t.levels[l].pairs.Add(pair{left, right}), nil
	})
}

// unfold is the pair on a level that fold made an id of.
func (t *tree) unfold(l uint32, id uint32) pair {
	if id>>indexBits != l {
		return pair{left: id}
	}
	return *t.levels[l].pairs.At(id & (1<<indexBits - 1))
}

// bytes is the memory that the pairs take.
func (t *tree) bytes() uint64 {
	n := uint64(0)
	for l := range t.levels {
		n += t.levels[l].ids.Bytes() + t.levels[l].pairs.Bytes()
	}
	return n
}

// A folded state keeps the ids of all pairs of one state, so that few must be looked up when the state
// changes. It is the keyer of the exact store.
//
// Pairs are in blocks, which are complete binary trees. The first block has the left half of the tree, the
// second what the right half began with. Each further block is as large as all those before it but the
// first, and comes to exist when the vector outgrows them.
type folded struct {
	tree    *tree
	nodes   []node   // of all blocks
	ids     []uint32 // of each node
	blocks  []block
	parents []uint32 // node above each position
	now     uint32   // counts moves
	marked  []uint32 // the last move that changed something below each node
	dirty   []uint32 // nodes to look at, of one level
	above   []uint32 // and of the next
}

// A node is a pair in the tree. On level 1, left and right are positions, above they are nodes.
type node struct {
	left, right uint32
	parent      uint32 // none for the root of a block
	level       uint32
}

type block struct {
	root  uint32
	level uint32 // of the root
}

const (
	none = math.MaxUint32
	// inner marks a Change that is one of a node's id.
	inner = 1 << 31
)

func newFolded(t *tree, width int) *folded {
	f := &folded{tree: t}
	half := max(1, (width+1)/2)
	f.addBlock(half, heightFor(half))
	f.addBlock(0, heightFor(max(1, width-half)))
	return f
}

// heightFor is the level of the root of a block for that many positions.
func heightFor(positions int) uint32 {
	h := uint32(1)
	for 1<<h < positions {
		h++
	}
	return h
}

// addBlock adds a block of a height. It has the given number of positions, or, if that is 0, as many as
// there is room for.
func (f *folded) addBlock(positions int, height uint32) {
	first := len(f.parents)
	if positions == 0 {
		positions = 1 << height
	}
	for range positions {
		f.parents = append(f.parents, none)
	}
	root := f.addNode(uint32(first), height, none)
	f.blocks = append(f.blocks, block{root, height})
}

// addNode adds the node on a level whose positions begin at first, and all below it.
func (f *folded) addNode(first, level, parent uint32) uint32 {
	n := uint32(len(f.nodes))
	f.nodes = append(f.nodes, node{first, first + 1, parent, level})
	f.ids, f.marked = append(f.ids, 0), append(f.marked, 0)
	if level > 1 {
		left := f.addNode(first, level-1, n)
		right := f.addNode(first+1<<(level-1), level-1, n)
		f.nodes[n].left, f.nodes[n].right = left, right
		return n
	}
	for i := range uint32(2) {
		position := first + i
		if int(position) < len(f.parents) {
			f.parents[position] = n
			continue
		}
		// The left half may have room for more than its positions.
		if i == 0 {
			f.nodes[n].left = none
		} else {
			f.nodes[n].right = none
		}
	}
	return n
}

// fit makes room for a vector.
func (f *folded) fit(width int) error {
	for width > len(f.parents) {
		if f.height() == maxLevel {
			return errTreeFull
		}
		f.addBlock(0, f.height())
	}
	return nil
}

// reset implements keyer.
func (f *folded) reset(s model.State) error {
	if err := f.fit(len(s)); err != nil {
		return err
	}
	for _, b := range f.blocks {
		if err := f.resetNode(s, b.root); err != nil {
			return err
		}
	}
	return nil
}

func (f *folded) resetNode(s model.State, n uint32) error {
	if at := f.nodes[n]; at.level > 1 {
		if err := f.resetNode(s, at.left); err != nil {
			return err
		}
		if err := f.resetNode(s, at.right); err != nil {
			return err
		}
	}
	var err error
	f.ids[n], err = f.idOf(s, n)
	return err
}

// idOf is the id that a node has given those below it.
func (f *folded) idOf(s model.State, n uint32) (uint32, error) {
	at := &f.nodes[n]
	if at.level > 1 {
		return f.tree.fold(at.level, f.ids[at.left], f.ids[at.right])
	}
	return f.tree.fold(1, leaf(s, at.left), leaf(s, at.right))
}

func leaf(s model.State, position uint32) uint32 {
	if uint64(position) < uint64(len(s)) {
		return s[position]
	}
	return 0
}

// move implements keyer. It appends changes of ids to those of positions.
func (f *folded) move(s model.State, undo []model.Change, from int) ([]model.Change, error) {
	if err := f.fit(len(s)); err != nil {
		return undo, err
	}
	f.now++
	f.dirty = f.dirty[:0]
	for _, c := range undo[from:] {
		if n := f.parents[c.Position]; f.marked[n] != f.now {
			f.marked[n] = f.now
			f.dirty = append(f.dirty, n)
		}
	}
	for len(f.dirty) > 0 {
		f.above = f.above[:0]
		for _, n := range f.dirty {
			id, err := f.idOf(s, n)
			if err != nil {
				return undo, err
			}
			if id == f.ids[n] {
				continue
			}
			undo = append(undo, model.Change{Position: inner | n, Old: f.ids[n]})
			f.ids[n] = id
			if p := f.nodes[n].parent; p != none && f.marked[p] != f.now {
				f.marked[p] = f.now
				f.above = append(f.above, p)
			}
		}
		f.dirty, f.above = f.above, f.dirty
	}
	return undo, nil
}

// undo implements keyer.
func (f *folded) undo(s model.State, changes []model.Change) {
	for i := len(changes) - 1; i >= 0; i-- {
		if c := changes[i]; c.Position&inner != 0 {
			f.ids[c.Position&^inner] = c.Old
		} else {
			s[c.Position] = c.Old
		}
	}
}

// key implements keyer.
func (f *folded) key() (uint64, error) {
	right := f.ids[f.blocks[1].root]
	for i := 2; i < len(f.blocks); i++ {
		b := f.blocks[i]
		var err error
		if right, err = f.tree.fold(b.level+1, right, f.ids[b.root]); err != nil {
			return 0, err
		}
	}
	return uint64(f.ids[f.blocks[0].root])<<32 | uint64(right), nil
}

// load makes the state with a key the state, and returns it in s. Another worker may have folded it, with a
// higher tree.
func (f *folded) load(key uint64, s model.State) (model.State, error) {
	for f.height() < uint32(key)>>indexBits {
		if err := f.fit(len(f.parents) + 1); err != nil {
			return s, err
		}
	}
	s = s[:0]
	for range f.parents {
		s = append(s, 0)
	}
	right := uint32(key)
	for i := len(f.blocks) - 1; i >= 2; i-- {
		p := f.tree.unfold(f.blocks[i].level+1, right)
		f.loadNode(s, f.blocks[i].root, p.right)
		right = p.left
	}
	f.loadNode(s, f.blocks[1].root, right)
	f.loadNode(s, f.blocks[0].root, uint32(key>>32))
	return s, nil
}

// height is the level of the right half of the tree.
func (f *folded) height() uint32 {
	last := len(f.blocks) - 1
	if last == 1 {
		return f.blocks[1].level
	}
	return f.blocks[last].level + 1
}

func (f *folded) loadNode(s model.State, n, id uint32) {
	f.ids[n] = id
	at := f.nodes[n]
	p := f.tree.unfold(at.level, id)
	if at.level > 1 {
		f.loadNode(s, at.left, p.left)
		f.loadNode(s, at.right, p.right)
		return
	}
	for _, leaf := range []pair{{at.left, p.left}, {at.right, p.right}} {
		if position, value := leaf.left, leaf.right; position != none {
			s[position] = value
		}
	}
}
