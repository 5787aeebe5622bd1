package serializer

import (
	"bytes"
	"slices"
	"testing"

	"harrier/internal/must"

	"pgregory.net/rapid"
)

// Fields left out, by hand: class A loses its field x, class B its field y.
var leaveOut = []FieldName{{"A", "x"}, {"B", "y"}, {"B", "y"}, {"C", "never"}}

func TestProject(t *testing.T) {
	p := NewProjection(leaveOut)
	for _, c := range readSamples(t, "testdata/projections.txt") {
		t.Run(c.name, func(t *testing.T) {
			in := bytesOf(t, c.before)
			got := must.Get(p.Project(in))
			if want := bytesOf(t, c.after); !bytes.Equal(got, want) {
				t.Errorf("%s, want\n%s\n%x\n%x", Format(mustDecode(t, got)), Format(mustDecode(t, want)), got, want)
			}
			if c.before == c.after && &got[0] != &in[0] {
				t.Error("written again for nothing")
			}
		})
	}
}

func TestProjectNothing(t *testing.T) {
	p := NewProjection(nil)
	if !p.Empty() || NewProjection(leaveOut).Empty() {
		t.Error("Empty is wrong")
	}
	in := []byte{byte(True)}
	if got, err := p.Project(in); err != nil || &got[0] != &in[0] {
		t.Errorf("%x, %v", got, err)
	}
}

func TestProjectRefuses(t *testing.T) {
	in := bytesOf(t, `18 02 10 "A" 01 "x" 00 0f 00`)
	if got, err := NewProjection(leaveOut).Project(in); err == nil {
		t.Errorf("projected to %x", got)
	}
}

// drawProjection draws some names of fields, and leaves them out of all classes.
func drawProjection(t *rapid.T) (names []FieldName) {
	for _, field := range rapid.SliceOfNDistinct(rapid.SampledFrom(words), 1, 3, rapid.ID).Draw(t, "left out") {
		for _, class := range words {
			names = append(names, FieldName{class, field})
		}
	}
	return names
}

func mustProject(t *rapid.T, names []FieldName, b []byte) []byte {
	out, err := NewProjection(names).Project(b)
	if err != nil {
		t.Fatalf("%x: %v", b, err)
	}
	return out
}

// The projection reads as what is left of the graph, is what the definition says, and has
// no projection but itself. Bytes without a field to leave out are given back.
func TestProjectionReference(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names, b := drawProjection(t), drawCanonical(t)
		out := mustProject(t, names, b)
		whole := graphOf(mustDecode(t, b))
		left := kept(whole, names)
		want, ok := b, true
		if occurs(names, whole) {
			want, ok = writeReference(left)
		}
		if !ok {
			return
		}
		if !bytes.Equal(out, want) {
			t.Fatalf("%s\n%x, want\n%x", Format(mustDecode(t, b)), out, want)
		}
		if !sameOrSkip(t, graphOf(mustDecode(t, out)), left) {
			t.Fatalf("%s is projected to %s", Format(mustDecode(t, b)), Format(mustDecode(t, out)))
		}
		if again := mustProject(t, names, out); !bytes.Equal(again, out) {
			t.Fatalf("%x is projected to %x", out, again)
		}
	})
}

// What is in left-out fields does not show: neither its content, nor that it shares with
// what is kept, nor the numbers and the order that follow from it.
func TestLeftOutDoesNotShow(t *testing.T) {
	compared := 0
	rapid.Check(t, func(t *rapid.T) {
		names, g := drawProjection(t), drawGraph(t)
		h := shuffled(t, rewritten(t, g, names))
		if tangled(kept(g, names)) {
			return
		}
		a, b := mustCanonical(t, g), mustCanonical(t, h)
		if !bytes.Equal(a, b) {
			compared++
		}
		if x, y := mustProject(t, names, a), mustProject(t, names, b); !bytes.Equal(x, y) {
			t.Fatalf("%s\n%s\n%x\n%x", Format(mustDecode(t, a)), Format(mustDecode(t, b)), x, y)
		}
	})
	if compared < 10 {
		t.Errorf("only %d pairs differed in what is left out", compared)
	}
}

// rewritten gives left-out fields other values: null, fresh ones, or any numbered value of
// the graph; or takes them away.
func rewritten(t *rapid.T, g *graphNode, names []FieldName) *graphNode {
	var numbered []*graphNode
	for _, x := range everything(g) {
		if x.head.Kind.Numbered() && x.head.Kind != Actor {
			numbered = append(numbered, x)
		}
	}
	fresh := func() *graphNode {
		f := forest{T: t, unsorted: true}
		v := f.value(3)
		number(&v)
		return graphOf(v)
	}
	return rebuilt(g, func(g *graphNode) {
		for i := len(g.names) - 1; i >= 0; i-- {
			if !hasName(names, g, i) {
				continue
			}
			switch how := rapid.IntRange(0, 3).Draw(t, "how"); {
			case how == 0:
				g.names, g.inside = append(g.names[:i], g.names[i+1:]...), append(g.inside[:i], g.inside[i+1:]...)
			case how == 1:
				g.inside[i] = &graphNode{}
			case how == 2 && len(numbered) > 0:
				g.inside[i] = rapid.SampledFrom(numbered).Draw(t, "shared")
			default:
				g.inside[i] = fresh()
			}
		}
	})
}

func occurs(names []FieldName, g *graphNode) bool {
	return slices.ContainsFunc(everything(g), func(g *graphNode) bool {
		for i := range g.names {
			if hasName(names, g, i) {
				return true
			}
		}
		return false
	})
}

func hasName(names []FieldName, g *graphNode, i int) bool {
	return slices.Contains(names, FieldName{g.head.ClassName, g.names[i]})
}

// A change shows in the projection exactly if it changes what is kept.
func TestKeptChangesShow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names, g := drawProjection(t), drawGraph(t)
		v := treeOf(g)
		alter(t, &v)
		if !refsPointBack(&v) {
			return
		}
		a, b := mustCanonical(t, g), mustCanonical(t, graphOf(v))
		x, y := mustProject(t, names, a), mustProject(t, names, b)
		left, right := kept(g, names), kept(graphOf(v), names)
		equal, same := bytes.Equal(x, y), sameOrSkip(t, left, right)
		if equal && !same || same && !equal && !tangled(left) {
			t.Fatalf("same: %v\n%s\n%s\n%x\n%x", same, Format(treeOf(left)), Format(treeOf(right)), x, y)
		}
	})
}

// refsPointBack reports whether refs name what comes before them: alter may have taken it away.
func refsPointBack(root *Value) bool {
	next, ok := 0, true
	var visit func(v *Value)
	visit = func(v *Value) {
		if v.Kind.Numbered() {
			next++
		}
		if v.Kind == Ref && v.Number >= next {
			ok = false
		}
		v.Each(visit)
	}
	visit(root)
	return ok
}
