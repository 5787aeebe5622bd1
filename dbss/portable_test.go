package dbss

import (
	"slices"
	"testing"

	"harrier/internal/ds/vectors"
	"harrier/internal/model"
	"harrier/internal/testkit/must"
)

// shifted is a system of four positions whose ids are larger by a multiple of the position plus one than those of another process.
type shifted struct {
	model.System
	by uint32
}

func (shifted) Initial() model.State { return make(model.State, 4) }

func (shifted) Write(position, id uint32) ([]byte, error) {
	return []byte{byte(position), byte(id)}, nil
}

func (s shifted) Read(b []byte) (position, id uint32, err error) {
	return uint32(b[0]), uint32(b[1]) + s.by*uint32(b[0]+1), nil
}

func (shifted) Hash(position, id uint32) (uint64, error) { return 0, nil }

// TestHalvesOfOneIDAreTwoHalves sends states whose lower and upper halves have the same ids, which mean something else in each half.
func TestHalvesOfOneIDAreTwoHalves(t *testing.T) {
	process := func(by uint32) *mail {
		s := shifted{by: by}
		return &mail{peers: &peers{terms: s}, c: newComposer(s, &store{tree: &vectors.Tree{}})}
	}
	from, to := process(0), process(10)
	for sent, want := range map[[4]uint32]model.State{
		{5, 7, 5, 7}: {15, 27, 35, 47},
		{5, 0, 5, 0}: {15, 0, 35},
		{0, 7, 0, 7}: {0, 27, 0, 47},
		{5, 7, 0, 0}: {15, 27},
		{0, 0, 5, 7}: {0, 0, 35, 47},
	} {
		out := newOutlet()
		s := must.Get(from.c.compress(sent[:]))
		must.Do(from.define(out, s))
		out.put(record{isInside, link{}, s})
		records := must.Get(to.read(newDictionary(), reader{b: out.batch}, nil))
		if got := to.c.decompress(to.c.find(records[0].state), nil); !slices.Equal(got, want) {
			t.Errorf("%v arrives as %v, want %v", sent, got, want)
		}
	}
}
