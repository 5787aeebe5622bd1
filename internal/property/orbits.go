package property

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"harrier/internal/ds/pairs"
	"harrier/internal/ds/slab"
	"harrier/internal/model"
)

// Symmetry tells states apart up to permutations of actors. It is a symmetry.Group.
type Symmetry interface {
	// Part returns a number for a node, or 0, at a position, with a tag and bytes. Permutations change the names in them.
	Part(position uint32, n model.NodeID, tag string, bytes []byte) (uint32, error)
	// Canonicalizer returns a function for one goroutine that gives vectors of such numbers, with the global first, keys, which are equal for
	// vectors that a permutation maps to each other only.
	Canonicalizer() func(s model.State, into []uint32) ([]uint32, error)
}

// Combine has properties be evaluated in one combination of those that permutations map to each other, where Combinations have an Origin.
// That properties hold in images of states in which they hold is for the caller to check. It must be called before the checker is used.
func (c *Checker) Combine(s Symmetry) {
	c.symmetry, c.labels = s, map[string]uint32{}
	c.canonicalizers.New = func() any { return s.Canonicalizer() }
}

// NewOrigins says that other choices than before follow from Combinations.Origin from now on.
func (c *Checker) NewOrigins() { c.origins.Add(1) }

// areSymmetric reports whether the actors at two positions may be permuted with each other.
func (c *Checker) areSymmetric(one, other uint32) bool { return c.labelAt(one) == c.labelAt(other) }

// labelAt is a number for the label of the actor at a position.
func (c *Checker) labelAt(position uint32) uint32 {
	n, _ := c.labelled.GetOrPut(0, position, func() (uint32, error) {
		label := c.label(c.actors.Values.PositionName(int(position)))
		if _, known := c.labels[label]; !known {
			c.labels[label] = uint32(len(c.labels))
		}
		return c.labels[label], nil
	})
	return n
}

// orbits are the vectors of what has been chosen, and what there is to choose from, after some reads of a property, from which on it is
// known to hold: one vector of each orbit.
type orbits struct {
	present pairs.Map // (position, presence) -> number of who is there; (position, 0) -> that of nobody where somebody may be made
	read    pairs.Map // (position, local state) -> number of what the property reads of it
	open    pairs.Map // (node, presence of the options) -> number of a choice
	chosen  pairs.Map // (node, local state), one of which is not 0 -> number of what was chosen where the rest of the choice depends on it

	mu    sync.Mutex
	holds map[string]bool
}

func (o *orbits) has(key string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.holds[key]
}

func (o *orbits) add(key string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.holds == nil {
		o.holds = map[string]bool{}
	}
	o.holds[key] = true
}

// A chosen is the vector of a walk. At a position it has what the property reads there, if it was chosen or there is no choice; the
// node of the origin, from which the choice follows, if it is still to be made; and who is there, if the property does not read that.
type chosen struct {
	*walk
	checker   *Checker
	canonical func(model.State, []uint32) ([]uint32, error)
	origin    model.State
	vector    model.State
	open      []bool // by position: whether the choice is still to be made
	key       []uint32
	met       map[string]bool // keys of vectors below which answers are lacking
	requested []request       // which combinations are to be asked for
}

// A request is a vector of which one combination is asked for.
type request struct {
	key  string
	open []bool
}

// newChosen begins with nothing chosen.
func newChosen(w *walk, c *Checker, of Combinations) (*chosen, error) {
	o := &chosen{walk: w, checker: c, origin: of.Origin, met: map[string]bool{}}
	o.vector, o.open = make(model.State, len(of.Origin)), make([]bool, len(of.Origin))
	o.canonical = c.canonicalizers.Get().(func(model.State, []uint32) ([]uint32, error))
	if slices.Contains(w.reads, 0) {
		o.vector[0] = of.State[0]
	}
	for i := range of.Origin[1:] {
		position := uint32(i + 1)
		isRead, choice := slices.Contains(w.reads, position), w.of.choice(position)
		var err error
		switch {
		case choice != nil && (len(choice.positions) > 1 || isRead && choice.Len() > 1):
			o.open[position] = isRead
			o.vector[position], err = o.undecided(position)
		case isRead:
			o.vector[position], err = o.read(position)
		default:
			o.vector[position], err = o.present(position)
		}
		if err != nil {
			return nil, err
		}
	}
	return o, nil
}

// begin is walk.begin, and remembers if the property holds in all combinations.
func (o *chosen) begin(ctx context.Context, live uint32) (*Violation, error) {
	key, err := o.identify()
	if err != nil || o.known.orbits.has(key) {
		return nil, err
	}
	v, err := o.below(ctx, 0, live, 0)
	if v == nil && err == nil && o.missed == 0 {
		o.known.orbits.add(key)
	}
	return v, err
}

// choose has the vector say what is chosen at a position while f runs.
func (o *chosen) choose(position uint32, f func() (*Violation, error)) (*Violation, error) {
	part, err := o.decided(position)
	if err != nil {
		return nil, err
	}
	before := o.vector[position]
	o.vector[position], o.open[position] = part, false
	v, err := f()
	o.vector[position], o.open[position] = before, true
	return v, err
}

// after is walk.after at a position with a choice, and remembers if the property holds below.
func (o *chosen) after(ctx context.Context, parent, position, label uint32, reads int) (*Violation, error) {
	return o.choose(position, func() (*Violation, error) {
		missed := o.missed
		v, err := o.walk.after(ctx, parent, position, label, reads)
		child, isKnown := o.edges.Get(parent, label)
		if v != nil || err != nil || o.missed != missed || !isKnown || o.nodes.At(child).leaf {
			return v, err
		}
		key, err := o.identify()
		if err == nil {
			o.known.orbits.add(key)
		}
		return nil, err
	})
}

// lack notes which combinations that the vector leaves are to be asked for. It leaves out what is known to hold up to permutations: it makes no
// difference at which position is chosen next, as in the end all are, and an image of each combination that is left out was gone through.
func (o *chosen) lack(ctx context.Context) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	key, err := o.identify()
	if err != nil || o.known.orbits.has(key) {
		return err
	}
	missed := o.missed
	position, isOpen := o.next()
	if o.met[key] || !isOpen {
		o.missed++
	}
	if o.met[key] {
		return nil
	}
	o.met[key] = true
	if !isOpen {
		o.requested = append(o.requested, request{key, slices.Clone(o.open)})
		return o.request()
	}
	c := o.of.choice(position)
	for part := range c.parts(position, noOptions) {
		o.take(part)
		if _, err := o.choose(position, func() (*Violation, error) { return nil, o.lack(ctx) }); err != nil {
			return err
		}
	}
	o.take(c)
	if o.missed == missed {
		o.known.orbits.add(key)
	}
	return nil
}

// next returns a position at which the property will read, as it read at one that may be permuted with it (Checker.Permute), where there is
// still a choice.
func (o *chosen) next() (uint32, bool) {
	for _, position := range o.reads {
		if position == 0 || int(position) >= len(o.open) || !o.open[position] {
			continue
		}
		for _, r := range o.path {
			if r.position != 0 && o.checker.areSymmetric(position, r.position) {
				return position, true
			}
		}
	}
	return 0, false
}

// answered remembers the vectors of which one combination was asked for, if the property holds there and read nothing beside what
// they decide.
func (o *chosen) answered(m *memory) {
	if o == nil || m != o.memory {
		return
	}
	for i, r := range o.requested {
		isBeside := func(position uint32) bool {
			return !slices.Contains(o.reads, position) || int(position) < len(r.open) && r.open[position]
		}
		reads, leaf := m.path(o.lacks[i])
		if leaf != 0 && m.nodes.At(leaf).violation == nil && !slices.ContainsFunc(reads, isBeside) {
			o.known.orbits.add(r.key)
		}
	}
}

// present is the number of who is at a position of the combination at hand, 0 if nobody is.
func (o *chosen) present(position uint32) (uint32, error) {
	n := o.of.State[position]
	presence := o.actors.Nodes.Presence(n)
	if presence == 0 {
		return 0, nil
	}
	return o.known.orbits.present.GetOrPut(position, presence, func() (uint32, error) {
		return o.checker.symmetry.Part(position, 0, "there is "+o.who(n), nil)
	})
}

// read is the number of what the property reads at a position of the combination at hand, and who is there.
func (o *chosen) read(position uint32) (uint32, error) {
	n := o.of.State[position]
	l := o.actors.Nodes.Visible(n)
	if l == 0 {
		return o.present(position)
	}
	return o.known.orbits.read.GetOrPut(position, l, func() (uint32, error) {
		b, err := o.observations.Part(l)
		if err != nil {
			return 0, err
		}
		return o.checker.symmetry.Part(position, 0, "reads of "+o.how(n), b)
	})
}

// undecided is the number of the choice that follows from the origin at a position, of options with the presence of the combination at hand.
func (o *chosen) undecided(position uint32) (uint32, error) {
	from, n := o.origin[position], o.of.State[position]
	if from == 0 {
		return o.present(position)
	}
	return o.known.orbits.open.GetOrPut(from, o.actors.Nodes.Presence(n), func() (uint32, error) {
		return o.checker.symmetry.Part(position, from, "becomes "+o.who(n), nil)
	})
}

// decided is the number of what was chosen at a position. Of a choice at several positions the rest depends on all of it.
func (o *chosen) decided(position uint32) (uint32, error) {
	from, l := o.origin[position], o.actors.Nodes.Visible(o.of.State[position])
	if len(o.of.choice(position).positions) == 1 {
		return o.read(position)
	}
	if from == 0 && l == 0 { // which do not tell the position
		return o.known.orbits.present.GetOrPut(position, 0, func() (uint32, error) {
			return o.checker.symmetry.Part(position, 0, "became nobody", nil)
		})
	}
	return o.known.orbits.chosen.GetOrPut(from, l, func() (uint32, error) {
		if l == 0 {
			return o.checker.symmetry.Part(position, from, "became nobody", nil)
		}
		actor := o.actors.Values.Actor(l)
		b, err := o.actors.Values.Decomposition.Hashed(actor.Local)
		if err != nil {
			return 0, err
		}
		return o.checker.symmetry.Part(position, from, "became "+o.how(o.of.State[position]), b)
	})
}

// who names the class of a node's actor, and whether that has stopped; it is empty for nobody.
func (o *chosen) who(n model.NodeID) string {
	l := o.actors.Nodes.Visible(n)
	if l == 0 {
		return ""
	}
	return fmt.Sprint(o.actors.Values.Actor(l).Class, " ", o.actors.Nodes.Local(n) == 0)
}

// how is who, with whether the actor is down.
func (o *chosen) how(n model.NodeID) string {
	return fmt.Sprint(o.who(n), " ", o.actors.Values.Actor(o.actors.Nodes.Visible(n)).Down)
}

// identify is the key of the vector.
func (o *chosen) identify() (string, error) {
	var err error
	if o.key, err = o.canonical(o.vector, o.key[:0]); err != nil {
		return "", err
	}
	return slab.Key(append(o.key, o.checker.origins.Load())...), nil
}
