// Package lts is the local graph of a program: what each of its components can do, as a labelled transition system over the
// states of the component, whatever the others do. It grows as it is read, and everybody reads the same one.
//
//	Graph       Out: the edges of a component state, with labels; After, Arrive: what it becomes by one, by a message (graph.go)
//	            which actors are one component, and the numbers of component states (components.go)
//	Rounds      what a component state becomes when time goes on (rounds.go)
//	In          what a component state can become by internal edges (in.go)
//	Permutation Image: what a component state becomes when actors change places (image.go)
//	Parts       the strongly connected parts of any graph (parts.go)
//
// Java is asked for no step that the model was not asked for: Expand asks, the rest reads.
package lts

import (
	"context"
	"iter"
	"slices"
	"sync"
	"sync/atomic"

	"harrier/internal/ds/pairs"
	"harrier/internal/ds/slab"
	"harrier/internal/model"
	"harrier/internal/model/space"
)

// A Graph has the local graphs of all components of a program. The state of a component is the vector of its actors' nodes. Its
// number is the node's where only the first actor has one, so an actor that is a component by itself costs nothing more; 0 if
// there is no node. Several goroutines may use it at once.
type Graph struct {
	actors *space.Actors
	groups map[string]int // by the name of an actor of the scenario: its group; none if it is alone

	layout atomic.Pointer[layout]

	mu      sync.Mutex // held while the layout grows, and vectors and labels are numbered
	vectors *slab.Table[[]model.NodeID]
	arrived pairs.Map // (vector, message) -> component state with the message in an inbox

	numbers pairs.Map          // (effect of a step, component), or (failure, update) -> label
	labels  *slab.Table[Label] // by number
}

// isVector is set in the numbers of component states that are no nodes.
const isVector = 1 << 31

// A Vertex is a state of a component.
type Vertex struct{ Component, State uint32 }

// An Edge is a step of an actor in a component state. It is internal, and its label 0, which is empty, if nothing outside can
// notice or disable it: it sends to and creates members only, and neither changes nor asks State[0].
type Edge struct {
	space.NodeStep
	Label uint32
}

// A Label is what an edge shows outside of its component.
type Label struct {
	Update  uint32         // the global update; 0 for none
	Failure uint32         // how it fails, 0 if it does not
	Unless  []uint32       // of a round: the updates of the steps that come before it, so that the global has to disable all of them
	Outside []space.Effect // on other components; not to be changed
}

// New makes the graph of some actors, in which no edges are known.
func New(actors *space.Actors) *Graph {
	g := &Graph{
		actors: actors, groups: map[string]int{}, vectors: slab.NewTable[[]model.NodeID](), labels: slab.NewTable[Label](),
	}
	for i, group := range actors.Program().Components {
		for _, name := range group {
			g.groups[name] = i
		}
	}
	g.layout.Store(&layout{spots: make([]Spot, 1)})
	return g
}

// Expand makes the edges of component states known, those that are not yet in one batch of questions.
func (g *Graph) Expand(ctx context.Context, vertices ...Vertex) error {
	var nodes []space.Placed
	for _, v := range vertices {
		nodes = slices.AppendSeq(nodes, g.placed(v.Component, v.State))
	}
	return g.actors.Expand(ctx, nodes)
}

// Out yields the edges of a component state that is expanded.
func (g *Graph) Out(component, state uint32) iter.Seq[Edge] {
	return func(yield func(Edge) bool) {
		for n := range g.placed(component, state) {
			for st := range g.actors.Steps(n) {
				if !yield(Edge{st, g.number(component, &st)}) {
					return
				}
			}
		}
	}
}

// placed yields the nodes of a component state with their positions.
func (g *Graph) placed(component, state uint32) iter.Seq[space.Placed] {
	return func(yield func(space.Placed) bool) {
		var one [1]model.NodeID
		for place, n := range g.Nodes(state, &one) {
			if n != 0 && !yield(space.Placed{Position: g.Positions()[component][place], Node: n}) {
				return
			}
		}
	}
}

// Label is the label with a number that an Edge has.
func (g *Graph) Label(number uint32) *Label { return g.labels.At(number) }

// number is that of the label of a step.
func (g *Graph) number(component uint32, st *space.NodeStep) uint32 {
	by, in := st.Effect, component
	if st.Failure != 0 {
		by, in = st.Failure|isVector, st.Update
	}
	number, _ := g.numbers.GetOrPut(by, in, func() (uint32, error) {
		l := Label{Update: st.Update, Failure: st.Failure}
		ids := []uint32{st.Update, st.Failure}
		for _, f := range st.Effects {
			if g.Spot(f.Position).Component != component {
				l.Outside = append(l.Outside, f)
				ids = append(ids, f.Position, f.Message, f.Local)
			}
		}
		if l.Update == 0 && l.Failure == 0 && len(l.Outside) == 0 {
			return 0, nil
		}
		return g.label(slab.Key(ids...), l), nil
	})
	return number
}

// RoundLabel is the number of the label of rounds that the steps with some updates come before, unless the global disables these.
func (g *Graph) RoundLabel(unless []uint32) uint32 {
	return g.label("round"+slab.Key(unless...), Label{Unless: unless})
}

func (g *Graph) label(key string, l Label) uint32 {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.labels.Intern(key, func() Label { return l })
}

// Arrive is what the component state at a spot becomes by an effect.
func (g *Graph) Arrive(state uint32, to Spot, e space.Effect) (uint32, error) {
	if state&isVector == 0 && to.Place == 0 {
		return g.actors.Nodes.Arrive(state, e)
	}
	if next, ok := g.arrived.Get(state, e.Message); ok && e.Message != 0 {
		return next, nil
	}
	var one [1]model.NodeID
	nodes := slices.Clone(g.Nodes(state, &one))
	for int(to.Place) >= len(nodes) {
		nodes = append(nodes, 0)
	}
	var err error
	if nodes[to.Place], err = g.actors.Nodes.Arrive(nodes[to.Place], e); err != nil {
		return 0, err
	}
	next := g.Number(nodes)
	if e.Message != 0 {
		g.arrived.Put(state, e.Message, next)
	}
	return next, nil
}

// After is what a component becomes by an edge.
func (g *Graph) After(component, state uint32, st *Edge) (uint32, error) {
	if st.Failure != 0 {
		return state, nil
	}
	var err error
	own := g.Spot(st.Slot + 1)
	if state&isVector == 0 && own.Place == 0 {
		state = st.Next
	} else {
		var one [1]model.NodeID
		nodes := slices.Clone(g.Nodes(state, &one))
		nodes[own.Place] = st.Next
		state = g.Number(nodes)
	}
	for _, e := range st.Effects {
		if to := g.Spot(e.Position); to.Component == component {
			if state, err = g.Arrive(state, to, e); err != nil {
				return 0, err
			}
		}
	}
	return state, nil
}
