package pairs

import (
	"math/rand/v2"
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

func TestEmptyMapHasNothing(t *testing.T) {
	var m Map
	if _, ok := m.Get(0, 0); ok {
		t.Fatal("the empty map has a value")
	}
}
