package serializer

import (
	"bytes"
	"slices"
	"testing"

	"harrier/internal/testkit/must"

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
