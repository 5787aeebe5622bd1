package serializer

import (
	"bytes"
	"strings"
	"testing"
)

// FuzzDecode looks for bytes that crash the package, and for bytes that decode but do not
// come back.
func FuzzDecode(f *testing.F) {
	for _, c := range valid {
		f.Add(bytesOf(f, c.bytes))
	}
	for _, c := range refused {
		f.Add(bytesOf(f, c.bytes))
	}
	for _, c := range readSamples(f, "testdata/diffs.txt") {
		f.Add(bytesOf(f, c.before))
		f.Add(bytesOf(f, c.after))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		v, err := Decode(in)
		if err != nil {
			return
		}
		if got := Encode(v); !bytes.Equal(got, in) {
			t.Errorf("%x encodes as %x", in, got)
		}
		if text := Format(v); strings.ContainsAny(text, "\n\r\t") {
			t.Errorf("more than one line: %q", text)
		}
		if changes := Diff(v, v); len(changes) > 0 {
			t.Errorf("%x differs from itself: %v", in, changes)
		}
		Diff(v, Value{Kind: List, Elements: []Value{v}})
	})
}

// FuzzProject looks for bytes that decode and whose projection crashes, runs long, does not
// decode or is not final.
func FuzzProject(f *testing.F) {
	for _, c := range readSamples(f, "testdata/projections.txt") {
		f.Add(bytesOf(f, c.before))
	}
	for _, c := range readSamples(f, "testdata/diffs.txt") {
		f.Add(bytesOf(f, c.before))
	}
	f.Add(sharedSets(8))
	f.Add(nestedSets(8))
	f.Add(ring(3))
	p := NewProjection(append(leaveOut, FieldName{"A", "n"}, FieldName{"N", "v"}))
	f.Fuzz(func(t *testing.T, in []byte) {
		out, err := p.Project(in)
		if err != nil || !p.touches(in) {
			return
		}
		v := mustDecode(t, out)
		if occurs(append(leaveOut, FieldName{"A", "n"}, FieldName{"N", "v"}), graphOf(v)) {
			t.Errorf("%x: fields left in %x", in, out)
		}
		if again, err := p.Project(out); err != nil || !bytes.Equal(again, out) {
			t.Errorf("%x: %x, %v, and once more %x", in, out, err, again)
		}
		if _, err := canonicalOf(v); err != nil {
			t.Errorf("%x cannot be written again: %v", out, err)
		}
	})
}
