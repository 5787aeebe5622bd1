package wordset

import (
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"

	"harrier/internal/testkit/must"
)

func TestSetAgreesWithGoMap(t *testing.T) {
	s := open(t, 1)
	rng := rand.New(rand.NewPCG(1, 2))
	want := map[uint64]bool{}
	for i := range uint64(400_000) {
		word := rng.Uint64N(300_000) // words that count up, as pairs of ids do
		if i%3 == 0 {
			word = word<<32 | i%50
		}
		fresh := must.Get(s.Add(word))
		if fresh == want[word] {
			t.Fatalf("word %#x is new: %v, want %v", word, fresh, !want[word])
		}
		want[word] = true
	}
	if s.Len() != uint64(len(want)) {
		t.Errorf("%d words, want %d", s.Len(), len(want))
	}
}

func TestZeroIsAWord(t *testing.T) {
	s := open(t, 1)
	for _, want := range []bool{true, false} {
		if fresh, err := s.Add(0); fresh != want || err != nil {
			t.Errorf("adding 0: new %v, %v; want %v", fresh, err, want)
		}
	}
}

func TestEachWordIsNewOnceForManyGoroutines(t *testing.T) {
	const words, goroutines = 200_000, 8
	s := open(t, goroutines)
	var fresh atomic.Uint64
	var all sync.WaitGroup
	for g := range uint64(goroutines) {
		all.Go(func() {
			for i := range uint64(words) {
				isNew, err := s.Add((i*7919 + g*1000) % words) // each in an order of its own
				if err != nil {
					t.Error(err)
				}
				if isNew {
					fresh.Add(1)
				}
			}
		})
	}
	all.Wait()
	if fresh.Load() != words || s.Len() != words {
		t.Errorf("%d words were new and %d are in the set, want %d", fresh.Load(), s.Len(), words)
	}
}

func TestMemoryOfAWord(t *testing.T) {
	s := open(t, 1)
	for i := range uint64(3_000_000) {
		must.Get(s.Add(i))
		if i > 1_000_000 && i%100_000 == 0 {
			if bytes := float64(s.Bytes()) / float64(s.Len()); bytes < 9 || bytes > 12.5 {
				t.Errorf("%.1f bytes a word for %d words", bytes, s.Len())
			}
		}
	}
}

func open(t *testing.T, goroutines int) *Set {
	t.Helper()
	s := must.Get(New(goroutines))
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func BenchmarkAdd(b *testing.B) {
	s, err := New(1)
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	for i := range uint64(b.N) {
		s.Add(i)
	}
}

// Len is the number of words.
func (s *Set) Len() uint64 {
	n := uint64(0)
	for i := range s.segments {
		n += s.segments[i].count
	}
	return n
}
