package por_test

import (
	"fmt"
	"sync/atomic"
	"testing"

	"harrier/internal/testkit/toy"
	"harrier/internal/testkit/twin"
)

// TestReductionsSatisfyDefinition compares the transitions chosen in each reduced state with the definition, on the graph of all states that
// can be reached from it. So it sees choices that are wrong and happen to lose nothing.
func TestReductionsSatisfyDefinition(t *testing.T) {
	n := *programs / 2
	if n == 0 {
		n = fewDefined
	}
	var compared, counted atomic.Uint64
	twin.InParallel(t, *firstSeed, func(seed uint64) bool {
		s := drawn(seed)
		problem, states := s.define(byAnalysis)
		if compared.Add(uint64(states)); problem != "" {
			t.Errorf("seed %d: %s%s", seed, problem, smallest(s, subject.defined))
		}
		return counted.Add(1) < n
	})
	t.Logf("%d reduced states of %d programs were compared", compared.Load(), counted.Load())
	if compared.Load() < n {
		t.Error("too few states were compared")
	}
}

// fewDefined is how many programs are held to the definition unless -programs says so.
const fewDefined = 250

func (s subject) defined() string {
	problem, _ := s.define(byAnalysis)
	return problem
}

// smallest tells of the smallest program that is found that shows a problem as another one does.
func smallest(s subject, problem func(s subject) string) string {
	small := shrunk(s.Protocol, func(q *toy.Protocol) bool { return problem(subject{q}) != "" })
	return fmt.Sprintf("\nshrunk: %s\nwith it: %s", written(small), problem(subject{small}))
}
