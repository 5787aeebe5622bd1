package levels

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"harrier/internal/testkit/must"
)

// TestChoicesAreWhatWasChosen chooses records of files, in an order of all of them, and reads these, file by file. Whatever else is said to be the
// choice is refused, or is one of as many records.
func TestChoicesAreWhatWasChosen(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		here := newProcess()
		o := NewOrder(here)
		var all []*Run
		var want []string
		var choice Choice
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		for i := range rapid.IntRange(0, 4).Draw(t, "files") {
			var of []met
			for _, text := range rapid.SliceOfNDistinct(states, 1, 12, rapid.ID).Draw(t, "states") {
				of = append(of, met{text: text})
			}
			file, name, told := written(newProcess(), 0, of, random)
			all = append(all, must.Get(Open(onDisk(file), name, told.in(o))))
			cursor := all[i].Cursor(false)
			for at := range of {
				r, _, err := cursor.Next()
				must.Do(err)
				if random.IntN(2) == 0 {
					choice.Add(RecordAt{i, at})
					want = append(want, here.text(r.State))
				}
			}
		}
		var text bytes.Buffer
		name := must.Get(choice.Write(&text, len(all)))
		chosen := must.Get(ReadChoice(all, false, InMemory(text.Bytes()), name, len(want)))
		if got := chosenBy(here, chosen); !slices.Equal(got, want) {
			t.Fatalf("chosen: %q, want %q", got, want)
		}
		var damaged *DamagedError
		for _, n := range []int{len(want) - 1, len(want) + 1} {
			if _, err := ReadChoice(all, false, InMemory(text.Bytes()), name, n); !errors.As(err, &damaged) {
				t.Fatalf("as %d states, of %d: %v", n, len(want), err)
			}
		}
		other := []byte(choiceMagic)
		for range random.IntN(8) {
			other = binary.AppendUvarint(other, random.Uint64()>>random.IntN(64))
		}
		other, name = named(other)
		switch chosen, err := ReadChoice(all, false, InMemory(other), name, len(want)); {
		case errors.As(err, &damaged):
		case err != nil:
			t.Fatalf("%x: %v", other, err)
		default:
			if got := chosenBy(here, chosen); len(got) != len(want) {
				t.Fatalf("%x chooses %d states, of %d", other, len(got), len(want))
			}
		}
		for _, r := range all {
			must.Do(r.Close())
		}
	})
}

// TestOtherFilesAreNoChoices reads as choices files of other versions, whose numbers mean other records.
func TestOtherFilesAreNoChoices(t *testing.T) {
	for _, text := range []string{"\x01\x01\x02\x01", "harrier choice 1\n"} {
		file, name := named([]byte(text))
		var damaged *DamagedError
		if _, err := ReadChoice(nil, false, InMemory(file), name, 0); !errors.As(err, &damaged) || damaged.Error() != fmt.Sprint(name, " is no choice of this version") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// chosenBy reads all states of a choice.
func chosenBy(p *process, c *Chosen) (all []string) {
	for {
		r, ok, err := c.Next()
		must.Do(err)
		if !ok {
			return all
		}
		all = append(all, p.text(r.State))
	}
}
