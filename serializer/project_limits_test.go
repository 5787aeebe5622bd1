package serializer

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"
)

// leftOutIn gives an object of class A, with null in its left-out field x and what is given
// in s. The object has number 0.
func leftOutIn(content []byte) []byte {
	b := appendText([]byte{byte(Object)}, "A")
	b = append(appendText(append(b, 2), "x"), byte(Null))
	return append(appendText(b, "s"), content...)
}

// setHead starts a set, with a number, of two elements.
func setHead() []byte { return append(appendText([]byte{byte(Set)}, "S"), byte(Null), 2) }

// sharedSets gives sets of two lists each, both of which hold the next set. The key bytes
// of each list have the key bytes of all sets within.
func sharedSets(depth int) []byte {
	var front, back []byte
	for i := range depth {
		front = append(append(front, setHead()...), byte(ImmutableList), 1)
		// The second list starts with null, and so comes later.
		end := binary.AppendUvarint([]byte{byte(ImmutableList), 2, byte(Null), byte(Ref)}, uint64(i+2))
		back = append(end, back...)
	}
	innermost := append(appendText([]byte{byte(Object)}, "N"), 0)
	return leftOutIn(append(append(front, innermost...), back...))
}

// nestedSets gives sets inside one another, each with another element, around a ref.
func nestedSets(depth int) []byte {
	front := bytes.Repeat([]byte{byte(ImmutableSet), 2, byte(Null)}, depth)
	return leftOutIn(append(front, byte(Ref), 0))
}

// ring gives a set of n objects each of which knows the next.
func ring(n int) []byte {
	b := append(appendText([]byte{byte(Set)}, "S"), byte(Null))
	b = binary.AppendUvarint(b, uint64(n))
	for range n { // each inside the one before
		b = append(appendText(append(b, byte(Object)), "N"), 1)
		b = appendText(b, "next")
	}
	for i := range n { // the last one's next, and the other elements
		b = binary.AppendUvarint(append(b, byte(Ref)), uint64(i+2))
	}
	return leftOutIn(b)
}

// What would take exponentially long to sort, and so would never end here, is refused.
func TestProjectIsBounded(t *testing.T) {
	for name, in := range map[string][]byte{"shared sets": sharedSets(300), "nested sets": nestedSets(300)} {
		mustDecode(t, in)
		_, err := NewProjection(leaveOut).Project(in)
		if err == nil || !strings.Contains(err.Error(), "shared by the elements of nested sets") {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

// What sensible programs have, and more, is not refused.
func TestProjectHasRoom(t *testing.T) {
	deep := append(bytes.Repeat([]byte{byte(ImmutableSet), 2, byte(Null)}, 900), byte(True))
	for name, in := range map[string][]byte{
		"shared sets": sharedSets(6), "nested sets": nestedSets(12), "ring": ring(300), "deep sets": leftOutIn(deep),
	} {
		out, err := NewProjection(leaveOut).Project(in)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if len(out) != len(in)-len("\x01x\x00") {
			t.Errorf("%s: %d bytes of %d", name, len(out), len(in))
		}
		mustDecode(t, out)
	}
}

// A part that moves out of a left-out field can come to lie too deep.
func TestProjectionNestsTooDeep(t *testing.T) {
	for _, c := range []struct {
		levels int
		says   string
	}{{998, ""}, {999, "nest more than 1000 deep"}} {
		in := appendText([]byte{byte(Object)}, "A")
		in = append(appendText(append(in, 2), "x"), byte(Array), 0, 1)
		in = append(in, nested(500)...)
		in = appendText(in, "s")
		in = append(in, bytes.Repeat([]byte{byte(Optional)}, c.levels-500)...)
		in = append(in, byte(Ref), 1)
		mustDecode(t, in)
		// 1 for the object, 1 for the array, and those of what moved and of where it moved to.
		_, err := NewProjection(leaveOut).Project(in)
		if c.says == "" && err != nil || c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)) {
			t.Errorf("%d levels: error %v", c.levels, err)
		}
	}
}
