package macro

import (
	"cmp"
	"context"
	"iter"
	"slices"
	"sync/atomic"

	"harrier/internal/lts"
	"harrier/internal/model"
	"harrier/internal/property"
)

// An inside is In of the component states that can become each other by internal steps, with its computed facts. It shares what it has
// in common with those of the states that internal steps lead to.
type inside struct {
	component     uint32
	number        uint32 // larger than those of all other insides that are part of it
	least         uint32 // the least number of these
	digest        digest // of its number and the numbers of these
	reached       atomic.Bool
	ticked        atomic.Bool // time goes on from it
	verified      bool        // guarded by verification.verifying
	verifiedTicks bool        // likewise: of the rounds that begin in it
	mayEnd        bool        // there is a member without events
	waiting       bool        // in some member there are events, but the global may disable all of them
	settles       bool        // a round may begin in some member, whatever the global is
	held          bool        // a round may begin in some member if the global disables what comes before
	states        []uint32
	next          []*inside // those of the states that internal steps lead to, without itself

	// Of members in which different actors exist there is a choice each.
	observed lazy[[]*property.Choice] // the members that properties can tell apart; nil if they can tell none apart
	seen     lazy[distinct]           // the same members
	silent   lazy[silence]            // unless waiting
	quiet    lazy[[]*property.Choice] // among the members of silent
	steps    lazy[exits]
	ticks    lazy[exits]    // what the next round may do
	taken    lazy[[]uint32] // by macro step: 1 once the search took it, which atomic operations set
}

// walk yields an inside and those that are part of it, each once, but for those of which isDone reports true and what is part of these.
// Each but the first comes after one that has it in next.
func (in *inside) walk(isDone func(*inside) bool) iter.Seq[*inside] {
	return func(yield func(*inside) bool) {
		if isDone(in) {
			return
		}
		met := map[*inside]bool{in: true}
		for todo := []*inside{in}; len(todo) > 0; todo = todo[1:] {
			if !yield(todo[0]) {
				return
			}
			for _, next := range todo[0].next {
				if !met[next] && !isDone(next) {
					met[next] = true
					todo = append(todo, next)
				}
			}
		}
	}
}

// members yields the component states of In.
func (in *inside) members(yield func(uint32) bool) {
	for part := range in.walk(nothing) {
		for _, state := range part.states {
			if !yield(state) {
				return
			}
		}
	}
}

func nothing(*inside) bool { return false }

// lacking are the insides that are part of one and lack something, each after those that are part of it. What is part of one that
// does not lack it does not lack it either.
func (in *inside) lacking(lacks func(*inside) bool) []*inside {
	all := slices.Collect(in.walk(func(part *inside) bool { return !lacks(part) }))
	slices.SortFunc(all, func(x, y *inside) int { return cmp.Compare(x.number, y.number) })
	return all
}

// A digest is a set of numbers up to 256: it may have numbers that were not added, and never lacks one that was. Insides that are made
// together have numbers in a row, which differ.
type digest [4]uint64

func (d *digest) add(number uint32) { d[number/64%4] |= 1 << (number % 64) }

func (d *digest) addAll(of *digest) {
	for i := range d {
		d[i] |= of[i]
	}
}

// mayHave reports whether all of another digest may have been added.
func (d *digest) mayHave(other *digest) bool {
	return other[0]&^d[0]|other[1]&^d[1]|other[2]&^d[2]|other[3]&^d[3] == 0
}

// has reports whether another inside is part of it.
func (in *inside) has(other *inside) bool {
	cannot := func(part *inside) bool {
		if part == other {
			return false
		}
		return other.number > part.number || other.number < part.least || !part.digest.mayHave(&other.digest)
	}
	for part := range in.walk(cannot) {
		if part == other {
			return true
		}
	}
	return false
}

// lazy is a value computed at the first get.
type lazy[T any] struct{ known atomic.Pointer[T] }

// get returns the value, made by make at first. If several callers make it at once, the first to finish wins.
func (l *lazy[T]) get(make func() (T, error)) (T, error) {
	if known := l.known.Load(); known != nil {
		return *known, nil
	}
	made, err := make()
	if err != nil {
		return made, err
	}
	l.known.CompareAndSwap(nil, &made)
	return *l.known.Load(), nil
}

// all appends the insides of the component states of a macro state, nil where the component has no state.
func (d *System) all(ctx context.Context, s model.State, into []*inside) ([]*inside, error) {
	known := true
	for _, state := range s[1:] {
		in := d.insides.Get(state)
		if in != nil {
			d.ignored.record(in)
		}
		known = known && (state == 0 || in != nil)
		into = append(into, in)
	}
	if known {
		return into, nil
	}
	var states []lts.Vertex
	for component, state := range s[1:] {
		if state != 0 {
			states = append(states, lts.Vertex{Component: uint32(component), State: state})
		}
	}
	found, err := d.insidesOf(ctx, states)
	if err != nil {
		return nil, err
	}
	for _, in := range found {
		d.ignored.record(in)
		into[in.component] = in
	}
	return into, nil
}

// room holds the insides of a macro state of up to 32 components without allocating.
type room [32]*inside

// insidesOf are the insides of component states. Unknown ones are computed all at once, so that
// Java is asked in batches.
func (d *System) insidesOf(ctx context.Context, states []lts.Vertex) ([]*inside, error) {
	insides := make([]*inside, len(states))
	var unknown []lts.Vertex
	for i, v := range states {
		if insides[i] = d.insides.Get(v.State); insides[i] == nil {
			unknown = append(unknown, v)
		}
	}
	if len(unknown) == 0 {
		return insides, nil
	}
	regions, err := lts.Unknown(ctx, d.Graph, unknown, d.canonicalNext, func(state uint32) bool { return d.insides.Get(state) != nil })
	if err != nil {
		return nil, err
	}
	for _, r := range regions {
		if err := d.assemble(r); err != nil {
			return nil, err
		}
	}
	for i, v := range states {
		insides[i] = d.insides.Get(v.State)
	}
	return insides, nil
}

// assemble makes the insides of the states of a region, each after those that are part of it.
func (d *System) assemble(r lts.Region) error {
	d.assembling.Lock()
	defer d.assembling.Unlock()
	place := make(map[uint32]int, len(r.States))
	for i, state := range r.States {
		if d.insides.Get(state) == nil { // else another worker was first, with all that it can become
			place[state] = i
		}
	}
	unknown := func(yield func(int) bool) {
		for i, state := range r.States {
			if _, ok := place[state]; ok && !yield(i) {
				return
			}
		}
	}
	next := func(i int) iter.Seq[int] {
		return func(yield func(int) bool) {
			for _, state := range r.Next[i] {
				if to, ok := place[state]; ok && !yield(to) {
					return
				}
			}
		}
	}
	for part := range lts.EachPart(len(r.States), unknown, next) {
		d.assembled++
		in := &inside{component: r.Component, number: d.assembled, least: d.assembled}
		in.digest.add(in.number)
		if err := d.arrange(r, part); err != nil {
			return err
		}
		for _, i := range part {
			in.states = append(in.states, r.States[i])
		}
		for _, i := range part {
			for _, state := range r.Next[i] {
				if to := d.insides.Get(state); to != nil && !slices.Contains(in.next, to) {
					in.next, in.least = append(in.next, to), min(in.least, to.least)
					in.digest.addAll(&to.digest)
				}
			}
		}
		d.finish(in)
		for _, state := range in.states {
			d.insides.GetOrPut(state, in)
		}
	}
	return nil
}

// arrange sorts states of a region that are one part. Their order, and so that of macro steps, does not depend on which was met first.
func (d *System) arrange(r lts.Region, part []int) (err error) {
	if len(part) == 1 {
		return nil
	}
	hashes := map[int]uint64{}
	for _, i := range part {
		hash, failed := d.Hash(r.Component+1, r.States[i])
		hashes[i], err = hash, cmp.Or(err, failed)
	}
	slices.SortFunc(part, func(x, y int) int { return cmp.Compare(hashes[x], hashes[y]) })
	return err
}

// ahead returns the error of a question about the state after a step: where the global may disable the step, perhaps no run
// comes there.
func ahead(by model.Facts, err error) error {
	if by.Guarded {
		return model.Doubted(err)
	}
	return err
}

// isInternal reports whether an edge shows nothing outside of its component nor to a bound, and is put off. Endless components have no internal steps.
func (d *System) isInternal(component uint32, e *lts.Edge) bool {
	return e.Label == 0 && !d.endless[component] && !d.isBounding(e)
}

// isBounding reports whether a bound may hold after an edge and not before it, or the other way round.
func (d *System) isBounding(e *lts.Edge) bool {
	return slices.ContainsFunc(d.bounds, func(i int) bool {
		return e.ChangesActors() || d.actors.Nodes.Distinguishes(i, e.Before, e.Local)
	})
}

// canonicalNext returns the canonical component state that an edge leads to, if the edge is internal.
func (d *System) canonicalNext(ctx context.Context, v lts.Vertex, e *lts.Edge) (to uint32, isInternal bool, err error) {
	if !d.isInternal(v.Component, e) {
		return 0, false, nil
	}
	to, err = d.canonicalAfter(ctx, v.Component, v.State, e)
	return to, true, err
}

// finish works out whether an inside that has all that is part of it may end, and whether a round may begin there.
func (d *System) finish(in *inside) {
	for _, next := range in.next {
		in.mayEnd, in.waiting = in.mayEnd || next.mayEnd, in.waiting || next.waiting
		in.settles, in.held = in.settles || next.settles, in.held || next.held
	}
	for _, m := range in.states {
		events, certain := 0, 0
		for st := range d.Graph.Out(in.component, m) {
			if st.Fault == 0 {
				events++
				if !st.Guarded {
					certain++
				}
			}
		}
		in.mayEnd = in.mayEnd || events == 0
		in.waiting = in.waiting || events > 0 && certain == 0
		if !d.IsWhole() {
			continue
		}
		if unless, ok := d.unless(in.component, m); ok {
			in.settles, in.held = in.settles || len(unless) == 0, in.held || len(unless) > 0
		}
	}
}
