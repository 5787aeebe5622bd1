package serializer

import (
	"bytes"
	"slices"
	"testing"

	"harrier/internal/testkit/must"

	"pgregory.net/rapid"
)

// swapped swaps a and b, and nothing else.
var swapped = NewRenaming(func(name string) string {
	switch name {
	case "a":
		return "b"
	case "b":
		return "a"
	}
	return name
})

func TestRename(t *testing.T) {
	for _, c := range readSamples(t, "testdata/renamings.txt") {
		t.Run(c.name, func(t *testing.T) {
			in, want := bytesOf(t, c.before), bytesOf(t, c.after)
			got := must.Get(swapped.Rename(in))
			if !bytes.Equal(got, want) {
				t.Errorf("%s, want\n%s\n%x\n%x", Format(mustDecode(t, got)), Format(mustDecode(t, want)), got, want)
			}
			if back, err := swapped.Rename(got); err != nil || !bytes.Equal(back, in) {
				t.Errorf("back: %x, %v, want %x", back, err, in)
			}
		})
	}
}

func TestRenameNothing(t *testing.T) {
	for _, s := range []string{`0c "c"`, `20 "c" 00 "A" 00`, `18 02 0a "a" 13 03 0c 01 61`, `13 02 0c 7f`, ``} {
		in := bytesOf(t, s)
		got, err := swapped.Rename(in)
		if err != nil || len(in) > 0 && &got[0] != &in[0] {
			t.Errorf("%s: %x, %v", s, got, err)
		}
	}
}

func TestRenameRefuses(t *testing.T) {
	in := bytesOf(t, `18 02 0c "a" 0f 00`)
	if got, err := swapped.Rename(in); err == nil {
		t.Errorf("renamed to %x", got)
	}
}

// What takes too long to sort is refused, soon.
func TestRenameIsBounded(t *testing.T) {
	in := append(bytesOf(t, `18 02 0c "a"`), sharedSets(300)...)
	if got, err := swapped.Rename(in); err == nil {
		t.Errorf("renamed to %d bytes", len(got))
	}
}

// drawNames draws a permutation of the words.
func drawNames(t *rapid.T) (to, from map[string]string) {
	to, from = map[string]string{}, map[string]string{}
	for i, w := range rapid.Permutation(words).Draw(t, "names") {
		to[words[i]], from[w] = w, words[i]
	}
	return to, from
}

func renaming(names map[string]string) *Renaming {
	return NewRenaming(func(name string) string {
		if to, ok := names[name]; ok {
			return to
		}
		return name
	})
}

// renamed gives the nodes of a graph other names.
func renamed(g *graphNode, names map[string]string) *graphNode {
	return rebuilt(g, func(g *graphNode) {
		if g.head.Kind == Name || g.head.Kind == Actor {
			g.head.Text = names[g.head.Text]
		}
	})
}

func mustRename(t fataler, r *Renaming, b []byte) []byte {
	out, err := r.Rename(b)
	if err != nil {
		t.Fatalf("%x: %v", b, err)
	}
	return out
}

// Renaming is what the definition says: the graph with other names, written anew. It does not depend on the order
// in which unordered collections happened to be, and the inverse takes it back.
func TestRenamingReference(t *testing.T) {
	changed := 0
	rapid.Check(t, func(t *rapid.T) {
		g := drawGraph(t)
		to, from := drawNames(t)
		b := mustCanonical(t, g)
		out := mustRename(t, renaming(to), b)
		left := renamed(graphOf(mustDecode(t, b)), to)
		if !sameOrSkip(t, graphOf(mustDecode(t, out)), left) {
			t.Fatalf("%s is renamed to %s", Format(mustDecode(t, b)), Format(mustDecode(t, out)))
		}
		if want, ok := writeReference(left); ok && !bytes.Equal(out, want) {
			t.Fatalf("%s\n%x, want\n%x", Format(mustDecode(t, b)), out, want)
		}
		if tangled(g) {
			return
		}
		if !bytes.Equal(out, b) {
			changed++
		}
		if back := mustRename(t, renaming(from), out); !bytes.Equal(back, b) {
			t.Fatalf("%x and back: %x", b, back)
		}
		if other := mustCanonical(t, shuffled(t, left)); !bytes.Equal(out, other) {
			t.Fatalf("%x, another order: %x", out, other)
		}
	})
	if changed < 30 {
		t.Errorf("only %d graphs changed", changed)
	}
}

// What Java wrote comes back, with all its timers, tasks and shared objects.
func TestRenamingOfGoldenVectors(t *testing.T) {
	reversed := NewRenaming(func(name string) string {
		b := []byte(name)
		slices.Reverse(b)
		return string(b)
	})
	changed := 0
	for _, g := range readGolden(t) {
		out := mustRename(t, reversed, g.bytes)
		if !bytes.Equal(out, g.bytes) {
			changed++
		}
		if back := mustRename(t, reversed, out); !bytes.Equal(back, g.bytes) {
			t.Errorf("%s: %x and back: %x", g.name, g.bytes, back)
		}
	}
	if changed < 3 {
		t.Errorf("only %d vectors have names", changed)
	}
}

// FuzzRename looks for bytes that decode and whose renaming crashes, runs long, does not decode or does not
// hold the same.
func FuzzRename(f *testing.F) {
	for _, c := range readSamples(f, "testdata/renamings.txt") {
		f.Add(bytesOf(f, c.before))
	}
	f.Add(ring(3))
	f.Fuzz(func(t *testing.T, in []byte) {
		out, err := swapped.Rename(in)
		if err != nil || !swapped.touches(in) {
			return
		}
		v := mustDecode(t, out)
		if _, err := canonicalOf(v); err != nil {
			t.Errorf("%x cannot be written again: %v", out, err)
		}
	})
}
