package dbss

import "testing"

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
