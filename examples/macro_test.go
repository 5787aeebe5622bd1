package examples

import (
	"context"
	"testing"

	"harrier/dbss"
	"harrier/dir"
	"harrier/model"
	"harrier/property"
)

// TestMacroStates holds the numbers of macro states to those that an independent prototype counted, with verdicts.
func TestMacroStates(t *testing.T) {
	for _, c := range []struct {
		program, parameters string
		states              uint64
	}{
		{"paxos", "-", 5_104},
		{"paxos", "crashes=1", 10_208},
		{"paxos", "acceptors=4", 33_280},
		{"register", "-", 6_349},
		{"zab", "followers=2,timeouts=1", 7_297},
		{"two-phase-commit", "managers=5", 1_119},
		{"paxos-quorum", "leaders=1", 561},
		{"abp", "-", 1_851},
		{"retry", "-", 25},
		{"backup", "-", 16},
		{"byzantine-generals", "-", 405},
	} {
		t.Run(c.program+" "+c.parameters, func(t *testing.T) {
			p := load(t, c.program, c.parameters)
			actors, err := model.NewActors(p, p.Decomposition(model.Selective))
			if err != nil {
				t.Fatal(err)
			}
			r, err := dir.Search(context.Background(), actors, property.NewChecker(p, actors), dbss.Options{}, &dbss.Progress{})
			if err != nil {
				t.Fatal(err)
			}
			if !r.Complete || r.Violation != nil || r.States != c.states {
				t.Errorf("%d macro states, not %d; complete: %v, violation: %v", r.States, c.states, r.Complete, r.Violation)
			}
		})
	}
}
