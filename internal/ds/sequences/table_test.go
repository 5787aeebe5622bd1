package sequences

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestSequencesAreThoseOfSlices(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		table := New()
		number := rapid.Uint32Range(0, rapid.SampledFrom([]uint32{1, 2, 3, 9, 1 << 20}).Draw(t, "largest"))
		want := rapid.SliceOfN(number, 0, rapid.SampledFrom([]int{5, 60, 600}).Draw(t, "longest")).Draw(t, "sequence")
		for range rapid.SampledFrom([]int{1, 1, 3, 40}).Draw(t, "repeats") - 1 {
			want = append(want, want[:min(len(want), 70)]...)
		}
		id := table.Intern(want)
		for range rapid.IntRange(1, 30).Draw(t, "changes") {
			place := rapid.IntRange(0, len(want)).Draw(t, "place")
			removed := rapid.IntRange(0, min(rapid.SampledFrom([]int{0, 1, 1, 7, 300}).Draw(t, "removed at most"), len(want)-place)).Draw(t, "removed")
			numbers := rapid.SliceOfN(number, 0, 3).Draw(t, "numbers")
			before, was := id, want
			id, want = table.Splice(id, place, removed, numbers...), slices.Replace(slices.Clone(want), place, place+removed, numbers...)
			switch {
			case !slices.Equal(table.All(id), want) || table.Len(id) != len(want):
				t.Fatalf("%v with %v for %d at %d is %v", was, numbers, removed, place, table.All(id))
			case id != table.Intern(want):
				t.Fatalf("%v has another id where it was made of %v with %v for %d at %d", want, was, numbers, removed, place)
			case !slices.Equal(table.All(before), was):
				t.Fatalf("%v became %v", was, table.All(before))
			case (id == 0) != (len(want) == 0):
				t.Fatalf("%v has the id %d", want, id)
			case !slices.Equal(slices.Collect(table.Runs(id)), runs(want)):
				t.Fatalf("%v has the runs %v", want, slices.Collect(table.Runs(id)))
			}
			for i, n := range want {
				if table.At(id, i) != n {
					t.Fatalf("%d is at %d of %v", table.At(id, i), i, want)
				}
			}
		}
	})
}

// runs are the longest runs of a slice.
func runs(of []uint32) (all []Run) {
	for place, n := range of {
		if place > 0 && of[place-1] == n {
			all[len(all)-1].Count++
		} else {
			all = append(all, Run{place, n, 1})
		}
	}
	return all
}

func TestDifferentSequencesHaveDifferentIds(t *testing.T) {
	table, seen := New(), map[uint32][]uint32{}
	for length := range 8 {
		for code := range 1 << (2 * length) {
			sequence := make([]uint32, length)
			for i := range sequence {
				sequence[i] = uint32(code >> (2 * i) & 3)
			}
			id := table.Intern(sequence)
			if other, ok := seen[id]; ok {
				t.Fatalf("%v and %v have the id %d", sequence, other, id)
			}
			seen[id] = sequence
		}
	}
}

// Whatever the numbers are, and wherever the sequence changes, a change adds few blocks.
func TestSequencesShareWhatTheyHaveInCommon(t *testing.T) {
	const length = 4_000
	kinds := map[string]func(i int) uint32{
		"equal":    func(int) uint32 { return 7 },
		"periodic": func(i int) uint32 { return uint32(i % 3) },
		"distinct": func(i int) uint32 { return uint32(i) },
		"mixed":    func(i int) uint32 { return hash(uint32(i)) % 5 },
	}
	changes := map[string]func(t *Table, id uint32, i int, number uint32) uint32{
		"grows at its end":        func(t *Table, id uint32, _ int, n uint32) uint32 { return t.Splice(id, t.Len(id), 0, n) },
		"grows at its start":      func(t *Table, id uint32, _ int, n uint32) uint32 { return t.Splice(id, 0, 0, n) },
		"grows in its middle":     func(t *Table, id uint32, _ int, n uint32) uint32 { return t.Splice(id, t.Len(id)/2, 0, n) },
		"loses one and gains two": func(t *Table, id uint32, i int, n uint32) uint32 { return grown(t, t.Splice(id, 0, min(i, 1)), n) },
	}
	for kind, number := range kinds {
		for change, next := range changes {
			t.Run(kind+" "+change, func(t *testing.T) {
				table, id, blocks := New(), uint32(0), 0
				for i := range 2 * length {
					if i == length {
						blocks = table.Blocks()
					}
					id = next(table, id, i, number(i))
				}
				if more := table.Blocks() - blocks; more > 25*length {
					t.Errorf("%d changes of a sequence that %s add %d blocks", length, change, more)
				}
			})
		}
	}
}

func grown(t *Table, id, n uint32) uint32 { return t.Splice(id, t.Len(id), 0, n, n+1) }
