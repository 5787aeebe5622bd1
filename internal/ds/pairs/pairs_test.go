package pairs

import (
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
)

func TestMapAgreesWithGoMap(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var m Map
	want := map[[2]uint32]uint32{}
	for range 20000 {
		a, b, v := rng.Uint32N(300), rng.Uint32N(300), rng.Uint32N(1000)
		m.Put(a, b, v)
		want[[2]uint32{a, b}] = v
	}
	if m.Len() != len(want) {
		t.Fatalf("%d pairs, want %d", m.Len(), len(want))
	}
	for a := range uint32(300) {
		for b := range uint32(300) {
			v, ok := m.Get(a, b)
			w, wok := want[[2]uint32{a, b}]
			if v != w && ok || ok != wok {
				t.Fatalf("(%d,%d) is %d,%v, want %d,%v", a, b, v, ok, w, wok)
			}
		}
	}
}

func TestReadersSeeWholePairsWhileTheMapGrows(t *testing.T) {
	const pairs = 50_000
	var m Map
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for i := range uint32(pairs) {
				v, err := m.GetOrPut(i, i*3, func() (uint32, error) { return i * 7, nil })
				if v != i*7 || err != nil {
					t.Errorf("(%d,%d) is %d, %v", i, i*3, v, err)
					return
				}
				if v, ok := m.Get(i/2, i/2*3); !ok || v != i/2*7 {
					t.Errorf("(%d,%d) is %d, %v", i/2, i/2*3, v, ok)
					return
				}
			}
		})
	}
	all.Wait()
	if m.Len() != pairs {
		t.Errorf("%d pairs, want %d", m.Len(), pairs)
	}
}

// A reader that comes to a free slot must not take what is put there right then for what it looks for.
func TestReadersTakeNoOtherPairsValue(t *testing.T) {
	for range 20 {
		const pairs = 20_000
		var m Map
		var writing atomic.Bool
		writing.Store(true)
		var all sync.WaitGroup
		for reader := range uint32(3) {
			all.Go(func() {
				for i := reader; writing.Load(); i += 7919 {
					a := i % pairs
					if v, ok := m.Get(a, a); ok && v != a {
						t.Errorf("(%d,%d) is %d", a, a, v)
						return
					}
				}
			})
		}
		for a := range uint32(pairs) {
			m.Put(a, a, a)
		}
		writing.Store(false)
		all.Wait()
	}
}

func TestEmptyMapHasNothing(t *testing.T) {
	var m Map
	if _, ok := m.Get(0, 0); ok {
		t.Fatal("the empty map has a value")
	}
}
