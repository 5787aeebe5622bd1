package pairs

import (
	"math/rand/v2"
	"sync"
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

func TestEmptyMapHasNothing(t *testing.T) {
	var m Map
	if _, ok := m.Get(0, 0); ok {
		t.Fatal("the empty map has a value")
	}
}
