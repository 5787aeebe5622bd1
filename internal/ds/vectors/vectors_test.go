package vectors

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func trimmed(v []uint32) []uint32 {
	for len(v) > 0 && v[len(v)-1] == 0 {
		v = v[:len(v)-1]
	}
	return v
}

func TestTreeTellsVectorsApart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var tr Tree
		// Few different ids, so that vectors share pairs. Some look like ids of pairs.
		id := rapid.SampledFrom([]uint32{0, 0, 1, 2, 1 << indexBits, 1<<indexBits | 1, 2 << indexBits})
		ids, vectors := map[string]uint32{}, map[uint32]string{}
		for _, v := range rapid.SliceOfN(rapid.SliceOfN(id, 0, 40), 1, 60).Draw(t, "vectors") {
			got, ok := tr.Compress(v)
			if !ok {
				t.Fatal("the tree is full")
			}
			s := fmt.Sprint(trimmed(v))
			if before, ok := ids[s]; ok && before != got {
				t.Fatalf("%s has id %#x, and had %#x", s, got, before)
			}
			if other, ok := vectors[got]; ok && other != s {
				t.Fatalf("%s and %s have id %#x", s, other, got)
			}
			ids[s], vectors[got] = got, s
			if back := tr.Decompress(got, []uint32{9}); back[0] != 9 || !slices.Equal(trimmed(back[1:]), trimmed(v)) {
				t.Fatalf("the id of %s unfolds to %v", s, back)
			}
		}
	})
}

func TestTreeGivesVectorsTogetherTheSameIDs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var tr Tree
		var b Batch
		id := rapid.SampledFrom([]uint32{0, 0, 1, 2, 1 << indexBits, 1<<indexBits | 1, 2 << indexBits})
		for range 3 { // some of the later vectors are known
			vectors := rapid.SliceOfN(rapid.SliceOfN(id, 0, 40), 0, 60).Draw(t, "vectors")
			for _, v := range vectors {
				b.Add(v)
			}
			got, ok := tr.CompressAll(&b, nil)
			if !ok || len(got) != len(vectors) {
				t.Fatalf("%d vectors have %d ids", len(vectors), len(got))
			}
			for i, v := range vectors {
				if want, _ := tr.Compress(v); got[i] != want {
					t.Fatalf("%v has id %#x, and %#x together with others", v, want, got[i])
				}
			}
		}
	})
}

func TestTreeIsFullAtSomeHeight(t *testing.T) {
	var tr Tree
	v := make([]uint32, 1<<maxLevel+1)
	v[len(v)-1] = 1
	if _, ok := tr.Compress(v[1:]); !ok {
		t.Errorf("%d positions have no id", len(v)-1)
	}
	if _, ok := tr.Compress(v); ok {
		t.Errorf("%d positions have an id", len(v))
	}
	var b Batch
	b.Add(v)
	if _, ok := tr.CompressAll(&b, nil); ok {
		t.Errorf("%d positions have an id", len(v))
	}
}
