package lmc_test

import (
	"flag"
	"fmt"
	"strings"
	"testing"

	"harrier/dbss"
	"harrier/internal/mutants"
	"harrier/internal/toy"
	"harrier/lmc"
	"harrier/property"
)

var allMutants = flag.Bool("mutants", false, "plant all defects, not only the few that are planted in each run of the tests")

// TestMutantsAreKilled plants defects, and expects the tests that are named for each to show them.
func TestMutantsAreKilled(t *testing.T) {
	mutants.Kill(t, *allMutants, func(m mutants.Mutant) string { return "^" + strings.ReplaceAll(m.Killer, "/", "$/^") + "$" })
	for _, m := range mutants.Read(t) {
		if _, problem := m.Apply(); problem != "" {
			t.Errorf("%s: %s", m.Name, problem)
		}
	}
}

// ticking is a program of ann, who counts to a number by herself.
func ticking(most int) *toy.Script {
	s := &toy.Script{Start: map[string]string{"ann": "0"}, Rules: map[string][]toy.Then{}}
	for i := range most {
		s.Rules[fmt.Sprintf("ann %d itself", i)] = []toy.Then{{Become: fmt.Sprint(i + 1)}}
	}
	s.Invariants = []toy.Condition{func(at map[string]string) bool { return at["ann"] != "7" }}
	return s
}

func TestBoundsAreTold(t *testing.T) {
	for _, c := range []struct {
		name                 string
		most                 int
		options              lmc.Options
		isViolated, isProved bool
	}{
		{"proved", 5, lmc.Options{}, false, true},
		{"proved within a bound on its own events", 5, lmc.Options{LocalEvents: 9}, false, true},
		{"found within it", 9, lmc.Options{LocalEvents: 9}, true, false},
		{"beyond it", 9, lmc.Options{LocalEvents: 6}, false, false},
		{"beyond a bound on states", 9, lmc.Options{Options: dbss.Options{MaxStates: 5}}, false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := ticking(c.most)
			actors := actorsOf(t, p)
			r, err := lmc.Check(t.Context(), actors, property.NewChecker(p, actors), c.options, &dbss.Progress{})
			if err != nil {
				t.Fatal(err)
			}
			isTold := r.Complete || r.Violation != nil || r.Reason != ""
			if (r.Violation != nil) != c.isViolated || r.Complete != c.isProved || !isTold {
				t.Errorf("violation %v, complete %v, because %q", r.Violation, r.Complete, r.Reason)
			}
		})
	}
}
