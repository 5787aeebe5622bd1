package serializer

import (
	"bytes"
	"encoding/binary"
	"slices"

	"pgregory.net/rapid"
)

// A graphNode is a value as a node of a graph: shared values are one node. The tests of
// projection change graphs, write them as docs/reference.md specifies and compare them,
// with code that shares nothing with the package's but Encode for values without content.
type graphNode struct {
	head    Value // all of the value but what is inside it
	param   *graphNode
	names   []string     // those of the fields, which are the first of inside
	inside  []*graphNode // fields or elements; keys and values by turns
	entries bool         // whether inside has entries
}

// graphOf reads a tree as a graph.
func graphOf(v Value) *graphNode {
	byNumber := map[int]*graphNode{}
	var read func(v *Value) *graphNode
	read = func(v *Value) *graphNode {
		if v.Kind == Ref {
			return byNumber[v.Number]
		}
		g := &graphNode{head: *v, entries: len(v.Entries) > 0}
		g.head.Parameter, g.head.Fields, g.head.Elements, g.head.Entries, g.head.Number = nil, nil, nil, nil, 0
		if v.Kind.Numbered() {
			byNumber[v.Number] = g
		}
		if v.Parameter != nil {
			g.param = read(v.Parameter)
		}
		for _, f := range v.Fields {
			g.names = append(g.names, f.Name)
			g.inside = append(g.inside, read(&f.Value))
		}
		for _, e := range v.Elements {
			g.inside = append(g.inside, read(&e))
		}
		for _, e := range v.Entries {
			g.inside = append(g.inside, read(&e.Key), read(&e.Value))
		}
		return g
	}
	return read(&v)
}

// treeOf gives a graph as a tree as Decode would make it, with the members of unordered
// collections as they stand.
func treeOf(g *graphNode) Value {
	numbers := map[*graphNode]int{}
	var write func(g *graphNode) Value
	write = func(g *graphNode) Value {
		v := g.head
		if v.Kind.Numbered() {
			if n, ok := numbers[g]; ok {
				return Value{Kind: Ref, Number: n}
			}
			v.Number = len(numbers)
			numbers[g] = v.Number
		}
		if g.param != nil {
			p := write(g.param)
			v.Parameter = &p
		}
		for i, e := range g.inside {
			switch {
			case g.entries && i%2 == 0:
				v.Entries = append(v.Entries, Entry{Key: write(e)})
			case g.entries:
				v.Entries[i/2].Value = write(e)
			case i < len(g.names):
				v.Fields = append(v.Fields, Field{g.names[i], write(e)})
			default:
				v.Elements = append(v.Elements, write(e))
			}
		}
		return v
	}
	return write(g)
}

// rebuilt copies a graph; change may alter each node's copy.
func rebuilt(g *graphNode, change func(g *graphNode)) *graphNode {
	copies := map[*graphNode]*graphNode{}
	var visit func(g *graphNode) *graphNode
	visit = func(g *graphNode) *graphNode {
		if c, ok := copies[g]; ok {
			return c
		}
		c := *g
		copies[g] = &c
		c.names, c.inside = slices.Clone(g.names), slices.Clone(g.inside)
		change(&c)
		if c.param != nil {
			c.param = visit(c.param)
		}
		for i := range c.inside {
			c.inside[i] = visit(c.inside[i])
		}
		return &c
	}
	return visit(g)
}

// kept is the graph without the fields that p leaves out.
func kept(g *graphNode, p []FieldName) *graphNode {
	return rebuilt(g, func(g *graphNode) {
		for i := len(g.names) - 1; i >= 0; i-- {
			if hasName(p, g, i) {
				g.names, g.inside = slices.Delete(g.names, i, i+1), slices.Delete(g.inside, i, i+1)
			}
		}
	})
}

func (g *graphNode) unordered() bool {
	return slices.Contains([]Kind{Set, Map, ImmutableSet, ImmutableMap}, g.head.Kind)
}

// shuffled copies a graph with the members of unordered collections in a drawn order.
func shuffled(t *rapid.T, g *graphNode) *graphNode {
	return rebuilt(g, func(g *graphNode) {
		if g.unordered() {
			g.inside = slices.Concat(rapid.Permutation(g.members()).Draw(t, "order")...)
		}
	})
}

// members gives the elements, or the entries as pairs.
func (g *graphNode) members() [][]*graphNode {
	size := 1
	if g.entries {
		size = 2
	}
	return slices.Collect(slices.Chunk(g.inside, size))
}

// everything lists the nodes of a graph.
func everything(g *graphNode) (all []*graphNode) {
	seen := map[*graphNode]bool{}
	var visit func(g *graphNode)
	visit = func(g *graphNode) {
		if g == nil || seen[g] {
			return
		}
		seen[g] = true
		all = append(all, g)
		visit(g.param)
		for _, e := range g.inside {
			visit(e)
		}
	}
	visit(g)
	return all
}

// A reference writes a graph as docs/reference.md specifies it, one sentence after the other:
// nothing is kept from key bytes, and numbers are a list that is copied.
type reference struct {
	numbers []*graphNode
	base    int // key bytes: where numbering started anew
	budget  *int
}

type tooMuch struct{}

func writeReference(g *graphNode) (out []byte, ok bool) {
	defer func() {
		if r := recover(); r != nil {
			if _, ok = r.(tooMuch); !ok {
				panic(r)
			}
			ok = false
		}
	}()
	budget := 20000
	b := reference{budget: &budget}
	return b.write(g), true
}

func (b *reference) write(g *graphNode) (out []byte) {
	if *b.budget--; *b.budget < 0 {
		panic(tooMuch{})
	}
	if g.head.Kind.Numbered() {
		if n := slices.Index(b.numbers, g); n >= b.base {
			return append([]byte{0x0f}, binary.AppendUvarint(nil, uint64(n-b.base))...)
		} else if n >= 0 {
			return append([]byte{0xff}, binary.AppendUvarint(nil, uint64(n))...)
		}
		b.numbers = append(slices.Clone(b.numbers), g)
	}
	out = b.start(g)
	members := g.members()
	if g.unordered() {
		members = b.sorted(members)
	}
	for i, e := range slices.Concat(members...) {
		if i < len(g.names) {
			out = append(binary.AppendUvarint(out, uint64(len(g.names[i]))), g.names[i]...)
		}
		out = append(out, b.write(e)...)
	}
	return out
}

// start writes what comes before the values inside, but for the parameter.
func (b *reference) start(g *graphNode) []byte {
	empty := Encode(g.head) // ends with a count of 0, a 0 for no parameter before it; or 00 for an empty optional
	count := uint64(len(g.inside))
	switch g.head.Kind {
	case Set, Map, List, OrderedMap:
		param := []byte{0}
		if g.param != nil {
			param = b.write(g.param)
		}
		if g.entries {
			count /= 2
		}
		return binary.AppendUvarint(append(empty[:len(empty)-2], param...), count)
	case ImmutableMap:
		return binary.AppendUvarint(empty[:1], count/2)
	case Optional:
		if count > 0 {
			return empty[:1]
		}
	case Record, Object, Actor, Array, ImmutableList, NullableList, ImmutableSet:
		return binary.AppendUvarint(empty[:len(empty)-1], count)
	}
	return empty
}

// sorted sorts by key bytes; entries with equal ones by those of the whole entry.
func (b *reference) sorted(members [][]*graphNode) [][]*graphNode {
	members = slices.Clone(members)
	slices.SortStableFunc(members, func(x, y []*graphNode) int {
		if c := bytes.Compare(b.keyBytes(x[:1]), b.keyBytes(y[:1])); c != 0 {
			return c
		}
		return bytes.Compare(b.keyBytes(x), b.keyBytes(y))
	})
	return members
}

func (b *reference) keyBytes(member []*graphNode) (out []byte) {
	inner := reference{numbers: b.numbers, base: len(b.numbers), budget: b.budget}
	for _, e := range member {
		out = append(out, inner.write(e)...)
	}
	return out
}

// same reports whether two graphs are the same but for the order of unordered members. It
// searches: todo are the pairs that are still to be compared.
func same(g, h *graphNode) bool {
	steps := 0
	var search func(to, from map[*graphNode]*graphNode, todo [][2]*graphNode) bool
	search = func(to, from map[*graphNode]*graphNode, todo [][2]*graphNode) bool {
		if steps++; steps > 20000 {
			panic(tooMuch{})
		}
		if len(todo) == 0 {
			return true
		}
		g, h := todo[0][0], todo[0][1]
		todo = todo[1:]
		if g == nil || h == nil {
			return g == h && search(to, from, todo)
		}
		if to[g] != nil || from[h] != nil {
			return to[g] == h && search(to, from, todo)
		}
		if !bytes.Equal(Encode(g.head), Encode(h.head)) || !slices.Equal(g.names, h.names) || len(g.inside) != len(h.inside) {
			return false
		}
		if g.head.Kind.Numbered() {
			to, from = with(to, g, h), with(from, h, g)
		}
		todo = append([][2]*graphNode{{g.param, h.param}}, todo...)
		if !g.unordered() {
			return search(to, from, append(zip(g.inside, h.inside), todo...))
		}
		return eachOrder(h.members(), nil, func(order []*graphNode) bool {
			return search(to, from, append(zip(g.inside, order), todo...))
		})
	}
	return search(map[*graphNode]*graphNode{}, map[*graphNode]*graphNode{}, [][2]*graphNode{{g, h}})
}

// sameOrSkip is same, or gives up the test case if that takes too long.
func sameOrSkip(t *rapid.T, g, h *graphNode) bool {
	defer func() {
		if r := recover(); r != nil {
			if _, ok := r.(tooMuch); ok {
				t.Skip("too much to compare")
			}
			panic(r)
		}
	}()
	return same(g, h)
}

func with(m map[*graphNode]*graphNode, k, v *graphNode) map[*graphNode]*graphNode {
	c := map[*graphNode]*graphNode{k: v}
	for k, v := range m {
		c[k] = v
	}
	return c
}

func zip(a, b []*graphNode) (pairs [][2]*graphNode) {
	for i := range a {
		pairs = append(pairs, [2]*graphNode{a[i], b[i]})
	}
	return pairs
}

// eachOrder calls f for the orders of members until it returns true.
func eachOrder(members [][]*graphNode, done []*graphNode, f func([]*graphNode) bool) bool {
	if len(members) == 0 {
		return f(done)
	}
	for i := range members {
		rest := slices.Delete(slices.Clone(members), i, i+1)
		if eachOrder(rest, slices.Concat(done, members[i]), f) {
			return true
		}
	}
	return false
}

// tangled reports whether a numbered value inside an member of an unordered collection is
// referred to from outside of that member. Such collections may have more than one encoding.
func tangled(root *graphNode) bool {
	parents := map[*graphNode][]*graphNode{}
	for _, g := range everything(root) {
		for _, e := range append(slices.Clone(g.inside), g.param) {
			parents[e] = append(parents[e], g)
		}
	}
	met := map[*graphNode]bool{} // what comes before, in any order of the bytes
	var visit func(g *graphNode) bool
	visit = func(g *graphNode) bool {
		if g == nil || met[g] {
			return false
		}
		met[g] = true
		if g.param != nil && visit(g.param) {
			return true
		}
		for _, member := range g.members() {
			if g.unordered() && len(g.members()) > 1 && !closed(g, member, met, parents) {
				return true
			}
			if slices.ContainsFunc(member, visit) {
				return true
			}
		}
		return false
	}
	return visit(root)
}

// closed reports whether all numbered values that are first met in an member of g are referred
// to only from within it.
func closed(g *graphNode, member []*graphNode, met map[*graphNode]bool, parents map[*graphNode][]*graphNode) bool {
	inner := map[*graphNode]bool{}
	var collect func(e *graphNode)
	collect = func(e *graphNode) {
		if e != nil && !met[e] && !inner[e] {
			inner[e] = true
			collect(e.param)
			for _, x := range e.inside {
				collect(x)
			}
		}
	}
	for _, e := range member {
		collect(e)
	}
	for e := range inner {
		direct := 0
		for _, p := range parents[e] {
			if p == g {
				direct++
			} else if !inner[p] {
				return false
			}
		}
		if e.head.Kind.Numbered() && direct > 1 {
			return false
		}
	}
	return true
}
