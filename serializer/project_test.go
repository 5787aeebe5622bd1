package serializer

import (
	"bytes"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// Fields left out, by hand: class A loses its field x, class B its field y.
var leaveOut = []FieldName{{"A", "x"}, {"B", "y"}, {"B", "y"}, {"C", "never"}}

var projections = []struct{ name, before, after string }{
	{"an actor's field",
		`20 "a1" 02 "A" 02 "x" 05 02 "n" 05 04`,
		`20 "a1" 02 "A" 01 "n" 05 04`},
	{"the same name in another class",
		`18 02 11 "A" 01 "y" 00 11 "B" 01 "x" 00`,
		`18 02 11 "A" 01 "y" 00 11 "B" 01 "x" 00`},
	{"a class whose name the other ends with",
		`10 "p.A" 01 "x" 10 "A" 00`,
		`10 "p.A" 01 "x" 10 "A" 00`},
	{"all fields", `11 "A" 01 "x" 05 02`, `11 "A" 00`},
	{"nested in all that holds values",
		`18 05 0e 10 "A" 01 "x" 00 12 "A" 01 10 "A" 01 "x" 00 14 "L" 11 "A" 01 "x" 00 01 10 "A" 01 "x" 00 1a 01 10 "A" 01 "x" 00 10 "B" 01 "y" 00 17 "M" 00 01 10 "A" 01 "x" 00 10 "B" 01 "y" 00`,
		`18 05 0e 10 "A" 00 12 "A" 01 10 "A" 00 14 "L" 11 "A" 00 01 10 "A" 00 1a 01 10 "A" 00 10 "B" 00 17 "M" 00 01 10 "A" 00 10 "B" 00`},
	{"numbers are given anew",
		`11 "A" 03 "x" 11 "N" 00 "p" 11 "P" 00 "q" 0f 02`,
		`11 "A" 02 "p" 11 "P" 00 "q" 0f 01`},
	{"first met in a left-out field",
		`11 "A" 03 "x" 11 "N" 01 "me" 0f 01 "p" 0f 01 "q" 0f 01`,
		`11 "A" 02 "p" 11 "N" 01 "me" 0f 01 "q" 0f 01`},
	{"a part of what is left out",
		`11 "A" 02 "x" 14 "L" 00 02 11 "N" 00 11 "M" 01 "n" 0f 02 "p" 0f 03`,
		`11 "A" 01 "p" 11 "M" 01 "n" 11 "N" 00`},
	{"what is left out leads back to a kept field",
		`11 "A" 02 "p" 11 "N" 00 "x" 14 "L" 00 01 0f 01`,
		`11 "A" 01 "p" 11 "N" 00`},
	{"a set in another order",
		`19 02 10 "A" 02 "x" 05 02 "n" 05 04 10 "A" 02 "x" 05 04 "n" 05 02`,
		`19 02 10 "A" 01 "n" 05 02 10 "A" 01 "n" 05 04`},
	{"a map in another order",
		`16 "M" 00 02 10 "A" 02 "x" 05 02 "n" 05 04 01 10 "A" 02 "x" 05 04 "n" 05 02 02`,
		`16 "M" 00 02 10 "A" 01 "n" 05 02 02 10 "A" 01 "n" 05 04 01`},
	{"elements that become equal",
		`19 02 10 "A" 01 "x" 05 02 10 "A" 01 "x" 05 04`,
		`19 02 10 "A" 00 10 "A" 00`},
	{"keys that become equal",
		`1a 03 10 "A" 01 "x" 05 02 05 06 10 "A" 01 "x" 05 04 05 04 10 "A" 01 "x" 05 06 05 02`,
		`1a 03 10 "A" 00 05 02 10 "A" 00 05 04 10 "A" 00 05 06`},
	{"a value that leads back to its key, and keys that become equal",
		`1a 02 11 "A" 01 "x" 05 02 10 "R" 00 11 "A" 01 "x" 05 04 0f 01`,
		`1a 02 11 "A" 00 0f 00 11 "A" 00 10 "R" 00`},
	{"sets in a set in another order",
		`19 02 19 01 10 "A" 02 "x" 05 02 "n" 05 04 19 01 10 "A" 02 "x" 05 04 "n" 05 02`,
		`19 02 19 01 10 "A" 01 "n" 05 02 19 01 10 "A" 01 "n" 05 04`},
	// Element keys are 11 "E" … with ff 00 for the actor and 0f 00 for the element itself.
	{"refs out of elements sort behind refs within",
		`20 "a" 00 "B" 02 "y" 00 "s" 15 "S" 00 02 11 "E" 01 "n" 0f 00 11 "E" 01 "n" 0f 03`,
		`20 "a" 00 "B" 01 "s" 15 "S" 00 02 11 "E" 01 "n" 0f 02 11 "E" 01 "n" 0f 00`},
	{"a set's element first met in a left-out field",
		`11 "A" 02 "x" 11 "E" 01 "n" 05 02 "s" 15 "S" 00 02 0f 01 11 "E" 01 "n" 05 00`,
		`11 "A" 01 "s" 15 "S" 00 02 11 "E" 01 "n" 05 00 11 "E" 01 "n" 05 02`},
	{"elements that share",
		`11 "A" 02 "x" 11 "N" 00 "s" 19 02 18 01 0f 01 18 02 00 0f 01`,
		`11 "A" 01 "s" 19 02 18 01 11 "N" 00 18 02 00 0f 01`},
}

func TestProject(t *testing.T) {
	p := NewProjection(leaveOut)
	for _, c := range projections {
		t.Run(c.name, func(t *testing.T) {
			in := bytesOf(t, c.before)
			got, err := p.Project(in)
			if err != nil {
				t.Fatal(err)
			}
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
func TestProjectionByTheLetter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names, b := drawProjection(t), drawCanonical(t)
		out := mustProject(t, names, b)
		whole := graphOf(mustDecode(t, b))
		left := kept(whole, names)
		want, ok := b, true
		if occurs(names, whole) {
			want, ok = writeByTheLetter(left)
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
func rewritten(t *rapid.T, g *thing, names []FieldName) *thing {
	var numbered []*thing
	for _, x := range everything(g) {
		if x.head.Kind.Numbered() && x.head.Kind != Actor {
			numbered = append(numbered, x)
		}
	}
	fresh := func() *thing {
		f := forest{T: t, unsorted: true}
		v := f.value(3)
		number(&v)
		return graphOf(v)
	}
	return rebuilt(g, func(g *thing) {
		for i := len(g.names) - 1; i >= 0; i-- {
			if !hasName(names, g, i) {
				continue
			}
			switch how := rapid.IntRange(0, 3).Draw(t, "how"); {
			case how == 0:
				g.names, g.inside = append(g.names[:i], g.names[i+1:]...), append(g.inside[:i], g.inside[i+1:]...)
			case how == 1:
				g.inside[i] = &thing{}
			case how == 2 && len(numbered) > 0:
				g.inside[i] = rapid.SampledFrom(numbered).Draw(t, "shared")
			default:
				g.inside[i] = fresh()
			}
		}
	})
}

func occurs(names []FieldName, g *thing) bool {
	return slices.ContainsFunc(everything(g), func(g *thing) bool {
		for i := range g.names {
			if hasName(names, g, i) {
				return true
			}
		}
		return false
	})
}

func hasName(names []FieldName, g *thing, i int) bool {
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
		equal, isSame := bytes.Equal(x, y), sameOrSkip(t, left, right)
		if equal && !isSame || isSame && !equal && !tangled(left) {
			t.Fatalf("same: %v\n%s\n%s\n%x\n%x", isSame, Format(treeOf(left)), Format(treeOf(right)), x, y)
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
