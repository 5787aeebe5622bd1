package dbss

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"harrier/internal/model"
	"harrier/internal/testkit/must"
)

func TestTreeTellsVectorsApart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var tr tree
		// Few different ids, so that vectors share pairs. Some look like ids of pairs.
		id := rapid.SampledFrom([]uint32{0, 0, 1, 2, 1 << indexBits, 1<<indexBits | 1, 2 << indexBits})
		ids, vectors := map[string]uint32{}, map[uint32]string{}
		for _, v := range rapid.SliceOfN(rapid.SliceOfN(id, 0, 40), 1, 60).Draw(t, "vectors") {
			got := must.Get(tr.compress(v))
			s := fmt.Sprint(model.State(v).Trimmed())
			if before, ok := ids[s]; ok && before != got {
				t.Fatalf("%s has id %#x, and had %#x", s, got, before)
			}
			if other, ok := vectors[got]; ok && other != s {
				t.Fatalf("%s and %s have id %#x", s, other, got)
			}
			ids[s], vectors[got] = got, s
			if back := tr.decompress(got, []uint32{9}); back[0] != 9 || !slices.Equal(model.State(back[1:]).Trimmed(), model.State(v).Trimmed()) {
				t.Fatalf("the id of %s unfolds to %v", s, back)
			}
		}
	})
}

func TestTreeIsFullAtSomeHeight(t *testing.T) {
	var tr tree
	v := make([]uint32, 1<<maxLevel+1)
	v[len(v)-1] = 1
	if _, err := tr.compress(v[1:]); err != nil {
		t.Errorf("%d positions: %v", len(v)-1, err)
	}
	if _, err := tr.compress(v); err != errTreeFull {
		t.Errorf("%d positions: %v, want %v", len(v), err, errTreeFull)
	}
}

// The hash of a state must not depend on how its vector was cut into halves or on zeros at its end.
func TestHashAddsUp(t *testing.T) {
	v := []uint32{3, 0, 7, 1 << 31, 5}
	whole := hash(0, v)
	for cut := range v {
		if parts := hash(0, v[:cut]) + hash(cut, append(v[cut:len(v):len(v)], 0, 0)); parts != whole {
			t.Errorf("cut at %d: %#x, want %#x", cut, parts, whole)
		}
	}
}
