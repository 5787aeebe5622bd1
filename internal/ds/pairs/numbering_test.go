package pairs

import (
	"math/rand/v2"
	"sync"
	"testing"
)

func TestNumberingCountsPairs(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var n Numbering
	want := map[Pair]uint32{}
	for range 50_000 {
		p := Pair{rng.Uint32N(300), rng.Uint32N(300)}
		number, ok := n.Number(p)
		if _, known := want[p]; !known {
			want[p] = uint32(len(want))
		}
		if !ok || number != want[p] || n.At(number) != p {
			t.Fatalf("%v is %d, %t, want %d", p, number, ok, want[p])
		}
	}
}

func TestGoroutinesAgreeOnNumbers(t *testing.T) {
	const most = 50_000
	var n Numbering
	var all sync.WaitGroup
	numbers := make([][most]uint32, 4)
	for g := range numbers {
		all.Go(func() {
			for i := range uint32(most) {
				number, _ := n.Number(Pair{i, i * 3})
				numbers[g][i] = number
				if p := n.At(number); p != (Pair{i, i * 3}) {
					t.Errorf("%d is %v", i, p)
					return
				}
			}
		})
	}
	all.Wait()
	taken := map[uint32]bool{}
	for i := range most {
		taken[numbers[0][i]] = true
		for g := range numbers {
			if numbers[g][i] != numbers[0][i] {
				t.Fatalf("%d has two numbers", i)
			}
		}
	}
	if len(taken) != most {
		t.Errorf("%d numbers for %d pairs", len(taken), most)
	}
}
