package serializer

import (
	"bytes"
	"slices"
	"testing"

	"harrier/internal/testkit/must"

	"pgregory.net/rapid"
)

// canonicalOf writes any tree canonically, with nothing left out.
func canonicalOf(v Value) ([]byte, error) {
	return encodeCanonical(&v, partsOf(&v), 0)
}

// What Java wrote is canonical: written again, it is the same.
func TestCanonicalIsWhatJavaWrites(t *testing.T) {
	for _, g := range readGolden(t) {
		v := must.Get(Decode(g.bytes))
		if got, err := canonicalOf(v); err != nil || !bytes.Equal(got, g.bytes) {
			t.Errorf("%s: %x, %v, want %x", g.name, got, err, g.bytes)
		}
	}
}

func TestCanonicalOfSortedTrees(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := drawTree(t)
		if slices.ContainsFunc(everything(graphOf(v)), repeatsKey) {
			return // with keys that Java's maps cannot have, the order of the tree need not be the one
		}
		if got, err := canonicalOf(v); err != nil || !bytes.Equal(got, Encode(v)) {
			t.Fatalf("%x, %v, want %x", got, err, Encode(v))
		}
	})
}

func repeatsKey(g *graphNode) bool {
	seen := map[string]bool{}
	for _, member := range g.members() {
		out, _ := writeReference(member[0])
		if g.entries && seen[string(out)] {
			return true
		}
		seen[string(out)] = true
	}
	return false
}

// drawGraph draws a graph, with refs and with members of sets in any order. Most have several
// sets, some with members that share.
func drawGraph(t *rapid.T) *graphNode {
	f := forest{T: t, unsorted: true, next: 1}
	v := Value{Kind: Actor, ClassName: f.word()}
	for range 4 {
		v.Fields = append(v.Fields, Field{f.word(), f.of(composite, 4)})
	}
	number(&v)
	return graphOf(v)
}

// drawCanonical draws bytes as Java might write them.
func drawCanonical(t *rapid.T) []byte { return mustCanonical(t, drawGraph(t)) }

func mustCanonical(t fataler, g *graphNode) []byte {
	b, err := canonicalOf(treeOf(g))
	if err != nil {
		t.Fatalf("%v", err)
	}
	return b
}

// A fataler is a *testing.T or a *rapid.T.
type fataler interface {
	Fatalf(format string, args ...any)
}

func mustDecode(t fataler, b []byte) Value {
	v, err := Decode(b)
	if err != nil {
		t.Fatalf("%x: %v", b, err)
	}
	return v
}

// The code that saves work gives what the definition says, to the byte.
func TestCanonicalReference(t *testing.T) {
	compared := 0
	rapid.Check(t, func(t *rapid.T) {
		g := drawGraph(t)
		want, ok := writeReference(g)
		if !ok {
			return
		}
		compared++
		got := mustCanonical(t, g)
		if !bytes.Equal(got, want) {
			t.Fatalf("%s\n%x, want\n%x", Format(treeOf(g)), got, want)
		}
		if !sameOrSkip(t, graphOf(mustDecode(t, got)), g) {
			t.Fatalf("%s reads as %s", Format(treeOf(g)), Format(mustDecode(t, got)))
		}
	})
	if compared < 80 {
		t.Errorf("only %d graphs were compared", compared)
	}
}

// The order in which a collection happened to be does not show.
func TestCanonicalForgetsOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawGraph(t)
		b := mustCanonical(t, g)
		if tangled(g) {
			return
		}
		if again := mustCanonical(t, shuffled(t, g)); !bytes.Equal(again, b) {
			t.Fatalf("%s\n%x\n%x", Format(treeOf(g)), b, again)
		}
		if again, err := canonicalOf(mustDecode(t, b)); err != nil || !bytes.Equal(again, b) {
			t.Fatalf("%v\n%x\n%x", err, b, again)
		}
	})
}

// Key bytes number from 0. That shows where the numbers that go on would be 255 and 256, as
// the bytes of these varints are in the other order.
func TestCanonicalKeysNumberAnew(t *testing.T) {
	for before := range 300 {
		v := Value{Kind: ImmutableList}
		for range before {
			v.Elements = append(v.Elements, object(0, "N"))
		}
		members := &Value{Kind: ImmutableSet}
		for i := range 2 {
			own := before + 2*i
			members.Elements = append(members.Elements, Value{Kind: ImmutableList,
				Elements: []Value{object(0, "N"), object(0, "N"), {Kind: Ref, Number: own + 1 - i}}})
		}
		v.Elements = append(v.Elements, *members)
		number(&v)
		want, _ := writeReference(graphOf(v))
		if got, err := canonicalOf(v); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%d values before: %x, %v, want\n%x", before, got, err, want)
		}
	}
}
