package dbss

import (
	"errors"
	"math"
	"slices"

	"harrier/internal/distributed/levels"
	"harrier/internal/ds/vectors"
	"harrier/internal/model"
)

// A space gives the halves of states in files their meaning (levels.Space): ids in the tree of the search, and the portable terms of the
// system.
type space struct {
	model.Portable
	tree  *vectors.Tree
	split int // first position of the upper half
	fixed uint32
}

func newSpace(system model.Shared, tree *vectors.Tree) *space {
	positions := len(system.Initial())
	return &space{system, tree, splitOf(system), uint32(positions)}
}

// splitOf is the first position of the upper half of states of a system. A system that is not local has none: the lower half is the whole
// state.
func splitOf(system model.System) int {
	if of, ok := system.(model.Whole); ok && of.IsWhole() {
		return math.MaxInt32
	}
	return max(1, (len(system.Initial())+1)/2)
}

// Fixed implements levels.Space.
func (s *space) Fixed() uint32 { return s.fixed }

// Take implements levels.Space.
func (s *space) Take(half uint32, side int, into []levels.Component) []levels.Component {
	var room [16]uint32
	for i, id := range s.tree.Decompress(half, room[:0]) {
		if id != 0 {
			into = append(into, levels.Component{Position: uint32(side*s.split + i), ID: id})
		}
	}
	return into
}

// Make implements levels.Space.
func (s *space) Make(side int, of []levels.Component) (uint32, error) {
	var room [16]uint32
	ids := room[:0]
	for _, c := range of {
		at := int(c.Position) - side*s.split
		if at < 0 || side == lower && at >= s.split {
			return 0, errUnknownPart
		}
		ids = append(ids, make([]uint32, max(0, at+1-len(ids)))...)
		ids[at] = c.ID
	}
	id, ok := s.tree.Compress(ids)
	if !ok {
		return 0, errTreeFull
	}
	return id, nil
}

// state is the state of some components, by position.
func (s *space) state(of levels.State) model.State {
	var state model.State
	for side, half := range of {
		for _, c := range s.Take(half, side, nil) {
			state = slices.Grow(state, int(c.Position)+1)
			state, _ = state.Put(c.Position, c.ID, nil)
		}
	}
	return state
}

func stateOf(s compressed) levels.State { return levels.State{s.lower, s.upper} }

func compressedOf(s levels.State) compressed { return compressed{s[lower], s[upper]} }

var errUnknownPart = errors.New("it has a part of a state that the program cannot have there")
