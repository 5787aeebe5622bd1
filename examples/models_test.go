package examples

import (
	"maps"
	"testing"

	"harrier/internal/twin"
	"harrier/model"
)

// small are all examples, with parameters that leave few states.
var small = []example{
	{"pingpong", "-"},
	{"paxos", "proposers=1"},
	{"paxos-faulty", "acceptors=2"},
	{"paxos", "proposers=1,crashes=1"},
	{"paxos-quorum", "acceptors=2,numbers=1"},
	{"two-phase-commit", "-"},
	{"two-phase-commit", "missing=1"},
	{"byzantine-generals", "-"},
	{"byzantine-generals", "traitor=commander"},
	{"byzantine-generals", "generals=3"},
	{"paxos-faulty2", "proposers=1"},
	{"paxos-forgetful", "proposers=1"},
	{"register", "reads=1,objects=2"},
	{"register-wrong", "reads=1,objects=2"},
	{"zab", "leaders=1"},
	{"zab-faulty", "leaders=1"},
	{"zab-faulty2", "leaders=1,followers=2"},
	{"retry", "-"},
	{"backup", "-"},
	{"backup", "fifo=false"},
	{"abp", "values=2,losses=1,duplicates=1"},
	{"abp-faulty", "values=2"},
	{"randtree", "nodes=2"},
	{"randtree-faulty", "nodes=2"},
}

// smallOnes are these, and with -all one of which each step takes Java long.
func smallOnes() []example {
	if *all {
		return append(small, example{"microraft", "nodes=2,fifo=false"})
	}
	return small
}

// TestModelsReachTheSameLocalStates is Corollary 1 of the paper on models of message passing: how messages pass changes
// neither what local states actors have together, nor, with that, what properties say of them. Terminal states are the same
// too, unless an actor must consume all that was delivered to it.
func TestModelsReachTheSameLocalStates(t *testing.T) {
	for _, c := range smallOnes() {
		t.Run(c.program+" "+c.parameters, func(t *testing.T) {
			found := map[model.DeliveryModel]twin.Result{}
			for _, delivery := range []model.DeliveryModel{model.M, model.MP, model.MMP} {
				found[delivery] = twin.Explore(loadIn(t, delivery, c.program, c.parameters), twin.Options{KeepVectors: true})
			}
			m, mp, mmp := found[model.M], found[model.MP], found[model.MMP]
			t.Logf("%d vectors; states: M %d, MP %d, M-MP %d", len(m.Vectors), m.States, mp.States, mmp.States)
			for delivery, r := range found {
				isViolated, isInM := r.Violations > r.Deadlocks, m.Violations > m.Deadlocks
				if r.Err != nil || !maps.Equal(r.Vectors, m.Vectors) || isViolated != isInM {
					t.Errorf("%v: %d vectors, an invariant is violated: %v; M has %d, %v (%v)", delivery, len(r.Vectors), isViolated, len(m.Vectors), isInM, r.Err)
				}
			}
			if !maps.Equal(mmp.Terminals, m.Terminals) {
				t.Errorf("M-MP has %d terminal vectors, M %d", len(mmp.Terminals), len(m.Terminals))
			}
		})
	}
}
