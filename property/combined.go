package property

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"harrier/internal/pairs"
	"harrier/model"
)

// A Choice is what a combination takes one of for a position: nodes with different local states. Number is equal for
// choices of the same local states.
type Choice struct {
	Nodes  []model.NodeID
	Number uint32
}

// Combinations are the states that agree with State but for the nodes at the positions of which there is a choice. In all
// of them the same actors exist.
type Combinations struct {
	State   model.State
	Choices []Choice // by position; without nodes where there is none
}

// AllInvariants returns the first invariant that does not hold in some combination, nil if all hold in all.
func (c *Checker) AllInvariants(ctx context.Context, of Combinations) (*Violation, error) {
	for _, i := range c.invariants {
		if v, err := c.checkAll(ctx, i, of); v != nil || err != nil {
			return v, err
		}
	}
	return nil, nil
}

// AllFinal returns a violation if some combination, a state in which no event is enabled, is not a proper end.
func (c *Checker) AllFinal(ctx context.Context, of Combinations) (*Violation, error) {
	if c.final < 0 {
		return nil, nil
	}
	return c.checkAll(ctx, c.final, of)
}

// checkAll evaluates a property on all that it reads of combinations. What held is not walked again: it is known by the
// choices at the positions that the property has ever read.
func (c *Checker) checkAll(ctx context.Context, property int, of Combinations) (*Violation, error) {
	p := &c.products[property]
	roster := c.actors.Roster(of.State)
	if p.holds(c.actors, roster, of) {
		return nil, nil
	}
	w := walk{checker: c, property: property, of: of, state: slices.Clone(of.State)}
	if v, err := w.below(ctx, 0, roster); v != nil || err != nil {
		return v, err
	}
	p.note(c.actors, roster, of, w.reads)
	return nil, nil
}

// A walk goes through the trie of a property, at each read in all ways that there are.
type walk struct {
	checker  *Checker
	property int
	of       Combinations
	state    model.State // the combination at hand, as far as it was chosen
	reads    []uint32    // positions that were read
}

// below evaluates what is below a node of the trie, by the edge with a label.
func (w *walk) below(ctx context.Context, parent, label uint32) (*Violation, error) {
	t := w.checker.tries[w.property]
	n, ok := t.edges.Get(parent, label)
	if !ok {
		if _, err := w.checker.check(ctx, w.property, w.state); err != nil {
			return nil, err
		}
		if n, ok = t.edges.Get(parent, label); !ok {
			return nil, errReads
		}
	}
	node := t.nodes.At(n)
	if node.leaf {
		if node.violation == nil {
			return nil, nil
		}
		return &Violation{Property: w.property, Failure: node.violation.Failure, State: slices.Clone(w.state)}, nil
	}
	p := node.read
	if !slices.Contains(w.reads, p) {
		w.reads = append(w.reads, p)
	}
	if p == 0 || int(p) >= len(w.of.Choices) || len(w.of.Choices[p].Nodes) == 0 {
		return w.below(ctx, n, w.checker.actors.Part(w.state, int(p)))
	}
	own := w.state[p]
	for _, id := range w.of.Choices[p].Nodes {
		w.state[p] = id
		if v, err := w.below(ctx, n, w.checker.actors.Part(w.state, int(p))); v != nil || err != nil {
			return v, err
		}
	}
	w.state[p] = own
	return nil, nil
}

// products remembers of one property which combinations it holds in.
type products struct {
	reads   atomic.Pointer[[]uint32] // positions that it has ever read; some are added, none goes
	adding  sync.Mutex
	folded  pairs.Map // of numbers, one after another
	holding pairs.Map // what they are folded to
}

// id identifies what of combinations is at the positions that the property has ever read.
func (p *products) id(actors *model.Actors, roster uint32, of Combinations) uint32 {
	var reads []uint32
	if known := p.reads.Load(); known != nil {
		reads = *known
	}
	id := p.fold(uint32(len(reads)), roster)
	for _, position := range reads {
		switch {
		case int(position) < len(of.Choices) && len(of.Choices[position].Nodes) > 0:
			id = p.fold(id, of.Choices[position].Number)
		case int(position) < len(of.State):
			id = p.fold(id, ^actors.Part(of.State, int(position)))
		}
	}
	return id
}

func (p *products) fold(id, number uint32) uint32 {
	next, _ := p.folded.GetOrPut(id, number, func() (uint32, error) { return uint32(p.folded.Len()) + firstFolded, nil })
	return next
}

// firstFolded is above all numbers of positions, so that none of them is taken for what is folded.
const firstFolded = 1 << 24

func (p *products) holds(actors *model.Actors, roster uint32, of Combinations) bool {
	_, ok := p.holding.Get(p.id(actors, roster, of), 0)
	return ok
}

// note remembers that the property holds in combinations of which it has read some positions.
func (p *products) note(actors *model.Actors, roster uint32, of Combinations, reads []uint32) {
	p.adding.Lock()
	defer p.adding.Unlock()
	var known []uint32
	if before := p.reads.Load(); before != nil {
		known = slices.Clone(*before)
	}
	for _, position := range reads {
		if !slices.Contains(known, position) {
			known = append(known, position)
		}
	}
	p.reads.Store(&known)
	p.holding.Put(p.id(actors, roster, of), 0, 1)
}
