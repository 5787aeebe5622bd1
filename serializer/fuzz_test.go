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
	for _, c := range diffs {
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
