package ltl

import (
	"math/bits"
	"slices"

	"harrier/internal/ds/slab"
)

// An Automaton accepts a run if some path from state 0 reads the labels of the run's states, one an edge, and takes edges of each
// acceptance set infinitely often (a generalized Büchi automaton with acceptance on edges). With no acceptance sets every infinite
// path will do.
type Automaton struct {
	Edges [][]Edge // by state
	Sets  int      // acceptance sets, at most 32
}

// An Edge reads a label in which all atoms of All hold, and no atom of None.
type Edge struct {
	All, None Label
	To        int
	In        uint32 // the acceptance sets that it is in: a bit for each
}

// Reads reports whether the edge reads a label.
func (e *Edge) Reads(l Label) bool { return l&e.All == e.All && l&e.None == 0 }

// Violating makes the automaton of the runs that violate a formula. Its states are sets of formulas that the rest of the run has to
// satisfy; an edge is a way to satisfy all of them now, with what that leaves to be satisfied from the next state on. An until that
// is left keeps the edge out of its acceptance set (Couvreur: On-the-fly verification of linear temporal logic, FM 1999).
func Violating(f *Formula) *Automaton {
	b := &builder{terms: slab.NewTable[term](), states: map[string]int{}}
	a := &Automaton{}
	todo := [][]uint32{{b.term(f, true)}}
	b.states[slab.Key(todo[0]...)] = 0
	for state := 0; state < len(todo); state++ {
		var edges []Edge
		for _, c := range b.covers(todo[state]) {
			key := slab.Key(c.next...)
			to, known := b.states[key]
			if !known {
				to = len(todo)
				b.states[key] = to
				todo = append(todo, c.next)
			}
			edges = append(edges, Edge{c.all, c.none, to, c.left})
		}
		a.Edges = append(a.Edges, edges)
	}
	a.Sets = len(b.untils)
	for _, edges := range a.Edges {
		for i := range edges {
			edges[i].In = (1<<a.Sets - 1) &^ edges[i].In
		}
	}
	for a.merge() {
	}
	return a
}

// Anything accepts all runs.
func Anything() *Automaton { return &Automaton{Edges: [][]Edge{{{}}}} }

// merge makes states with the same edges one, and reports whether there were any.
func (a *Automaton) merge() (merged bool) {
	var edges [][]Edge
	number := make([]int, len(a.Edges))
	for state, out := range a.Edges {
		same := func(other []Edge) bool { return slices.Equal(other, out) }
		if number[state] = slices.IndexFunc(edges, same); number[state] < 0 {
			number[state] = len(edges)
			edges = append(edges, out)
		}
	}
	merged = len(edges) < len(a.Edges)
	for _, out := range edges {
		for i := range out {
			out[i].To = number[out[i].To]
		}
	}
	a.Edges = edges
	return merged
}

// A term is a formula with negation at atoms only.
type term struct {
	op          op
	isNot       bool // of an atom and of yes: negated
	atom        int
	left, right uint32
}

type builder struct {
	terms  *slab.Table[term]
	untils []uint32 // terms, by acceptance set
	states map[string]int
}

// term is the number of a formula, or of its negation.
func (b *builder) term(f *Formula, negated bool) uint32 {
	t := term{op: f.op, atom: f.atom}
	switch f.op {
	case not:
		return b.term(f.left, !negated)
	case yes, atom:
		t.isNot = negated
	default:
		t.left, t.right = b.term(f.left, negated), b.term(f.right, negated)
		if negated {
			t.op = map[op]op{and: or, or: and, until: release, release: until}[f.op]
		}
	}
	sign := uint32(0)
	if t.isNot {
		sign = 1
	}
	number := b.terms.Intern(slab.Key(uint32(t.op), sign, uint32(t.atom), t.left, t.right), func() term { return t })
	if t.op == until && !slices.Contains(b.untils, number) {
		b.untils = append(b.untils, number)
	}
	return number
}

// A cover is a way to satisfy some terms.
type cover struct {
	all, none Label
	next      []uint32 // terms to be satisfied from the next state on, ascending
	left      uint32   // the untils, by acceptance set, whose right side is put off
}

// covers are the ways to satisfy all of some terms, without those that ask more than another.
func (b *builder) covers(todo []uint32) []cover {
	var found []cover
	b.expand(todo, cover{}, &found)
	var least []cover
	for i, c := range found {
		isMore := func(o cover, j int) bool { return j != i && o.isWithin(c) && (!c.isWithin(o) || j < i) }
		needless := false
		for j, o := range found {
			needless = needless || isMore(o, j)
		}
		if !needless {
			least = append(least, c)
		}
	}
	return least
}

// isWithin reports whether c asks no more than o.
func (c cover) isWithin(o cover) bool {
	return c.all&^o.all == 0 && c.none&^o.none == 0 && c.left&^o.left == 0 &&
		!slices.ContainsFunc(c.next, func(t uint32) bool { return !slices.Contains(o.next, t) })
}

// expand adds the ways to satisfy terms beside what a cover has.
func (b *builder) expand(todo []uint32, c cover, found *[]cover) {
	if c.all&c.none != 0 {
		return
	}
	if len(todo) == 0 {
		*found = append(*found, c)
		return
	}
	number, rest := todo[0], todo[1:]
	with := func(more ...uint32) []uint32 { return slices.Concat(more, rest) }
	later := c
	if !slices.Contains(c.next, number) {
		later.next = append(slices.Clone(c.next), number)
		slices.Sort(later.next)
	}
	switch t := b.terms.At(number); t.op {
	case yes:
		if !t.isNot {
			b.expand(rest, c, found)
		}
	case atom:
		if t.isNot {
			c.none |= 1 << t.atom
		} else {
			c.all |= 1 << t.atom
		}
		b.expand(rest, c, found)
	case and:
		b.expand(with(t.left, t.right), c, found)
	case or:
		b.expand(with(t.left), c, found)
		b.expand(with(t.right), c, found)
	case until:
		b.expand(with(t.right), c, found)
		later.left |= 1 << slices.Index(b.untils, number)
		b.expand(with(t.left), later, found)
	case release:
		b.expand(with(t.left, t.right), c, found)
		b.expand(with(t.right), later, found)
	}
}

// IsEvery reports whether a set of acceptance sets has all.
func (a *Automaton) IsEvery(sets uint32) bool { return bits.OnesCount32(sets) == a.Sets }
