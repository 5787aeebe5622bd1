package examples

import (
	"context"
	"encoding/binary"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"harrier/model"
	"harrier/property"
)

// A view is what can be seen of a program when messages pass in one way: which local states its actors have together,
// and whether the invariants hold of all of them.
type view struct {
	vectors map[string]bool // local states of all actors, one after the other
	states  int
	holds   bool
	ends    map[string]bool // vectors in which nothing but faults may happen
}

// viewOf goes through all states of a program.
func viewOf(t *testing.T, p *program) view {
	t.Helper()
	actors, err := model.NewActors(p, model.Decomposition{})
	if err != nil {
		t.Fatal(err)
	}
	checker := property.NewChecker(p, actors)
	v := view{vectors: map[string]bool{}, ends: map[string]bool{}, holds: true}
	v.states = walk(t, actors, func(s model.State, _ int, isEnd bool) {
		vector := localStates(actors, s)
		if isEnd {
			v.ends[vector] = true
		}
		if v.vectors[vector] {
			return
		}
		v.vectors[vector] = true
		violated, err := checker.Invariants(context.Background(), s)
		if err != nil {
			t.Fatal(err)
		}
		v.holds = v.holds && violated == nil
	})
	return v
}

// walk goes through all states, with nothing of a search's, and tells of each how many transitions it has and whether
// they are all faults. It returns how many states there are.
func walk(t *testing.T, actors *model.Actors, visit func(s model.State, transitions int, isEnd bool)) int {
	t.Helper()
	queue, seen := []model.State{actors.Initial()}, map[string]bool{key(actors.Initial()): true}
	for len(queue) > 0 {
		s := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		next, isEnd := successors(t, actors, s)
		visit(s, len(next), isEnd)
		for _, n := range next {
			if k := key(n); !seen[k] {
				seen[k] = true
				queue = append(queue, n)
			}
		}
	}
	return len(seen)
}

// key is a vector of numbers as a string. Zeros at its end do not count.
func key(s []uint32) string {
	for len(s) > 0 && s[len(s)-1] == 0 {
		s = s[:len(s)-1]
	}
	var b []byte
	for _, id := range s {
		b = binary.LittleEndian.AppendUint32(b, id)
	}
	return string(b)
}

// localStates are the local states of all actors as bytes, since ids are others in each way that messages pass.
func localStates(actors *model.Actors, s model.State) string {
	var b strings.Builder
	for position := 1; position < len(s); position++ {
		parts := actors.NodeParts(s[position])
		b.WriteString(actors.PositionName(position))
		if parts.Local != 0 && !parts.Stopped {
			b.Write(actors.Actor(parts.Local).Local)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// successors are the states that a state leads to, and whether nothing but faults leads there.
func successors(t *testing.T, actors *model.Actors, s model.State) (next []model.State, isEnd bool) {
	t.Helper()
	enabled, err := actors.Enabled(context.Background(), s, nil)
	if err != nil {
		t.Fatal(err)
	}
	isEnd = true
	for _, transition := range enabled {
		n, _, err := actors.Apply(slices.Clone(s), transition, nil)
		if errors.Is(err, model.ErrRefused) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		isEnd = isEnd && actors.Facts(s, transition).Fault > 0
		next = append(next, n)
	}
	return next, isEnd
}

// small are all examples, with parameters that leave few states.
var small = []example{
	{"pingpong", "-"},
	{"paxos", "proposers=1"},
	{"paxos-faulty", "acceptors=2"},
	{"paxos", "proposers=1,crashes=1"},
	{"paxos-quorum", "numbers=1"},
	{"two-phase-commit", "-"},
	{"two-phase-commit", "missing=1"},
	{"byzantine-generals", "-"},
	{"byzantine-generals", "traitor=commander"},
	{"byzantine-generals", "generals=3"},
	{"paxos-faulty2", "proposers=1"},
	{"paxos-forgetful", "proposers=1"},
	{"register", "reads=1,objects=2"},
	{"register-wrong", "reads=1"},
	{"zab", "leaders=1"},
	{"zab-faulty", "leaders=1"},
	{"zab-faulty2", "leaders=1,followers=2"},
	{"retry", "-"},
	{"backup", "-"},
	{"backup", "fifo=false"},
	{"abp", "values=2,losses=1,duplicates=1"},
	{"abp-faulty", "values=2"},
}

// smallOnes are these, and with -all one of which each step takes Java long.
func smallOnes() []example {
	if *all {
		return append(small, example{"microraft", "nodes=2,fifo=false"})
	}
	return small
}

// TestModelsReachTheSameLocalStates is Corollary 1 of the paper on models of message passing: how messages pass changes
// neither what local states actors have together, nor, with that, what properties say of them. Ends are the same
// too, unless an actor must consume all that was delivered to it.
func TestModelsReachTheSameLocalStates(t *testing.T) {
	for _, c := range smallOnes() {
		t.Run(c.program+" "+c.parameters, func(t *testing.T) {
			views := map[model.Passing]view{}
			for _, passing := range []model.Passing{model.M, model.MP, model.MMP} {
				views[passing] = viewOf(t, loadIn(t, passing, c.program, c.parameters))
			}
			m, mp, mmp := views[model.M], views[model.MP], views[model.MMP]
			t.Logf("%d vectors; states: M %d, MP %d, M-MP %d", len(m.vectors), m.states, mp.states, mmp.states)
			for passing, v := range views {
				if !maps.Equal(v.vectors, m.vectors) || v.holds != m.holds {
					t.Errorf("%v: %d vectors, properties hold: %v; M has %d, %v", passing, len(v.vectors), v.holds, len(m.vectors), m.holds)
				}
			}
			if !maps.Equal(mmp.ends, m.ends) {
				t.Errorf("M-MP ends in %d vectors, M in %d", len(mmp.ends), len(m.ends))
			}
		})
	}
}
