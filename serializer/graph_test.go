package serializer

import (
	"bytes"
	"encoding/binary"
	"slices"

	"pgregory.net/rapid"
)

// A thing is a value as a node of a graph: sharing is being the same thing. The tests of
// projection change graphs, write them by the letter of docs/reference.md and compare them,
// with code that shares nothing with the package's but Encode for values without content.
type thing struct {
	head    Value // all of the value but what is inside it
	param   *thing
	names   []string // those of the fields, which are the first of inside
	inside  []*thing // fields or elements; keys and values by turns
	entries bool     // whether inside has entries
}

// graphOf reads a tree as a graph.
func graphOf(v Value) *thing {
	byNumber := map[int]*thing{}
	var read func(v *Value) *thing
	read = func(v *Value) *thing {
		if v.Kind == Ref {
			return byNumber[v.Number]
		}
		g := &thing{head: *v, entries: len(v.Entries) > 0}
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

// treeOf gives a graph as a tree as Decode would make it, with the items of unordered
// collections as they stand.
func treeOf(g *thing) Value {
	numbers := map[*thing]int{}
	var write func(g *thing) Value
	write = func(g *thing) Value {
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

// rebuilt copies a graph; change may alter each thing's copy.
func rebuilt(g *thing, change func(g *thing)) *thing {
	copies := map[*thing]*thing{}
	var visit func(g *thing) *thing
	visit = func(g *thing) *thing {
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
func kept(g *thing, p []FieldName) *thing {
	return rebuilt(g, func(g *thing) {
		for i := len(g.names) - 1; i >= 0; i-- {
			if hasName(p, g, i) {
				g.names, g.inside = slices.Delete(g.names, i, i+1), slices.Delete(g.inside, i, i+1)
			}
		}
	})
}

func (g *thing) unordered() bool {
	return slices.Contains([]Kind{Set, Map, ImmutableSet, ImmutableMap}, g.head.Kind)
}

// shuffled copies a graph with the items of unordered collections in a drawn order.
func shuffled(t *rapid.T, g *thing) *thing {
	return rebuilt(g, func(g *thing) {
		if g.unordered() {
			g.inside = slices.Concat(rapid.Permutation(g.items()).Draw(t, "order")...)
		}
	})
}

// items gives the elements, or the entries as pairs.
func (g *thing) items() [][]*thing {
	size := 1
	if g.entries {
		size = 2
	}
	return slices.Collect(slices.Chunk(g.inside, size))
}

// everything lists the things of a graph.
func everything(g *thing) (all []*thing) {
	seen := map[*thing]bool{}
	var visit func(g *thing)
	visit = func(g *thing) {
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

// A byTheLetter writes a graph as docs/reference.md says it, one sentence after the other:
// nothing is kept from key bytes, and numbers are a list that is copied.
type byTheLetter struct {
	numbers []*thing
	base    int // key bytes: where numbering started anew
	budget  *int
}

type tooMuch struct{}

func writeByTheLetter(g *thing) (out []byte, ok bool) {
	defer func() {
		if r := recover(); r != nil {
			if _, ok = r.(tooMuch); !ok {
				panic(r)
			}
			ok = false
		}
	}()
	budget := 20000
	b := byTheLetter{budget: &budget}
	return b.write(g), true
}

func (b *byTheLetter) write(g *thing) (out []byte) {
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
	items := g.items()
	if g.unordered() {
		items = b.sorted(items)
	}
	for i, e := range slices.Concat(items...) {
		if i < len(g.names) {
			out = append(binary.AppendUvarint(out, uint64(len(g.names[i]))), g.names[i]...)
		}
		out = append(out, b.write(e)...)
	}
	return out
}

// start writes what comes before the values inside, but for the parameter.
func (b *byTheLetter) start(g *thing) []byte {
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
func (b *byTheLetter) sorted(items [][]*thing) [][]*thing {
	items = slices.Clone(items)
	slices.SortStableFunc(items, func(x, y []*thing) int {
		if c := bytes.Compare(b.keyBytes(x[:1]), b.keyBytes(y[:1])); c != 0 {
			return c
		}
		return bytes.Compare(b.keyBytes(x), b.keyBytes(y))
	})
	return items
}

func (b *byTheLetter) keyBytes(item []*thing) (out []byte) {
	inner := byTheLetter{numbers: b.numbers, base: len(b.numbers), budget: b.budget}
	for _, e := range item {
		out = append(out, inner.write(e)...)
	}
	return out
}

// same reports whether two graphs are the same but for the order of unordered items. It
// searches: todo are the pairs that are still to be compared.
func same(g, h *thing) bool {
	steps := 0
	var search func(to, from map[*thing]*thing, todo [][2]*thing) bool
	search = func(to, from map[*thing]*thing, todo [][2]*thing) bool {
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
		todo = append([][2]*thing{{g.param, h.param}}, todo...)
		if !g.unordered() {
			return search(to, from, append(zip(g.inside, h.inside), todo...))
		}
		return eachOrder(h.items(), nil, func(order []*thing) bool {
			return search(to, from, append(zip(g.inside, order), todo...))
		})
	}
	return search(map[*thing]*thing{}, map[*thing]*thing{}, [][2]*thing{{g, h}})
}

// sameOrSkip is same, or gives up the test case if that takes too long.
func sameOrSkip(t *rapid.T, g, h *thing) bool {
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

func with(m map[*thing]*thing, k, v *thing) map[*thing]*thing {
	c := map[*thing]*thing{k: v}
	for k, v := range m {
		c[k] = v
	}
	return c
}

func zip(a, b []*thing) (pairs [][2]*thing) {
	for i := range a {
		pairs = append(pairs, [2]*thing{a[i], b[i]})
	}
	return pairs
}

// eachOrder calls f for the orders of items until it returns true.
func eachOrder(items [][]*thing, done []*thing, f func([]*thing) bool) bool {
	if len(items) == 0 {
		return f(done)
	}
	for i := range items {
		rest := slices.Delete(slices.Clone(items), i, i+1)
		if eachOrder(rest, slices.Concat(done, items[i]), f) {
			return true
		}
	}
	return false
}

// tangled reports whether a numbered value inside an item of an unordered collection is
// referred to from outside of that item. Such collections may have more than one encoding.
func tangled(root *thing) bool {
	parents := map[*thing][]*thing{}
	for _, g := range everything(root) {
		for _, e := range append(slices.Clone(g.inside), g.param) {
			parents[e] = append(parents[e], g)
		}
	}
	met := map[*thing]bool{} // what comes before, in any order of the bytes
	var visit func(g *thing) bool
	visit = func(g *thing) bool {
		if g == nil || met[g] {
			return false
		}
		met[g] = true
		if g.param != nil && visit(g.param) {
			return true
		}
		for _, item := range g.items() {
			if g.unordered() && len(g.items()) > 1 && !closed(g, item, met, parents) {
				return true
			}
			if slices.ContainsFunc(item, visit) {
				return true
			}
		}
		return false
	}
	return visit(root)
}

// closed reports whether all numbered values that are first met in an item of g are referred
// to only from within it.
func closed(g *thing, item []*thing, met map[*thing]bool, parents map[*thing][]*thing) bool {
	inner := map[*thing]bool{}
	var collect func(e *thing)
	collect = func(e *thing) {
		if e != nil && !met[e] && !inner[e] {
			inner[e] = true
			collect(e.param)
			for _, x := range e.inside {
				collect(x)
			}
		}
	}
	for _, e := range item {
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
