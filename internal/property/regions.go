package property

import (
	"context"
	"slices"

	"harrier/internal/ds/slab"
	"harrier/internal/model"
	"harrier/internal/model/space"
)

// A Region is the states in which a property does not hold after it read the same, and in which the same actors exist.
type Region struct {
	Property int
	State    model.State // one of them
	reads    []read
	of       *memory
}

// A read is what a property read at a position.
type read struct{ position, part uint32 }

// Has reports whether states of the region may have a node at a position.
func (r *Region) Has(actors *space.Actors, position uint32, n model.NodeID) bool {
	of := model.NodeID(0)
	if int(position) < len(r.State) {
		of = r.State[position]
	}
	return actors.Nodes.Presence(n) == actors.Nodes.Presence(of) && !slices.ContainsFunc(r.reads, func(o read) bool {
		return o.position == position && o.part != r.of.observations.Of(actors.Nodes.Visible(n))
	})
}

func (r *Region) key() string {
	ids := []uint32{uint32(r.Property)}
	for _, o := range r.reads {
		ids = append(ids, o.position, o.part)
	}
	return slab.Key(ids...)
}

// A Finder finds all combinations in which properties do not hold, where a Checker ends at the first. It shares the Checker's
// answers. It is for one goroutine.
type Finder struct {
	checker  *Checker
	products map[*memory]*products // of combinations that were gone through, whether a property holds there or not
	regions  map[string]bool       // that were found
	started  uint64                // evaluations that were asked for before
	// Most is how many combinations the program is asked of, at most; 0 for no bound.
	Most uint64
	// Found gets each region once.
	Found func(Region)
}

// NewFinder makes a finder that met nothing yet.
func (c *Checker) NewFinder(found func(Region)) *Finder {
	return &Finder{checker: c, products: map[*memory]*products{}, regions: map[string]bool{}, started: c.Asked(), Found: found}
}

// Combinations is how many different combinations of observations the program was asked of since the finder was made.
func (f *Finder) Combinations() uint64 { return f.checker.Asked() - f.started }

// known returns the products that were gone through with a memory.
func (f *Finder) known(m *memory) *products {
	if f.products[m] == nil {
		f.products[m] = &products{}
	}
	return f.products[m]
}

// Invariants finds the combinations in which invariants do not hold.
func (f *Finder) Invariants(ctx context.Context, of Combinations) error {
	return f.all(ctx, f.checker.invariants, of)
}

// Final finds the combinations in which final conditions do not hold.
func (f *Finder) Final(ctx context.Context, of Combinations) error {
	return f.all(ctx, f.checker.finals, of)
}

func (f *Finder) all(ctx context.Context, properties []int, of Combinations) error {
	for _, i := range properties {
		if err := f.find(ctx, i, of); err != nil {
			return err
		}
	}
	return nil
}

func (f *Finder) find(ctx context.Context, property int, of Combinations) error {
	how := walking{known: f.known}
	if f.Most > 0 {
		how.most = f.started + f.Most
	}
	how.found = func(w *walk) {
		r := Region{property, slices.Clone(w.of.State), slices.Clone(w.path), w.memory}
		key := r.key() + slab.Key(f.checker.actors.Nodes.LiveActors(r.State))
		if !f.regions[key] {
			f.regions[key] = true
			f.Found(r)
		}
	}
	_, err := f.checker.walkAll(ctx, property, of, how)
	return err
}

// Each tests combinations with one of the choices of each of some lists, until a violation is met. In the states of a test the same
// actors exist.
func (of Combinations) Each(choices [][]*Choice, test func() (*Violation, error)) (*Violation, error) {
	if len(choices) == 0 {
		return test()
	}
	for _, choice := range choices[0] {
		of.Choose(choice)
		choice.Put(of.State)
		if v, err := of.Each(choices[1:], test); v != nil || err != nil {
			return v, err
		}
	}
	return nil, nil
}
