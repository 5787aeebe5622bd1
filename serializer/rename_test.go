package serializer

import (
	"bytes"
	"slices"
	"testing"

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

// Names swapped, by hand. Actor a becomes b, and b becomes a.
var renamings = []struct{ name, before, after string }{
	{"a name", `0c "a"`, `0c "b"`},
	{"an actor", `20 "a" 02 "p.A" 01 "n" 05 02`, `20 "b" 02 "p.A" 01 "n" 05 02`},
	{"another name", `20 "c" 02 "p.A" 01 "n" 0c "ab"`, `20 "c" 02 "p.A" 01 "n" 0c "ab"`},
	{"what only looks like a name", `18 03 0a "a" 0d "a" "b" 10 "a" 01 "a" 13 03 0c 01 61`, `18 03 0a "a" 0d "a" "b" 10 "a" 01 "a" 13 03 0c 01 61`},
	{"all that holds values",
		`18 04 0e 0c "a" 12 "L" 01 0c "b" 14 "L" 0c "a" 01 0c "a" 17 "M" 00 01 0c "b" 0c "a"`,
		`18 04 0e 0c "b" 12 "L" 01 0c "a" 14 "L" 0c "b" 01 0c "b" 17 "M" 00 01 0c "a" 0c "b"`},
	{"a list keeps its order", `18 03 0c "a" 0c "b" 0c "c"`, `18 03 0c "b" 0c "a" 0c "c"`},
	{"a set does not", `19 03 0c "a" 0c "b" 0c "c"`, `19 03 0c "a" 0c "b" 0c "c"`},
	{"a set of one of them", `15 "S" 00 02 0c "a" 0c "aa"`, `15 "S" 00 02 0c "b" 0c "aa"`},
	{"a set that is sorted again", `19 02 10 "R" 01 "n" 0c "a" 10 "R" 01 "n" 0c "aa"`, `19 02 10 "R" 01 "n" 0c "b" 10 "R" 01 "n" 0c "aa"`},
	{"a map by names", `1a 02 0c "a" 05 02 0c "b" 05 04`, `1a 02 0c "a" 05 04 0c "b" 05 02`},
	{"sets in a set", `19 02 19 01 18 02 0c "a" 01 19 01 18 02 0c "b" 02`, `19 02 19 01 18 02 0c "a" 02 19 01 18 02 0c "b" 01`},
	{"a ref that now comes first",
		`19 02 18 02 0c "a" 11 "N" 00 18 02 0c "b" 0f 00`,
		`19 02 18 02 0c "a" 11 "N" 00 18 02 0c "b" 0f 00`},
	{"a ref to what comes later now",
		`18 02 16 "M" 00 02 0c "a" 11 "N" 00 0c "b" 11 "M" 00 0f 01`,
		`18 02 16 "M" 00 02 0c "a" 11 "M" 00 0c "b" 11 "N" 00 0f 02`},
	{"a role", `10 "harrier.Role" 02 "role" 0a "a" "size" 05 04`, `10 "harrier.Role" 02 "role" 0a "a" "size" 05 04`},

	{"a history",
		history(operation(`"a"`, "00", "02"), operation(`"b"`, "00", "01"), operation(`"a"`, "02", "01")),
		history(operation(`"a"`, "00", "01"), operation(`"b"`, "00", "02"), operation(`"b"`, "02", "01"))},
	{"operations of one actor in one moment",
		history(operation(`"a"`, "00", "02"), operation(`"a"`, "00", "01"), operation(`"c"`, "00", "01")),
		history(operation(`"b"`, "00", "02"), operation(`"b"`, "00", "01"), operation(`"c"`, "00", "01"))},

	{"timers", `20 "c" 00 "A" 01 "pending timers" 14 "L" 00 02 0c "a" 0c "b"`, `20 "c" 00 "A" 01 "pending timers" 14 "L" 00 02 0c "a" 0c "b"`},
	{"timers with other content",
		`20 "c" 00 "A" 01 "pending timers" 14 "L" 00 03 00 10 "T" 02 "n" 0c "a" "i" 05 02 10 "T" 02 "n" 0c "b" "i" 05 00`,
		`20 "c" 00 "A" 01 "pending timers" 14 "L" 00 03 00 10 "T" 02 "n" 0c "a" "i" 05 00 10 "T" 02 "n" 0c "b" "i" 05 02`},
	{"timers that share with a field",
		`20 "c" 00 "A" 02 "f" 11 "N" 01 "n" 0c "a" "pending timers" 14 "L" 00 02 0f 01 11 "N" 01 "n" 0c "b"`,
		`20 "c" 00 "A" 02 "f" 11 "N" 01 "n" 0c "b" "pending timers" 14 "L" 00 02 11 "N" 01 "n" 0c "a" 0f 01`},
	{"a list in a field of another name", `20 "c" 00 "A" 01 "timers" 14 "L" 00 02 0c "a" 0c "b"`, `20 "c" 00 "A" 01 "timers" 14 "L" 00 02 0c "b" 0c "a"`},
	{"tasks behind timers, by what they share with the actor",
		`20 "c" 00 "A" 02 "f" 0c "c" "pending timers" 14 "L" 00 03 0c "b" 11 "harrier.host.Task" 01 "run" 0c "a" 11 "harrier.host.Task" 01 "run" 0c "b"`,
		`20 "c" 00 "A" 02 "f" 0c "c" "pending timers" 14 "L" 00 03 0c "a" 11 "harrier.host.Task" 01 "run" 0c "a" 11 "harrier.host.Task" 01 "run" 0c "b"`},
	{"a task that shares with the actor, before one that does not",
		`20 "a" 00 "A" 02 "f" 11 "N" 01 "n" 05 04 "pending timers" 14 "L" 00 02 11 "harrier.host.Task" 01 "run" 0f 01 11 "harrier.host.Task" 01 "run" 11 "N" 01 "n" 05 02`,
		`20 "b" 00 "A" 02 "f" 11 "N" 01 "n" 05 04 "pending timers" 14 "L" 00 02 11 "harrier.host.Task" 01 "run" 0f 01 11 "harrier.host.Task" 01 "run" 11 "N" 01 "n" 05 02`},
	{"timers with durations",
		`20 "c" 00 "A" 01 "pending timers" 14 "L" 00 04 ` + delayed(`"b"`, "00", "00", "00") + delayed(`"a"`, "02", "02", "00") + delayed(`"b"`, "02", "02", "00") + delayed(`"a"`, "02", "02", "02"),
		`20 "c" 00 "A" 01 "pending timers" 14 "L" 00 04 ` + delayed(`"a"`, "00", "00", "00") + delayed(`"a"`, "02", "02", "00") + delayed(`"b"`, "02", "02", "00") + delayed(`"b"`, "02", "02", "02")},
}

// history is a history of operations.
func history(operations ...string) string {
	s := `10 "harrier.History" 01 "operations" 18 0` + string(rune('0'+len(operations)))
	for _, o := range operations {
		s += " " + o
	}
	return s
}

// operation is a pending operation.
func operation(actor, invokedAt, invocation string) string {
	return `10 "harrier.Operation" 05 "actor" 0c ` + actor + ` "invocation" ` + invocation + ` "result" 00 "invokedAt" 05 ` + invokedAt + ` "returnedAt" 05 01`
}

func delayed(what, low, high, moment string) string {
	return `10 "harrier.host.Agenda$Delayed" 04 "what" 0c ` + what + ` "min" 06 ` + low + ` "max" 06 ` + high + ` "moment" 05 ` + moment + " "
}

func TestRename(t *testing.T) {
	for _, c := range renamings {
		t.Run(c.name, func(t *testing.T) {
			in, want := bytesOf(t, c.before), bytesOf(t, c.after)
			got, err := swapped.Rename(in)
			if err != nil {
				t.Fatal(err)
			}
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

// renamed gives the things of a graph other names.
func renamed(g *thing, names map[string]string) *thing {
	return rebuilt(g, func(g *thing) {
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
func TestRenamingByTheLetter(t *testing.T) {
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
		if want, ok := writeByTheLetter(left); ok && !bytes.Equal(out, want) {
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
	for _, c := range renamings {
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
