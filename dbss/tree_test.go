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

// walk is a state that changes as the current state of a search does, with what its keys were.
type walk struct {
	keyer
	state  model.State
	undo   []model.Change
	steps  []int // length of undo before each step
	keys   map[string]uint64
	states map[uint64]string
}

func newWalk(k keyer, s model.State) *walk {
	return &walk{keyer: k, state: s, keys: map[string]uint64{}, states: map[uint64]string{}}
}

// step replaces some positions; the vector grows if it must.
func (w *walk) step(t *rapid.T, changes []model.Change) {
	w.steps = append(w.steps, len(w.undo))
	for _, c := range changes {
		for int(c.Position) >= len(w.state) {
			w.state = append(w.state, 0)
		}
		w.undo = append(w.undo, model.Change{Position: c.Position, Old: w.state[c.Position]})
		w.state[c.Position] = c.Old
	}
	var err error
	if w.undo, err = w.move(w.state, w.undo, w.steps[len(w.steps)-1]); err != nil {
		t.Fatal(err)
	}
}

// back takes some steps back at once.
func (w *walk) back(steps int) {
	to := w.steps[len(w.steps)-steps]
	w.keyer.undo(w.state, w.undo[to:])
	w.undo, w.steps = w.undo[:to], w.steps[:len(w.steps)-steps]
}

// check compares the key with those of all states before.
func (w *walk) check(t *rapid.T) uint64 {
	key, err := w.key()
	if err != nil {
		t.Fatal(err)
	}
	s := fmt.Sprint(trimmed(w.state))
	if before, ok := w.keys[s]; ok && before != key {
		t.Fatalf("state %s has key %#x, but had %#x", s, key, before)
	}
	if other, ok := w.states[key]; ok && other != s {
		t.Fatalf("states %s and %s have key %#x", s, other, key)
	}
	w.keys[s], w.states[key] = key, s
	return key
}

func TestKeysTellStatesApart(t *testing.T) {
	for name, keyers := range map[string]func(width int) (first, second keyer){
		"exact": func(width int) (keyer, keyer) {
			x := &exact{}
			return x.keyer(width), x.keyer(width)
		},
		"compact": func(int) (keyer, keyer) { return &hashed{}, &hashed{} },
	} {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) { walkAround(t, keyers) })
		})
	}
}

// walkAround walks at random, among few ids so that states come again.
func walkAround(t *rapid.T, keyers func(width int) (first, second keyer)) {
	width := rapid.IntRange(1, 9).Draw(t, "width")
	widest := uint32(rapid.IntRange(width, 40).Draw(t, "widest"))
	first, second := keyers(width)
	w := newWalk(first, make(model.State, width))
	if err := w.reset(w.state); err != nil {
		t.Fatal(err)
	}
	id := rapid.SampledFrom([]uint32{0, 0, 1, 2, 1 << indexBits, 1<<indexBits | 1, 2 << indexBits}) // some look like ids of pairs
	change := rapid.Custom(func(t *rapid.T) model.Change {
		return model.Change{Position: rapid.Uint32Range(0, widest-1).Draw(t, "position"), Old: id.Draw(t, "id")}
	})
	t.Repeat(map[string]func(*rapid.T){
		"step": func(t *rapid.T) { w.step(t, rapid.SliceOfN(change, 1, 5).Draw(t, "changes")) },
		"back": func(t *rapid.T) {
			if len(w.steps) > 0 {
				w.back(rapid.IntRange(1, len(w.steps)).Draw(t, "steps"))
			}
		},
		"": func(t *rapid.T) {
			key := w.check(t)
			if err := second.reset(slices.Clone(w.state)); err != nil {
				t.Fatal(err)
			}
			if again, err := second.key(); again != key || err != nil {
				t.Fatalf("state %v has key %#x, and %#x (%v) when it is folded anew", w.state, key, again, err)
			}
			if f, ok := second.(*folded); ok {
				if back, err := f.load(key, nil); err != nil || !slices.Equal(trimmed(back), trimmed(w.state)) {
					t.Fatalf("the key of %v is that of %v, %v", w.state, back, err)
				}
			}
		},
	})
}

// Workers know the tree at different heights.
func TestKeysDoNotDependOnTheHeightOfTheTree(t *testing.T) {
	x := &exact{}
	high, low := x.keyer(4), x.keyer(4)
	wide := make(model.State, 70)
	wide[69] = 7
	if err := high.reset(wide); err != nil {
		t.Fatal(err)
	}
	for _, s := range []model.State{{1, 2, 3, 4}, {0, 0, 0, 9}, {5}, {1, 2, 3, 4, 0, 6}} {
		for _, k := range []keyer{high, low} {
			if err := k.reset(s); err != nil {
				t.Fatal(err)
			}
		}
		a, _ := high.key()
		b, _ := low.key()
		if a != b {
			t.Errorf("state %v has keys %#x and %#x", s, a, b)
		}
	}
	if err := high.reset(wide); err != nil {
		t.Fatal(err)
	}
	key, _ := high.key()
	if back, err := low.(*folded).load(key, nil); err != nil || !slices.Equal(trimmed(back), wide) {
		t.Errorf("a state of %d positions is %v, %v where the tree was lower", len(wide), back, err)
	}
}
