package dbss

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"harrier/model"
)

// trimmed is a state without its trailing zeros, which do not matter.
func trimmed(s model.State) model.State {
	for len(s) > 0 && s[len(s)-1] == 0 {
		s = s[:len(s)-1]
	}
	return s
}

// A plainSet is what the visited set must behave like: a Go map.
type plainSet struct {
	numbers map[string]uint32
	states  []model.State
}

func (p *plainSet) add(s model.State) (uint32, bool) {
	key := fmt.Sprint(trimmed(s))
	if n, ok := p.numbers[key]; ok {
		return n, false
	}
	n := uint32(len(p.states))
	p.numbers[key] = n
	p.states = append(p.states, slices.Clone(trimmed(s)))
	return n, true
}

func TestVisitedAgreesWithGoMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := newVisited(rapid.IntRange(1, 4).Draw(t, "first width"))
		want := plainSet{numbers: map[string]uint32{}}
		widest := rapid.IntRange(1, 12).Draw(t, "widest")
		vector := rapid.SliceOfN(rapid.Uint32Range(0, 3), 1, widest)
		large := rapid.SliceOfN(rapid.Uint32(), 1, widest)
		t.Repeat(map[string]func(*rapid.T){
			"add":       func(t *rapid.T) { addTo(t, v, &want, vector.Draw(t, "state")) },
			"add large": func(t *rapid.T) { addTo(t, v, &want, large.Draw(t, "state")) },
			"add with zeros": func(t *rapid.T) {
				s := append(vector.Draw(t, "state"), make(model.State, rapid.IntRange(0, 4).Draw(t, "zeros"))...)
				addTo(t, v, &want, s)
			},
			"load": func(t *rapid.T) {
				if len(want.states) > 0 {
					n := rapid.IntRange(0, len(want.states)-1).Draw(t, "number")
					loadFrom(t, v, uint32(n), want.states[n])
				}
			},
		})
		for n, s := range want.states {
			loadFrom(t, v, uint32(n), s)
		}
	})
}

// failer is what *testing.T and *rapid.T have in common.
type failer interface {
	Helper()
	Fatalf(format string, args ...any)
}

func addTo(t failer, v *visited, want *plainSet, s model.State) {
	t.Helper()
	given := slices.Clone(s)
	n, isNew := v.add(s)
	wantNumber, wantNew := want.add(s)
	if n != wantNumber || isNew != wantNew {
		t.Fatalf("adding %v gives number %d, new: %v; want %d, %v", s, n, isNew, wantNumber, wantNew)
	}
	if !slices.Equal(s, given) {
		t.Fatalf("adding %v changed it to %v", given, s)
	}
}

func loadFrom(t failer, v *visited, number uint32, want model.State) {
	t.Helper()
	s := v.load(number, model.State{7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7})
	if len(s) != v.width || !slices.Equal(trimmed(s), want) {
		t.Fatalf("state %d is %v, want %v with width %d", number, s, want, v.width)
	}
}

// Random states of a few ids seldom fill more than a chunk or a table, nor widen many.
func TestVisitedHoldsManyStatesWhileTheyWiden(t *testing.T) {
	v, want := newVisited(2), plainSet{numbers: map[string]uint32{}}
	const states = 3*chunkStates + 5
	for i := range uint32(states) {
		s := model.State{0, i % 200, i / 200, 0}
		if i > states/2 {
			s = append(s, i%7, 0, i%2)
		}
		addTo(t, v, &want, s)
	}
	for n, s := range slices.Clone(want.states) {
		loadFrom(t, v, uint32(n), s)
		addTo(t, v, &want, s)
	}
}

// Seldom does a hash lead to another state, so what compares them is tested by itself.
func TestVisitedComparesAllIds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ids := rapid.SliceOfN(rapid.Uint32Range(0, 1), 1, 5)
		a, b := model.State(ids.Draw(t, "stored")), model.State(ids.Draw(t, "compared"))
		v := newVisited(max(len(a), len(b)))
		n, _ := v.add(a)
		if got, want := v.equal(n, b), slices.Equal(trimmed(a), trimmed(b)); got != want {
			t.Fatalf("%v is equal to %v: %v, want %v", b, a, got, want)
		}
	})
}

// The set is exact: states with the same hash are told apart by their ids.
func TestVisitedTellsStatesWithEqualHashesApart(t *testing.T) {
	a, b := colliding(t)
	v, want := newVisited(3), plainSet{numbers: map[string]uint32{}}
	for range 2 {
		addTo(t, v, &want, a)
		addTo(t, v, &want, b)
	}
}

// colliding finds two states that have the same hash as far as the set looks at it: the tag.
func colliding(t *testing.T) (a, b model.State) {
	const states = 1 << 22
	state := func(i uint32) model.State { return model.State{0, 1 + i%2048, 1 + i/2048} }
	looked := func(i uint32) uint64 { return hash(state(i)) >> tagBits }
	hashes := make([]uint64, states)
	for i := range hashes {
		hashes[i] = looked(uint32(i))
	}
	slices.Sort(hashes)
	for i := 1; i < states; i++ {
		if hashes[i] == hashes[i-1] {
			var found []model.State
			for k := range uint32(states) {
				if looked(k) == hashes[i] {
					found = append(found, state(k))
				}
			}
			return found[0], found[1]
		}
	}
	t.Fatal("no two states collide: try more")
	return nil, nil
}
