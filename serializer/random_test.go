package serializer

import (
	"bytes"
	"encoding/binary"
	"slices"
	"testing"
	"unicode/utf16"

	"harrier/internal/testkit/must"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// A forest draws random trees that Decode could have made. It draws from few names and
// small numbers, so that two trees often share parts.
type forest struct {
	*rapid.T
	next     int  // the number of the next numbered value
	noRefs   bool // within what is sorted after it was drawn, where a ref could come to point ahead
	unsorted bool // leave sets and maps in the order drawn, so that refs may be in them
}

func drawTree(t *rapid.T) Value {
	f := forest{T: t}
	return f.tree()
}

func (f *forest) tree() Value {
	t := f.T
	var v Value
	if rapid.Bool().Draw(t, "actor") {
		f.next = 1
		v = Value{Kind: Actor, Text: f.word(), Int: int64(f.below(200)), ClassName: f.word(), Fields: f.fields(4)}
	} else {
		v = f.value(5)
	}
	number(&v)
	return v
}

// number gives the numbered values of a tree their numbers. Sorting has moved some.
func number(v *Value) {
	for i, numbered := range partsOf(v) {
		numbered.Number = i
	}
}

func (f *forest) below(n int) int { return rapid.IntRange(0, n-1).Draw(f.T, "n") }

func (f *forest) toss() bool { return rapid.Bool().Draw(f.T, "toss") }

// some draws how many values something holds. A range would mostly give 0 and 1.
func (f *forest) some() (n int) {
	for range 4 {
		if f.toss() {
			n++
		}
	}
	return n
}

func (f *forest) word() string {
	return rapid.SampledFrom(words).Draw(f.T, "word")
}

var words = []string{"", "a", "b", "p.C", "p.C$D", "new\nline", "größe", "😀"}

var simple = []Kind{Null, False, True, Byte, Short, Int, Long, Char, Float, Double, String, CodeUnits, Name, Enum}

var composite = []Kind{Optional, Record, Object, Array, Bytes, List, Set, Map, OrderedMap, ImmutableList, NullableList, ImmutableSet, ImmutableMap}

// value draws a value at most depth levels deep.
func (f *forest) value(depth int) Value {
	kinds := simple
	switch {
	case depth > 1 && f.toss():
		kinds = composite
	case f.next > 0 && !f.noRefs && f.toss():
		kinds = []Kind{Ref}
	}
	return f.of(kinds, depth)
}

// of draws a value of one of these kinds.
func (f *forest) of(kinds []Kind, depth int) Value {
	v := Value{Kind: rapid.SampledFrom(kinds).Draw(f.T, "kind")}
	if v.Kind.Numbered() {
		f.next++
	}
	f.fill(&v)
	f.hold(&v, depth-1)
	return v
}

// fill draws what is not a value of its own.
func (f *forest) fill(v *Value) {
	switch v.Kind {
	case Byte:
		v.Int = int64(rapid.Int8().Draw(f.T, "byte"))
	case Short:
		v.Int = int64(rapid.Int16().Draw(f.T, "short"))
	case Int:
		v.Int = int64(rapid.Int32().Draw(f.T, "int"))
	case Long, Double:
		v.Int = rapid.Int64().Draw(f.T, "bits")
	case Char:
		v.Int = int64(rapid.Uint16().Draw(f.T, "char"))
	case Float:
		v.Int = int64(rapid.Uint32().Draw(f.T, "bits"))
	case String, Name:
		v.Text = f.word()
	case CodeUnits:
		v.Text = f.unpaired()
	case Bytes:
		v.Text = string(rapid.SliceOfN(rapid.Byte(), 0, 3).Draw(f.T, "bytes"))
	case Ref:
		v.Number = f.below(f.next)
	case Enum:
		v.ClassName, v.Text = f.word(), f.word()
	case Record, Object, Array, List, Set, Map, OrderedMap:
		v.ClassName = f.word()
	}
}

func (f *forest) unpaired() string {
	units := append(utf16.Encode([]rune(f.word())), 0xd800)
	units = append(units, utf16.Encode([]rune{'x', '😀'}[:f.below(3)])...)
	var b []byte
	for _, u := range units {
		b = binary.BigEndian.AppendUint16(b, u)
	}
	return string(b)
}

// hold draws the values inside v.
func (f *forest) hold(v *Value, depth int) {
	switch v.Kind {
	case List, Set, Map, OrderedMap:
		if p := f.value(1); p.Kind != Null {
			v.Parameter = &p
		}
	}
	switch v.Kind {
	case Optional:
		if content := f.value(depth); content.Kind != Null {
			v.Elements = []Value{content}
		}
	case Record, Object:
		v.Fields = f.fields(depth)
	case Array, List, ImmutableList, NullableList:
		v.Elements = f.elements(depth)
	case OrderedMap:
		v.Entries = f.entries(depth)
	case Set, ImmutableSet, Map, ImmutableMap:
		f.holdSorted(v, depth)
	}
}

func (f *forest) holdSorted(v *Value, depth int) {
	defer func(was bool) { f.noRefs = was }(f.noRefs)
	f.noRefs = !f.unsorted
	if v.Kind == Set || v.Kind == ImmutableSet {
		v.Elements = f.elements(depth)
	} else {
		v.Entries = f.entries(depth)
	}
	if f.unsorted {
		return
	}
	slices.SortStableFunc(v.Elements, byBytes)
	slices.SortStableFunc(v.Entries, func(a, b Entry) int { return byBytes(a.Key, b.Key) })
}

func byBytes(a, b Value) int { return bytes.Compare(Encode(a), Encode(b)) }

func (f *forest) fields(depth int) (fields []Field) {
	for range f.some() {
		fields = append(fields, Field{f.word(), f.value(depth)})
	}
	return fields
}

func (f *forest) elements(depth int) (elements []Value) {
	for range f.some() {
		elements = append(elements, f.value(depth))
	}
	return elements
}

func (f *forest) entries(depth int) (entries []Entry) {
	for range f.some() {
		entries = append(entries, Entry{f.value(depth), f.value(depth)})
	}
	return entries
}

func TestRandomTreesComeBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := drawTree(t)
		got, err := Decode(Encode(v))
		if err != nil {
			t.Fatalf("%s: %v", Format(v), err)
		}
		if diff := cmp.Diff(v, got); diff != "" {
			t.Fatalf("(-want +got):\n%s", diff)
		}
		if changes := Diff(v, got); len(changes) > 0 {
			t.Fatalf("differs from itself: %v", changes)
		}
	})
}

// Diff finds a change exactly when the bytes differ, however small the difference is.
func TestDiffMissesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := drawTree(t)
		w := must.Get(Decode(Encode(v)))
		alter(t, &w)
		same := bytes.Equal(Encode(v), Encode(w))
		if changes := Diff(v, w); same != (len(changes) == 0) {
			t.Fatalf("%x\n%x\n%s\n%s\n%v", Encode(v), Encode(w), Format(v), Format(w), changes)
		}
		if changes := Diff(w, v); same != (len(changes) == 0) {
			t.Fatalf("backward: %x\n%x\n%v", Encode(v), Encode(w), changes)
		}
	})
}

// alter changes one value somewhere in a tree, or takes a part away.
func alter(t *rapid.T, root *Value) {
	var all []*Value
	var visit func(v *Value)
	visit = func(v *Value) {
		all = append(all, v)
		v.Each(visit)
	}
	visit(root)
	v := rapid.SampledFrom(all).Draw(t, "altered")
	switch {
	case v.Kind == Ref:
		v.Number = rapid.IntRange(0, v.Number).Draw(t, "target")
	case len(v.Elements) > 1:
		v.Elements = v.Elements[1:]
	case len(v.Entries) > 0:
		v.Entries = v.Entries[:len(v.Entries)-1]
	case v.Kind == Int:
		v.Int ^= 1
	case v.Parameter != nil:
		v.Parameter = nil
	case v.Kind != Actor && !(v == root):
		*v = Value{Kind: Name, Text: "altered"}
	}
	number(root)
}
